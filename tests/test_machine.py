"""The machine that a person chose: its names are part of links, so they and their defaults stay."""

import re
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdec import LESSON, Setting
from specdec.conditions import BEST_CASE
from specdec.machine import (
    BITS,
    CHIPS,
    CUSTOM,
    LESSON_MACHINE,
    MODELS,
    Machine,
    fit,
    machine_of,
    parse_places,
    write_places,
)

# Every name and every default is part of every link ever shared: they may grow, never change.
PINNED = {
    "chip": "a100-80gb-sxm",
    "big": "llama-3.1-8b",
    "small": "llama-3.2-1b",
    "bigbits": 16,
    "smallbits": 16,
    "teraflops": None,
    "bandwidth": None,
    "gigabytes": None,
    "bigweights": None,
    "bigcache": None,
    "smallweights": None,
    "smallcache": None,
    "context": None,
    "software": None,
    "bigpeak": None,
    "smallpeak": None,
    "check": None,
    "places": None,
}
# What links may already name. A key that goes away would open the lesson's chip or model instead.
LINKED_CHIPS = (
    *("a100-40gb-sxm", "a100-80gb-pcie", "a100-80gb-sxm", "h100-pcie", "h100-sxm", "h100-nvl"),
    *("h200", "gh200-96gb", "b200", "l4", "l40s", "a10g", "rtx-3090", "rtx-4090", "rtx-5090", "t4"),
    *("mi300x", "mi325x", "tpu-v5e", "m2-ultra", "m4-max", "custom"),
)
LINKED_MODELS = (
    *("llama-2-7b", "llama-3.1-8b", "llama-3.1-70b", "llama-3.3-70b", "llama-3.1-405b"),
    *("llama-3.2-1b", "llama-3.2-3b", "qwen2.5-0.5b", "qwen2.5-1.5b", "qwen2.5-3b", "qwen2.5-7b"),
    *("qwen2.5-14b", "qwen2.5-32b", "qwen2.5-72b", "qwen3-0.6b", "qwen3-1.7b", "qwen3-4b"),
    *("qwen3-8b", "qwen3-14b", "qwen3-32b", "gemma-2-2b", "gemma-2-9b", "gemma-2-27b"),
    *("gemma-3-1b", "gemma-3-4b", "gemma-3-12b", "gemma-3-27b", "mistral-7b-v0.3"),
    *("mistral-nemo-12b", "mistral-small-24b", "phi-3-mini", "phi-4-14b", "phi-4-mini"),
    *("smollm2-135m", "smollm2-360m", "smollm2-1.7b", "olmo-2-7b", "olmo-2-13b"),
    *("tinyllama-1.1b", "custom"),
)


class TestTheLessons:
    def test_names_and_defaults_are_those_of_links(self):
        found = {each.name: each.default for each in fields(Machine)}
        assert {name: found[name] for name in PINNED} == PINNED
        # A name that is added must open as it was before it was there.
        assert all(found[name] is None for name in found.keys() - PINNED.keys())
        # No underscore: chats take two of them for italics.
        assert all(re.fullmatch(r"[a-z]+", name) for name in found)
        assert set(LINKED_CHIPS) <= set(CHIPS)
        assert set(LINKED_MODELS) <= set(MODELS)
        assert BITS == (16, 8, 4)
        assert CUSTOM == "custom"

    def test_no_name_is_taken_by_a_control_of_the_sidebar_or_of_a_page(self):
        others = {"kept", "k", "draft", "users", "present", "p", "q", "place", "found", "head"}
        assert not others & PINNED.keys()

    def test_the_opening_machine_is_the_lesson_to_the_last_digit(self):
        model = Machine().model()
        assert model == LESSON
        assert model.conditions == BEST_CASE
        assert Machine() == LESSON_MACHINE
        assert LESSON_MACHINE.changed() == {}

    def test_the_opening_machine_gives_the_numbers_that_the_lesson_prints(self):
        model = Machine().model()
        assert f"{1000 * model.draft_seconds():.3f}" == "1.212"
        assert f"{1000 * model.plain_seconds():.3f}" == "7.877"
        assert f"{1000 * model.round_seconds(4):.3f}" == "12.725"
        gains = [f"{model.speedup(a, 4):.2f}" for a in (0.6, 0.8, 0.9)]
        assert gains == ["1.43", "2.08", "2.53"]
        assert f"{model.break_even(4):.1%}" == "38.6%"
        assert [model.best_k(a) for a in (0.6, 0.9)] == [2, 8]
        assert model.first_arithmetic_tokens(model.big) == 154


class TestChoices:
    def test_a_custom_chip_of_the_same_two_numbers_times_like_the_lessons(self):
        model = Machine(chip=CUSTOM, teraflops=312.0, bandwidth=2039.0).model()
        assert model.plain_seconds() == pytest.approx(float(LESSON.plain_seconds()), rel=1e-12)
        assert model.speedup(0.8, 4, None, 85) == pytest.approx(
            float(LESSON.speedup(0.8, 4, None, 85)), rel=1e-12
        )
        # Its memory was not typed, so nothing is claimed about fitting.
        assert fit(model, 10).fits is None

    def test_a_custom_chip_by_hand(self):
        """16.06 GB at 1,000 GB/s are 16.06 ms; 100 TFLOP/s over 1 TB/s at 2 bytes: 100 tokens."""
        model = Machine(chip=CUSTOM, teraflops=100.0, bandwidth=1000.0, gigabytes=24.0).model()
        assert f"{1000 * model.plain_seconds():.2f}" == "16.06"
        assert model.chip.memory_bytes == 24e9
        # 2 operations a weight and token against 2 bytes a weight: 100 tokens are exactly even.
        assert model.first_arithmetic_tokens(model.big) in (100, 101)

    def test_a_custom_model_by_hand(self):
        """8 billion weights of 4 bits are 4 GB, and 2,039 GB/s fetch them in 1.962 ms."""
        machine = Machine(big=CUSTOM, bigweights=8.0, bigbits=4, bigcache=128.0)
        model = machine.model()
        assert model.big.weight_bytes == 4e9
        assert f"{1000 * model.plain_seconds():.3f}" == "1.962"
        assert model.big.cache_bytes(1000) == 128e6
        assert "weights" in Machine(small=CUSTOM, smallweights=0.5).model().draft.__dict__

    @pytest.mark.parametrize(("bits", "part"), [(8, 2), (4, 4)])
    def test_fewer_bits_are_fewer_bytes(self, bits, part):
        whole, cut = Machine().model(), Machine(bigbits=bits, smallbits=bits).model()
        assert cut.big.weight_bytes * part == whole.big.weight_bytes
        assert cut.draft.weight_bytes * part == whole.draft.weight_bytes
        assert cut.plain_seconds() == pytest.approx(float(whole.plain_seconds()) / part)

    @pytest.mark.parametrize(
        ("choice", "field", "value"),
        [
            ({"context": 3500}, "context_tokens", 3500),
            ({"software": 3.3}, "software_seconds", 0.0033),
            ({"bigpeak": 63.0}, "big_fraction_of_peak", 0.63),
            ({"smallpeak": 28.0}, "draft_fraction_of_peak", 0.28),
            ({"check": 1.09}, "check_passes", 1.09),
            ({"places": "82-73-73-68"}, "keep_rates", (0.82, 0.73, 0.73, 0.68)),
        ],
    )
    def test_each_switch_sets_its_condition_alone(self, choice, field, value):
        conditions = Machine(**choice).model().conditions
        assert getattr(conditions, field) == pytest.approx(value, rel=1e-12)
        changed = {
            each.name
            for each in fields(conditions)
            if getattr(conditions, each.name) != getattr(BEST_CASE, each.name)
        }
        assert changed == {field}

    def test_each_switch_at_its_least_is_off(self):
        """A number that changes nothing gives the lesson's times, whatever the box holds."""
        least = Machine(context=0, software=0.0, bigpeak=100.0, smallpeak=100.0, check=1.0)
        assert least.model() == LESSON
        assert Machine(places="").model() == LESSON


class TestRefusals:
    @pytest.mark.parametrize(
        ("choice", "says"),
        [
            ({"chip": CUSTOM}, "TFLOP/s and its GB/s"),
            ({"chip": CUSTOM, "teraflops": 1.0}, "TFLOP/s and its GB/s"),
            ({"chip": CUSTOM, "teraflops": 0.0, "bandwidth": 1.0}, "flops_per_second"),
            ({"chip": CUSTOM, "teraflops": "x", "bandwidth": 1.0}, "teraflops"),
            ({"chip": CUSTOM, "teraflops": 1.0, "bandwidth": float("nan")}, "bandwidth"),
            ({"chip": "nonsense"}, "key of the catalogue"),
            ({"chip": None}, "key of the catalogue"),
            ({"big": "nonsense"}, "key of the catalogue"),
            ({"small": ["llama-3.2-1b"]}, "key of the catalogue"),
            ({"big": CUSTOM}, "billions of weights"),
            ({"small": CUSTOM}, "custom draft model"),
            ({"big": CUSTOM, "bigweights": float("nan")}, "bigweights"),
            ({"big": CUSTOM, "bigweights": float("inf")}, "bigweights"),
            ({"big": CUSTOM, "bigweights": "8"}, "bigweights"),
            ({"big": CUSTOM, "bigweights": 0.0}, "weights"),
            ({"big": CUSTOM, "bigweights": 1e9}, "at most"),
            ({"small": CUSTOM, "smallweights": 1.0, "smallcache": -1.0}, "cache"),
            ({"small": CUSTOM, "smallweights": 1.0, "smallcache": "x"}, "cache"),
            ({"bigbits": 3}, "16, 8 or 4"),
            ({"bigbits": 3, "big": CUSTOM, "bigweights": 8.0}, "16, 8 or 4"),
            ({"smallbits": "8"}, "16, 8 or 4"),
            ({"context": -1}, "context"),
            ({"context": 1.5}, "context"),
            ({"context": "abc"}, "context"),
            ({"software": -1.0}, "software"),
            ({"software": "x"}, "software"),
            ({"bigpeak": 0.0}, "peak"),
            ({"bigpeak": 101.0}, "peak"),
            ({"smallpeak": "x"}, "peak"),
            ({"check": 0.5}, "check"),
            ({"check": "x"}, "check"),
            ({"places": "82-abc"}, "percentages from 0 to 100"),
        ],
    )
    def test_what_cannot_be_is_refused_in_one_sentence(self, choice, says):
        with pytest.raises(ValueError) as caught:  # noqa: PT011
            Machine(**choice).model()
        sentence = str(caught.value)
        assert says in sentence
        assert sentence.endswith(".")
        assert "\n" not in sentence
        assert len(sentence) < 300

    def test_a_pair_of_two_vocabularies_is_refused_with_the_reason(self):
        with pytest.raises(ValueError, match=r"cannot guess for Qwen3 8B.*128,256.*151,936"):
            Machine(big="qwen3-8b").model()
        assert Machine(big="qwen3-8b", small="qwen3-0.6b").model().big.name == "Qwen3 8B"

    def test_a_pair_that_does_not_fit_says_by_how_much(self):
        """70.55 billion weights of 2 bytes: 141.1 GB in 80; of 8 bits they and the draft fit."""
        found = fit(Machine(big="llama-3.1-70b").model(), 1)
        assert found.fits is False
        assert "141.1 GB, 61.1 GB more than the 80.0 GB" in found.reason
        assert f"{found.missing_bytes / 1e9:.1f}" == "63.6"
        assert fit(Machine(big="llama-3.1-70b", bigbits=8).model(), 1).fits is True

    def test_users_that_do_not_fit_are_named(self):
        """131,072 bytes a token for the big model and 32,768 for the draft, times 8,000 tokens."""
        model = Machine(context=8000).model()
        each = (2 * 32 * 8 * 128 + 2 * 16 * 8 * 64) * 2 * 8000
        weights = 2 * (8_030_261_248 + 1_235_814_400)
        most = int((80e9 - weights) // each)
        assert fit(model, most).fits is True
        found = fit(model, most + 1)
        assert found.fits is False
        assert f"of {most + 1} users" in found.reason
        missing = (weights + (most + 1) * each - 80e9) / 1e9
        assert f"{missing:.1f} GB more than the 80.0 GB" in found.reason


class TestPlaces:
    @pytest.mark.parametrize(
        ("text", "rates"),
        [
            ("82-73-73-68", (0.82, 0.73, 0.73, 0.68)),
            ("82, 73.5", (0.82, 0.735)),
            ("82% 73%\n68%", (0.82, 0.73, 0.68)),
            ("100;0", (1, 0)),
            ("  5 ", (0.05,)),
            ("82-73-", (0.82, 0.73)),
        ],
    )
    def test_as_people_write_them(self, text, rates):
        assert parse_places(text) == pytest.approx(rates)

    @pytest.mark.parametrize(
        "text",
        [
            *("", "-", "abc", "101", "82-abc", "1e1", "nan", "0x10", "<b>5</b>", "٥", "82/73"),
            *("-5", "82--73", "50-" * 300 + "50", "100.5", "8O"),
            *(None, ["50"], True),
        ],
    )
    def test_anything_else_is_refused_in_one_short_sentence(self, text):
        with pytest.raises(ValueError, match=r"^Keep rates by place are percentages") as caught:
            parse_places(text)
        assert str(caught.value).endswith(".")
        assert len(str(caught.value)) < 200

    def test_more_places_than_the_model_takes_are_refused(self):
        with pytest.raises(ValueError, match="64"):
            Machine(places="-".join(["50"] * 65)).model()

    @given(st.lists(st.integers(0, 1000), min_size=1, max_size=64))
    def test_what_is_written_reads_back_and_is_safe_in_a_link(self, tenths):
        rates = tuple(tenth / 1000 for tenth in tenths)
        text = write_places(rates)
        assert re.fullmatch(r"[0-9.-]+", text)
        assert parse_places(text) == pytest.approx(rates, abs=1e-12)
        assert write_places(parse_places(text)) == text

    @given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
    def test_what_is_written_is_right_to_a_tenth_of_a_percent(self, rates):
        assert parse_places(write_places(rates)) == pytest.approx(tuple(rates), abs=0.000501)

    @given(st.text(max_size=50))
    def test_no_text_raises_anything_else(self, text):
        try:
            rates = parse_places(text)
        except ValueError:
            return
        assert rates
        assert all(0 <= rate <= 1 for rate in rates)


VALUES = {
    "chip": st.sampled_from(CHIPS),
    "big": st.sampled_from(tuple(MODELS)),
    "small": st.sampled_from(tuple(MODELS)),
    "bigbits": st.sampled_from(BITS),
    "smallbits": st.sampled_from(BITS),
    "context": st.integers(0, 1_000_000),
    "places": st.sampled_from(("82-73-73-68", "50")),
} | {
    name: st.floats(0.1, 1000)
    for name in PINNED
    if name not in {"chip", "big", "small", "bigbits", "smallbits", "context", "places", "bigpeak"}
}
MACHINES = st.fixed_dictionaries({}, optional=VALUES)


class TestLinks:
    @given(MACHINES)
    def test_what_changed_makes_the_same_machine_again(self, values):
        machine = Machine(**values)
        changed = machine.changed()
        assert machine_of(changed) == machine
        assert all(PINNED[name] != value for name, value in changed.items())

    @given(MACHINES)
    def test_numbers_survive_being_written_into_a_link(self, values):
        """A box reads its own text back: whole numbers as ``int``, others as ``float``."""
        machine = Machine(**values)
        read = {name: type(value)(str(value)) for name, value in machine.changed().items()}
        assert machine_of(read) == machine

    def test_an_empty_box_and_a_strange_name_are_the_lessons(self):
        empty = dict.fromkeys(PINNED)
        assert machine_of({**empty, "kept": 90, "model": "x", "__class__": 1}) == LESSON_MACHINE
        assert machine_of({}) == LESSON_MACHINE

    def test_a_machine_does_not_touch_the_four_controls(self):
        assert not PINNED.keys() & Setting().query_params().keys()
        assert not PINNED.keys() & {each.name for each in fields(Setting)}
