"""Tokens per big pass, when each guess is kept with the same chance, independently.

Source: Leviathan, Kalman and Matias, "Fast Inference from Transformers via Speculative
Decoding" (ICML 2023), equation 1; the paper calls the independence a simplifying assumption.
"""

import numpy as np

from specdec import checks

SIMULATION_SEED = 20_261_019


def expected_tokens(a, k):
    """Expected tokens of one round: 1 + a + a² + … + a^k.

    ``a`` is the keep rate (0 to 1) and ``k`` the guesses per round; both broadcast. The closed
    form is used away from a = 1, where it would lose its digits, and the sum's own terms near it.
    Raises ``ValueError`` outside those ranges.
    """
    a, k = np.broadcast_arrays(checks.chance(a), checks.whole(k, "k"))
    missing = 1 - a
    near_one = missing < 1e-6
    with np.errstate(divide="ignore", invalid="ignore"):
        closed = (1 - a ** (k + 1)) / np.where(near_one, 1, missing)
    # 1 − (1−m)^n over m is n − n(n−1)m/2 + …: the next term is far below a rounding error here.
    series = (k + 1) * (1 - k * missing / 2)
    return np.where(near_one, series, closed)[()]


def tokens_per_round_distribution(a, k):
    """Chance of a round giving 1, 2, …, k + 1 tokens.

    ``k`` is one whole number; the result has the shape of ``a`` with an axis of length k + 1 at
    the end. A round gives j + 1 tokens if the first j guesses are kept and the next is not.
    """
    a, k = checks.chance(a), checks.one_whole(k, "k")
    kept = np.arange(k + 1)
    a = a[..., np.newaxis]
    return a**kept * np.where(kept < k, 1 - a, 1)


def simulate_rounds(a, k, rounds=100_000, seed=SIMULATION_SEED):
    """Tokens of each of ``rounds`` seeded rounds, shape ``(rounds,)``: one coin for each guess."""
    a, k = float(_scalar(checks.chance(a))), checks.one_whole(k, "k")
    rounds = checks.one_whole(rounds, "rounds")
    coins = np.random.default_rng(seed).random((rounds, k), dtype=np.float32) < a
    # A guess counts only while every one before it was kept.
    return 1 + np.where(coins.all(axis=1), k, coins.argmin(axis=1))


def simulate_tokens_per_pass(a, k, rounds=100_000, seed=SIMULATION_SEED):
    """Average tokens per big pass over ``rounds`` seeded rounds, every coin tossed."""
    return float(simulate_rounds(a, k, rounds, seed).mean())


def _scalar(a):
    if a.ndim:
        raise ValueError("a must be one chance from 0 to 1 for a simulation, not an array.")
    return a
