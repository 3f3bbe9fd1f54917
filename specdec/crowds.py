"""Which crowds something holds for, where it can change at few places only."""

# No chip is shared by more users than this; the search stops here.
LARGEST_CROWD = 2**40


def ranges(holds, starts):
    """The ranges of crowds, first and last user count, for which ``holds(users)`` is true.

    ``starts`` lists the crowds from which on times grow along another straight line; between two
    of them ``holds`` may change once at most. The last of a range is ``None`` where it goes on.
    """
    starts = sorted({1, *(start for start in starts if start < LARGEST_CROWD)})
    ends = [*(start - 1 for start in starts[1:]), LARGEST_CROWD]
    found = []
    for first, last in zip(starts, ends, strict=True):
        for low, high in _holding(holds, first, last):
            if found and found[-1][1] == low - 1:
                low = found.pop()[0]
            found.append((low, high))
    return tuple((low, None if high == LARGEST_CROWD else high) for low, high in found)


def _holding(holds, first, last):
    """The part of one straight piece, from ``first`` to ``last``, for which ``holds`` is true."""
    at_first, at_last = holds(first), holds(last)
    if at_first == at_last:
        return [(first, last)] if at_first else []
    low, high = first, last
    while high - low > 1:
        middle = (low + high) // 2
        if holds(middle) == at_first:
            low = middle
        else:
            high = middle
    return [(first, low)] if at_first else [(high, last)]
