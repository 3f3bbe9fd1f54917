"""What fits a chip's memory, by hand."""

from dataclasses import replace

import pytest

from specdec.catalogue import chip_with_key, model_with_key
from specdec.conditions import Conditions
from specdec.custom import custom_chip
from specdec.memory_fit import memory_needed, users_that_fit
from specdec.time_model import LESSON


def test_the_lessons_pair_by_hand():
    fit = memory_needed(LESSON)
    # 8,030,261,248 and 1,235,814,400 weights of 2 bytes.
    assert fit.needed_bytes == 16_060_522_496 + 2_471_628_800
    assert fit.fits
    assert fit.missing_bytes == 0
    assert users_that_fit(LESSON) is None


def test_users_with_caches_by_hand():
    # A user's 4,000 tokens take 4,000 x (131,072 + 32,768) bytes: 655,360,000.
    fit = memory_needed(LESSON, 4_000, users=100)
    assert fit.big_cache_bytes + fit.draft_cache_bytes == 65_536_000_000
    assert not fit.fits
    assert fit.missing_bytes == 18_532_151_296 + 65_536_000_000 - 80_000_000_000
    assert "84.1 GB, 4.1 GB more than the 80.0 GB" in fit.reason
    assert "100 users" in fit.reason
    # (80 - 18.532) / 0.65536 = 93.8
    assert users_that_fit(LESSON, 4_000) == 93
    assert memory_needed(LESSON, 4_000, users=93).fits
    assert not memory_needed(LESSON, 4_000, users=94).fits


def test_the_reason_names_what_does_not_fit():
    large = replace(LESSON, big=model_with_key("llama-3.1-70b"))
    assert memory_needed(large).reason.startswith("Llama 3.1 70B alone needs 141.1 GB, 61.1 GB")
    assert users_that_fit(large) == 0
    # 70.6 GB at 8 bit fit, but not with 16.1 GB of draft beside them.
    pair = replace(
        LESSON, big=model_with_key("llama-3.1-70b", 8), draft=model_with_key("llama-3.1-8b")
    )
    assert (
        "Llama 3.1 70B and Llama 3.1 8B together need 86.6 GB, 6.6 GB" in memory_needed(pair).reason
    )
    small = replace(pair, draft=model_with_key("llama-3.2-1b"), chip=chip_with_key("h200"))
    assert memory_needed(small).fits
    assert "1 user" in memory_needed(small).reason


def test_left_out_the_context_is_that_of_the_conditions():
    model = replace(LESSON, conditions=Conditions(context_tokens=4_000, draft_context_tokens=512))
    fit = memory_needed(model, users=10)
    assert fit.big_cache_bytes == 10 * 4_000 * 131_072
    assert fit.draft_cache_bytes == 10 * 512 * 32_768


def test_without_a_known_memory_nothing_is_claimed():
    model = replace(LESSON, chip=custom_chip(1e14, 1e12))
    fit = memory_needed(model, 10_000, users=1_000)
    assert fit.fits is None
    assert fit.missing_bytes == 0
    assert "not known" in fit.reason
    assert users_that_fit(model, 10_000) is None


@pytest.mark.parametrize(("context", "users"), [(-1, 1), (1.5, 1), (0, 0), (0, 1.5), ("1", [1])])
def test_impossible_numbers_are_refused(context, users):
    with pytest.raises(ValueError, match="whole number"):
        memory_needed(LESSON, context, users)
