"""In class: keys that walk the lesson, players, links to copy, and a server's own numbers."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest

from specdec import LESSON_QUESTIONS, OPENING, TEACHING_ORDER, Setting
from specdec.answers.parts import setting_line

KEPT = "Chance a guess is kept, %"
FIFTY = (
    "SpecDecoding metrics: Mean acceptance length: 3.16, Accepted throughput: 10.80 tokens/s, "
    "Drafted throughput: 20.00 tokens/s, Accepted: 108 tokens, Drafted: 200 tokens, "
    "Per-position acceptance rate: 0.820, 0.600, 0.440, 0.300, Avg Draft acceptance rate: 54.0%"
)
CLOCK = re.compile(r"Draft lane at ([\d.]+) ms")


def page_of(visit):
    return urlsplit(visit.tab.url).path.strip("/")


def collapsed(visit):
    return visit.tab.locator("[data-testid=stSidebar]").get_attribute("data-collapsed") == "true"


def wait_until_collapsed(visit, folded):
    visit.tab.wait_for_function(
        """folded => document.querySelector('[data-testid=stSidebar]')
            .dataset.collapsed === String(folded)""",
        arg=folded,
    )
    visit.settle()


def step(visit, number):
    """Wait until the step is there; the view that its link promises must be as well."""
    visit.wait_for_text(f"Step {number} of {len(TEACHING_ORDER)}")
    wanted = TEACHING_ORDER[number - 1]
    assert page_of(visit) == wanted.page
    given = {name: value for name, (value,) in parse_qs(visit.query()).items()}
    assert given == {**wanted.named.setting.query_params(), "present": "true"}
    if wanted.page != "sampling":
        assert setting_line(wanted.named.setting) in visit.main.inner_text()


def clock(visit):
    return float(CLOCK.search(visit.main.inner_text())[1])


def wait_for_clock(visit, test):
    """Wait until the draft lane's clock, ``now``, passes a test written in JavaScript."""
    visit.tab.wait_for_function(
        f"""() => {{
            const main = document.querySelector('[data-testid=stMain]').innerText;
            const now = parseFloat((main.match(/Draft lane at ([\\d.]+) ms/) || [])[1]);
            return {test};
        }}"""
    )


def button(visit, key):
    return visit.main.locator(f".st-key-{key} button")


# ── Presenting ─────────────────────────────────────────────────────────────────────────────


def test_arrow_keys_walk_the_lesson_and_s_brings_the_controls_back(newcomer):
    visit = newcomer().open("/round?present=1")
    step(visit, 1)
    assert collapsed(visit)
    size = "getComputedStyle(document.documentElement).fontSize"
    assert visit.tab.evaluate(size) == "21px"
    for number in (2, 3, 4):
        visit.tab.keyboard.press("ArrowRight")
        step(visit, number)
        assert collapsed(visit)
    visit.tab.keyboard.press("ArrowLeft")
    step(visit, 3)

    visit.tab.keyboard.press("s")
    wait_until_collapsed(visit, False)
    # With the controls open the arrows are theirs, and the step stays.
    visit.slider(KEPT).focus()
    for _ in range(3):
        visit.tab.keyboard.press("ArrowRight")
    visit.wait_for_text(setting_line(Setting(kept=83)))
    assert page_of(visit) == "costs"
    # While a slider has the keys, S is the slider's too; a click beside it gives them back.
    visit.main.locator("h1").click()
    visit.tab.keyboard.press("s")
    wait_until_collapsed(visit, True)
    assert visit.errors == []


def test_a_link_to_a_step_survives_a_reload(newcomer):
    visit = newcomer().open("/round?present=1")
    visit.tab.keyboard.press("ArrowRight")
    step(visit, 2)
    visit.tab.reload()
    visit.settle()
    step(visit, 2)
    assert visit.errors == []


def test_typing_and_a_page_s_own_sliders_keep_their_keys(newcomer):
    visit = newcomer().open("/check?present=1")
    box = visit.main.locator("input[type=text]").last
    box.click()
    visit.tab.keyboard.type("5 ms")
    visit.tab.keyboard.press("ArrowLeft")
    visit.tab.keyboard.press("ArrowRight")
    visit.settle()
    assert page_of(visit) == "check"
    assert box.input_value() == "5 ms"
    assert collapsed(visit)

    visit.open("/beyond?present=1")
    slider = visit.main.locator("input[type=range]").first
    slider.focus()
    visit.tab.keyboard.press("ArrowRight")
    visit.tab.wait_for_timeout(800)
    visit.settle()
    assert page_of(visit) == "beyond"
    assert slider.get_attribute("aria-valuetext") == "51"


# ── Players ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_playing_goes_on_by_itself_and_leaves_the_sliders_free(motion, newcomer):
    visit = newcomer()
    visit.tab.emulate_media(reduced_motion=motion)
    visit.open("/round")
    assert clock(visit) == 133.9
    button(visit, "race_play").click()
    wait_for_clock(visit, "now < 20")
    wait_for_clock(visit, "now > 20")
    # It steps from one moment to the next: nothing in the figures moves in between.
    moving = """() => document.getAnimations().filter(each =>
        each.effect.target && each.effect.target.closest('.vega-embed')).length"""
    assert visit.tab.evaluate(moving) == 0

    visit.slider(KEPT).focus()
    visit.tab.keyboard.press("ArrowLeft")
    visit.wait_for_text(setting_line(Setting(kept=79)))
    assert parse_qs(visit.query()) == {"kept": ["79"]}
    stood = clock(visit)
    wait_for_clock(visit, f"now > {stood}")
    # Playing has not put the slider back.
    assert visit.slider(KEPT).get_attribute("aria-valuetext") == "79"

    button(visit, "race_play").click()
    visit.tab.wait_for_function(
        "() => document.querySelector('.st-key-race_play').innerText.includes('Play')"
    )
    visit.settle()
    stood = clock(visit)
    visit.tab.wait_for_timeout(2200)
    assert clock(visit) == stood
    button(visit, "race_forward").click()
    wait_for_clock(visit, f"now > {stood}")
    assert visit.errors == []


def test_playing_ends_by_itself(newcomer):
    visit = newcomer().open("/round?kept=100&k=8")
    button(visit, "toy_play").click()
    visit.tab.wait_for_function(
        "() => document.querySelector('.st-key-toy_play').innerText.includes('Pause')"
    )
    visit.tab.wait_for_function(
        "() => document.querySelector('.st-key-toy_play').innerText.includes('Play')"
    )
    visit.settle()
    assert button(visit, "toy_forward").is_disabled()
    assert visit.errors == []


# ── Links ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "path",
    ["/users?users=31&draft=2.4&chip=l4", "/sampling?p=1%2F4,3%2F4&q=3%2F4,1%2F4&kept=60"],
)
def test_the_copied_link_opens_the_same_view(path, newcomer):
    visit = newcomer()
    visit.tab.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=visit.url)
    visit.open(path)
    visit.tab.get_by_role("button", name="Copy link").click()
    box = visit.tab.locator("[data-testid=stPopoverBody] [data-testid=stCode]")
    box.hover()
    box.locator("button[aria-label='Copy to clipboard']").click()
    visit.tab.wait_for_function("async () => (await navigator.clipboard.readText()).length > 10")
    link = visit.tab.evaluate("navigator.clipboard.readText()")
    assert link.startswith(visit.url)
    assert re.fullmatch(r"[A-Za-z0-9:/?=&.%-]+", link)
    visit.tab.keyboard.press("Escape")
    visit.settle()

    other = newcomer().open(link.removeprefix(visit.url))
    assert other.main.inner_text() == visit.main.inner_text()
    assert parse_qs(other.query()) == parse_qs(urlsplit(path).query.replace(",", "%2C"))
    assert visit.errors + other.errors == []


def test_a_quiz_answer_shows_its_page_at_its_setting(newcomer):
    visit = newcomer().open("/check?kept=12&k=9")
    visit.main.locator("[data-testid=stExpander] summary").first.click()
    visit.main.get_by_role("button", name="See it on the").click()
    visit.wait_for_text(setting_line(OPENING))
    assert page_of(visit) == LESSON_QUESTIONS[0].page
    assert visit.query() == ""
    assert visit.errors == []


# ── A server's own numbers ─────────────────────────────────────────────────────────────────


def test_a_pasted_log_is_answered_and_its_keep_rate_used(newcomer):
    visit = newcomer().open("/measured?users=2")
    box = visit.main.locator("textarea").first
    box.fill(FIFTY)
    visit.tab.keyboard.press("Control+Enter")
    visit.wait_for_text("75.5%")
    text = visit.main.inner_text()
    assert "The paste: vLLM V1 log line, k = 4: 1 window." in text
    assert '"num_speculative_tokens": 3' in text
    assert visit.figures.count() == 3
    visit.main.get_by_role("button", name="Use this keep rate").click()
    visit.wait_for_text(setting_line(Setting(kept=76, users=2)))
    assert parse_qs(visit.query()) == {"kept": ["76"], "users": ["2"]}
    assert box.input_value() == FIFTY

    visit.tab.locator("[data-testid=stTopNavLink]", has_text="Speed-up").click()
    visit.wait_for_text("Your server's measured point: 75.5% kept at k = 4")
    assert visit.errors + visit.foreign == []


def test_uploaded_files_are_read_and_their_markup_is_text(newcomer):
    visit = newcomer().open("/measured")
    visit.main.get_by_text("Upload files", exact=True).click()
    bad = "![x](http://elsewhere.test/x.png) <b>bold</b>"
    counters = {"num_drafts": 400, "num_draft_tokens": 1200, "num_accepted_tokens": 641}
    metrics = "\n".join(
        f'vllm:spec_decode_{counter}_total{{engine="0",model_name="{name}"}} {value}.0'
        for name in (bad, "tea")
        for counter, value in counters.items()
    )
    visit.main.locator("input[type=file]").set_input_files(
        [
            {"name": "fifty.log", "mimeType": "text/plain", "buffer": FIFTY.encode()},
            {"name": "metrics.txt", "mimeType": "text/plain", "buffer": metrics.encode()},
            {"name": "photo.txt", "mimeType": "text/plain", "buffer": bytes(range(256)) * 9},
        ]
    )
    visit.wait_for_text("75.5%")
    text = visit.main.inner_text()
    assert "3 runs are kept apart" in text
    assert "photo.txt. This is a binary file" in text
    assert bad in text
    box = visit.main.locator("[data-testid=stSelectbox]", has_text="Which run").locator("input")
    # A list that is open closes when the page scrolls, which a click on a box out of sight does.
    box.scroll_into_view_if_needed()
    visit.settle()
    box.click()
    options = visit.tab.locator("[role=option]")
    assert bad in options.nth(1).inner_text()
    options.nth(1).click()
    visit.wait_for_text(f"{bad}, k = 3: a guess that is reached")
    assert visit.main.locator("img, b").count() == 0
    assert visit.errors + visit.foreign == []
