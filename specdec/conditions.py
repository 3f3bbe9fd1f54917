"""What the best case leaves out, as switches: everything off is the best case itself.

Every switch belongs to a numbered assumption of ``docs/model.md``, which gives its source and
says what would show it to be wrong.
"""

from dataclasses import dataclass

import numpy as np

from specdec import checks
from specdec.tokens import expected_tokens

PLACES_MAX = 64
CONTEXT_MAX = 10**9


@dataclass(frozen=True)
class Conditions:
    """How a real system differs from the best case; each field is off by default.

    - ``context_tokens``: earlier tokens of each user, whose keys and values a pass reads once per
      user and whose attention arithmetic it does for every new token. 0 is off.
    - ``draft_context_tokens``: the same for the draft model where it keeps fewer (a windowed or
      sparse cache); ``None`` is as many as the big model.
    - ``software_seconds``: time that a round takes beside its passes, whatever the crowd.
    - ``big_fraction_of_peak``, ``draft_fraction_of_peak``: the share of both peak rates that each
      model reaches. Plain decoding slows with the big model.
    - ``check_passes``: how often the pass over its tokens a check costs.
    - ``keep_rates``: the chance of keeping the guess at place 1, 2, … where all before it were
      kept, instead of one keep rate; the last holds for every later place. ``None`` is off.

    Raises ``ValueError`` outside these ranges.
    """

    context_tokens: int = 0
    draft_context_tokens: int | None = None
    software_seconds: float = 0.0
    big_fraction_of_peak: float = 1.0
    draft_fraction_of_peak: float = 1.0
    check_passes: float = 1.0
    keep_rates: tuple[float, ...] | None = None

    def __post_init__(self):
        _context(self.context_tokens, "context_tokens")
        if self.draft_context_tokens is not None:
            _context(self.draft_context_tokens, "draft_context_tokens")
        software = checks.not_negative(self.software_seconds, "software_seconds", "seconds")
        passes = checks.positive(self.check_passes, "check_passes", "passes")
        if software.ndim or passes.ndim:
            raise ValueError("software_seconds and check_passes must be one number each.")
        if passes < 1:
            raise ValueError(f"check_passes must be at least 1, not {self.check_passes!r}.")
        checks.share(self.big_fraction_of_peak, "big_fraction_of_peak")
        checks.share(self.draft_fraction_of_peak, "draft_fraction_of_peak")
        if self.keep_rates is not None:
            # A list or an array would make the frozen object changeable and not hashable.
            object.__setattr__(self, "keep_rates", _keep_rates(self.keep_rates))

    @property
    def draft_context(self):
        """Earlier tokens of each user that the draft model reads."""
        own = self.draft_context_tokens
        return self.context_tokens if own is None else own

    def tokens_per_round(self, a, k):
        """Expected tokens of one round: ``keep_rates`` where they are on, else the keep rate ``a``.

        The result has the shape of ``a`` and ``k`` broadcast together either way.
        """
        if self.keep_rates is None:
            return expected_tokens(a, k)
        a, k = np.broadcast_arrays(checks.chance(a), checks.whole(k, "k"))
        return expected_tokens_by_place(self.keep_rates, k)


def expected_tokens_by_place(keep_rates, k):
    """Expected tokens of one round of ``k`` guesses: 1 + r₁ + r₁r₂ + … + r₁r₂…r_k.

    ``keep_rates`` holds r₁, r₂, …, each the chance that a guess is kept where all before it were;
    the last holds for every later place. ``k`` is a whole number or an array of them. With equal
    rates this is equation 1 of Leviathan, Kalman and Matias (2023). Raises ``ValueError`` outside
    those ranges.
    """
    rates, k = _keep_rates(keep_rates), checks.whole(k, "k")
    reached = np.cumprod(rates)
    sums = 1 + np.concatenate([[0], np.cumsum(reached)])
    given = np.minimum(k, len(rates)).astype(int)
    later = k - given
    # expected_tokens needs a place to look at; where there is none, its share is left out.
    more = reached[-1] * (expected_tokens(rates[-1], np.maximum(later, 1)) - 1)
    return (sums[given] + np.where(later > 0, more, 0))[()]


def _context(tokens, name):
    if checks.one_whole(tokens, name, least=0) > CONTEXT_MAX:
        raise ValueError(f"{name} must be at most {CONTEXT_MAX:,} tokens.")


def _keep_rates(rates):
    array = checks.chance(rates, "keep_rates")
    if array.ndim != 1 or not 1 <= array.size <= PLACES_MAX:
        raise ValueError(f"keep_rates must be a list of 1 to {PLACES_MAX} chances.")
    return tuple(array.tolist())


BEST_CASE = Conditions()
