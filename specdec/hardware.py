"""Chips, as the two peak rates that decide how long a pass takes."""

from dataclasses import dataclass

from specdec import checks


@dataclass(frozen=True)
class Chip:
    """A chip's peak arithmetic rate (FLOP/s) and memory bandwidth (bytes/s), with their source.

    Raises ``ValueError`` for a rate that is not a finite number above 0.
    """

    name: str
    flops_per_second: float
    bytes_per_second: float
    source: str

    def __post_init__(self):
        checks.positive(self.flops_per_second, "flops_per_second", "operations a second")
        checks.positive(self.bytes_per_second, "bytes_per_second", "bytes a second")


A100 = Chip(
    name="NVIDIA A100 80GB SXM",
    flops_per_second=312e12,
    bytes_per_second=2.039e12,
    source="NVIDIA A100 Tensor Core GPU data sheet: 312 TFLOP/s in 16 bit (dense), 2,039 GB/s",
)
