"""The argument checks that every model shares: one sentence each, saying what is accepted.

A check returns its argument as a NumPy array (or float) ready for arithmetic, and raises
``ValueError`` otherwise. Browser-side limits protect nothing, so the models call these themselves.
"""

import math

import numpy as np


def _numbers(value, name, accepted):
    """``value`` as a float array; bools, texts, NaN and infinities are refused."""
    # One plain number is what most calls bring, and a page makes hundreds of them.
    if isinstance(value, float) or (type(value) is int and abs(value) < 2**53):
        if math.isfinite(value):
            return np.float64(value)
        raise ValueError(f"{name} must be {accepted}, not {_short(value)}.")
    try:
        array = np.asarray(value)
        if array.dtype == bool or array.dtype.kind not in "iufO":
            raise TypeError
        array = array.astype(float)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} must be {accepted}, not {_short(value)}.") from None
    if not np.all(np.isfinite(array)):
        raise ValueError(f"{name} must be {accepted}, not {_short(value)}.")
    return array


def _any(wrong):
    return wrong.any() if wrong.ndim else bool(wrong)


def _short(value):
    try:
        text = " ".join(repr(value).split())
    except ValueError:  # Python does not write out a whole number of thousands of digits.
        text = f"a {type(value).__name__} too long to print"
    return text if len(text) <= 60 else text[:57] + "..."


def chance(value, name="a"):
    """A chance (a keep rate, say) from 0 to 1, or an array of them."""
    accepted = "a chance from 0 to 1"
    array = _numbers(value, name, accepted)
    if _any((array < 0) | (array > 1)):
        raise ValueError(f"{name} must be {accepted}, not {_short(value)}.")
    return array


def whole(value, name, least=1):
    """A whole number of at least ``least``, or an array of them (as floats, exact to 2**53)."""
    accepted = f"a whole number of at least {least}"
    array = _numbers(value, name, accepted)
    if _any((array < least) | (array != np.floor(array))):
        raise ValueError(f"{name} must be {accepted}, not {_short(value)}.")
    return array


def one_whole(value, name, least=1):
    """A single whole number of at least ``least``, as an ``int``."""
    return int(single(whole(value, name, least), name, "whole number"))


def single(array, name, what):
    """A checked array as one number, ``what`` in words; refuses an array of them."""
    if array.ndim:
        raise ValueError(f"{name} must be one {what}, not an array of them.")
    return array


def positive(value, name, unit):
    """A finite number above 0 in ``unit``, or an array of them."""
    accepted = f"a number of {unit} above 0"
    array = _numbers(value, name, accepted)
    if _any(array <= 0):
        raise ValueError(f"{name} must be {accepted}, not {_short(value)}.")
    return array


def not_negative(value, name, unit):
    """A finite number of at least 0 in ``unit``, or an array of them."""
    accepted = f"a number of {unit} of at least 0"
    array = _numbers(value, name, accepted)
    if _any(array < 0):
        raise ValueError(f"{name} must be {accepted}, not {_short(value)}.")
    return array


def share(value, name):
    """A single share of a whole, above 0 and at most 1, as a ``float``."""
    accepted = "a share above 0 and at most 1"
    array = _numbers(value, name, accepted)
    if array.ndim or not 0 < array <= 1:
        raise ValueError(f"{name} must be {accepted}, not {_short(value)}.")
    return float(array)


def one_of(value, name, accepted):
    """One of a few texts."""
    if not isinstance(value, str) or value not in accepted:
        raise ValueError(f"{name} must be one of {', '.join(accepted)}, not {_short(value)}.")
    return value


def together(**values):
    """Refuses values, by name, of which two are arrays that do not broadcast; None is left out."""
    if all(isinstance(value, (float, int, type(None))) for value in values.values()):
        return
    try:
        shapes = {np.shape(value) for value in values.values()} - {()}
        if len(shapes) > 1:
            np.broadcast_shapes(*shapes)
    except ValueError:
        raise ValueError(
            f"{', '.join(values)} must be single numbers or arrays whose shapes broadcast together."
        ) from None
