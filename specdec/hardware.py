"""Chips, as the two peak rates that decide how long a pass takes."""

from dataclasses import dataclass, field

from specdec import checks


@dataclass(frozen=True)
class Chip:
    """A chip's peak arithmetic rate (FLOP/s) and memory bandwidth (bytes/s), with their source.

    Arithmetic is in 16 bit and dense, the peak of a data sheet. ``memory_bytes`` is what the chip
    holds. The peak rates in 8 and 4 bit are for the reader: weights are only stored in fewer bits
    here, and the arithmetic on them stays in 16 bit (see ``docs/model.md``). ``None`` is unknown.

    Raises ``ValueError`` for a rate or a memory that is not a finite number above 0.
    """

    name: str
    flops_per_second: float
    bytes_per_second: float
    # Where the numbers were read does not make a different thing of them.
    source: str = field(compare=False)
    memory_bytes: float | None = None
    fp8_flops_per_second: float | None = None
    int8_operations_per_second: float | None = None
    int4_operations_per_second: float | None = None

    def __post_init__(self):
        for name, unit in (
            ("flops_per_second", "operations a second"),
            ("bytes_per_second", "bytes a second"),
        ):
            rate = checks.positive(getattr(self, name), name, unit)
            object.__setattr__(self, name, float(checks.single(rate, name, "number")))
        if self.memory_bytes is not None:
            checks.positive(self.memory_bytes, "memory_bytes", "bytes")
        for name in ("fp8_flops", "int8_operations", "int4_operations"):
            rate = getattr(self, f"{name}_per_second")
            if rate is not None:
                checks.positive(rate, f"{name}_per_second", "operations a second")

    @property
    def ridge_point(self):
        """Operations per byte above which arithmetic limits (Williams and others, 2009)."""
        return self.flops_per_second / self.bytes_per_second


A100 = Chip(
    name="NVIDIA A100 80GB SXM",
    flops_per_second=312e12,
    bytes_per_second=2.039e12,
    source="NVIDIA A100 Tensor Core GPU data sheet: 312 TFLOP/s in 16 bit (dense), 2,039 GB/s",
    memory_bytes=80e9,
    int8_operations_per_second=624e12,
    int4_operations_per_second=1248e12,
)
