"""The machine that a person chose: chip, pair, bits of a weight, and what to put back of reality.

Left as it opens it is the lesson's. Its names are part of shared links, so they must not change.
"""

import re
from dataclasses import dataclass, fields, replace

from specdec import checks
from specdec.catalogue import chip_rows, chip_with_key, model_rows, model_with_key
from specdec.catalogue.rows import BYTES_PER_WEIGHT
from specdec.conditions import Conditions
from specdec.custom import CountedModel, custom_chip
from specdec.memory_fit import memory_needed
from specdec.pairs import check_pair
from specdec.time_model import TimeModel

CUSTOM = "custom"
CHIPS = (*chip_rows(), CUSTOM)
MODELS = (*model_rows(), CUSTOM)
BITS = tuple(BYTES_PER_WEIGHT)
# Room for as many places as the model takes, with tenths.
PLACES_LONG = 400
_BETWEEN = re.compile(r"[-,;\s%]+")
_PERCENTAGE = re.compile(r"[0-9]{1,3}(\.[0-9]{1,6})?")


@dataclass(frozen=True)
class Machine:
    """Every choice beyond the four controls, in the units that a person types.

    ``chip``, ``big`` and ``small`` are keys of the catalogue or "custom"; a custom chip has
    ``teraflops`` (16 bit, dense), ``bandwidth`` in GB/s and ``gigabytes``; a custom model has
    billions of weights and kilobytes of keys and values per token. ``bigbits`` and ``smallbits``
    are 16, 8 or 4. The rest are the switches of :class:`~specdec.conditions.Conditions`, ``None``
    while off: ``context`` in tokens, ``software`` in milliseconds, ``bigpeak`` and ``smallpeak`` in
    percent of peak, ``check`` in passes, and ``places``, keep rates in percent such as
    "82-73-73-68".
    """

    chip: str = "a100-80gb-sxm"
    big: str = "llama-3.1-8b"
    small: str = "llama-3.2-1b"
    bigbits: int = 16
    smallbits: int = 16
    teraflops: float | None = None
    bandwidth: float | None = None
    gigabytes: float | None = None
    bigweights: float | None = None
    bigcache: float | None = None
    smallweights: float | None = None
    smallcache: float | None = None
    context: int | None = None
    software: float | None = None
    bigpeak: float | None = None
    smallpeak: float | None = None
    check: float | None = None
    places: str | None = None

    def changed(self):
        """The fields that differ from the lesson's, as a dict, for links."""
        return {
            each.name: getattr(self, each.name)
            for each in fields(self)
            if getattr(self, each.name) != each.default
        }

    def model(self):
        """The :class:`~specdec.time_model.TimeModel` of these choices.

        Raises ``ValueError``, one sentence, for a custom part that is not filled in, a value out
        of range, and a pair that does not share its vocabulary.
        """
        big = _model("big", "big", self.big, self.bigbits, self.bigweights, self.bigcache)
        small = _model(
            "draft", "small", self.small, self.smallbits, self.smallweights, self.smallcache
        )
        pair = check_pair(big, small)
        if not pair.allowed:
            raise ValueError(pair.sentence)
        return TimeModel(self._chip(), big, small, self._conditions())

    def _chip(self):
        if self.chip != CUSTOM:
            return chip_with_key(self.chip)
        if self.teraflops is None or self.bandwidth is None:
            raise ValueError("A custom chip needs its TFLOP/s and its GB/s; type both.")
        memory = None if self.gigabytes is None else 1e9 * _number(self.gigabytes, "gigabytes")
        rate, bandwidth = (
            _number(self.teraflops, "teraflops"),
            _number(self.bandwidth, "bandwidth"),
        )
        return custom_chip(1e12 * rate, 1e9 * bandwidth, memory)

    def _conditions(self):
        rates = None if not self.places else parse_places(self.places)
        return Conditions(
            context_tokens=self.context or 0,
            software_seconds=_number(self.software or 0, "software") / 1000,
            big_fraction_of_peak=_share(self.bigpeak, "bigpeak"),
            draft_fraction_of_peak=_share(self.smallpeak, "smallpeak"),
            check_passes=1 if self.check is None else self.check,
            keep_rates=rates,
        )


def _number(value, name):
    """One finite number, before it is reckoned with; its range is checked where it is used."""
    array = checks._numbers(value, name, "a number")
    return float(checks.single(array, name, "number"))


def _share(percent, name):
    return 1.0 if percent is None else _number(percent, name) / 100


def _model(whose, name, key, bits, billions, cache_kilobytes):
    if key != CUSTOM:
        return model_with_key(key, bits)
    if bits not in BITS:
        raise ValueError(f"{name}bits must be 16, 8 or 4, not {checks._short(bits)}.")
    if billions is None:
        raise ValueError(f"A custom {whose} model needs its billions of weights; type them.")
    billions = _number(billions, f"{name}weights")
    if cache_kilobytes is not None:
        cache_kilobytes = _number(cache_kilobytes, f"{name}cache")
    return CountedModel(
        name=f"Custom {whose} model",
        weights=round(1e9 * billions),
        bytes_per_weight=BYTES_PER_WEIGHT[bits],
        cache_bytes_per_token=None if cache_kilobytes is None else 1000 * cache_kilobytes,
    )


def parse_places(text):
    """Keep rates by place from percentages such as "82-73-73-68" or "82, 73.5": chances.

    Raises ``ValueError`` with one sentence for anything else; a number with a minus before it is
    not taken for a positive one.
    """
    text = str(text).strip()
    parts = [part for part in _BETWEEN.split(text) if part]
    rates = [float(part) / 100 for part in parts if _PERCENTAGE.fullmatch(part)]
    minus = text.startswith("-") or "--" in text
    if not parts or minus or len(rates) < len(parts) or max(rates) > 1 or len(text) > PLACES_LONG:
        raise ValueError(
            "Keep rates by place are percentages from 0 to 100 such as 82-73-73-68, "
            f"not {checks._short(text)}."
        )
    return tuple(rates)


def write_places(rates):
    """Keep rates by place as :func:`parse_places` reads them, to a tenth of a percent."""
    return "-".join(f"{100 * rate:.1f}".removesuffix(".0") for rate in rates)


def fit(model, users):
    """Whether ``model`` with ``users`` users fits its chip's memory; see ``memory_needed``."""
    return memory_needed(model, users=users)


LESSON_MACHINE = Machine()


def machine_of(values):
    """The :class:`Machine` of a mapping of names to values; ``None`` stands for the lesson's."""
    known = {each.name for each in fields(Machine)}
    given = {name: value for name, value in values.items() if name in known and value is not None}
    return replace(LESSON_MACHINE, **given)
