"""Chips and models as data: peak rates, shapes, where each row was read and how sure it is.

The files beside this one are the catalogue; ``specdec.catalogue.rows`` reads them.
"""

from specdec.catalogue.rows import (
    CERTAINTIES,
    ChipRow,
    ModelRow,
    chip_rows,
    chip_with_key,
    model_rows,
    model_with_key,
)

__all__ = [
    "CERTAINTIES",
    "ChipRow",
    "ModelRow",
    "chip_rows",
    "chip_with_key",
    "model_rows",
    "model_with_key",
]
