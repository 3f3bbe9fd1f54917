"""The estimators, against the catalogue's worked example, full enumeration and simulation."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdec.measured import estimate
from specdec.tokens import expected_tokens


def test_worked_example():
    # 50 rounds of 4 that kept at least 1 to 4: 41, 30, 22, 15. By counts 108/143 = .755; from the
    # length 3.16 alone .768; the acceptance rate .54 is neither.
    assert estimate.keep_rate_from_counts(108, 50, 15).value == pytest.approx(0.755, abs=5e-4)
    assert estimate.keep_rate_from_length(3.16, 4).value == pytest.approx(0.768, abs=5e-4)
    assert estimate.keep_rate_from_acceptance(0.54, 4).value == pytest.approx(0.768, abs=5e-4)
    q = estimate.conditional((0.82, 0.60, 0.44, 0.30))
    assert [round(x, 2) for x in q] == [0.82, 0.73, 0.73, 0.68]


@pytest.mark.parametrize(
    ("k", "r"), [(1, 0.800), (2, 0.720), (3, 0.651), (5, 0.538), (8, 0.416), (15, 0.257)]
)
def test_acceptance_rates_of_the_same_keep_rate(k, r):
    # The catalogue's list for a = 0.8, at its printed digits.
    assert estimate.keep_rate_from_acceptance(r, k).value == pytest.approx(0.8, abs=2e-3)


def test_wilson_at_published_values():
    # Newcombe, Statistics in Medicine 17 (1998), table I, method 3: 81/263, 15/148, 0/20, 1/29.
    for kept, judged, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        assert estimate.wilson(kept, judged) == pytest.approx((low, high), abs=5e-5)


def every_run(k, rounds):
    """All ways for ``rounds`` rounds to keep 0 to k, as tuples."""
    if not rounds:
        return [()]
    return [(j, *rest) for j in range(k + 1) for rest in every_run(k, rounds - 1)]


@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_censored_estimate_maximises_the_likelihood(k):
    # Of every run of three rounds, the likelihood on a fine grid is highest at the estimate.
    grid = np.linspace(0, 1, 1001)
    for kept in every_run(k, 3):
        accepted, full = sum(kept), sum(j == k for j in kept)
        likelihood = np.prod([grid**j * (1 - grid if j < k else 1) for j in kept], axis=0)
        found = estimate.keep_rate_from_counts(accepted, 3, full)
        assert found.value == pytest.approx(grid[likelihood.argmax()], abs=1e-3)


def test_by_length_and_by_place_agree_with_the_counts_at_one_length():
    histogram = (9, 11, 8, 7, 15)
    by_counts = estimate.keep_rate_from_counts(108, 50, 15)
    by_length = estimate.keep_rate_by_length({4: histogram})
    by_place = estimate.keep_rate_by_place((41, 30, 22, 15), (50, 50, 50, 50))
    shares = estimate.keep_rate_from_shares((0.82, 0.60, 0.44, 0.30), 3.16)
    for found in (by_length, by_place, shares):
        assert found.value == pytest.approx(by_counts.value)
    assert by_length.interval == by_counts.interval == by_place.interval


def test_by_length_by_hand():
    # Length 1: 3 rounds, 2 kept: 2 of 3 judged. Length 3: kept 0, 1, 3 → 4 kept, judged 1+2+3.
    found = estimate.keep_rate_by_length({1: (1, 2), 3: (1, 1, 0, 1)})
    assert Fraction(found.kept, found.judged) == Fraction(6, 9)
    q, p = estimate.conditional_by_length({1: (1, 2), 3: (1, 1, 0, 1)})
    # Place 1: all 6 reach it, 2 + 2 keep it. Place 2: of length 3, two kept one; one keeps it.
    assert q == pytest.approx((4 / 6, 1 / 2, 1.0))
    assert p == pytest.approx((4 / 6, 2 / 6, 2 / 6))


def test_a_place_nobody_reached_is_unknown():
    q, p = estimate.conditional_by_length({3: (2, 0, 0, 0)})
    assert q == (0.0, None, None)
    assert p == (0.0,)
    assert estimate.conditional((0.5, 0.0, 0.0)) == (0.5, 0.0, None)


@given(st.floats(0, 1), st.integers(1, 20))
def test_the_length_gives_the_keep_rate_back(a, k):
    found = estimate.keep_rate_from_length(float(expected_tokens(a, k)), k)
    assert found.value == pytest.approx(a, abs=1e-6)


def test_ends_and_outside():
    assert estimate.keep_rate_from_length(1.0, 4).value == 0.0
    assert estimate.keep_rate_from_length(5.0, 4).value == 1.0
    assert estimate.keep_rate_from_length(5.2, 4) is None
    assert estimate.keep_rate_from_length(0.9, 4) is None
    assert estimate.keep_rate_from_acceptance(1.1, 4) is None
    assert estimate.keep_rate_from_counts(0, 0, 0) is None
    # All kept, or none: Wilson's interval still has a width.
    assert estimate.keep_rate_from_counts(40, 10, 10).interval[0] < 1.0
    assert estimate.keep_rate_from_length(1.0, 4, rounds=10).interval == estimate.wilson(0, 10)


@pytest.mark.parametrize(("a", "k"), [(0.3, 2), (0.6, 4), (0.8, 4), (0.9, 8)])
def test_intervals_cover_what_they_say(a, k):
    # 400 seeded runs of 200 rounds: a 95% interval covers in 380 ± 3·√(400·.05·.95) = 380 ± 13.1
    # of them by chance; Wilson's and the delta method's are approximate, so 16 are allowed.
    generator = np.random.default_rng(20_261_129)
    kept = np.minimum(generator.geometric(1 - a, size=(400, 200)) - 1, k)
    covered = np.zeros(2)
    for run in kept:
        accepted, full = int(run.sum()), int((run == k).sum())
        counts = estimate.keep_rate_from_counts(accepted, 200, full)
        length = estimate.keep_rate_from_length(1 + accepted / 200, k, rounds=200)
        for place, found in enumerate((counts, length)):
            covered[place] += found.interval[0] <= a <= found.interval[1]
    assert np.all(np.abs(covered - 380) <= 16)


def test_varying_lengths_are_estimated_without_bias():
    # 60,000 seeded rounds at a = 0.75, lengths 1 to 6 drawn at random; three standard errors.
    generator = np.random.default_rng(7)
    lengths = generator.integers(1, 7, size=60_000)
    kept = np.minimum(generator.geometric(0.25, size=60_000) - 1, lengths)
    by_length = {
        length: np.bincount(kept[lengths == length], minlength=length + 1).tolist()
        for length in range(1, 7)
    }
    found = estimate.keep_rate_by_length(by_length)
    assert abs(found.value - 0.75) < 3 * math.sqrt(0.75 * 0.25 / found.judged)
    # What a printed share of all rounds would say of place 3 is far too low.
    shares = [(kept >= place).mean() for place in (2, 3)]
    assert shares[1] / shares[0] < 0.70
    q, _ = estimate.conditional_by_length(by_length)
    assert q[2] == pytest.approx(0.75, abs=0.02)
