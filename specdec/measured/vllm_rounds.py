"""What vLLM's lines leave out: the rounds, and in some builds the big model's own token."""

import math

from specdec.measured.records import Printed


def with_own_token(mean, rates):
    """(the mean length with the big model's own token, notes).

    Builds between the pull requests 16665 and 17908 leave it out; then the mean is the sum of the
    shares by place, and else one more.
    """
    if mean is None or not rates or not math.isfinite(mean.value):
        return mean, ()
    total = sum(rate.value for rate in rates)
    if abs(total - mean.value) < abs(total - (mean.value - 1)):
        note = "The log prints lengths without the big model's own token; it is added here."
        return Printed(mean.value + 1, mean.half), (note,)
    return mean, ()


def window_rounds(accepted, drafted, mean, rates, k):
    """(rounds of a window, whether its drafts must vary): no log line prints them.

    Full drafts give drafted ÷ k; the printed mean must agree. Otherwise the whole number is taken
    that the mean allows and that makes every share by place a whole number of rounds.
    """
    if accepted is None or drafted is None or accepted < 0 or drafted < 0:
        return None, False
    low, high = 1, math.inf
    if mean is not None and mean.value + mean.half > 1:
        kept = mean.value - 1
        low = math.ceil(accepted / (kept + mean.half) - 1e-9)
        high = accepted / (kept - mean.half) + 1e-9 if kept > mean.half else math.inf
    if k and drafted % k == 0:
        full = drafted // k
        if low <= full <= high and _fits(rates, full, accepted):
            return full, False
    if not k and mean is None:
        return None, False
    if not accepted:
        return (math.ceil(drafted / k), False) if k else (None, False)
    if mean is None:
        return None, bool(k and drafted % k)
    low = max(low, math.ceil(drafted / k) if k else 1)
    best = max(round(accepted / (mean.value - 1)), 1) if mean.value > 1 else low
    if rates and low <= high <= low + 200:
        options = range(low, int(high) + 1)
        best = min(options, key=lambda n: _misfit(rates, n), default=best)
    return best, False  # whether full drafts would be more is for the whole run to tell


def _misfit(rates, rounds):
    return sum(abs(rate.value * rounds - round(rate.value * rounds)) for rate in rates)


def _fits(rates, rounds, accepted):
    if not rates:
        return True
    slack = sum(rate.half * rounds for rate in rates) + 0.5
    return abs(sum(rate.value * rounds for rate in rates) - accepted) <= slack


def counts_by_place(rates, rounds, accepted):
    """Rounds that kept each place, from printed shares; ``None`` where they do not add up."""
    if not rates or not rounds or rounds < 0 or accepted is None:
        return None
    if not all(math.isfinite(rate.value) for rate in rates):
        return None
    places = tuple(round(rate.value * rounds) for rate in rates)
    return places if _fits(rates, rounds, accepted) else None
