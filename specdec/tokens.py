"""Tokens per big pass, when each guess is kept with the same chance, independently.

Source: Leviathan, Kalman and Matias, "Fast Inference from Transformers via Speculative
Decoding" (ICML 2023), equation 1; the paper calls the independence a simplifying assumption.
"""

import numpy as np

from specdec import checks

SIMULATION_SEED = 20_261_019


def expected_tokens(a, k):
    """Expected tokens of one round: 1 + a + a² + … + a^k, or (1 − a^(k+1)) / (1 − a).

    ``a`` is the keep rate (0 to 1) and ``k`` the guesses per round; both broadcast.
    Raises ``ValueError`` outside those ranges.
    """
    checks.together(a=a, k=k)
    a, k = checks.chance(a), checks.whole(k, "k")
    missing = 1 - a
    with np.errstate(divide="ignore", invalid="ignore"):
        # log1p and expm1 keep the digits that 1 − a^(k+1) loses as a comes close to 1.
        sum_of_powers = -np.expm1((k + 1) * np.log1p(-missing)) / missing
    return np.where(missing == 0, k + 1, sum_of_powers)[()]


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
    """Tokens of each of ``rounds`` seeded rounds, shape ``(rounds,)``.

    A coin is tossed for every guess that the big model comes to; one after a rejected guess
    could change nothing. Raises ``ValueError`` for arguments out of range.
    """
    toss, k, rounds = _coins(a, k, rounds, seed)
    tokens, going_on = np.ones(rounds, dtype=int), np.arange(rounds)
    for _ in range(k):
        going_on = going_on[toss(going_on.size)]
        tokens[going_on] += 1
    return tokens


def simulate_tokens_per_pass(a, k, rounds=100_000, seed=SIMULATION_SEED):
    """Average tokens per big pass over ``rounds`` seeded rounds.

    Tosses the very coins of :func:`simulate_rounds`, place by place over all rounds, and only
    counts how many rounds go on. Raises ``ValueError`` for arguments out of range.
    """
    toss, k, rounds = _coins(a, k, rounds, seed)
    going_on = tokens = rounds
    for _ in range(k):
        going_on = int(np.count_nonzero(toss(going_on)))
        tokens += going_on
    return tokens / rounds


def _coins(a, k, rounds, seed):
    """A function that tosses so many coins with chance a of "kept"; k and rounds, checked."""
    a = float(checks.single(checks.chance(a), "a", "chance from 0 to 1"))
    k, rounds = checks.one_whole(k, "k"), checks.one_whole(rounds, "rounds")
    rng = np.random.default_rng(checks.one_whole(seed, "seed", least=0))
    # A coin in 32 bits is off by 2^-24 at most, far inside what any run could show.
    return lambda count: rng.random(count, dtype=np.float32) < a, k, rounds
