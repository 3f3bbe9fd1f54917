"""What the readers of one engine each hand over, and what the user gets: two frozen records.

A :class:`Record` is one thing the text said (a log line, a JSON object, a block), in counts as far
as they are printed. A :class:`MeasuredRun` is what the records of one run add up to.
"""

from dataclasses import dataclass, field
from functools import lru_cache

PER_INTERVAL = "per interval"  # resets: add the lines up
PER_REQUEST = "per request"  # one reply each: add them up
CUMULATIVE = "cumulative"  # since the start: the last one, or the difference of two
GAUGE = "gauge"  # a last value or a running mean: no arithmetic
WHOLE_RUN = "whole run"  # one benchmark's summary: stands alone

LARGEST_COUNT = 10**15
# No person pastes more, and a text made to be slow stays harmless; what is over is named.
RECORDS_MAX = 50_000
BLOCKS_MAX = 300


class MeasuredError(ValueError):
    """The only error the reader raises: one sentence that says what is wrong with the text."""


@dataclass(frozen=True)
class Printed:
    """A number as printed: its ``value`` and ``half``, half a unit of its last digit."""

    value: float
    half: float

    def agrees(self, exact, slack=0.0):
        """Whether ``exact`` would have been printed so, to within rounding."""
        return abs(self.value - exact) <= self.half * 1.001 + slack + 1e-9


@dataclass(frozen=True)
class Record:
    """One thing a text says about guessing; ``None`` where it does not say.

    ``rounds``, ``drafted`` and ``accepted`` are counts, accepted without the big model's own token.
    ``places[i]`` is the number of rounds that kept guesses 1 to i + 1, ``histogram[j]`` the number
    that kept exactly j, ``by_length[l]`` such a histogram for the rounds with l guesses, and
    ``reached[i]`` the number of rounds with at least i + 1 guesses. ``length`` is the printed
    number of tokens per big pass (own token included), ``rates`` the printed share of rounds that
    kept guesses 1 to i + 1. ``rate`` is what the engine prints as its acceptance rate;
    ``rate_is_share`` says that it means accepted ÷ drafted. ``weight`` weighs a record without
    counts. ``line`` is the place in the text, ``source`` and ``part`` what keeps runs apart.
    """

    engine: str
    format: str
    kind: str
    line: int
    unit: str = "line"
    source: str = ""
    part: int = 0
    k: int | None = None
    rounds: int | None = None
    drafted: int | None = None
    accepted: int | None = None
    rounds_estimated: bool = False
    places: tuple | None = None
    reached: tuple | None = None
    histogram: tuple | None = None
    by_length: dict | None = None
    length: Printed | None = None
    rate: Printed | None = None
    rate_is_share: bool = True
    rates: tuple | None = None
    output_tokens: int | None = None
    weight: float = 1.0
    tree: bool = False
    variable: bool = False
    difference: bool = False
    notes: tuple = ()


@dataclass(frozen=True)
class MeasuredRun:
    """One run's numbers, ``None`` where the text does not say.

    ``acceptance_rate`` is accepted ÷ drafted; ``printed_acceptance_rate`` what the server printed
    under that name, which is not always the same thing. ``tokens_per_pass`` is tokens per drafted
    round with the big model's own token. ``per_position[i]`` is the share of rounds that kept
    guesses 1 to i + 1, ``conditional_per_position[i]`` the share that kept guess i + 1 among those
    that reached it (``None`` where none did). ``keep_rate`` is the lesson's a, with a 95%
    ``keep_rate_interval`` (low, high) and ``keep_rate_method`` in words; it is ``None`` for a
    ``tree`` and for ``variable`` draft lengths without counts by length. ``used`` says in words
    which lines or records went in, ``lines`` where they stand, ``left_out`` what did not and why.
    """

    engine: str
    format: str
    name: str
    k: int | None = None
    rounds: int | None = None
    drafted: int | None = None
    accepted: int | None = None
    acceptance_rate: float | None = None
    printed_acceptance_rate: float | None = None
    tokens_per_pass: float | None = None
    per_position: tuple | None = None
    conditional_per_position: tuple | None = None
    keep_rate: float | None = None
    keep_rate_interval: tuple | None = None
    keep_rate_method: str | None = None
    kept_guesses: int | None = None
    judged_guesses: int | None = None
    rounds_estimated: bool = False
    tree: bool = False
    variable: bool = False
    by_length: dict | None = field(default=None, repr=False, hash=False)
    used: str = ""
    records_used: int = 0
    lines: tuple = ()
    left_out: tuple = ()
    warnings: tuple = ()


@lru_cache(maxsize=10_000)  # logs print the same few thousand numerals again and again
def printed(text):
    """The :class:`Printed` of a numeral such as ``"3.16"``; ``None`` for text that is no number."""
    try:
        value = float(text)
    except (TypeError, ValueError):
        return None
    digits = text.partition(".")[2]
    return Printed(value, 0.5 * 10.0 ** -len(digits))


@lru_cache(maxsize=10_000)
def percent(text):
    """As :func:`printed`, for a numeral in per cent."""
    found = printed(text)
    return found and Printed(found.value / 100, found.half / 100)


def as_printed(value, half=0.0):
    """A JSON number as :class:`Printed`; ``None`` for anything that is no finite number."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return Printed(float(value), half)


def count(value):
    """A count from text or JSON as ``int``; ``None`` where there is none.

    What is there but no whole number of a believable size (NaN, 1.5, a numeral of 400 digits)
    comes back as −1, so that the check of impossible counts names it.
    """
    if value is None or isinstance(value, (bool, list, dict)):
        return None
    try:
        as_float = float(value)
        return int(as_float) if as_float == int(as_float) and as_float < LARGEST_COUNT else -1
    except (ValueError, OverflowError):
        return -1
