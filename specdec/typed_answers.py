"""Numbers as people type them, and when such a number is the answer.

An answer has printed digits: 12.7 ms has one decimal. A typed number is right if it rounds to
these digits, or lies within half of the last digit's unit of the value before it was printed
(12.75 is right where 12.749 was printed as 12.7).
"""

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

# What may follow the number, and what it multiplies the number by.
_WORDS = {
    "ms": {"ms": 1, "millisecond": 1, "milliseconds": 1, "s": 1000, "seconds": 1000},
    "%": {"%": 1, "percent": 1, "per cent": 1},
    "times": {"x": 1, "×": 1, "times": 1, "times as fast": 1},
    "tokens": {"token": 1, "tokens": 1},
    "users": {"user": 1, "users": 1},
    "guesses": {"guess": 1, "guesses": 1},
}
_NAMES = {"ms": "milliseconds", "%": "percent", "times": "times as fast"}
_NUMBER = re.compile(r"([-+−]?)([0-9]{1,9}(?:[.,][0-9]{0,12})?|[.,][0-9]{1,12})\s*([^0-9.,]*)")


@dataclass(frozen=True)
class Answer:
    """A ``value`` in a ``unit`` ("ms", "%", "times", "tokens", "users" or "guesses"), printed
    with so many ``decimals``; a ``whole`` count must be met exactly."""

    value: float
    unit: str
    decimals: int
    whole: bool = False

    @property
    def number(self):
        """The printed digits, as text."""
        return str(_rounded(Decimal(repr(float(self.value))), self.decimals))

    @property
    def printed(self):
        """The printed digits with their unit, such as "12.7 ms" or "39%"."""
        joined = {"%": "%", "times": " times as fast"}
        unit = joined.get(self.unit, f" {self.unit}")
        single = self.unit in ("users", "guesses") and self.number == "1"
        return self.number + (
            {"users": " user", "guesses": " guess"}[self.unit] if single else unit
        )

    def accepts(self, typed):
        """Whether ``typed``, a number from :func:`typed_number`, is this answer."""
        printed = Decimal(self.number)
        if self.whole:
            return typed == printed
        half = Decimal(1).scaleb(-self.decimals) / 2
        exact = Decimal(repr(float(self.value)))
        return _rounded(typed, self.decimals) == printed or abs(typed - exact) <= half


def typed_number(text, unit):
    """The number in a typed text, in ``unit``, as a ``Decimal``.

    A comma counts as the decimal point and the unit may be there or not; a percentage may also be
    typed as a share below 1. Raises ``ValueError`` with one sentence for anything else.
    """
    text = str(text).strip().lstrip("≈~= ").rstrip(" .").lower() if text is not None else ""
    match = _NUMBER.fullmatch(text) if len(text) <= 60 else None
    if not match:
        raise ValueError(f"Type one number{_in(unit)}, in digits, with a dot or a comma if needed.")
    sign, digits, word = match.groups()
    word = " ".join(word.split())
    if word and word not in _WORDS[unit]:
        raise ValueError(f"Type one number{_in(unit)}, without another unit.")
    number = Decimal(digits.replace(",", ".")) * _WORDS[unit].get(word, 1)
    if unit == "%" and not word and number < 1:
        number *= 100
    return number.copy_negate() if sign in ("-", "−") else number


def _in(unit):
    return f" in {_NAMES[unit]}" if unit in ("ms", "%") else ""


def _rounded(number, decimals):
    return number.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP)
