"""The one place that estimates: keep rate from counts, from a length or from an acceptance rate.

The model is the lesson's: each guess is kept with chance a, independently, until the first that is
not (Leviathan, Kalman and Matias, ICML 2023). A round of k guesses then keeps a geometric number
of them, cut off (censored) at k, because nobody learns whether guess k + 1 would have been kept.
"""

import math
from dataclasses import dataclass

from specdec.tokens import expected_tokens

_Z = 1.959963984540054  # the normal law's 97.5% point: two-sided 95%
_BISECTIONS = 60

CENSORED = "kept ÷ judged guesses (censored maximum likelihood), 95% Wilson interval"
BY_PLACE = "kept ÷ judged guesses, judged ones worked out by place, 95% Wilson interval"
BY_LENGTH = "kept ÷ judged guesses, counted by draft length, 95% Wilson interval"
FROM_LENGTH = "from tokens per big pass and k, by bisection"
FROM_RATE = "from accepted ÷ drafted and k, by bisection"
FROM_SHARES = "kept ÷ judged guesses, from printed shares by place"
DELTA = ", 95% interval by the delta method"


@dataclass(frozen=True)
class KeepRate:
    """An estimate of a: ``value``, ``interval`` (low, high; or ``None``), ``method`` in words.

    ``kept`` of ``judged`` guesses are the counts behind it, ``None`` where there are none.
    """

    value: float
    interval: tuple | None
    method: str
    kept: int | None = None
    judged: int | None = None


def wilson(kept, judged):
    """The 95% Wilson score interval (low, high) for ``kept`` of ``judged`` trials.

    Source: Wilson, JASA 22 (1927); Brown, Cai and DasGupta, Statistical Science 16 (2001),
    equation 4, recommend it for its coverage. It stays inside 0 to 1, also at 0 and at all.
    """
    if judged <= 0:
        raise ValueError("judged must be a whole number of at least 1.")
    share, z2 = kept / judged, _Z * _Z
    middle = (share + z2 / (2 * judged)) / (1 + z2 / judged)
    spread = (
        _Z
        / (1 + z2 / judged)
        * math.sqrt(share * (1 - share) / judged + (z2 / judged / 4) / judged)
    )
    low = 0.0 if kept == 0 else max(0.0, middle - spread)
    return low, 1.0 if kept == judged else min(1.0, middle + spread)


def keep_rate_from_counts(accepted, rounds, full, short=0):
    """a from ``accepted`` guesses in ``rounds`` rounds, of which ``full`` kept all k.

    A guess is judged when all before it were kept: the kept ones, and one rejection in each round
    that is not full. The likelihood a^kept · (1 − a)^(judged − kept) is a binomial one, so
    the estimate is accepted ÷ (accepted + rounds − full). The interval is :func:`wilson`'s; it
    takes the guesses as independent, and where runs of luck make them otherwise it is too narrow.
    ``short`` rounds may have had fewer than k guesses: they may have no rejection, and the
    interval is widened to hold both cases. ``None`` when nothing was judged.
    """
    judged = accepted + rounds - full
    if judged <= 0:
        return None
    least = max(accepted, judged - short, 1)
    interval = wilson(accepted, judged)[0], wilson(accepted, least)[1]
    return KeepRate(accepted / judged, interval, CENSORED, accepted, judged)


def keep_rate_by_length(by_length):
    """a from ``{guesses: histogram}``, histogram[j] being the rounds that kept exactly j.

    The censored estimate with each round cut off at its own length, so it holds for drafts that
    vary, as long as a draft's length does not depend on how its last guess will fare.
    """
    kept = judged = 0
    for length, histogram in by_length.items():
        for j, rounds in enumerate(histogram[: length + 1]):
            kept += j * rounds
            judged += (j + (j < length)) * rounds
    if not judged:
        return None
    return KeepRate(kept / judged, wilson(kept, judged), BY_LENGTH, kept, judged)


def keep_rate_from_shares(per_position, tokens_per_pass):
    """a by :func:`keep_rate_from_counts`'s rule from shares of rounds alone, k of them, so with no
    interval: (length − 1) ÷ (length − p_k), as a round judges one guess more unless it is full."""
    kept = tokens_per_pass - 1
    judged = kept + 1 - per_position[-1]
    return KeepRate(kept / judged, None, FROM_SHARES) if 0 <= kept <= judged > 0 else None


def keep_rate_by_place(kept, reached):
    """a from the rounds that kept guesses 1 to i, and those with at least i guesses, by place.

    The guesses judged at place i are the rounds with a guess there times the share that kept all
    before it, taken from the place before. For drafts of one length it is the censored estimate.
    """
    judged, share = 0.0, 1.0
    for have, of in zip(kept, reached, strict=True):
        judged += of * share
        share = have / of if of else 0.0
    total = sum(kept)
    trials = round(judged)
    if trials < 1 or total > trials:
        return None
    return KeepRate(min(total / judged, 1.0), wilson(total, trials), BY_PLACE, total, trials)


def conditional_by_length(by_length):
    """(q, p) as tuples: the share kept at each place of those that reached it, and their product.

    A round reaches place i with i or more guesses and the i − 1 before kept; the product is the
    Kaplan–Meier estimate (JASA 53, 1958) of the chance to keep guesses 1 to i. ``None`` in q, and
    the end of p, from the first place that no round reached.
    """
    q, p, running = [], [], 1.0
    for place in range(1, max(by_length, default=0) + 1):
        reached = sum(sum(h[place - 1 :]) for length, h in by_length.items() if length >= place)
        kept = sum(sum(h[place:]) for h in by_length.values())
        q.append(kept / reached if reached else None)
        if reached:
            running *= kept / reached
            p.append(running)
    return tuple(q), tuple(p)


def conditional(per_position):
    """q_i = p_i ÷ p_(i−1) with p_0 = 1: the keep rate of a guess that was reached, or ``None``."""
    before = (1.0, *per_position)
    return tuple(
        p / earlier if earlier > 0 else None
        for earlier, p in zip(before, per_position, strict=False)
    )


def keep_rate_from_length(tokens_per_pass, k, rounds=None):
    """a that solves 1 + a + … + a^k = ``tokens_per_pass``; ``None`` outside 1 to k + 1.

    With ``rounds`` the interval is the delta method's (Casella and Berger, Statistical Inference,
    section 5.5.4): the spread of a round's kept guesses under the formula, ÷ √rounds, ÷ the slope
    of the length at a.
    """
    if not 1 - 1e-12 <= tokens_per_pass <= k + 1 + 1e-12:
        return None
    low, high = 0.0, 1.0
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        if _tokens(middle, k) < tokens_per_pass:
            low = middle
        else:
            high = middle
    a = 0.0 if tokens_per_pass <= 1 else 1.0 if tokens_per_pass >= k + 1 else (low + high) / 2
    interval = _delta_interval(a, k, rounds) if rounds else None
    return KeepRate(a, interval, FROM_LENGTH + (DELTA if interval else ""))


def keep_rate_from_acceptance(acceptance_rate, k, rounds=None):
    """a from accepted ÷ drafted at a fixed k: the length is 1 + k·rate; ``None`` outside 0 to 1."""
    found = keep_rate_from_length(1 + k * acceptance_rate, k, rounds)
    if found is None:
        return None
    return KeepRate(found.value, found.interval, found.method.replace(FROM_LENGTH, FROM_RATE))


def _tokens(a, k):
    # specdec.tokens.expected_tokens for one pair: a text may hold hundreds of runs to bisect.
    if 1 - a < 1e-6:
        return float(expected_tokens(a, k))
    return (1 - a ** (k + 1)) / (1 - a)


def _delta_interval(a, k, rounds):
    # At the ends the slope's method gives no width; the counts do: every guess judged alike.
    if a <= 0:
        return wilson(0, rounds)
    if a >= 1:
        return wilson(k * rounds, k * rounds)
    chances = [a**j * (1 - a) for j in range(k)] + [a**k]
    mean = sum(j * c for j, c in enumerate(chances))
    variance = sum((j - mean) ** 2 * c for j, c in enumerate(chances))
    slope = sum(j * a ** (j - 1) for j in range(1, k + 1))
    spread = _Z * math.sqrt(variance / rounds) / slope
    return max(0.0, a - spread), min(1.0, a + spread)
