"""Conditions: nothing changes while they are off, and each does what its name says."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specdec.conditions import BEST_CASE, Conditions, expected_tokens_by_place
from specdec.hardware import A100
from specdec.time_model import LESSON, TimeModel
from specdec.transformers import LLAMA_3_1_8B, LLAMA_3_2_1B

OFF = TimeModel(A100, LLAMA_3_1_8B, LLAMA_3_2_1B, Conditions())


def under(**conditions):
    return replace(LESSON, conditions=Conditions(**conditions))


def enumerated_tokens(rates, k):
    """Every pattern of kept and rejected guesses, with its chance."""
    total = 0.0
    for kept in itertools.product([True, False], repeat=k):
        chance = math.prod(r if keep else 1 - r for r, keep in zip(rates, kept, strict=True))
        run = kept.index(False) if False in kept else k
        total += chance * (run + 1)
    return total


@pytest.mark.parametrize("model", [LESSON, OFF], ids=["left out", "all off"])
def test_with_everything_off_the_lessons_numbers_are_untouched(model):
    assert f"{1e3 * model.plain_seconds():.2f}" == "7.88"
    assert f"{1e3 * model.plain_seconds():.3f}" == "7.877"
    assert f"{1e3 * model.draft_seconds():.3f}" == "1.212"
    assert f"{1e3 * model.round_seconds(4):.3f}" == "12.725"
    assert [f"{model.speedup(a, 4):.2f}" for a in (0.6, 0.8, 0.9)] == ["1.43", "2.08", "2.53"]
    assert f"{model.speedup(0.8, 4, draft_seconds=2.4e-3):.2f}" == "1.52"
    assert f"{model.speedup(0.8, 4, draft_seconds=7.9e-3):.2f}" == "0.67"
    assert [f"{100 * model.break_even(k):.1f}" for k in (1, 2, 4, 8)] == [
        "15.4",
        "24.7",
        "38.6",
        "55.4",
    ]
    assert model.best_k(np.array([0.6, 0.8, 0.9, 0.95])).tolist() == [2, 5, 8, 12]
    assert model.big_pass(153).limited_by == "memory"
    assert model.big_pass(154).limited_by == "arithmetic"
    assert [f"{1e3 * model.big_pass(n).seconds:.1f}" for n in (200, 300)] == ["10.3", "15.4"]
    free = model.users_when_checking_stops_being_free(np.array([2, 4, 6, 8]))
    assert free.tolist() == [52, 31, 22, 18]
    crowd = model.speedup(0.8, 4, users=np.array([30, 32, 64, 154, 1000]))
    assert [f"{times:.2f}" for times in crowd] == ["2.08", "2.02", "1.24", "0.60", "0.60"]
    assert model.users_when_guessing_stops_paying(0.8, 4) == 85
    assert model.users_when_guessing_pays(0.8, 4) == ((1, 84),)


def test_a_switch_at_its_off_value_changes_no_bit():
    a, k, users = np.linspace(0, 1, 11)[:, None, None], np.arange(1, 9)[:, None], np.arange(1, 200)
    # Only the keep rates by place are worked out another way, so they may differ in a last digit.
    same = under(draft_context_tokens=0, check_passes=1, software_seconds=0)
    assert np.array_equal(same.speedup(a, k, None, users), LESSON.speedup(a, k, None, users))
    assert np.array_equal(same.speedup(a, k, 2e-3, users), LESSON.speedup(a, k, 2e-3, users))


def test_the_cache_of_a_long_context_by_hand():
    # 32 layers, 8 key-value heads of 128 channels, a key and a value of 2 bytes each: 131,072
    # bytes a token; the draft has 16 layers of 8 heads of 64: 32,768.
    assert LLAMA_3_1_8B.cache_bytes(1) == 131_072
    assert LLAMA_3_2_1B.cache_bytes(1) == 32_768
    model = under(context_tokens=10_000)
    # 16.061 GB of weights and 1.311 GB of cache at 2,039 GB a second; 2.472 GB and 0.328 GB.
    assert 1e3 * model.plain_seconds() == pytest.approx((16.060522496 + 1.31072) / 2.039, rel=1e-9)
    assert 1e3 * model.draft_seconds() == pytest.approx((2.4716288 + 0.32768) / 2.039, rel=1e-9)
    # Ten users read ten caches but the weights once, and a check reads no cache twice.
    assert 1e3 * model.plain_seconds(10) == pytest.approx((16.060522496 + 13.1072) / 2.039)
    assert model.big_pass(50, users=10).seconds == model.plain_seconds(10)


def test_attention_adds_arithmetic_by_hand():
    # 4 operations for each of 32 layers x 32 heads x 128 channels and earlier token.
    assert LLAMA_3_1_8B.attention_operations(1) == 524_288
    model = under(context_tokens=30_000)
    each = 2 * 8_030_261_248 + 524_288 * 30_000
    assert model.big_pass(5_000, users=1).seconds == pytest.approx(5_000 * each / 312e12)
    assert model.big_pass(5_000, users=1).limited_by == "arithmetic"


def test_a_window_stops_the_cache_growing():
    near = replace(LLAMA_3_1_8B, windowed_layers=16, window_tokens=4096)
    assert near.cache_bytes(4096) == LLAMA_3_1_8B.cache_bytes(4096)
    assert near.cache_bytes(8192) == LLAMA_3_1_8B.cache_bytes(6144)


def test_each_other_switch_by_hand():
    # Opening setting: 4 draft passes of 1.2122 ms, a big pass of 7.8767 ms, 3.3616 tokens.
    draft, big, tokens = 1.21217695, 7.87666626, 3.3616
    cases = [
        ({"software_seconds": 2e-3}, tokens * big / (4 * draft + big + 2)),
        ({"check_passes": 1.5}, tokens * big / (4 * draft + 1.5 * big)),
        ({"big_fraction_of_peak": 0.63}, tokens * big / 0.63 / (4 * draft + big / 0.63)),
        ({"draft_fraction_of_peak": 0.5}, tokens * big / (8 * draft + big)),
        ({"keep_rates": (0.9, 0.7)}, (1 + 0.9 + 0.63 + 0.441 + 0.3087) * big / (4 * draft + big)),
    ]
    for conditions, expected in cases:
        assert under(**conditions).speedup(0.8, 4) == pytest.approx(expected, rel=1e-6)
    assert 1e3 * under(big_fraction_of_peak=0.63).plain_seconds() == pytest.approx(
        12.5026, abs=1e-4
    )


def test_a_given_draft_time_is_slowed_by_the_switches_too():
    model = under(context_tokens=10_000, draft_fraction_of_peak=0.5)
    slower = model.draft_seconds(3, draft_seconds=2 * LESSON.draft_seconds())
    assert slower == pytest.approx(2 * model.draft_seconds(3))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=7))
def test_tokens_by_place_equal_full_enumeration(rates):
    found = expected_tokens_by_place(rates, len(rates))
    assert found == pytest.approx(enumerated_tokens(rates, len(rates)), abs=1e-9)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=4), st.integers(1, 8))
def test_the_last_keep_rate_holds_for_later_places(rates, k):
    padded = (rates + [rates[-1]] * k)[:k]
    assert expected_tokens_by_place(rates, k) == pytest.approx(enumerated_tokens(padded, k))


def test_tokens_by_place_take_arrays_and_large_k():
    ks = np.array([[1, 2], [3, 10**9]])
    assert expected_tokens_by_place([0.5, 0.5], ks) == pytest.approx(
        np.array([[1.5, 1.75], [1.875, 2.0]])
    )
    assert under(keep_rates=[0.5]).speedup(np.array([0.1, 0.9]), 4).shape == (2,)


conditions = st.builds(
    Conditions,
    context_tokens=st.integers(0, 6_000),
    draft_context_tokens=st.none() | st.integers(0, 2_000),
    software_seconds=st.floats(0, 0.03),
    big_fraction_of_peak=st.floats(0.3, 1),
    draft_fraction_of_peak=st.floats(0.2, 1),
    check_passes=st.floats(1, 2),
    keep_rates=st.none() | st.lists(st.floats(0, 1), min_size=1, max_size=5),
)


@settings(max_examples=60, deadline=None)
@given(conditions, st.floats(0, 1), st.integers(1, 10))
def test_paying_crowds_equal_a_look_at_every_crowd(away, a, k):
    model = replace(LESSON, conditions=away)
    users = np.arange(1, 4_001)
    times = model.speedup(a, k, None, users)
    listed = np.zeros(users.size, dtype=bool)
    for first, last in model.users_when_guessing_pays(a, k):
        listed[first - 1 : last] = True
    # Where a speed-up is 1 to the last digit, rounding may decide either way.
    clear = np.abs(times - 1) > 1e-9
    assert np.array_equal((times >= 1)[clear], listed[clear])
    losing = users[(times < 1) & clear]
    stops = model.users_when_guessing_stops_paying(a, k)
    assert stops is None or stops > 4_000 or stops == losing[0] or not clear[stops - 1]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 20_000), st.integers(1, 12))
def test_the_crossover_equals_a_look_at_every_crowd(context, k):
    model = under(context_tokens=context)
    users = np.arange(1, 801)
    limits = model.big_pass(users * (k + 1), users).limited_by
    found = model.users_when_checking_stops_being_free(k)
    arithmetic = users[limits == "arithmetic"]
    if arithmetic.size:
        assert found == arithmetic[0]
        assert (limits[found - 1 :] == "arithmetic").all()
    else:
        assert found is None or found > users[-1]


def test_a_check_can_stay_free_for_every_crowd():
    model = under(context_tokens=20_000)
    assert model.users_when_checking_stops_being_free(4) is None
    found = model.users_when_checking_stops_being_free(np.array([4, 100]))
    assert np.isnan(found[0])
    assert found[1] >= 1


def test_with_long_contexts_guessing_pays_where_the_best_case_says_it_does_not():
    assert LESSON.users_when_guessing_stops_paying(0.8, 4) == 85
    assert LESSON.speedup(0.8, 4, users=100) < 1
    long = under(context_tokens=3_500)
    # 100 users' caches of both models and both models' weights still fit the chip's 80 GB.
    held = sum(m.weight_bytes + 100 * m.cache_bytes(3_500) for m in (long.big, long.draft))
    assert held < A100.memory_bytes
    assert long.big_pass(500, users=100).limited_by == "memory"
    assert long.speedup(0.8, 4, users=100) > 1.7
    assert long.users_when_guessing_stops_paying(0.8, 4) is None
    # A draft that keeps only a short window gains more still (the idea of MagicDec).
    assert under(context_tokens=3_500, draft_context_tokens=512).speedup(0.8, 4, users=100) > 2.3


def test_software_time_can_cost_a_small_crowd_more_than_it_gains():
    model = under(software_seconds=15e-3)
    paying = model.users_when_guessing_pays(0.8, 4)
    assert paying == ()
    assert model.users_when_guessing_stops_paying(0.8, 4) == 1
    # With a cache plain steps take longer for more users, and the same software time pays.
    model = under(software_seconds=15e-3, context_tokens=3_500)
    (first, last) = model.users_when_guessing_pays(0.8, 4)[0]
    assert first > 1
    assert last is None
    assert model.users_when_guessing_stops_paying(0.8, 4) == 1


def test_break_even_sets_keep_rates_by_place_aside():
    assert under(keep_rates=[0.1]).break_even(4) == LESSON.break_even(4)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("context_tokens", -1),
        ("context_tokens", 1.5),
        ("context_tokens", [1, 2]),
        ("context_tokens", None),
        ("context_tokens", 10**9 + 1),
        ("draft_context_tokens", -1),
        ("software_seconds", -1e-3),
        ("software_seconds", float("nan")),
        ("software_seconds", [0.0, 1.0]),
        ("big_fraction_of_peak", 0),
        ("big_fraction_of_peak", 1.01),
        ("draft_fraction_of_peak", "half"),
        ("check_passes", 0.9),
        ("check_passes", float("inf")),
        ("keep_rates", []),
        ("keep_rates", 0.8),
        ("keep_rates", [0.8, 1.2]),
        ("keep_rates", [[0.8]]),
        ("keep_rates", [0.5] * 65),
    ],
)
def test_impossible_conditions_are_refused_in_one_sentence(field, value):
    with pytest.raises(ValueError, match=rf"^.*{field}.* must be .*\.$"):
        Conditions(**{field: value})


def test_conditions_can_be_keys_and_the_best_case_is_all_off():
    assert Conditions(keep_rates=[0.8, 0.7]) in {Conditions(keep_rates=(0.8, 0.7))}
    assert Conditions() == BEST_CASE
    with pytest.raises(ValueError, match="must be one number"):
        LESSON.users_when_guessing_pays([0.8, 0.9], 4)
