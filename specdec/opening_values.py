"""Where each switch of ``Conditions`` opens when it is turned on, and the figures to quote.

Each is a rounded result of the published measurements in ``specdec.published``; a test works
them out again.
"""

from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class Figure:
    """A ``value`` with the sentence that says where it comes from."""

    value: float | int | tuple
    source: str


OPENING_VALUES = MappingProxyType(
    {
        "context_tokens": Figure(
            8_000,
            "The shorter of the two contexts that MagicDec measures (8,000 and 32,000 tokens).",
        ),
        "software_seconds": Figure(
            3.3e-3,
            "Spec-Bench: with the same small draft a round lasts 3.3 ms longer than its best case "
            "on an A100 and 3.2 ms on a 3090; that all of it is software is inferred.",
        ),
        "big_fraction_of_peak": Figure(
            0.63,
            "The median of plain decoding over its own best case in 15 published measurements, "
            "which range from 0.39 to 0.82.",
        ),
        "draft_fraction_of_peak": Figure(
            0.28,
            "Chen and others: the draft pass took 2.2 times its share of the bytes (1.8 of "
            "14.1 ms), so at 0.63 for the big model it is at 0.28.",
        ),
        "check_passes": Figure(
            1.09,
            "vLLM with EAGLE-1 (fitted) and PocketLLM with one guess (printed) both give 1.09; "
            "with weights of 8 bits or fewer 2.2 to 3.1 were measured.",
        ),
        "keep_rates": Figure(
            (0.77, 0.77, 0.73, 0.67, 0.83, 0.58, 0.57),
            "vLLM with EAGLE-3, from tokens per round at 2 to 7 guesses; the first two places are "
            "taken as equal.",
        ),
    }
)
"""By field of ``Conditions``."""

MEDIAN_OF_BEST_CASE = Figure(
    0.72,
    "The median of measured over best case in 53 published measurements (0.36 to 1.21), all that "
    "could be scored but one whose acceptance was another run's.",
)
PLAIN_OF_BEST_CASE = OPENING_VALUES["big_fraction_of_peak"]
