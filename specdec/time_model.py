"""How long passes and rounds take, at a chip's peak rates: the best case.

A pass fetches every weight once and does two operations per weight and token; it takes the
longer of the two (the roofline of Williams, Waterman and Patterson, CACM 52(4), 2009). A round
is k draft passes, one after the other, and one big pass over k + 1 tokens.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from specdec import checks
from specdec.hardware import A100, Chip
from specdec.tokens import expected_tokens
from specdec.transformers import LLAMA_3_1_8B, LLAMA_3_2_1B, Transformer

K_MAX = 32
_BISECTIONS = 60


@dataclass(frozen=True)
class Pass:
    """One pass: its ``seconds`` and what it is ``limited_by``, "memory" or "arithmetic".

    Both are arrays where the tokens were an array.
    """

    seconds: float | np.ndarray
    limited_by: str | np.ndarray


@dataclass(frozen=True)
class TimeModel:
    """Best-case times of a big model and its draft model on one chip."""

    chip: Chip
    big: Transformer
    draft: Transformer

    def big_pass(self, tokens):
        """The big model's pass over ``tokens`` tokens (a whole number or an array)."""
        return self._pass(self.big, tokens)

    def draft_pass(self, tokens):
        """The draft model's pass over ``tokens`` tokens (a whole number or an array)."""
        return self._pass(self.draft, tokens)

    def first_arithmetic_tokens(self, model):
        """The fewest tokens at which arithmetic takes at least as long as fetching the weights."""
        # Exact fractions, because a tie counts as arithmetic and a float could miss it.
        flops, rate = Fraction(self.chip.flops_per_second), Fraction(self.chip.bytes_per_second)
        return max(1, math.ceil(flops * Fraction(model.bytes_per_weight) / (2 * rate)))

    def _pass(self, model, tokens):
        tokens = checks.whole(tokens, "tokens")
        memory = model.weight_bytes / self.chip.bytes_per_second
        arithmetic = 2 * model.weights * tokens / self.chip.flops_per_second
        limited = np.where(tokens < self.first_arithmetic_tokens(model), "memory", "arithmetic")
        return Pass(np.maximum(memory, arithmetic)[()], _plain(limited))

    def plain_seconds(self, users=1):
        """One step of plain decoding: a big pass over one token for each user, in seconds."""
        return self.big_pass(checks.whole(users, "users")).seconds

    def draft_seconds(self, users=1, draft_seconds=None):
        """One draft pass for ``users`` users, in seconds.

        ``draft_seconds`` is one user's draft pass; left out, it is the model's own. Given, it
        says how far the draft runs below its peak, and the pass at more users slows by the same
        factor.
        """
        own = self.draft_pass(checks.whole(users, "users")).seconds
        if draft_seconds is None:
            return own
        given = checks.positive(draft_seconds, "draft_seconds", "seconds")
        return own * (given / self.draft_pass(1).seconds)

    def round_seconds(self, k, draft_seconds=None, users=1):
        """One round: k draft passes and one big pass over users × (k + 1) tokens, in seconds."""
        k, users = checks.whole(k, "k"), checks.whole(users, "users")
        check = self.big_pass(users * (k + 1)).seconds
        return (k * self.draft_seconds(users, draft_seconds) + check)[()]

    def speedup(self, a, k, draft_seconds=None, users=1):
        """Times as fast as plain decoding: tokens per round × plain time ÷ round time.

        With one user and a check that costs one pass this is Theorem 3.8 of Leviathan, Kalman
        and Matias (2023): (1 − a^(k+1)) / ((1 − a)(1 + k·c)), c the draft's share of a big pass.
        """
        tokens = expected_tokens(a, k)
        return tokens * self.plain_seconds(users) / self.round_seconds(k, draft_seconds, users)

    def break_even(self, k, draft_seconds=None, users=1):
        """The lowest keep rate with a speed-up of at least 1, by bisection.

        ``None`` where even a keep rate of 1 is not enough (NaN inside an array).
        """
        at_one = np.asarray(self.speedup(1.0, k, draft_seconds, users))
        low, high = np.zeros(at_one.shape), np.ones(at_one.shape)
        for _ in range(_BISECTIONS):
            middle = (low + high) / 2
            enough = self.speedup(middle, k, draft_seconds, users) >= 1
            low, high = np.where(enough, low, middle), np.where(enough, middle, high)
        found = np.where(at_one >= 1, high, np.nan)
        if found.ndim:
            return found
        return None if np.isnan(found) else float(found)

    def best_k(self, a, draft_seconds=None, users=1, k_max=K_MAX):
        """The number of guesses from 1 to ``k_max`` with the largest speed-up.

        The lowest of equals; 0 where none of them beats plain decoding. ``a``, ``draft_seconds``
        and ``users`` broadcast.
        """
        ks = np.arange(1, checks.one_whole(k_max, "k_max") + 1)
        columns = [
            None if value is None else np.asarray(value)[..., np.newaxis]
            for value in (checks.chance(a), draft_seconds, checks.whole(users, "users"))
        ]
        keep, draft, crowd = columns
        gains = self.speedup(keep, ks, draft, crowd)
        best = np.where(gains.max(axis=-1) > 1, ks[gains.argmax(axis=-1)], 0)
        return best if best.ndim else int(best)

    def users_when_checking_stops_being_free(self, k):
        """The first number of users B whose check, of B(k + 1) tokens, is limited by arithmetic."""
        k = checks.whole(k, "k")
        first = np.ceil(self.first_arithmetic_tokens(self.big) / (k + 1)).astype(int)
        return first if first.ndim else int(first)

    def users_when_guessing_stops_paying(self, a, k, draft_seconds=None):
        """The first number of users with a speed-up below 1; ``None`` if no crowd is that large.

        Once both models' passes are limited by arithmetic the speed-up stays as it is, so
        looking that far is looking at every crowd.
        """
        last = max(map(self.first_arithmetic_tokens, (self.big, self.draft)))
        gains = self.speedup(a, k, draft_seconds, np.arange(1, last + 1))
        losing = np.flatnonzero(gains < 1)
        return int(losing[0]) + 1 if losing.size else None


def _plain(array):
    return array if array.ndim else str(array)


LESSON = TimeModel(A100, LLAMA_3_1_8B, LLAMA_3_2_1B)
