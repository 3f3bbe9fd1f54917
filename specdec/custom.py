"""Chips and models that the catalogue does not have: from two numbers, or from a count."""

from dataclasses import dataclass

from specdec import checks
from specdec.hardware import Chip

NUMBER_MIN, NUMBER_MAX = 1e6, 1e18
WEIGHTS_MAX = 10**14
NAME_MAX = 60
_SOURCE = "typed in"


@dataclass(frozen=True)
class CountedModel:
    """A dense model of which only the number of weights is known; it can stand in a ``TimeModel``.

    ``cache_bytes_per_token`` is what one user's keys and values of one token take, ``None`` where
    it is not known: then the model has no times at a context length. The arithmetic of attention
    is left out, because it needs the shape. ``vocabulary`` and ``tokenizer`` are for checking
    pairs; ``None`` and "" are unknown. Raises ``ValueError`` outside these ranges.
    """

    name: str
    weights: int
    bytes_per_weight: float = 2
    cache_bytes_per_token: float | None = None
    vocabulary: int | None = None
    tokenizer: str = ""
    source: str = _SOURCE

    def __post_init__(self):
        if checks.one_whole(self.weights, "weights") > WEIGHTS_MAX:
            raise ValueError(f"weights must be at most {WEIGHTS_MAX:,}, not {self.weights:,.0f}.")
        # A float would make the exact crossover depend on its rounding.
        object.__setattr__(self, "weights", int(self.weights))
        checks.positive(self.bytes_per_weight, "bytes_per_weight", "bytes")
        if self.cache_bytes_per_token is not None:
            checks.not_negative(self.cache_bytes_per_token, "cache_bytes_per_token", "bytes")
        if self.vocabulary is not None:
            checks.one_whole(self.vocabulary, "vocabulary")

    @property
    def weight_bytes(self):
        """Bytes of weights that one pass fetches from memory."""
        return self.weights * self.bytes_per_weight

    def cache_bytes(self, context_tokens):
        """Bytes of keys and values of one user after ``context_tokens`` tokens.

        Raises ``ValueError`` for a context where the bytes of one token are not known.
        """
        context = checks.one_whole(context_tokens, "context_tokens", least=0)
        if context and self.cache_bytes_per_token is None:
            raise ValueError(
                f"{self.name} needs the bytes that its keys and values take per token before a "
                "context length can be used."
            )
        return context * (self.cache_bytes_per_token or 0)

    def attention_operations(self, context_tokens):
        """0: the shape that it would follow from is not known."""
        checks.one_whole(context_tokens, "context_tokens", least=0)
        return 0


def custom_chip(flops_per_second, bytes_per_second, memory_bytes=None, name="Custom chip"):
    """A ``Chip`` from its peak arithmetic rate (FLOP/s, 16 bit, dense) and bandwidth (bytes/s).

    ``memory_bytes`` left out is unknown. Raises ``ValueError`` outside 10^6 to 10^18.
    """
    for value, field in (
        (flops_per_second, "flops_per_second"),
        (bytes_per_second, "bytes_per_second"),
        (NUMBER_MIN if memory_bytes is None else memory_bytes, "memory_bytes"),
    ):
        given = checks.positive(value, field, "one chip's units")
        if given.ndim or not NUMBER_MIN <= given <= NUMBER_MAX:
            raise ValueError(f"{field} must be one number from {NUMBER_MIN:g} to {NUMBER_MAX:g}.")
    memory = None if memory_bytes is None else float(memory_bytes)
    return Chip(
        custom_name(name), float(flops_per_second), float(bytes_per_second), _SOURCE, memory
    )


def custom_name(name):
    """A name as typed, if it is one short line of text."""
    if not isinstance(name, str) or not name.strip() or len(name) > NAME_MAX:
        raise ValueError(f"name must be a text of 1 to {NAME_MAX} characters.")
    if not name.isprintable():
        raise ValueError("name must be one line of characters that can be printed.")
    return name.strip()
