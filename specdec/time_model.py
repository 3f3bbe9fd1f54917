"""How long passes and rounds take: at a chip's peak rates, the best case, and below them.

A pass fetches every weight once and does two operations per weight and token; it takes the
longer of the two (the roofline of Williams, Waterman and Patterson, CACM 52(4), 2009). A round
is k draft passes, one after the other, and one big pass over k + 1 tokens. Conditions put back
what that leaves out.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from specdec import checks, crowds
from specdec.conditions import BEST_CASE, Conditions
from specdec.hardware import A100, Chip
from specdec.roofline import Pass, Roofline
from specdec.tokens import expected_tokens
from specdec.transformers import LLAMA_3_1_8B, LLAMA_3_2_1B, Transformer

K_MAX = 32
_BISECTIONS = 60

__all__ = ["K_MAX", "LESSON", "Pass", "TimeModel"]


@dataclass(frozen=True)
class TimeModel:
    """Times of a big model and its draft model on one chip.

    With the conditions left out they are best-case times. Numbers of tokens, guesses and users
    and keep rates may be arrays; they broadcast.
    """

    chip: Chip
    big: Transformer
    draft: Transformer
    conditions: Conditions = BEST_CASE

    def big_pass(self, tokens, users=1):
        """The big model's :class:`Pass` over ``tokens`` tokens of ``users`` users together."""
        return self._big.one_pass(tokens, users)

    def draft_pass(self, tokens, users=1):
        """The draft model's :class:`Pass` over ``tokens`` tokens of ``users`` users together."""
        return self._draft.one_pass(tokens, users)

    @cached_property
    def _big(self):
        away = self.conditions
        return Roofline(self.chip, self.big, away.context_tokens, away.big_fraction_of_peak)

    @cached_property
    def _draft(self):
        away = self.conditions
        return Roofline(self.chip, self.draft, away.draft_context, away.draft_fraction_of_peak)

    @cached_property
    def _best_draft_seconds(self):
        return Roofline(self.chip, self.draft).seconds(1)

    def first_arithmetic_tokens(self, model, users=1, context_tokens=None):
        """The fewest tokens at which arithmetic takes at least as long as fetching from memory.

        ``context_tokens`` is that of the conditions where it is left out. Without one it is
        operations per byte × bytes per weight ÷ 2, whatever the model's size.
        """
        if context_tokens is None:
            context_tokens = self.conditions.context_tokens
        return Roofline(self.chip, model, context_tokens).first_arithmetic_tokens(users)

    def plain_seconds(self, users=1):
        """One step of plain decoding: a big pass over one token for each user, in seconds."""
        users = checks.whole(users, "users")
        return self._big.seconds(users, users)

    def draft_seconds(self, users=1, draft_seconds=None):
        """One draft pass for ``users`` users, in seconds.

        ``draft_seconds`` is one user's draft pass in the best case; left out, it is the model's
        own. Given, it says how far the draft runs below its peak, and the pass at more users, or
        under other conditions, slows by the same factor.
        """
        checks.together(users=users, draft_seconds=draft_seconds)
        users = checks.whole(users, "users")
        own = self._draft.seconds(users, users)
        if draft_seconds is None:
            return own
        given = checks.positive(draft_seconds, "draft_seconds", "seconds")
        return own * (given / self._best_draft_seconds)

    def check_seconds(self, tokens, users=1):
        """A check of ``tokens`` tokens of ``users`` users, and a round's software, in seconds."""
        tokens, users = checks.whole(tokens, "tokens"), checks.whole(users, "users")
        check = self.conditions.check_passes * self._big.seconds(tokens, users)
        return check + self.conditions.software_seconds

    def round_seconds(self, k, draft_seconds=None, users=1):
        """One round: k draft passes and one big pass over users × (k + 1) tokens, in seconds."""
        checks.together(k=k, draft_seconds=draft_seconds, users=users)
        k, users = checks.whole(k, "k"), checks.whole(users, "users")
        check = self.check_seconds(users * (k + 1), users)
        return (k * self.draft_seconds(users, draft_seconds) + check)[()]

    def speedup(self, a, k, draft_seconds=None, users=1):
        """Times as fast as plain decoding: tokens per round × plain time ÷ round time.

        With one user and a check that costs one pass this is Theorem 3.8 of Leviathan, Kalman
        and Matias (2023): (1 − a^(k+1)) / ((1 − a)(1 + k·c)), c the draft's share of a big pass.
        Keep rates by place, where the conditions have them, stand in for ``a``.
        """
        checks.together(a=a, k=k, draft_seconds=draft_seconds, users=users)
        tokens = self.conditions.tokens_per_round(a, k)
        return tokens * self.plain_seconds(users) / self.round_seconds(k, draft_seconds, users)

    def break_even(self, k, draft_seconds=None, users=1):
        """The lowest keep rate with a speed-up of at least 1, by bisection.

        ``None`` where even a keep rate of 1 is not enough (NaN inside an array). The question is
        about one keep rate, so keep rates by place are set aside.
        """
        # The times do not depend on the keep rate, so they are asked for once.
        plain, one_round, k = np.broadcast_arrays(
            self.plain_seconds(users),
            self.round_seconds(k, draft_seconds, users),
            checks.whole(k, "k"),
        )
        rates = [
            _lowest_paying_rate(float(plain), float(one_round), int(k))
            for plain, one_round, k in zip(plain.flat, one_round.flat, k.flat, strict=True)
        ]
        return np.reshape(np.array(rates, dtype=float), k.shape) if k.ndim else rates[0]

    def best_k(self, a, draft_seconds=None, users=1, k_max=K_MAX):
        """The number of guesses from 1 to ``k_max`` with the largest speed-up.

        The lowest of equals; 0 where none of them beats plain decoding. ``a``, ``draft_seconds``
        and ``users`` broadcast.
        """
        checks.together(a=a, draft_seconds=draft_seconds, users=users)
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
        """The first number of users B whose check, of B(k + 1) tokens, is limited by arithmetic.

        ``None`` where there is none (NaN inside an array): with a long enough context every
        further user adds more to fetch than to work out.
        """
        k = checks.whole(k, "k")
        found = [self._big.first_arithmetic_users(each + 1) for each in k.flat]
        if not k.ndim:
            return found[0]
        never = any(crowd is None for crowd in found)
        return np.array(found, dtype=float if never else int).reshape(k.shape)

    def users_when_guessing_pays(self, a, k, draft_seconds=None):
        """The ranges of users with a speed-up of at least 1, as (first, last) pairs.

        The last is ``None`` where every larger crowd gains too. ``a``, ``k`` and
        ``draft_seconds`` are single numbers. Without conditions it is one range from 1 user; a
        round's software time can cost more than a small crowd gains, and caches can make a check
        of many tokens free again.
        """
        k = checks.one_whole(k, "k")
        return self._paying_crowds(self._tokens_of_one(a, k), k, draft_seconds)

    def users_when_guessing_stops_paying(self, a, k, draft_seconds=None):
        """The first number of users with a speed-up below 1; ``None`` if no crowd is that large.

        Under conditions a larger crowd may gain again: see :meth:`users_when_guessing_pays`.
        """
        k = checks.one_whole(k, "k")
        return self.users_when_tokens_stop_paying(self._tokens_of_one(a, k), k, draft_seconds)

    def users_when_tokens_stop_paying(self, tokens_per_round, k, draft_seconds=None):
        """The same for a round that brings ``tokens_per_round`` tokens, measured ones for instance.

        All three are single numbers.
        """
        k = checks.one_whole(k, "k")
        tokens = checks.single(
            checks.positive(tokens_per_round, "tokens_per_round", "tokens"),
            "tokens_per_round",
            "number",
        )
        away = self.conditions
        if away.context_tokens or away.draft_context or away.software_seconds:
            paying = self._paying_crowds(tokens, k, draft_seconds)
            if not paying or paying[0][0] > 1:
                return 1
            last = paying[0][1]
            return None if last is None else last + 1
        # Users bring nothing of their own to fetch, and a round no time of its own: once both
        # models' passes are limited by arithmetic the speed-up stays as it is, so a look at every
        # crowd up to there, all at once, is a look at every crowd.
        checks.single(np.asarray(draft_seconds), "draft_seconds", "number")
        last = max(self.first_arithmetic_tokens(model) for model in (self.big, self.draft))
        losing = np.flatnonzero(~self._pays(tokens, k, draft_seconds, np.arange(1, last + 1)))
        return int(losing[0]) + 1 if losing.size else None

    def _tokens_of_one(self, a, k):
        """Tokens per round at one keep rate."""
        checks.single(np.asarray(a), "a", "number")
        return self.conditions.tokens_per_round(a, k)

    def _pays(self, tokens, k, draft_seconds, users):
        plain = self.plain_seconds(users)
        return tokens * plain / self.round_seconds(k, draft_seconds, users) >= 1

    def _paying_crowds(self, tokens, k, draft_seconds):
        checks.single(np.asarray(draft_seconds), "draft_seconds", "number")
        # Where a pass becomes limited by arithmetic its time follows another straight line.
        turns = (
            self._big.first_arithmetic_users(1),
            self._big.first_arithmetic_users(k + 1),
            self._draft.first_arithmetic_users(1),
        )
        return crowds.ranges(
            lambda users: bool(self._pays(tokens, k, draft_seconds, users)),
            [turn for turn in turns if turn is not None],
        )


def _lowest_paying_rate(plain_seconds, round_seconds, k):
    """By bisection in Python's own floats; in arrays of one a page spent most of its time here."""

    def pays(a):
        # The same sum and the same order of operations as a speed-up, so that the rate found
        # pays there too, to the last digit.
        return expected_tokens(a, k) * plain_seconds / round_seconds >= 1

    def about_pays(a):
        tokens = 0.0
        for _ in range(k + 1):  # 1 + a + a² + … + a^k
            tokens = 1.0 + a * tokens
        return tokens * plain_seconds / round_seconds >= 1

    if not pays(1.0):
        return None
    low, high = 0.0, 1.0
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        low, high = (low, middle) if about_pays(middle) else (middle, high)
    step = math.ulp(high)
    while not pays(high):
        high, step = min(1.0, high + step), 2 * step
    return high


LESSON = TimeModel(A100, LLAMA_3_1_8B, LLAMA_3_2_1B)
