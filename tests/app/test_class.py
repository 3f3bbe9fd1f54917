"""In class and by link: presenting, named settings, links, players, the quiz."""

import re
from urllib.parse import parse_qsl, urlsplit

import pytest
from test_pages import NAMES, OPENING, button, controls, line, metrics, move, opened, press, sound

from specdec import LESSON_QUESTIONS, TEACHING_ORDER, generated_question

# What survives being pasted into a chat: no quotes, brackets, spaces, stars or underscores.
HARMLESS = re.compile(r"[A-Za-z0-9/?=&.%-]*")


def link_of(app):
    """The link in the sidebar's box; it is the last code block, after those of the page."""
    return next(each.value for each in app.sidebar.code)


def followed(link):
    """A new visitor who opens ``link``."""
    assert HARMLESS.fullmatch(link), link
    parts = urlsplit(link)
    return opened(parts.path.strip("/") or "start", **dict(parse_qsl(parts.query)))


def view(app):
    """All that a page says, and what its controls stand at."""
    return {
        "title": app.title[0].value,
        "controls": controls(app),
        "metrics": metrics(app),
        "texts": [text.value for text in [*app.markdown, *app.caption]],
        "tables": [table.value.to_dict() for table in app.table],
        "present": app.toggle(key="present").value,
    }


def step_said(app):
    return app.caption[0].value


# ── Presenting ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("short", ["1", "true"])
def test_a_link_presents(short):
    app = opened("costs", present=short)
    assert app.toggle(key="present").value is True
    assert {"step_back", "step_on", "step_controls"} <= {each.key for each in app.button}
    # The page's sentence is large and first, its tables are folded.
    assert app.markdown[0].value.startswith("### ")
    folds = {each.label for each in app.expander}
    plain = opened("costs")
    titles = {text.value.strip("*") for text in plain.markdown if text.value.startswith("**")}
    assert len(titles & folds) == len(app.table) == len(plain.table)


@pytest.mark.parametrize("other", ["0", "false", "yes", "2", "", "<b>"])
def test_anything_else_does_not_present(other):
    app = opened("costs", present=other)
    assert app.toggle(key="present").value is False
    assert "step_on" not in {each.key for each in app.button}


def test_the_walk_goes_on_and_back_and_each_step_is_a_link_of_its_own():
    app = opened("start", present="1")
    assert step_said(app).startswith("Not a step of the walk")
    for number, step in enumerate(TEACHING_ORDER, 1):
        assert not app.button(key="step_on").disabled
        press(app, "step_on")
        setting = step.named.setting
        assert step_said(app).startswith(f"Step {number} of {len(TEACHING_ORDER)}: ")
        assert step_said(app).endswith(step.look_at)
        assert controls(app) == {
            "kept": setting.kept,
            "k": setting.k,
            "draft": setting.draft_ms,
            "users": setting.users,
        }
        link = link_of(app)
        assert urlsplit(link).path.strip("/") == step.page
        assert view(followed(link)) == view(app), link
    assert app.button(key="step_on").disabled
    press(app, "step_back")
    assert step_said(app).startswith("Step 8 of 9: 85 users")
    assert controls(app) == {**OPENING, "users": 85}


def test_the_first_step_has_none_before_it():
    app = opened("round", present="1")
    assert step_said(app).startswith("Step 1 of 9: Opening")
    assert app.button(key="step_back").disabled


def test_after_a_detour_next_goes_on_from_the_step_before():
    app = opened("round", present="1")
    press(app, "step_on")
    assert step_said(app).startswith("Step 2 of 9")
    move(app, kept=55)
    assert step_said(app).startswith("Not a step of the walk")
    press(app, "step_on")
    assert step_said(app).startswith("Step 3 of 9")
    assert controls(app) == OPENING


def test_a_step_is_not_claimed_on_another_machine_whose_numbers_differ():
    app = opened("costs", present="1", chip="l4")
    assert step_said(app).startswith("Not a step of the walk")
    press(app, "step_on")
    # A step is the lesson's, so going to one puts the lesson's chip back.
    assert step_said(app).startswith("Step 1 of 9")
    assert "L4" not in "".join(text.value for text in app.caption)


def test_a_link_to_a_step_keeps_presenting_on_the_same_page():
    app = opened("round", present="1")
    press(app, "step_on")
    assert dict(app.query_params)["present"] in ("true", ["true"])


def test_the_controls_come_and_go():
    app = opened("round", present="1")
    press(app, "step_controls")
    assert app.session_state["_controls_open"] is True
    press(app, "step_controls")
    assert app.session_state["_controls_open"] is False


def test_every_page_can_be_presented():
    app = opened("start", present="1")
    for name in NAMES[1:]:
        app.switch_page(f"pages/{name}.py")
        sound(app.run())
        assert "step_on" in {each.key for each in app.button}


# ── Named settings and links ───────────────────────────────────────────────────────────────


def test_a_named_setting_is_one_choice_away():
    app = opened("costs", k="8", chip="l4")
    for number, step in list(enumerate(TEACHING_ORDER))[1::3]:
        app.selectbox(key="named").set_value(number)
        sound(app.run())
        assert app.selectbox(key="named").value is None
        assert urlsplit(link_of(app)).path.strip("/") == step.page
        assert controls(app)["kept"] == step.named.setting.kept
        assert controls(app)["users"] == step.named.setting.users
        assert controls(app)["k"] == 4
        assert "chip" not in link_of(app)


def test_back_to_the_opening_setting_clears_the_machine_too():
    app = opened("users", users="100", chip="l4", context="3500", places="82-73")
    assert "L4" in line(app)
    button(app, "Back to the opening setting").click()
    sound(app.run())
    assert line(app) == "80% kept · 4 guesses · draft pass 1.212 ms · 1 user"
    assert metrics(app)["Speed-up"] == "2.08 times"
    assert link_of(app) == "/users"


@pytest.mark.parametrize(
    ("name", "link"),
    [
        ("start", {"kept": "60"}),
        ("users", {"users": "31", "draft": "2.4", "chip": "h100-sxm", "bigbits": "8"}),
        ("costs", {"context": "3500", "software": "3.3", "smallpeak": "28", "check": "1.09"}),
        ("speedup", {"places": "82-73-73.5-68", "big": "qwen3-8b", "small": "qwen3-0.6b"}),
        ("beyond", {"bigpeak": "63", "found": "30", "head": "10", "candidates": "2"}),
        (
            "users",
            {"chip": "custom", "teraflops": "100", "bandwidth": "1000", "gigabytes": "24"},
        ),
        ("round", {"big": "custom", "bigweights": "8", "bigcache": "128", "present": "true"}),
        ("sampling", {"p": "1/4, 3/4", "q": "3/4, 1/4", "kept": "60"}),
        ("measured", {"k": "8"}),
        ("check", {"k": "8"}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_link_to_copy_holds_page_setting_and_machine(name, link):
    app = opened(name, **link)
    copied = link_of(app)
    parts = urlsplit(copied)
    assert parts.path.strip("/") == ("" if name == "start" else name)
    given = dict(parse_qsl(parts.query))
    assert given.keys() == link.keys()
    for key, value in link.items():
        try:
            assert float(given[key]) == float(value)
        except ValueError:
            assert given[key] == value
    again = followed(copied)
    assert link_of(again) == copied
    # The quiz asks every visit something else.
    if name != "check":
        assert view(again) == view(app)


def test_what_is_typed_into_a_link_is_made_harmless():
    app = opened("users", places="82, 73% 50")
    assert HARMLESS.fullmatch(link_of(app))
    assert dict(parse_qsl(urlsplit(link_of(app)).query)) == {"places": "82, 73% 50"}
    app = opened("sampling", p="1/4, <b>", q="1/2, 1/2")
    assert HARMLESS.fullmatch(link_of(app))


def test_the_opening_link_is_bare():
    assert link_of(opened("start")) == "/"
    assert link_of(opened("costs")) == "/costs"


# ── Players ────────────────────────────────────────────────────────────────────────────────


def lines(app):
    """Every paragraph of the page's texts."""
    return [line for text in app.markdown for line in text.value.split("\n\n")]


def clock(app):
    (said,) = (line for line in lines(app) if line.startswith("Draft lane at "))
    return said.removeprefix("Draft lane at ").split(":")[0]


def toy_round(app):
    return next(each.delta for each in app.metric if each.label == "Guesses kept")


def test_the_race_opens_at_its_end_and_is_walked_through():
    app = opened("round")
    assert clock(app) == "133.9 ms"
    assert app.button(key="race_forward").disabled
    press(app, "race_back")
    assert clock(app) == "127.3 ms"
    press(app, "race_forward")
    assert clock(app) == "133.9 ms"
    press(app, "race_first")
    assert clock(app) == "0.0 ms"
    assert app.button(key="race_back").disabled
    assert app.button(key="race_first").disabled
    press(app, "race_forward")
    assert clock(app) == "12.7 ms"


@pytest.mark.parametrize("key", ["toy", "race"])
def test_play_shows_where_it_starts_then_goes_on_and_stops_at_the_end(key):
    app = opened("round")
    now = clock if key == "race" else toy_round
    assert app.button(key=f"{key}_play").label == "Play"
    seen = []
    press(app, f"{key}_play")
    while app.session_state[f"{key}_playing"]:
        assert app.button(key=f"{key}_play").label == "Pause"
        seen.append(now(app))
        # What the fragment's own clock does every 0.9 seconds.
        sound(app.run())
        assert len(seen) < 20
    if key == "race":
        assert seen[:3] == ["0.0 ms", "12.7 ms", "25.5 ms"]
        assert seen[-1] == "133.9 ms"
        assert len(seen) == 12
    else:
        last = int(metrics(app)["Big passes for the reply"])
        assert seen == [f"round {number} of {last}" for number in range(1, last + 1)]
    assert app.button(key=f"{key}_play").label == "Play"


@pytest.mark.parametrize("key", ["toy", "race"])
def test_pausing_and_stepping_stop_it(key):
    app = opened("round")
    now = clock if key == "race" else toy_round
    for stop in ("play", "back", "forward", "first"):
        if not app.button(key=f"{key}_first").disabled:
            press(app, f"{key}_first")
        press(app, f"{key}_play")
        sound(app.run())
        press(app, f"{key}_{stop}")
        assert not app.session_state[f"{key}_playing"]
        stood = now(app)
        sound(app.run())
        assert now(app) == stood


def test_a_slider_moved_while_playing_does_not_stop_it():
    app = opened("round")
    press(app, "race_play")
    press(app, "toy_play")
    move(app, kept=60)
    assert app.session_state["race_playing"]
    assert "60% kept" in line(app)
    move(app, k=3)
    # Other rounds begin again at the first, and go on from there.
    assert app.session_state["toy_playing"]
    assert toy_round(app).startswith("round 1 of")
    sound(app.run())
    assert toy_round(app).startswith("round 2 of")


def test_a_race_that_gets_shorter_is_shown_at_its_end():
    app = opened("round", kept="0", k="1")
    move(app, kept=100, k=16)
    assert app.button(key="race_forward").disabled
    lanes = [
        line.split(": ", 1)[1].replace("*", "")
        for line in lines(app)
        if line.startswith(("Plain lane at", "Draft lane at"))
    ]
    assert len(lanes) == 2
    assert lanes[0] == lanes[1]


def test_another_try_is_another_luck_and_the_setting_stays():
    app = opened("round")
    tries = {metrics(app)["Draft lane"]}
    for _ in range(3):
        press(app, "another")
        tries.add(metrics(app)["Draft lane"])
        assert metrics(app)["Plain lane"] == "133.9 ms"
    assert len(tries) > 1
    assert app.session_state["try"] == 1 + 3
    assert controls(app) == OPENING
    # The documented try is what a new visit begins with.
    assert metrics(opened("round"))["Draft lane"] == "63.6 ms"


# ── Check yourself ─────────────────────────────────────────────────────────────────────────


def score(app):
    return re.match(
        r"Question (\d+) · (\d+) right of (\d+) answered", app.caption[0].value
    ).groups()


def answer(app, text):
    app.text_input[-1].set_value(text)
    button(app, "Check").click()
    return sound(app.run())


def texts(app):
    return "\n".join(text.value for text in app.markdown)


def quiz():
    app = opened("check")
    return app, app.session_state["quiz_seed"]


def test_answers_are_hidden_until_one_is_asked_for():
    app, _ = quiz()
    for question in LESSON_QUESTIONS:
        assert question.prompt in texts(app)
        assert question.answer not in texts(app)
    asked = LESSON_QUESTIONS[1]
    app.session_state[f"answer-{asked.id}"] = True
    sound(app.run())
    assert asked.answer in texts(app)
    assert not any(each.answer in texts(app) for each in LESSON_QUESTIONS if each is not asked)


def test_a_right_answer_counts_and_shows_its_working():
    app, seed = quiz()
    question = generated_question(seed, 1)
    assert score(app) == ("1", "0", "0")
    assert question.working[0] not in texts(app)
    answer(app, question.answer.number)
    (said,) = app.success
    assert said.value.startswith("Right")
    assert all(step in texts(app) for step in question.working)
    # The score above the question follows with the next run.
    sound(app.run())
    assert score(app) == ("1", "1", "1")


def test_only_the_first_counted_answer_scores():
    app, seed = quiz()
    right = generated_question(seed, 1).answer.number
    answer(app, "<b>none</b>")
    (said,) = app.warning
    assert "<b>" not in said.value
    assert score(app) == ("1", "0", "0")
    answer(app, "987654")
    assert app.error[0].value.startswith("Not quite")
    answer(app, right)
    assert app.success[0].value.startswith("Right")
    sound(app.run())
    assert score(app) == ("1", "0", "1")


@pytest.mark.parametrize("nonsense", ["", " ", "nan", "1e999", "=1+1", "12;", "$x$", "½"])
def test_nonsense_is_one_sentence_and_tells_nothing(nonsense):
    app, seed = quiz()
    question = generated_question(seed, 1)
    answer(app, nonsense)
    assert not app.success
    assert not app.error
    (said,) = app.warning
    assert said.value.endswith(".")
    assert question.working[0] not in texts(app)
    assert score(app) == ("1", "0", "0")


def test_next_question_asks_another_and_the_score_stays():
    app, seed = quiz()
    answer(app, generated_question(seed, 1).answer.number)
    press(app, "quiz_next")
    assert score(app) == ("2", "1", "1")
    assert generated_question(seed, 2).prompt in texts(app)
    assert generated_question(seed, 1).prompt not in texts(app)
    assert app.text_input[-1].value in ("", None)
    answer(app, generated_question(seed, 2).answer.number)
    sound(app.run())
    assert score(app) == ("2", "2", "2")
    # Going away and back keeps the visit's score.
    app.switch_page("pages/costs.py")
    sound(app.run())
    app.switch_page("pages/check.py")
    sound(app.run())
    assert score(app) == ("2", "2", "2")


def test_an_answer_leads_to_the_page_and_setting_that_show_it():
    for question in LESSON_QUESTIONS:
        # From any other setting, on any other machine.
        app = opened("check", kept="12", k="9", users="3", chip="l4")
        app.session_state[f"answer-{question.id}"] = True
        sound(app.run())
        press(app, f"see-{question.id}")
        assert link_of(app) == "/" + question.page + (
            f"?{question.setting.query()}" if question.setting.query() else ""
        )


def test_two_visits_are_asked_different_questions():
    assert len({quiz()[1] for _ in range(3)}) > 1
