"""Trees of candidate tokens, checked in one pass.

A tree is a tuple of paths; a path says which candidate it takes at each place, from 0, so
``(0, 2)`` is the third candidate of the second place after the first of the first. Every node's
own path is in the tree, as in Medusa (Cai and others, 2024, arXiv:2401.10774, section 2.3).
"""

import heapq
import math
from itertools import product

import numpy as np

from specdec import checks

NODES_MAX = 4_096


def candidate_rates(a, candidates):
    """The chance that the 1st, 2nd, … candidate of a place is the right one.

    Each catches the share ``a`` of what those before it missed: a, a(1 − a), a(1 − a)², …, so
    together 1 − (1 − a)^candidates. The result has an axis of candidates at the end.
    """
    a = checks.chance(a)[..., np.newaxis]
    return a * (1 - a) ** np.arange(checks.one_whole(candidates, "candidates"))


def full_tree(candidates):
    """The tree in which every node goes on with all of the next place's ``candidates``.

    ``candidates`` lists how many each place has. Raises ``ValueError`` above 4,096 nodes.
    """
    widths = [checks.one_whole(width, "candidates") for width in candidates]
    total = sum(math.prod(widths[: depth + 1]) for depth in range(len(widths)))
    if total > NODES_MAX:
        raise ValueError(f"candidates must make at most {NODES_MAX:,} nodes, not {total:,}.")
    return tuple(
        path
        for depth in range(len(widths))
        for path in product(*(range(width) for width in widths[: depth + 1]))
    )


def tree_tokens(tree, rates):
    """Expected tokens of a round whose guesses are a ``tree``: 1 + the sum over its nodes.

    ``rates`` holds, for each place, the chances of its candidates (on the last axis). A node is
    kept if it and all before it on its path are right, a product of chances, and at most one node
    of a depth is; so tokens are 1 plus the sum of those products (Medusa, section 2.3).
    """
    rates = [np.asarray(place) for place in rates]
    tokens = np.ones(rates[0].shape[:-1])
    for path in tree:
        kept = np.ones_like(tokens)
        for place, candidate in zip(rates, path, strict=False):
            kept = kept * place[..., candidate]
        tokens = tokens + kept
    return tokens


def best_tree(rates, nodes):
    """The tree of ``nodes`` nodes with the most expected tokens, or all nodes if there are fewer.

    ``rates`` holds, for each place, the chances of its candidates, the likeliest first; no node
    can then be likelier than the one before it at its place or on its path, so taking the
    likeliest node next is best. Raises ``ValueError`` above 4,096 nodes.
    """
    rates = [np.asarray(place, dtype=float) for place in rates]
    if any(np.any(np.diff(place) > 0) for place in rates):
        raise ValueError("rates must list each place's candidates with the likeliest first.")
    if checks.one_whole(nodes, "nodes") > NODES_MAX:
        raise ValueError(f"nodes must be at most {NODES_MAX:,}, not {nodes:,}.")
    # The likeliest is smallest in the heap; of equals, the shorter path and the earlier candidate.
    waiting = [(-float(rates[0][0]), 1, (0,), 1.0)]
    tree = []
    while waiting and len(tree) < nodes:
        negative, depth, path, before = heapq.heappop(waiting)
        tree.append(path)
        place, candidate = rates[depth - 1], path[-1] + 1
        if candidate < place.size:
            chance = before * float(place[candidate])
            heapq.heappush(waiting, (-chance, depth, (*path[:-1], candidate), before))
        if depth < len(rates):
            chance = -negative * float(rates[depth][0])
            heapq.heappush(waiting, (-chance, depth + 1, (*path, 0), -negative))
    return tuple(sorted(tree, key=lambda path: (len(path), path)))
