"""The Measured page: what is pasted, uploaded, typed or chosen is read, refused and answered."""

import re

import pytest
from test_pages import OPENING, button, controls, line, metrics, move, opened, press, sound

from specdec.measured import BYTES_MAX, examples, write_csv
from specdec.ui.measured_input import EXAMPLE, NUMBERS, PASTE, UPLOAD
from specdec.ui.measured_parts import PASS, SPEEDS

# 50 rounds of 4 guesses: 41, 30, 22 and 15 of them kept guesses 1 to i; 108 kept of 143 judged.
FIFTY = (
    "SpecDecoding metrics: Mean acceptance length: 3.16, Accepted throughput: 10.80 tokens/s, "
    "Drafted throughput: 20.00 tokens/s, Accepted: 108 tokens, Drafted: 200 tokens, "
    "Per-position acceptance rate: 0.820, 0.600, 0.440, 0.300, Avg Draft acceptance rate: 54.0%"
)
NO_K = (
    "SpecDecoding metrics: Draft acceptance rate: 54.0%, Accepted: 108 tokens, Drafted: 200 tokens"
)


def chosen(app, source):
    app.segmented_control(key="measured_source").set_value(source)
    return sound(app.run())


def pasted(text, app=None):
    app = app or opened("measured")
    app.text_area(key="measured_text").set_value(text)
    return sound(app.run())


def plain(text):
    return text.replace("\\", "")


def words(app):
    """Everything that the page's main part has as Markdown."""
    kinds = (app.main.markdown, app.main.caption, app.success, app.info, app.warning, app.error)
    return [each.value for kind in kinds for each in kind]


def advice(app):
    return [plain(text) for text in words(app) if text.startswith("- ")]


def typed(app, **numbers):
    for name, value in numbers.items():
        app.number_input(key=f"measured_{name}").set_value(value)
    return sound(app.run())


# ── Reading ────────────────────────────────────────────────────────────────────────────────


def test_the_page_opens_empty_and_claims_nothing():
    app = opened("measured")
    assert not metrics(app)
    assert not app.error
    assert any("not stored, not logged, not in the link" in text for text in words(app))


def test_a_paste_is_recognised_worked_out_and_advised_on():
    app = pasted(FIFTY)
    assert plain(app.success[0].value) == "The paste: vLLM V1 log line, k = 4: 1 window."
    assert list(metrics(app).values())[:4] == ["75.5%", "54.0%", "3.16", "4"]
    assert "0.08 more than the formula gives" in "".join(words(app))
    assert advice(app)[0] == "- Set 3 guesses per round: 1.96 times as fast as plain decoding " + (
        "for one user."
    )
    assert '"num_speculative_tokens": 3' in app.main.code[0].value


def test_the_paste_stays_while_sliders_move_and_pages_change_and_is_in_no_link():
    app = pasted(FIFTY)
    move(app, users=154, draft=7.9)
    assert metrics(app)["Keep rate a"] == "75.5%"
    assert advice(app)[0].startswith("- Turn it off")
    app.switch_page("pages/costs.py")
    sound(app.run())
    app.switch_page("pages/measured.py")
    sound(app.run())
    assert app.text_area(key="measured_text").value == FIFTY
    assert metrics(app)["Keep rate a"] == "75.5%"
    assert app.sidebar.code[0].value == "/measured?draft=7.9&users=154"


@pytest.mark.parametrize("name", examples())
def test_every_example_is_one_choice_away(name):
    app = chosen(opened("measured"), EXAMPLE)
    app.selectbox(key="measured_example").set_value(name)
    sound(app.run())
    assert app.success
    assert not app.error
    assert metrics(app)["Tokens per big pass"]
    assert advice(app)


def test_three_numbers_are_enough():
    app = chosen(opened("measured"), NUMBERS)
    assert not metrics(app)
    typed(app, drafted=200, accepted=108, guesses=4)
    # 1 + 108 ÷ 50 = 3.16 tokens a pass; a solves 1 + a + … + a⁴ = 3.16.
    assert list(metrics(app).values())[:4] == ["76.8%", "54.0%", "3.16", "4"]
    typed(app, drafted=0, accepted=0)
    assert metrics(app)["Accepted ÷ drafted"] == "no data"


@pytest.mark.parametrize(
    ("numbers", "says"),
    [
        ({"drafted": 200, "accepted": 108}, "rounds, or k"),
        ({"drafted": 200, "accepted": 300, "guesses": 4}, "300"),
        ({"drafted": 201, "accepted": 108, "guesses": 4}, "201 guesses"),
        ({"drafted": 900, "accepted": 108, "guesses": 4, "rounds": 50}, "at most 200"),
        ({"drafted": 10**13, "accepted": 1, "guesses": 1}, "1,000,000,000,000"),
    ],
)
def test_numbers_that_cannot_be_are_one_sentence_and_stay_to_be_mended(numbers, says):
    app = typed(chosen(opened("measured"), NUMBERS), **numbers)
    (error,) = app.error
    assert says in plain(error.value)
    assert plain(error.value).endswith(".")
    assert not metrics(app)
    for name, value in numbers.items():
        assert app.number_input(key=f"measured_{name}").value == value


def test_several_runs_are_kept_apart_and_one_is_chosen():
    app = pasted(FIFTY + "\n" + write_csv([(2, 1), (2, 2)]))
    assert "2 runs are kept apart" in app.info[0].value
    which = app.selectbox(key="measured_run")
    assert len(which.options) == 2
    assert metrics(app)["Guesses per round, k"] == "4"
    which.set_value(1)
    sound(app.run())
    # 3 kept of 4 judged: 1 and a rejection, and both of two.
    assert metrics(app)["Keep rate a"] == "75.0%"
    assert metrics(app)["Guesses per round, k"] == "2"
    # A paste with one run after it: the choice that is left over leads nowhere.
    pasted(FIFTY, app)
    assert metrics(app)["Guesses per round, k"] == "4"


def test_files_are_read_each_for_itself():
    app = chosen(opened("measured"), UPLOAD)
    app.file_uploader(key="measured_files").set_value(
        [
            ("fifty.log", FIFTY.encode(), "text/plain"),
            ("photo.txt", bytes(range(256)) * 9, "text/plain"),
        ]
    )
    sound(app.run())
    assert plain(app.success[0].value).startswith("fifty.log: vLLM V1 log line")
    (error,) = app.error
    assert plain(error.value).startswith("**photo.txt.** This is a binary file")
    assert metrics(app)["Keep rate a"] == "75.5%"


# ── Refusals ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("tea " * 5000, "recognises nothing"),
        ("\x00\x01\x02" * 50, "binary file"),
        (FIFTY.replace("108", "-5"), "negative"),
        (FIFTY.replace("Accepted: 108", "Accepted: 300"), "300 guesses kept"),
        ('{"spec_accept_token_num": 1e400, "spec_verify_ct": NaN}', ""),
        ("{" * 3000, "recognises nothing"),
        ("<b>bold</b> ![x](http://a.b/c) $x$", "recognises nothing"),
    ],
    ids=["noise", "binary", "negative", "too many", "infinite", "braces", "markup"],
)
def test_a_paste_that_cannot_be_used_is_one_message_and_stays_to_be_mended(text, says):
    app = pasted(text)
    (error,) = app.error
    assert says in plain(error.value)
    assert plain(error.value).endswith(".")
    assert "\n" not in error.value
    assert len(error.value) < 600
    assert app.text_area(key="measured_text").value == text
    assert not metrics(app)
    pasted(FIFTY, app)
    assert not app.error
    assert metrics(app)["Keep rate a"] == "75.5%"


def test_a_paste_that_is_too_large_says_how_large_it_is():
    app = pasted(FIFTY + "\n" * BYTES_MAX)
    (error,) = app.error
    assert "5 MB" in plain(error.value)
    assert not metrics(app)


def test_markup_in_a_paste_is_shown_as_text_wherever_it_stands():
    bad = "![x](http://a.b/c) <b>bold</b> $y$ :red[z] [l](http://d.e)"
    counters = {"num_drafts": 400, "num_draft_tokens": 1200, "num_accepted_tokens": 641}
    text = "\n".join(
        f'vllm:spec_decode_{counter}_total{{engine="0",model_name="{name}"}} {value}.0'
        for name in (bad, "tea")
        for counter, value in counters.items()
    )
    app = pasted(text + "\n" + FIFTY.replace("Accepted: 108", "Accepted: 300"))
    assert bad in app.selectbox(key="measured_run").options[0]
    assert any(bad in plain(text) for text in words(app))
    labels = [each.label for each in [*app.expander, *app.button]]
    for said in [*words(app), *labels]:
        assert not re.search(r"(?<!\\)<b|(?<!\\)\]\(|(?<!\\)\$y|(?<!\\):red", said), said


def test_markup_in_a_file_name_is_shown_as_text():
    app = chosen(opened("measured"), UPLOAD)
    name = "![x](y) <b>.log"
    files = [(name, text.encode(), "text/plain") for text in (FIFTY, "nothing", FIFTY)]
    app.file_uploader(key="measured_files").set_value(files)
    sound(app.run())
    assert plain(app.success[0].value).startswith(name)
    for said in words(app):
        assert not re.search(r"(?<!\\)<b|(?<!\\)\]\(", said), said


# ── What follows from it ───────────────────────────────────────────────────────────────────


def test_the_keep_rate_goes_into_the_sidebar_and_the_link_carries_the_setting():
    app = pasted(FIFTY, opened("measured", users="2", draft="2.4", k="7"))
    button(app, "Use this keep rate: 76% kept, k = 4").click()
    sound(app.run())
    assert controls(app) == {"kept": 76, "k": 4, "draft": 2.4, "users": 2}
    assert app.sidebar.code[0].value == "/measured?kept=76&draft=2.4&users=2"
    # The measured numbers are still there.
    assert metrics(app)["Keep rate a"] == "75.5%"


@pytest.mark.parametrize(("accepted", "kept"), [(0, 0), (200, 100)])
def test_the_least_and_the_most_can_be_used(accepted, kept):
    app = typed(chosen(opened("measured"), NUMBERS), drafted=200, accepted=accepted, guesses=4)
    button(app, f"Use this keep rate: {kept}% kept, k = 4").click()
    sound(app.run())
    assert controls(app) == {**OPENING, "kept": kept}


def test_k_is_asked_for_where_the_text_does_not_say_it():
    app = pasted(NO_K)
    assert metrics(app)["Keep rate a"] == "not said"
    assert any("give it to get a keep rate" in plain(text) for text in words(app))
    assert not [each for each in app.button if each.label.startswith("Use this")]
    app.number_input(key="measured_k").set_value(4)
    sound(app.run())
    assert list(metrics(app).values())[:4] == ["76.8%", "54.0%", "3.16", "4"]
    app.number_input(key="measured_k").set_value(None)
    sound(app.run())
    assert metrics(app)["Keep rate a"] == "not said"


def test_a_measured_draft_pass_is_reckoned_with():
    app = pasted(FIFTY)
    app.segmented_control(key="measured_cost").set_value(PASS)
    sound(app.run())
    app.number_input(key="measured_draft_ms").set_value(7.8766)
    sound(app.run())
    # A guess for a whole plain step: at k = 1 1.82 tokens in two steps.
    assert advice(app)[0].startswith("- Turn it off")
    assert "0.91 times" in advice(app)[0]


def test_two_measured_speeds_say_what_a_draft_costs():
    app = pasted(FIFTY)
    app.segmented_control(key="measured_cost").set_value(SPEEDS)
    sound(app.run())
    assert any("Until then: the sidebar's cost" in text for text in words(app))
    app.number_input(key="measured_plain_speed").set_value(100.0)
    app.number_input(key="measured_guess_speed").set_value(200.0)
    sound(app.run())
    # A round takes 3.16 ÷ 200 = 15.8 ms and a plain step 10: 5.8 ms for 4 guesses.
    assert any("a guess costs 1.45 ms" in text and "14.5%" in text for text in words(app))
    # At that share: 3 guesses 2.86 ÷ 1.435 = 1.993, 4 guesses 3.16 ÷ 1.58 = 2.00.
    assert advice(app)[0].startswith("- Set 4 guesses per round: 2.00 times")
    app.number_input(key="measured_guess_speed").set_value(400.0)
    sound(app.run())
    (error,) = app.error
    assert "cannot be faster than 3.16 times" in plain(error.value)
    assert metrics(app)["Keep rate a"] == "75.5%"


def test_the_cost_that_the_page_names_is_that_of_the_chosen_machine():
    """Weights of half the bits halve the draft pass: 0.606 ms, not the lesson's 1.212."""
    app = pasted(FIFTY, opened("measured", smallbits="8"))
    (said,) = (text for text in words(app) if text.startswith("The cost is the sidebar's"))
    assert "draft pass of 0.6061 ms" in said
    assert "draft pass 0.6061 ms" in line(app)


def test_the_speed_up_figures_mark_the_measured_point_afterwards():
    app = opened("speedup")
    assert not [text for text in words(app) if "measured point" in text]
    app.switch_page("pages/measured.py")
    pasted(FIFTY, sound(app.run()))
    app.switch_page("pages/speedup.py")
    sound(app.run())
    # 3.16 × 7.877 ÷ 12.725 = 1.956.
    said = "Your server's measured point: 75.5% kept at k = 4, 1.96 times as fast at these costs."
    assert len([text for text in words(app) if said in text]) == 2
    # Nobody else sees it.
    assert not [text for text in words(opened("speedup")) if "measured point" in text]


def test_a_changed_source_does_not_lose_the_paste():
    app = pasted(FIFTY)
    chosen(app, NUMBERS)
    chosen(app, PASTE)
    assert app.text_area(key="measured_text").value == FIFTY
    assert metrics(app)["Keep rate a"] == "75.5%"


def test_presenting_draws_the_same_numbers():
    app = pasted(FIFTY, opened("measured", present="1"))
    assert list(metrics(app).values())[:4] == ["75.5%", "54.0%", "3.16", "4"]
    press(app, "step_on")
    assert controls(app) == OPENING
