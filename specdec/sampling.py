"""The keep rule for sampled text, in exact fractions.

Draw a guess x from the draft model's odds q and keep it with chance min(1, p(x) / q(x)); after a
rejection draw from max(0, p − q), scaled to add up to 1. The token written then has the big
model's odds p. Source: Leviathan, Kalman and Matias (2023), section 2.3 and appendix A.1; Chen
et al. (2023), "Accelerating Large Language Model Decoding with Speculative Sampling",
algorithm 2 (which calls the draft's odds p and the big model's q).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from specdec import checks

SAMPLING_SEED = 20_261_019
MIN_TOKENS, MAX_TOKENS = 2, 6


@dataclass(frozen=True)
class SamplingRow:
    """One token's exact chances: ``kept`` is guessed and kept, ``redrawn`` written after a
    rejection, and ``total`` their sum."""

    token: str
    p: Fraction
    q: Fraction
    kept: Fraction
    redrawn: Fraction
    total: Fraction


@dataclass(frozen=True)
class SamplingTable:
    """The rows of :func:`sampling_table` and the overall ``keep_rate``, the sum of ``kept``."""

    rows: tuple[SamplingRow, ...]
    keep_rate: Fraction


def keep_chance(p_x, q_x):
    """Chance that a guess is kept: min(1, p(x) / q(x)); 1 where the draft never draws it.

    Takes and returns exact fractions; raises ``ValueError`` outside 0 to 1.
    """
    p_x, q_x = _probability(p_x, "p_x"), _probability(q_x, "q_x")
    return min(Fraction(1), p_x / q_x) if q_x else Fraction(1)


def residual(p, q):
    """The odds to draw from after a rejection: max(0, p − q), scaled to add up to 1.

    ``p`` and ``q`` map the same tokens to exact fractions that add up to 1. Raises
    ``ValueError`` otherwise, and where p equals q: then nothing is ever rejected.
    """
    _check_pair(p, q)
    left = {token: max(Fraction(0), Fraction(p[token]) - q[token]) for token in p}
    total = sum(left.values())
    if not total:
        raise ValueError(
            "residual takes odds p and q that differ: where they are equal no guess is rejected."
        )
    return {token: share / total for token, share in left.items()}


def sampling_table(p, q):
    """What the rule does with each token, exactly: a :class:`SamplingTable`.

    ``p`` (the big model's odds) and ``q`` (the draft's) map the same tokens to exact fractions
    that add up to 1; raises ``ValueError`` otherwise.
    """
    _check_pair(p, q)
    kept = {token: q[token] * keep_chance(p[token], q[token]) for token in p}
    keep_rate = sum(kept.values(), Fraction(0))
    rejected = 1 - keep_rate
    redraw = residual(p, q) if rejected else dict.fromkeys(p, Fraction(0))
    rows = tuple(
        SamplingRow(
            token=token,
            p=Fraction(p[token]),
            q=Fraction(q[token]),
            kept=kept[token],
            redrawn=rejected * redraw[token],
            total=kept[token] + rejected * redraw[token],
        )
        for token in p
    )
    return SamplingTable(rows, keep_rate)


def simulate_sampling(p, q, draws=10_000, seed=SAMPLING_SEED):
    """Run the rule ``draws`` times and count: a dict of token to (kept, redrawn) counts.

    Draws guesses, tosses keep coins and redraws as the rule says; nothing is taken from the
    table that the counts are there to test.
    """
    _check_pair(p, q)
    draws = checks.one_whole(draws, "draws")
    tokens = list(p)
    rng = np.random.default_rng(checks.one_whole(seed, "seed", least=0))
    guesses = rng.choice(len(tokens), size=draws, p=_floats(q, tokens))
    chances = np.array([float(keep_chance(p[t], q[t])) for t in tokens])
    keeps = rng.random(draws) < chances[guesses]
    rejected = int(draws - keeps.sum())
    kept = np.bincount(guesses[keeps], minlength=len(tokens))
    redrawn = np.zeros(len(tokens), dtype=int)
    if rejected:
        again = rng.choice(len(tokens), size=rejected, p=_floats(residual(p, q), tokens))
        redrawn = np.bincount(again, minlength=len(tokens))
    return {t: (int(kept[i]), int(redrawn[i])) for i, t in enumerate(tokens)}


def parse_probability(text):
    """The exact fraction that a person typed, as "3/10" or "0.3" or "30%"; 0 to 1.

    Raises ``ValueError`` with one sentence that says what is accepted.
    """
    refusal = ValueError(
        "A probability is a fraction like 3/10 or a decimal like 0.3, from 0 to 1, "
        f"not {checks._short(text)}."
    )
    # Plain digits only: an exponent of many digits would take the machine's memory to write out.
    typed = re.fullmatch(r"([0-9./]{1,40})(%?)", str(text).strip())
    if not typed or not typed[1].isascii():
        raise refusal
    try:
        value = Fraction(typed[1]) / (100 if typed[2] else 1)
    except (ValueError, ZeroDivisionError):
        raise refusal from None
    if not 0 <= value <= 1:
        raise refusal
    return value


def parse_odds(text):
    """The odds that a person typed for 2 to 6 tokens, as a dict of A, B, … to exact fractions.

    Fractions, decimals or percentages with spaces, commas or semicolons between them, such as
    "1/2, 3/10, 1/5". Raises ``ValueError`` with one sentence for anything else, and where they
    do not add up to exactly 1.
    """
    parts = re.split(r"[\s,;]+", re.sub(r"\s*/\s*", "/", str(text)[:400]).strip(" \t\n,;"))
    if not MIN_TOKENS <= len(parts) <= MAX_TOKENS:
        raise ValueError(
            f"Type {MIN_TOKENS} to {MAX_TOKENS} probabilities with commas between them, such as "
            f"1/2, 3/10, 1/5; this has {len(parts)}."
        )
    odds = dict(zip("ABCDEF", map(parse_probability, parts), strict=False))
    total = sum(odds.values())
    if total != 1:
        raise ValueError(
            f"The probabilities must add up to exactly 1, and these add up to {total}."
        )
    return odds


def _floats(odds, tokens):
    weights = np.array([float(odds[token]) for token in tokens])
    return weights / weights.sum()


def _probability(value, name):
    if isinstance(value, bool) or not isinstance(value, int | Fraction) or not 0 <= value <= 1:
        raise ValueError(
            f"{name} must be an exact fraction from 0 to 1, such as Fraction(3, 10), "
            f"not {checks._short(value)}."
        )
    return Fraction(value)


def _check_pair(p, q):
    for name, odds in (("p", p), ("q", q)):
        if not isinstance(odds, Mapping) or not odds:
            raise ValueError(f"{name} must map at least one token to its exact fraction.")
        for token, value in odds.items():
            _probability(value, f"{name}[{token!r}]")
        total = sum(odds.values())
        if total != 1:
            raise ValueError(f"The probabilities in {name} must add up to exactly 1, not {total}.")
    if set(p) != set(q):
        raise ValueError("p and q must name the same tokens.")
