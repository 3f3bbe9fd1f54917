"""The controls, the sentence, the figure and the URL say the same, whichever is moved."""

from urllib.parse import parse_qs

import pytest

from specdec.answers.parts import setting_line
from specdec.answers.speedup import speedup
from specdec.setting import OPENING, Setting

KEPT, GUESSES = "Chance a guess is kept, %", "Guesses per round, k"
DRAFT, USERS = "One draft pass, ms", "Users sharing the chip"
MOVED = Setting(kept=85, k=5, draft_ms=1.3, users=2)


def sentence(setting):
    return speedup(setting).sentence.replace("**", "")


def figure_says(visit):
    return visit.main.locator("[data-testid=stVegaLiteChart]").first.get_attribute("aria-label")


def slid(visit):
    """What the four sliders stand at."""
    return [
        float(visit.slider(label).get_attribute("aria-valuetext"))
        for label in (KEPT, GUESSES, DRAFT, USERS)
    ]


def test_sliders_moved_by_keyboard_change_sentence_figure_and_url(newcomer):
    visit = newcomer().open("/speedup")
    assert sentence(OPENING) in visit.main.inner_text()
    before = visit.figures.first.inner_html()
    for label, key, presses in (
        (KEPT, "ArrowRight", 5),
        (GUESSES, "ArrowUp", 1),
        (DRAFT, "ArrowRight", 1),
        (USERS, "ArrowRight", 1),
    ):
        visit.slider(label).focus()
        for _ in range(presses):
            visit.tab.keyboard.press(key)
    visit.wait_for_text(sentence(MOVED))
    assert setting_line(MOVED) in visit.main.inner_text()
    assert visit.figures.first.inner_html() != before
    assert figure_says(visit) == speedup(MOVED).figures[0].alt
    assert parse_qs(visit.query()) == {"kept": ["85"], "k": ["5"], "draft": ["1.3"], "users": ["2"]}

    # The same link, opened by somebody who has never been here.
    other = newcomer().open("/speedup?" + visit.query())
    assert sentence(MOVED) in other.main.inner_text()
    assert slid(other) == [85, 5, 1.3, 2]

    other.tab.get_by_role("button", name="Back to the opening setting").click()
    other.wait_for_text(sentence(OPENING))
    assert other.query() == ""
    assert slid(other) == [80, 4, 1.212, 1]
    assert visit.errors + other.errors == []


@pytest.mark.parametrize(
    ("key", "kept"), [("Home", 0), ("End", 100)], ids=["least kept", "most kept"]
)
def test_the_ends_of_a_slider_are_a_key_away(key, kept, visits):
    visit = visits().open("/speedup?k=8")
    visit.slider(KEPT).focus()
    visit.tab.keyboard.press(key)
    visit.wait_for_text(sentence(Setting(kept=kept, k=8)))
    assert parse_qs(visit.query())["kept"] == [str(kept)]
    assert visit.errors == []


@pytest.mark.parametrize(
    ("query", "setting"),
    [
        ("kept=60&other=1", Setting(kept=60)),
        ("kept=60.4&k=2.4&users=9.3", Setting(kept=60, k=2, users=9)),
        ("kept=101&k=0&draft=10.1&users=257", OPENING),
        ("kept=-1&k=33&draft=0&users=0", OPENING),
        ("draft=1.25", OPENING),
        ("kept=abc&k=&draft=NaN&users=%00", OPENING),
        ("kept=90&kept=10", OPENING),
        (f"kept={'9' * 2000}&k=%F0%9F%98%80", OPENING),
    ],
    ids=[
        "unknown name",
        "off step",
        "too much",
        "too little",
        "off list",
        "words",
        "twice",
        "long",
    ],
)
def test_no_link_breaks_the_page(query, setting, visits):
    visit = visits().open("/speedup?" + query)
    assert visit.main.get_by_text(setting_line(setting), exact=True).count() == 1
    assert sentence(setting) in visit.main.inner_text()
    assert slid(visit) == [setting.kept, setting.k, setting.draft_ms, setting.users]
    assert visit.errors == []
    # The link that is left in the address bar leads to what is on the page.
    left = {name: float(value) for name, (value,) in parse_qs(visit.query()).items()}
    left.pop("other", None)
    assert left == {name: float(value) for name, value in setting.query_params().items()}


def test_the_axes_stay_while_the_keep_rate_is_moved(visits):
    visit = visits().open("/speedup?kept=50")
    labels = """figures => figures.map(figure =>
        [...figure.querySelectorAll('.role-axis-label text')].map(text => text.textContent))"""
    axes = visit.figures.evaluate_all(labels)
    assert all(len(axis) > 8 for axis in axes)
    visit.slider(KEPT).focus()
    for kept in range(51, 91, 8):
        for _ in range(8):
            visit.tab.keyboard.press("ArrowRight")
        visit.wait_for_text(f"{kept + 7}% kept ·")
        assert visit.figures.evaluate_all(labels) == axes, f"at {kept + 7}% kept"


def test_a_link_is_right_from_a_new_server_s_first_request(browser, newcomer, artifacts):
    from dashboard import serving

    log = artifacts / "first-request.log"
    with serving(log) as url:
        visit = newcomer(url=url).open("/costs?kept=90")
        assert visit.main.locator("h1").inner_text() == "What does a round cost?"
        assert visit.tab.get_by_text("Page not found").count() == 0
        assert visit.slider(KEPT).get_attribute("aria-valuetext") == "90"
        assert visit.main.get_by_text(setting_line(Setting(kept=90)), exact=True).count() == 1
        assert parse_qs(visit.query()) == {"kept": ["90"]}
        # From there on the frame is there: a page link keeps the setting.
        visit.tab.locator("[data-testid=stTopNavLink]", has_text="Speed-up").click()
        visit.wait_for_text(sentence(Setting(kept=90)))
        assert visit.errors == []
    assert "Traceback" not in log.read_text()
