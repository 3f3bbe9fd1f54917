"""Remembering answers about single numbers, which pages ask for again and again."""

from functools import lru_cache, wraps

import numpy as np

_SINGLE = (int, float, np.integer, type(None))
_LARGEST = 4096


def remembered(method):
    """``method``, remembering its latest results for single numbers; arrays are worked out anew.

    For methods of frozen objects, whose results nobody can change. Refusals are not remembered.
    """
    # Typed, because 1, 1.0 and True are equal but not all of them are accepted.
    known = lru_cache(maxsize=_LARGEST, typed=True)(method)

    @wraps(method)
    def asked(self, *args, **named):
        if all(isinstance(value, _SINGLE) for value in (*args, *named.values())):
            return known(self, *args, **named)
        return method(self, *args, **named)

    return asked
