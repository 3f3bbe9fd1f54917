"""Other ways to guess than with a draft model: look-up in the prompt, and heads on the big model.

Both are checked by the big model in one pass, so the text stays the big model's own. Times follow
a ``TimeModel``'s chip, big model and conditions; its draft model is not used.
"""

from dataclasses import dataclass
from math import comb

import numpy as np

from specdec import checks
from specdec.conditions import PLACES_MAX
from specdec.trees import best_tree, candidate_rates, full_tree, tree_tokens


@dataclass(frozen=True)
class Way:
    """A way to guess: its ``name``, the ``assumptions`` made here, and the papers behind it."""

    name: str
    assumptions: tuple[str, ...]
    papers: tuple[str, ...]


PROMPT_LOOKUP = Way(
    "Prompt look-up",
    (
        "A guess costs nothing: the last few tokens are looked up in the text so far.",
        "A look-up finds something with the same chance in every round, whatever came before; "
        "then it gives all k guesses, else the round is a plain step.",
        "Every guess found is kept with the same chance a, independently.",
    ),
    (
        "Yang and others, Inference with Reference: Lossless Acceleration of Large Language "
        "Models, 2023, arXiv:2304.04487",
        "Saxena, Prompt Lookup Decoding, 2023, github.com/apoorvumang/prompt-lookup-decoding",
    ),
)

EXTRA_HEADS = Way(
    "Extra heads",
    (
        "One head pass makes the guesses of all k places (Medusa), or k head passes one place "
        "each (EAGLE); a head pass takes the same share of a plain step at every crowd.",
        "Each candidate at a place is right with the share a of what those before it missed: "
        "a, a(1 − a), a(1 − a)², …; places are independent.",
        "The check reads every node of the tree of candidates as one token, and one token more.",
        "Where a whole tree is larger than the nodes allowed, the likeliest ones are kept.",
    ),
    (
        "Cai and others, Medusa: Simple LLM Inference Acceleration Framework with Multiple "
        "Decoding Heads, 2024, arXiv:2401.10774",
        "Li and others, EAGLE: Speculative Sampling Requires Rethinking Feature Uncertainty, "
        "2024, arXiv:2401.15077",
        "Miao and others, SpecInfer: tree-based speculative inference, 2023, arXiv:2305.09781",
    ),
)

USERS_MAX = 10_000


@dataclass(frozen=True)
class Estimate:
    """What a way to guess gives: per round of one user, and for all users together.

    ``tokens_per_round`` and ``checked_tokens`` are one user's, on average; ``round_seconds`` is
    the round that all users share, and ``speedup`` times as fast as plain decoding.
    """

    tokens_per_round: float | np.ndarray
    checked_tokens: float | np.ndarray
    round_seconds: float | np.ndarray
    speedup: float | np.ndarray


def prompt_lookup(model, a, k, users=1, found=1.0, lookup_seconds=0.0):
    """Guessing by look-up in the prompt, an :class:`Estimate`; see :data:`PROMPT_LOOKUP`.

    ``a`` and ``k`` are the keep rate and the guesses of a round and may be arrays. ``found`` is
    the chance that a look-up finds something, ``lookup_seconds`` the time of one round's look-ups.
    With several users each finds something or not on its own, and the check reads k more tokens
    for each who does; the round's time is the average over how many do. Keep rates by place, where
    the model's conditions have them, stand in for ``a``. Raises ``ValueError`` outside those
    ranges, or for more than 10,000 users.
    """
    a, k = checks.chance(a), checks.whole(k, "k")
    users = _few_users(users)
    found = checks.chance(found, "found")
    waiting = checks.not_negative(lookup_seconds, "lookup_seconds", "seconds")
    if found.ndim or waiting.ndim:
        raise ValueError("found and lookup_seconds must be one number each.")
    finders = np.arange(users + 1)
    if found == 1:
        finders, chances = np.array([users]), np.array([1.0])
    else:
        chances = _binomial(users, float(found))
    seconds = model.check_seconds(users + k[..., np.newaxis] * finders, users)
    # A round in which nobody found anything is a plain step: nothing is checked, nothing is added.
    seconds = np.where(finders == 0, model.plain_seconds(users), seconds)
    round_seconds = seconds @ chances + waiting
    tokens = found * model.conditions.tokens_per_round(a, k) + (1 - found)
    speedup = tokens * model.plain_seconds(users) / round_seconds
    return Estimate(tokens[()], (1 + found * k)[()], round_seconds[()], speedup[()])


def extra_heads(model, a, k, head_share, candidates=1, nodes=None, users=1, one_head_pass=True):
    """Guessing with heads on the big model, an :class:`Estimate`; see :data:`EXTRA_HEADS`.

    ``a`` is the chance that the first candidate of a place is right (one number, or an array),
    ``k`` the places, ``candidates`` how many each place has: one number for all, or one for each.
    ``nodes`` limits the tree to the likeliest ones, on average where ``a`` is an array.
    ``head_share`` is a head pass as a share of a plain step, ``users`` may be an array, and without
    ``one_head_pass`` there are k head passes in a round. Keep rates by place, where the model's
    conditions have them, stand in for ``a``. Raises ``ValueError`` outside those ranges, and for
    a tree of more than 4,096 nodes.
    """
    a, k = checks.chance(a), checks.one_whole(k, "k")
    users = checks.whole(users, "users")
    share = checks.not_negative(head_share, "head_share", "plain steps")
    if not isinstance(one_head_pass, bool):
        raise ValueError("one_head_pass must be True or False.")
    widths = _widths(candidates, k)
    rates = [
        candidate_rates(rate, width)
        for rate, width in zip(_first_rates(model, a, k), widths, strict=True)
    ]
    if nodes is None:
        tree = full_tree(widths)
    else:
        average = [rate.reshape(-1, rate.shape[-1]).mean(axis=0) for rate in rates]
        tree = best_tree(average, nodes)
    tokens = tree_tokens(tree, rates)
    plain = model.plain_seconds(users)
    checked = len(tree) + 1
    heads = (1 if one_head_pass else k) * share * plain
    round_seconds = heads + model.check_seconds(users * checked, users)
    return Estimate(
        tokens[()], checked, np.asarray(round_seconds)[()], (tokens * plain / round_seconds)[()]
    )


def _first_rates(model, a, k):
    """The chance that each place's first candidate is right."""
    by_place = model.conditions.keep_rates
    if by_place is None:
        return [a] * k
    last = len(by_place) - 1
    return [np.full(a.shape, by_place[min(place, last)]) for place in range(k)]


def _widths(candidates, k):
    widths = checks.whole(candidates, "candidates")
    if k > PLACES_MAX or np.any(widths > PLACES_MAX):
        raise ValueError(f"k and candidates must be at most {PLACES_MAX}.")
    if widths.ndim > 1 or (widths.ndim and widths.size != k):
        raise ValueError("candidates must be one whole number, or one for each of the k places.")
    return [int(width) for width in np.broadcast_to(widths, (k,))]


def _few_users(users):
    users = checks.one_whole(users, "users")
    if users > USERS_MAX:
        raise ValueError(f"users must be at most {USERS_MAX:,}, not {users:,}.")
    return users


def _binomial(n, p):
    """The chance of 0, 1, …, n users finding something, each with chance ``p`` below 1."""
    if n <= 60:
        return np.array([comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(n + 1)])
    # Larger crowds would overflow a float: one user after the other, each finding or not.
    chances = np.ones(1)
    for _ in range(n):
        chances = np.append(chances * (1 - p), 0.0) + np.append(0.0, chances * p)
    return chances
