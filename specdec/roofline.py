"""One pass of one model over some tokens: the longer of fetching and arithmetic.

Source: the roofline of Williams, Waterman and Patterson, CACM 52(4), 2009. A pass fetches every
weight once, and the keys and values of each user's earlier tokens once; it does two operations per
weight and token, and the attention of each token to the earlier ones.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

import numpy as np

from specdec import checks


@dataclass(frozen=True)
class Pass:
    """One pass: its ``seconds`` and what it is ``limited_by``, "memory" or "arithmetic".

    Both are arrays where the tokens were an array.
    """

    seconds: float | np.ndarray
    limited_by: str | np.ndarray


@dataclass(frozen=True)
class Roofline:
    """One model on one chip, after ``context_tokens`` tokens, at a share of both peak rates."""

    chip: object
    model: object
    context_tokens: int = 0
    fraction_of_peak: float = 1.0

    def seconds(self, tokens, users=1):
        """A pass over ``tokens`` tokens of ``users`` users together, in seconds; both broadcast.

        Tokens may be any numbers above 0 here: an average is not a whole number.
        """
        weight_bytes, bytes_each_user, operations = self._work
        memory = (weight_bytes + users * bytes_each_user) / self.chip.bytes_per_second
        arithmetic = operations * tokens / self.chip.flops_per_second
        return (np.maximum(memory, arithmetic) / self.fraction_of_peak)[()]

    @cached_property
    def _work(self):
        """Bytes of the weights, bytes of one user's cache, and operations for one token."""
        model, context = self.model, self.context_tokens
        operations = 2 * model.weights + model.attention_operations(context)
        return model.weight_bytes, model.cache_bytes(context), operations

    def one_pass(self, tokens, users=1):
        """The same as a :class:`Pass`, for whole numbers of tokens and users."""
        tokens, users = checks.whole(tokens, "tokens"), checks.whole(users, "users")
        if self.context_tokens:
            sizes, places = np.unique(users, return_inverse=True)
            first = np.array(self._first_arithmetic(map(int, sizes)))[places].reshape(users.shape)
        else:
            first = self.first_arithmetic_tokens()
        limited = np.where(tokens < first, "memory", "arithmetic")
        return Pass(self.seconds(tokens, users), limited if limited.ndim else str(limited))

    def first_arithmetic_tokens(self, users=1):
        """The fewest tokens at which arithmetic takes at least as long as fetching."""
        return self._first_arithmetic([checks.one_whole(users, "users")])[0]

    def _first_arithmetic(self, crowds):
        weights, each_user, operations = self._exact_seconds()
        alone, more = weights / operations, each_user / operations
        return [max(1, math.ceil(alone + users * more)) for users in crowds]

    def first_arithmetic_users(self, tokens_each):
        """The fewest users, with ``tokens_each`` tokens each, for whom arithmetic takes as long.

        ``None`` where every further user adds more to fetch than to work out.
        """
        weights, each_user, operations = self._exact_seconds()
        gap = Fraction(tokens_each) * operations - each_user
        return max(1, math.ceil(weights / gap)) if gap > 0 else None

    def _exact_seconds(self):
        """Fetching the weights, one user's keys and values, and working out one token."""
        model, context = self.model, self.context_tokens
        return _exact_seconds(
            self.chip.flops_per_second,
            self.chip.bytes_per_second,
            model.weights,
            model.bytes_per_weight,
            model.cache_bytes(context),
            2 * model.weights + model.attention_operations(context),
        )


@lru_cache(maxsize=256)
def _exact_seconds(flops, rate, weights, bytes_per_weight, each_user_bytes, operations):
    # Exact fractions, because a tie counts as arithmetic and a float could miss it.
    return (
        Fraction(weights) * Fraction(bytes_per_weight) / Fraction(rate),
        Fraction(each_user_bytes) / Fraction(rate),
        Fraction(operations) / Fraction(flops),
    )
