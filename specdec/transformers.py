"""Transformer models, as the shape from which their weights can be counted."""

from dataclasses import dataclass

from specdec import checks


@dataclass(frozen=True)
class Transformer:
    """The shape of a decoder-only transformer with gated feed-forward blocks.

    All widths are numbers of channels; ``bytes_per_weight`` is 2 at 16 bit. With
    ``tied_embeddings`` one table serves input and output.

    Raises ``ValueError`` where a size is not a whole number of at least 1 or
    ``bytes_per_weight`` is not above 0.
    """

    name: str
    layers: int
    width: int
    feed_forward_width: int
    attention_heads: int
    key_value_heads: int
    vocabulary: int
    tied_embeddings: bool
    bytes_per_weight: float
    source: str

    def __post_init__(self):
        for field in (
            "layers",
            "width",
            "feed_forward_width",
            "attention_heads",
            "key_value_heads",
            "vocabulary",
        ):
            checks.one_whole(getattr(self, field), field)
        checks.positive(self.bytes_per_weight, "bytes_per_weight", "bytes")
        if self.width % self.attention_heads:
            raise ValueError(
                f"width must be a multiple of attention_heads, not {self.width} and "
                f"{self.attention_heads}."
            )

    @property
    def head_width(self):
        """Channels of one attention head."""
        return self.width // self.attention_heads

    @property
    def weights(self):
        """Number of weights: tables, attention, feed-forward blocks and norms."""
        return sum(self.weight_parts().values())

    def weight_parts(self):
        """Weights by part, a dict of whole numbers that add up to :attr:`weights`."""
        key_value_width = self.key_value_heads * self.head_width
        return {
            "embedding table": self.vocabulary * self.width,
            "output table": 0 if self.tied_embeddings else self.vocabulary * self.width,
            # Queries and output are width x width; keys and values share fewer heads.
            "attention": self.layers * 2 * self.width * (self.width + key_value_width),
            # Gate, up and down projections (SwiGLU).
            "feed-forward": self.layers * 3 * self.width * self.feed_forward_width,
            # Two norms a layer and one at the end.
            "norms": (2 * self.layers + 1) * self.width,
        }

    @property
    def weight_bytes(self):
        """Bytes that one pass fetches from memory."""
        return self.weights * self.bytes_per_weight


LLAMA_3_1_8B = Transformer(
    name="Llama 3.1 8B",
    layers=32,
    width=4096,
    feed_forward_width=14336,
    attention_heads=32,
    key_value_heads=8,
    vocabulary=128_256,
    tied_embeddings=False,
    bytes_per_weight=2,
    source="Meta, Llama 3.1 model card and model configuration",
)

LLAMA_3_2_1B = Transformer(
    name="Llama 3.2 1B",
    layers=16,
    width=2048,
    feed_forward_width=8192,
    attention_heads=32,
    key_value_heads=8,
    vocabulary=128_256,
    tied_embeddings=True,
    bytes_per_weight=2,
    source="Meta, Llama 3.2 model card (1.23 billion parameters, shared embeddings); "
    "shape from the model configuration",
)
