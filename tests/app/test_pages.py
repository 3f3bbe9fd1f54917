"""The pages as a visitor meets them: they open, the controls move what they should, links hold."""

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from specdec.ui.pages import PAGES

ROOT = Path(__file__).parents[2]
NAMES = [name for name, *_ in PAGES]
OPENING = {"kept": 80, "k": 4, "draft": 1.212, "users": 1}
LINE = "80% kept · 4 guesses · draft pass 1.212 ms · 1 user"


def opened(name="start", **link):
    """A new visitor's session that begins at page ``name``, with ``link`` for its query."""
    app = AppTest.from_file(ROOT / "streamlit_app.py", default_timeout=60)
    app.switch_page(f"pages/{name}.py")
    for key, value in link.items():
        app.query_params[key] = value
    return sound(app.run())


def sound(app):
    """The same session, if it is whole: no exception, one title, one sidebar."""
    assert not app.exception
    assert len(app.title) == 1
    assert controls(app).keys() == OPENING.keys()
    return app


def controls(app):
    return {
        widget.key: widget.value for widget in [*app.sidebar.slider, *app.sidebar.select_slider]
    }


def move(app, **to):
    for key, value in to.items():
        slider = app.select_slider if key == "draft" else app.slider
        slider(key=key).set_value(value)
    return sound(app.run())


def metrics(app):
    return {metric.label: metric.value for metric in app.metric}


def line(app):
    """The setting as the page's first caption has it, with Markdown's escapes taken out."""
    return app.caption[0].value.replace("\\", "")


def button(app, label):
    (found,) = (button for button in app.button if button.label == label)
    return found


# ── Opening ────────────────────────────────────────────────────────────────────────────────


def test_every_page_opens_from_the_entrypoint_and_keeps_the_setting():
    app = opened()
    titles = {app.title[0].value}
    move(app, kept=60, k=2, draft=2.4, users=31)
    for name in NAMES[1:]:
        app.switch_page(f"pages/{name}.py")
        sound(app.run())
        titles.add(app.title[0].value)
        assert controls(app) == {"kept": 60, "k": 2, "draft": 2.4, "users": 31}
    assert len(titles) == len(NAMES)
    assert {path.stem for path in (ROOT / "pages").glob("*.py")} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_deep_link_to_a_page_alone_puts_up_the_frame_and_sets_the_controls(name):
    app = opened(name, kept="90", k="8", draft="2.4", users="31")
    assert controls(app) == {"kept": 90, "k": 8, "draft": 2.4, "users": 31}
    if name not in {"sampling", "check"}:
        assert line(app) == "90% kept · 8 guesses · draft pass 2.4 ms · 31 users"
    # The frame is put up again for the second run, and only once.
    move(app, kept=91)
    assert controls(app)["kept"] == 91


@pytest.mark.parametrize("name", NAMES)
def test_a_page_file_run_by_itself_has_a_frame_around_it(name):
    """AppTest then takes that file for the entrypoint, and the frame opens its first page."""
    app = AppTest.from_file(ROOT / "pages" / f"{name}.py", default_timeout=60)
    app.query_params["k"] = "8"
    assert controls(sound(app.run())) == {**OPENING, "k": 8}
    assert controls(move(app, kept=39)) == {**OPENING, "k": 8, "kept": 39}


BAD = [
    *({key: bad} for key in OPENING for bad in ("nan", "-1", "1e99", "")),
    {"kept": "inf", "k": "NaN", "draft": "-inf", "users": "1e309"},
    {"kept": "101", "k": "33", "draft": "10.1", "users": "257"},
    {"kept": "80%", "k": "0", "draft": "0", "users": "0"},
    {"kept": "<script>alert(1)</script>", "k": "**4**", "draft": "$x$", "users": "[a](b)"},
    {"kept": ["90", "91"], "k": ["1", "2"], "draft": ["2.4", "3"], "users": ["2", "3"]},
    {"kept": "9O", "k": "½", "draft": "1,212", "users": "0x10"},
    {"nonsense": "1", "Kept": "90", "place": "99", "round_number": "-5"},
]


def test_a_bad_link_opens_the_opening_setting():
    # One file, run afresh for each link: what a link says is read when a session begins.
    for link in BAD:
        app = opened("users", **link)
        assert controls(app) == OPENING, link
        assert line(app) == LINE


def test_a_bad_value_leaves_the_good_ones_as_they_are():
    app = opened("costs", kept="nan", k="8")
    assert controls(app) == {**OPENING, "k": 8}


@pytest.mark.parametrize("value", ["80.4", "38.6", "0.5", "99.999"])
def test_a_value_between_two_steps_opens_one_of_them(value):
    """Streamlit may cut a link's value to a whole number, or hand it on to be rounded."""
    kept = int(line(opened("costs", kept=value)).split("%")[0])
    assert abs(kept - float(value)) < 1


# ── The controls ───────────────────────────────────────────────────────────────────────────

MOVES = {"kept": 90, "k": 8, "draft": 2.4, "users": 64}
ALL = {"kept", "k", "draft", "users"}
# For each page with numbers, its metrics and the controls that move each, and no other control.
MOVED_BY = {
    "start": {
        "Speed-up": ALL,
        "Tokens per big pass": {"kept", "k"},
        "Break-even": {"k", "draft", "users"},
        "Best number of guesses": {"kept", "draft", "users"},
    },
    "costs": {
        "One big pass": {"users"},
        "One draft pass": {"draft"},
        "One round": {"k", "draft", "users"},
        "Time per token": ALL,
    },
    "users": {
        "Speed-up": ALL,
        "For one user": {"kept", "k", "draft"},
        "Check is free up to": {"k"},
        "No longer pays from": {"kept", "k", "draft"},
    },
    "round": {
        "Words from this round": set(),
        "Guesses kept": {"k"},
        "Big passes for the reply": {"k"},
        "The two toys agree": set(),
        "Plain lane": set(),
    },
    "sampling": {
        "Guesses kept": set(),
        "Rejected and redrawn": set(),
        "Kept in 10,000 tries": set(),
        "Largest miss of that run": set(),
    },
}
MOVED_BY["speedup"] = MOVED_BY["start"]
MOVED_BY["beyond"] = {"The lesson": ALL, "With your switches": ALL, "Published runs": set()}


@pytest.mark.parametrize("name", MOVED_BY)
def test_each_control_moves_the_numbers_that_it_should_and_no_other(name):
    app = opened(name)
    before = metrics(app)
    for key, value in MOVES.items():
        move(app, **{**OPENING, key: value})
        now = metrics(app)
        for label, by in MOVED_BY[name].items():
            assert (now[label] != before[label]) == (key in by), (label, key)


def test_the_numbers_are_the_lessons():
    app = opened("speedup")
    assert list(metrics(app).values()) == ["2.08 times", "3.36", "38.6%", "5"]
    move(app, kept=60)
    assert list(metrics(app).values()) == ["1.43 times", "2.31", "38.6%", "2"]
    assert "**1.43 times as fast**" in app.markdown[0].value
    move(app, kept=80, draft=7.9)
    assert list(metrics(app).values()) == ["0.67 times", "3.36", "never", "none"]


def test_a_table_moves_with_the_controls():
    app = opened("costs")
    assert app.table[0].value["Value"].tolist() == [
        *("4.848 ms", "7.877 ms", "12.725 ms", "3.36", "3.79 ms", "2.08 times")
    ]
    move(app, k=1)
    assert app.table[0].value["Step"].tolist()[0] == "1 draft pass"
    assert app.table[0].value["Value"].tolist()[0] == "1.212 ms"


def test_the_button_goes_back_to_the_opening_setting():
    app = opened("users", kept="12", k="32", draft="10", users="256")
    assert controls(app) != OPENING
    button(app, "Back to the opening setting").click()
    sound(app.run())
    assert controls(app) == OPENING
    assert line(app) == LINE
    assert metrics(app)["Speed-up"] == "2.08 times"


# ── The Round page ─────────────────────────────────────────────────────────────────────────


def round_number(app):
    (note,) = (metric.delta for metric in app.metric if metric.label == "Guesses kept")
    return note


def press(app, key):
    app.button(key=key).click()
    return sound(app.run())


def test_rounds_go_on_and_back_and_stop_at_both_ends():
    app = opened("round")
    assert app.markdown[0].value.startswith(
        "After “boil the water” the small model guesses 4 words"
    )
    last = int(metrics(app)["Big passes for the reply"])
    assert app.button(key="toy_back").disabled
    for number in range(1, last):
        assert round_number(app) == f"round {number} of {last}"
        assert not app.button(key="toy_forward").disabled
        press(app, "toy_forward")
    assert round_number(app) == f"round {last} of {last}"
    assert app.button(key="toy_forward").disabled
    press(app, "toy_back")
    assert round_number(app) == f"round {last - 1} of {last}"
    press(app, "toy_first")
    assert round_number(app) == f"round 1 of {last}"


def test_another_place_begins_again_at_the_first_round():
    app = opened("round")
    press(app, "toy_forward")
    assert round_number(app).startswith("round 2")
    app.selectbox(key="place").set_value("over a tea")
    sound(app.run())
    assert round_number(app).startswith("round 1")
    assert not app.markdown[0].value.startswith("After “boil the water”")


def test_another_k_begins_again_at_the_first_round():
    app = opened("round", k="1")
    while not app.button(key="toy_forward").disabled:
        press(app, "toy_forward")
    move(app, k=8)
    number, last = re.fullmatch(r"round (\d+) of (\d+)", round_number(app)).groups()
    assert (number, last) == ("1", "3")
    assert int(last) < 9


def test_both_texts_stand_on_the_page_and_are_the_same():
    app = opened("round")
    lines = [line for text in app.markdown for line in text.value.split("\n\n")]
    plain, guessed = (
        next(line.removeprefix(lead) for line in lines if line.startswith(lead))
        for lead in ("Plain decoding:", "With guesses:")
    )
    assert plain == guessed
    assert len(plain.replace("*", "").split()) == 3 + 17
    assert "same, word for word" in app.success[0].value


# ── The Sampling page ──────────────────────────────────────────────────────────────────────


def typed(app, p, q):
    app.text_input(key="p").set_value(p)
    app.text_input(key="q").set_value(q)
    return sound(app.run())


def test_odds_may_be_typed_as_fractions_and_decimals_and_mistakes_are_one_sentence():
    app = opened("sampling")
    assert list(metrics(app).values())[:2] == ["7/10", "3/10"]
    typed(app, "0.5 0.3 0.2", "20%; 30%; 50%")
    assert list(metrics(app).values())[:2] == ["7/10", "3/10"]
    typed(app, "1/3, 2/3", "2/3, 1/3")
    assert list(metrics(app).values())[:2] == ["2/3", "1/3"]
    assert app.table[0].value["Total"].tolist() == ["1/3", "2/3", "1"]
    for p, q, says in (
        ("1/2, 1/3", "1/2, 1/2", "add up to"),
        ("", "1/2, 1/2", "2 to 6 probabilities"),
        ("1/2, <b>x</b>", "1/2, 1/2", "a fraction like 3/10"),
        ("1/2, 1/2", "1/3, 1/3, 1/3", "same number of tokens"),
        ("1e99999999, 1", "1/2, 1/2", "a fraction like 3/10"),
        ("1/7 " * 7, "1/2, 1/2", "2 to 6 probabilities"),
    ):
        typed(app, p, q)
        (error,) = app.error
        plain = error.value.replace("\\", "")
        assert says in plain
        assert plain.endswith(".")
        assert "\n" not in plain
        assert "<b>" not in error.value
        # What was typed stays, to be mended, and no number of the old odds stands beside it.
        assert (app.text_input(key="p").value, app.text_input(key="q").value) == (p, q)
        assert not metrics(app)
    typed(app, "1/2, 1/2", "1/2, 1/2")
    assert not app.error
    assert metrics(app)["Guesses kept"] == "1"


def test_a_link_may_carry_odds_good_and_bad():
    app = opened("sampling", p="1/4, 3/4", q="3/4, 1/4")
    assert metrics(app)["Guesses kept"] == "1/2"
    app = opened("sampling", p="1/4, oops", q="3/4, 1/4")
    assert len(app.error) == 1
    assert app.text_input(key="p").value == "1/4, oops"
