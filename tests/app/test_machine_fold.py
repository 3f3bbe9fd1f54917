"""The sidebar's fold: chip, pair and switches, closed unless something in it is set."""

import json

import pytest
from test_pages import NAMES as NAMES_OF_PAGES
from test_pages import OPENING, button, line, metrics, move, opened, sound

from specdec import LESSON
from specdec.machine import LESSON_MACHINE, Machine
from specdec.ui.machine_controls import NAMES, RANGES, SWITCHES

LINE = "80% kept · 4 guesses · draft pass 1.212 ms · 1 user"
OPENS_AT = {
    "context": 8000,
    "software": 3.3,
    "bigpeak": 63,
    "smallpeak": 28,
    "check": 1.09,
    "places": "77-77-73-67-83-58-57",
}
LLAMA_8B = {
    "model_type": "llama",
    "num_hidden_layers": 32,
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "vocab_size": 128256,
    "tie_word_embeddings": False,
}


def plain(text):
    return text.replace("\\", "")


def widgets(app):
    """What the fold has drawn, by the names that stand in links."""
    side = app.sidebar
    drawn = [*side.selectbox, *side.number_input, *side.text_input, *side.toggle, *side.text_area]
    return {each.key: each for each in drawn if each.key not in {"named", "present"}}


def with_fold_open(name="users", **link):
    app = opened(name, **link)
    app.session_state["machine_fold"] = True
    return sound(app.run())


def flip(app, name, to):
    app.toggle(key=f"on_{name}").set_value(to)
    return sound(app.run())


def refused(name="users", **link):
    """The one sentence on a page whose machine cannot be."""
    app = opened_anyhow(name, **link)
    (error,) = app.error
    assert not app.exception
    assert not app.metric
    said = plain(error.value)
    assert said.endswith(".")
    assert "\n" not in said
    return said


def opened_anyhow(name, **link):
    """As ``opened``, for a page that stops before its title."""
    from streamlit.testing.v1 import AppTest
    from test_pages import ROOT

    app = AppTest.from_file(ROOT / "streamlit_app.py", default_timeout=60)
    app.switch_page(f"pages/{name}.py")
    for key, value in link.items():
        app.query_params[key] = value
    return app.run()


def test_a_closed_fold_draws_nothing():
    app = opened("users")
    assert widgets(app) == {}
    assert line(app) == LINE


def test_an_open_fold_is_the_lesson_until_something_is_changed():
    app = with_fold_open()
    assert set(NAMES) - widgets(app).keys() == {
        *("teraflops", "bandwidth", "gigabytes"),
        *("bigweights", "bigcache", "smallweights", "smallcache"),
    }
    assert line(app) == LINE
    assert metrics(app) == metrics(opened("users"))
    assert app.sidebar.code[0].value == "/users"
    assert not app.warning
    assert not app.info


@pytest.mark.parametrize(
    ("link", "says"),
    [
        ({"chip": "h100-sxm"}, "Llama 3.1 8B and Llama 3.2 1B on NVIDIA H100 SXM"),
        ({"big": "qwen3-8b", "small": "qwen3-0.6b"}, "Qwen3 8B and Qwen3 0.6B on"),
        ({"context": "3500"}, "not the best case"),
        ({"bigbits": "8"}, "Llama 3.1 8B and Llama 3.2 1B on"),
        ({"places": "50-40"}, "not the best case"),
    ],
)
def test_a_link_opens_the_controls_that_it_sets(link, says):
    app = opened("users", **link)
    for name, value in link.items():
        assert str(widgets(app)[name].value) == value
    assert says in line(app)
    # A switch is on while its number is there.
    for name in OPENS_AT:
        assert widgets(app)[f"on_{name}"].value is (name in link)


BAD = [
    {"chip": "nonsense", "big": "<b>", "small": "../x", "bigbits": "3", "smallbits": "abc"},
    {"context": "abc", "software": "nan", "bigpeak": "inf", "smallpeak": "1e999", "check": ""},
    {"context": "-1", "software": "-0.1", "bigpeak": "0", "smallpeak": "101", "check": "0.5"},
    {"context": "1000001", "software": "1001", "check": "21"},
    {"teraflops": "50", "bandwidth": "9", "bigweights": "8"},
]


@pytest.mark.parametrize("link", BAD, ids=lambda link: next(iter(link.items())))
def test_what_a_link_cannot_set_is_the_lessons(link):
    app = opened("users", **link)
    assert metrics(app) == metrics(opened("users"))
    assert line(app) == LINE
    assert not app.error


def test_a_good_value_stays_beside_a_bad_one():
    app = opened("users", chip="l4", context="abc")
    assert "on NVIDIA L4" in line(app)
    assert "not the best case" not in line(app)


@pytest.mark.parametrize("name", OPENS_AT)
def test_a_switch_opens_at_its_published_value_and_goes_off_again(name):
    app = with_fold_open()
    before = metrics(app)
    flip(app, name, True)
    assert widgets(app)[name].value == OPENS_AT[name]
    assert "not the best case" in line(app)
    assert metrics(app) != before
    assert app.sidebar.code[0].value.removesuffix(".0") == f"/users?{name}={OPENS_AT[name]}"
    flip(app, name, False)
    assert widgets(app)[name].value in (None, "")
    assert widgets(app)[f"on_{name}"].value is False
    assert metrics(app) == before
    assert app.sidebar.code[0].value == "/users"


def test_the_switches_are_those_of_the_machine():
    assert {name for name, *_ in SWITCHES} | {"places"} == OPENS_AT.keys()
    assert RANGES.keys() == OPENS_AT.keys() - {"places"}


def test_a_number_typed_turns_its_switch_on():
    app = with_fold_open("costs")
    app.number_input(key="software").set_value(1.0)
    sound(app.run())
    assert app.toggle(key="on_software").value is True
    # 1 ms on top of the lesson's round of 12.725 ms.
    assert metrics(app)["One round"].startswith("13.725 ms")


def test_all_switches_at_once_are_the_library_s_own_number():
    app = opened("beyond", **{name: str(value) for name, value in OPENS_AT.items()})
    model = Machine(**OPENS_AT).model()
    assert metrics(app)["The lesson"] == f"{LESSON.speedup(0.8, 4):.2f} times"
    assert metrics(app)["With your switches"] == f"{model.speedup(0.8, 4):.2f} times"


def test_other_chips_move_the_crossover():
    """121 TFLOP/s over 300 GB/s at 2 bytes: arithmetic takes over near 403 tokens, so checks of 5
    tokens are free for 80 users."""
    app = opened("users", chip="l4")
    assert metrics(app)["Check is free up to"] == "80 users"


def test_a_pair_of_two_vocabularies_is_refused_with_the_reason():
    assert refused(big="qwen3-8b") == (
        "Llama 3.2 1B cannot guess for Qwen3 8B: it has another vocabulary (128,256 rows against "
        "151,936 rows), so its tokens cannot be checked one for one."
    )


def test_a_refused_pair_is_mended_in_the_fold_and_by_the_button():
    app = opened_anyhow("users", big="qwen3-8b")
    app.selectbox(key="small").set_value("qwen3-0.6b")
    sound(app.run())
    assert not app.error
    app.selectbox(key="small").set_value("llama-3.2-1b")
    app.run()
    assert len(app.error) == 1
    button(app, "Back to the opening setting").click()
    sound(app.run())
    assert line(app) == LINE


def test_what_does_not_fit_is_said_with_how_much_and_the_numbers_stand():
    app = opened("users", big="llama-3.1-70b")
    (warning,) = app.warning
    assert "141.1 GB, 61.1 GB more than the 80.0 GB" in plain(warning.value)
    assert metrics(app)["Speed-up"]
    app.selectbox(key="bigbits").set_value(8)
    sound(app.run())
    assert not app.warning


def test_users_with_long_texts_may_not_fit():
    app = opened("users", context="8000", users="2")
    assert not app.warning
    move(app, users=200)
    (warning,) = app.warning
    assert "of 200 users" in plain(warning.value)


def test_an_uncommon_pair_is_remarked_on():
    app = opened("users", big="custom", bigweights="8")
    assert any("share a tokenizer is not known" in plain(info.value) for info in app.info)


def test_a_custom_chip_asks_for_its_numbers():
    assert refused(chip="custom") == ("A custom chip needs its TFLOP/s and its GB/s; type both.")
    app = opened_anyhow("costs", chip="custom")
    assert {"teraflops", "bandwidth", "gigabytes"} <= widgets(app).keys()
    app.number_input(key="teraflops").set_value(312.0)
    app.run()
    assert len(app.error) == 1
    app.number_input(key="bandwidth").set_value(2039.0)
    sound(app.run())
    assert not app.error
    # The lesson's two numbers give the lesson's times.
    assert metrics(app)["One big pass"].startswith("7.877 ms")
    app.selectbox(key="chip").set_value(LESSON_MACHINE.chip)
    sound(app.run())
    assert line(app) == LINE


def custom(**more):
    return opened_anyhow("costs", big="custom", **more)


def fill_in(app, text):
    app.text_area(key="big_config").set_value(text)
    app.run()
    app.button(key="big_fill").click()
    app.run()
    assert not app.exception
    return app


def test_a_custom_model_asks_for_its_weights():
    assert "billions of weights" in refused(big="custom")
    app = sound(custom(bigweights="16.06"))
    # Twice the lesson's weights, twice its time.
    assert metrics(app)["One big pass"].startswith("15.75")


@pytest.mark.parametrize(
    "link",
    [
        {"big": "custom", "bigweights": "8", "small": "custom", "smallweights": "0.5"},
        {"big": "custom", "bigweights": "8", "bigcache": "128", "smallpeak": "28"},
        {"chip": "custom", "teraflops": "100", "bandwidth": "1000"},
        {"chip": "m4-max", "big": "gemma-3-27b", "small": "gemma-3-1b", "context": "100000"},
        {"small": "llama-3.1-8b", "smallbits": "4", "places": "0"},
        {"small": "llama-3.1-8b"},
        {"software": "1000", "bigpeak": "1", "smallpeak": "100", "check": "20", "users": "256"},
    ],
    ids=["two counted", "one counted", "chip", "Apple", "its own draft", "itself", "worst"],
)
def test_every_page_stands_on_every_kind_of_machine(link):
    app = opened("start", **link)
    for name in NAMES_OF_PAGES:
        app.switch_page(f"pages/{name}.py")
        sound(app.run())
        assert not app.error
        if name == "costs":
            # A column each, also where a model guesses for itself.
            assert len(app.table[1].value.columns) == 3


def test_a_context_needs_to_know_a_custom_model_s_bytes_a_token():
    said = refused("costs", big="custom", bigweights="8", context="3500")
    assert "bytes that its keys and values take per token" in said


def test_a_config_fills_the_numbers_in():
    app = fill_in(custom(), json.dumps(LLAMA_8B))
    assert not app.error
    assert app.number_input(key="bigweights").value == pytest.approx(8.030261248)
    # 2 × 32 layers × 8 heads × 128 values × 2 bytes.
    assert app.number_input(key="bigcache").value == pytest.approx(131.072)
    assert metrics(app)["One big pass"].startswith("7.877 ms")
    link = app.sidebar.code[0].value
    assert "bigweights=8.030261248" in link
    assert "llama" not in link


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("rubbish", "valid JSON"),
        ("[]", "one JSON object"),
        ("{}", "model_type"),
        (json.dumps({**LLAMA_8B, "model_type": "mixtral", "num_local_experts": 8}), "expert"),
        (json.dumps({**LLAMA_8B, "num_hidden_layers": -1}), "num_hidden_layers"),
        (json.dumps({**LLAMA_8B, "hidden_size": 1e400}), "hidden_size"),
        (json.dumps({**LLAMA_8B, "model_type": "<b>x</b>"}), "<b>x</b>"),
        (
            json.dumps(
                {
                    **LLAMA_8B,
                    "num_hidden_layers": 1,
                    "hidden_size": 8,
                    "intermediate_size": 8,
                    "num_attention_heads": 1,
                    "num_key_value_heads": 1,
                    "vocab_size": 9,
                }
            ),
            "billion weights",
        ),
        (json.dumps({**LLAMA_8B, "num_hidden_layers": 100000, "hidden_size": 99968}), "billion"),
    ],
    ids=["rubbish", "list", "empty", "experts", "negative", "infinite", "markup", "tiny", "huge"],
)
def test_a_config_that_cannot_be_used_is_one_sentence_and_stays_to_be_mended(text, says):
    app = fill_in(custom(bigweights="8"), text)
    (error,) = app.error
    assert says in plain(error.value)
    assert plain(error.value).endswith(".")
    assert "<b>" not in error.value
    assert app.text_area(key="big_config").value == text
    # The numbers of before still count.
    assert app.number_input(key="bigweights").value == 8
    assert metrics(app)["One big pass"]
    fill_in(app, json.dumps(LLAMA_8B))
    assert not app.error


def test_another_page_keeps_the_machine():
    app = opened("users", chip="l4", context="3500")
    for name in ("costs", "beyond", "start"):
        app.switch_page(f"pages/{name}.py")
        sound(app.run())
        assert "on NVIDIA L4 · not the best case" in line(app)
    assert "chip=l4&context=3500" in app.sidebar.code[0].value


def test_the_long_context_button_shows_what_the_sentence_says():
    app = opened("beyond")
    button(app, "Show it: 100 users with 3,500 tokens each").click()
    sound(app.run())
    assert "100 users" in line(app)
    assert "not the best case" in line(app)
    said = next(text.value for text in app.markdown if text.value.startswith("With 100 users"))
    assert f"are {metrics(app)['With your switches']} as fast" in said
    assert OPENING["kept"] == 80
