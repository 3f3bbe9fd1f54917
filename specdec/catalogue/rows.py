"""Reads the catalogue's files into chips and models."""

import csv
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType

from specdec.hardware import Chip
from specdec.transformers import Transformer

_FOLDER = Path(__file__).parent

CERTAINTIES = {
    "vendor": "The maker's own text was read.",
    "listed": "A third party's copy was read that names the maker or the model's files.",
    "confirmed": "Found by searching for the number that the shape gives, so a rival figure "
    "would not have shown.",
    "derived": "Worked out from other printed figures, because the maker prints none.",
    "doubtful": "Sources disagree, or a figure was not read; the note says which.",
}
"""What a row's ``certainty`` can be, with its meaning."""

BYTES_PER_WEIGHT = {16: 2.0, 8: 1.0, 4: 0.5}
"""Bytes of a weight by its bits, without the scales that some formats add."""


@dataclass(frozen=True)
class ChipRow:
    """A chip of the catalogue. ``year`` is ``None`` where it was not read."""

    key: str
    chip: Chip
    year: int | None
    certainty: str
    source: str
    read_on: str
    note: str


@dataclass(frozen=True)
class ModelRow:
    """A dense model of the catalogue, at 16 bit.

    ``published_weights`` is the total that its source prints, of which ``published_not_counted``
    are outside the decoder (the note says what they are).
    """

    key: str
    model: Transformer
    family: str
    published_weights: int
    published_not_counted: int
    certainty: str
    published_source: str
    configuration_source: str
    read_on: str
    note: str


@cache
def chip_rows():
    """The catalogue's chips: a read-only dict from key, which links use, to :class:`ChipRow`."""
    return _by_key(_chip_row(row) for row in read_rows("chips.csv"))


@cache
def model_rows():
    """The catalogue's models: a read-only dict from key, which links use, to :class:`ModelRow`."""
    return _by_key(_model_row(row) for row in read_rows("models.csv"))


def chip_with_key(key):
    """The ``Chip`` with this key. Raises ``ValueError`` if the catalogue has none."""
    return _row(chip_rows(), key, "chip").chip


def model_with_key(key, bits=16):
    """The ``Transformer`` with this key and weights of 16, 8 or 4 bits.

    Raises ``ValueError`` if the catalogue has no such key or ``bits`` is another number.
    """
    model = _row(model_rows(), key, "model").model
    if isinstance(bits, bool) or not isinstance(bits, int | float) or bits not in BYTES_PER_WEIGHT:
        raise ValueError(f"bits must be 16, 8 or 4, not {str(bits)[:60]}.")
    return replace(model, bytes_per_weight=BYTES_PER_WEIGHT[bits])


def _row(rows, key, what):
    if not isinstance(key, str) or key not in rows:
        raise ValueError(
            f"{what} must be a key of the catalogue such as {next(iter(rows))}, "
            f"not {str(key)[:60]!r}."
        )
    return rows[key]


def _by_key(rows):
    return MappingProxyType({row.key: row for row in rows})


def read_rows(name):
    """The rows of one of this folder's files, each a dict of texts."""
    with (_FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _chip_row(row):
    chip = Chip(
        name=row["name"],
        flops_per_second=float(row["flops_per_second"]),
        bytes_per_second=float(row["bytes_per_second"]),
        source=row["source"],
        memory_bytes=1e9 * float(row["memory_gb"]),
        fp8_flops_per_second=_or_none(float, row["fp8_flops_per_second"]),
        int8_operations_per_second=_or_none(float, row["int8_operations_per_second"]),
        int4_operations_per_second=_or_none(float, row["int4_operations_per_second"]),
    )
    year = _or_none(int, row["year"])
    return ChipRow(
        row["key"], chip, year, row["certainty"], row["source"], row["read_on"], row["note"]
    )


def _model_row(row):
    model = Transformer(
        name=row["name"],
        layers=int(row["layers"]),
        width=int(row["width"]),
        feed_forward_width=int(row["feed_forward_width"]),
        attention_heads=int(row["attention_heads"]),
        key_value_heads=int(row["key_value_heads"]),
        vocabulary=int(row["vocabulary"]),
        tied_embeddings=row["tied_embeddings"] == "yes",
        bytes_per_weight=BYTES_PER_WEIGHT[16],
        source=row["configuration_source"],
        channels_per_head=_or_none(int, row["channels_per_head"]),
        attention_biases=row["attention_biases"],
        query_key_norms=row["query_key_norms"],
        norms_per_layer=int(row["norms_per_layer"]),
        tokenizer=row["tokenizer"],
        window_tokens=_or_none(int, row["window_tokens"]),
        windowed_layers=int(row["windowed_layers"]),
    )
    return ModelRow(
        key=row["key"],
        model=model,
        family=row["family"],
        published_weights=int(row["published_weights"]),
        published_not_counted=int(row["published_not_counted"]),
        certainty=row["certainty"],
        published_source=row["published_source"],
        configuration_source=row["configuration_source"],
        read_on=row["read_on"],
        note=row["note"],
    )


def _or_none(convert, text):
    return convert(text) if text else None
