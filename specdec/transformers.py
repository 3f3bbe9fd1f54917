"""Transformer models, as the shape from which their weights can be counted."""

from dataclasses import dataclass, field
from functools import cached_property

from specdec import checks


@dataclass(frozen=True)
class Transformer:
    """The shape of a decoder-only transformer with gated feed-forward blocks.

    All widths are numbers of channels; ``bytes_per_weight`` is 2 at 16 bit, 1 at 8 and 0.5 at 4.
    With ``tied_embeddings`` one table serves input and output.

    The fields after ``source`` are for families that differ from Llama:

    - ``channels_per_head``: width of a head where it is not ``width / attention_heads``.
    - ``attention_biases``: "none", "qkv" (Qwen2.5) or "qkvo".
    - ``query_key_norms``: "none", "head" (one of a head's width each, Qwen3) or "full" (OLMo 2).
    - ``norms_per_layer``: 2, or 4 where both blocks are normed before and after (Gemma).
    - ``tokenizer``: name of the tokenizer; models with different ones never pair. "" is unknown.
    - ``window_tokens``, ``windowed_layers``: layers that look back no further than that.
    - ``cache_bytes_per_value``: 2 for keys and values kept at 16 bit, whatever the weights.

    Raises ``ValueError`` where a size is not a whole number of at least 1, a number of bytes is
    not above 0 or a text is not one of those named.
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
    # Where the numbers were read does not make a different thing of them.
    source: str = field(compare=False)
    channels_per_head: int | None = None
    attention_biases: str = "none"
    query_key_norms: str = "none"
    norms_per_layer: int = 2
    tokenizer: str = ""
    window_tokens: int | None = None
    windowed_layers: int = 0
    cache_bytes_per_value: float = 2

    def __post_init__(self):
        for name in (
            "layers",
            "width",
            "feed_forward_width",
            "attention_heads",
            "key_value_heads",
            "vocabulary",
            "norms_per_layer",
        ):
            checks.one_whole(getattr(self, name), name)
        for name in ("channels_per_head", "window_tokens"):
            if getattr(self, name) is not None:
                checks.one_whole(getattr(self, name), name)
        for name in ("bytes_per_weight", "cache_bytes_per_value"):
            size = checks.positive(getattr(self, name), name, "bytes")
            checks.single(size, name, "number")
        checks.one_of(self.attention_biases, "attention_biases", ("none", "qkv", "qkvo"))
        checks.one_of(self.query_key_norms, "query_key_norms", ("none", "head", "full"))
        windowed = checks.one_whole(self.windowed_layers, "windowed_layers", least=0)
        if windowed > self.layers or (windowed and self.window_tokens is None):
            raise ValueError(
                "windowed_layers must be at most layers and come with window_tokens, "
                f"not {windowed} of {self.layers} with {self.window_tokens}."
            )
        if self.channels_per_head is None and self.width % self.attention_heads:
            raise ValueError(
                f"width must be a multiple of attention_heads, not {self.width} and "
                f"{self.attention_heads}."
            )

    @property
    def head_width(self):
        """Channels of one attention head."""
        return self.channels_per_head or self.width // self.attention_heads

    @cached_property
    def weights(self):
        """Number of weights: tables, attention, feed-forward blocks and norms."""
        return sum(self.weight_parts().values())

    def weight_parts(self):
        """Weights by part, a dict of whole numbers that add up to :attr:`weights`."""
        query_width = self.attention_heads * self.head_width
        key_value_width = self.key_value_heads * self.head_width
        biases = {
            "none": 0,
            "qkv": query_width + 2 * key_value_width,
            "qkvo": query_width + 2 * key_value_width + self.width,
        }[self.attention_biases]
        query_key_norms = {
            "none": 0,
            "head": 2 * self.head_width,
            "full": query_width + key_value_width,
        }[self.query_key_norms]
        layer_norms = self.norms_per_layer * self.width + query_key_norms
        return {
            "embedding table": self.vocabulary * self.width,
            "output table": 0 if self.tied_embeddings else self.vocabulary * self.width,
            # Queries and output span all heads; keys and values share fewer.
            "attention": self.layers * (2 * self.width * (query_width + key_value_width) + biases),
            # Gate, up and down projections (SwiGLU).
            "feed-forward": self.layers * 3 * self.width * self.feed_forward_width,
            # Those of every layer and one at the end.
            "norms": self.layers * layer_norms + self.width,
        }

    @property
    def weight_bytes(self):
        """Bytes of weights that one pass fetches from memory."""
        return self.weights * self.bytes_per_weight

    def cache_bytes(self, context_tokens):
        """Bytes of keys and values kept for one user after ``context_tokens`` tokens.

        A key and a value for every layer, key-value head and channel (grouped-query attention:
        Ainslie and others, 2023).
        """
        per_layer = 2 * self.key_value_heads * self.head_width * self.cache_bytes_per_value
        return per_layer * self._looked_back_at(context_tokens)

    def attention_operations(self, context_tokens):
        """Operations that one new token spends on ``context_tokens`` earlier ones.

        Every head does a multiplication and an addition a channel, once for the scores and once
        for the values.
        """
        per_layer = 4 * self.attention_heads * self.head_width
        return per_layer * self._looked_back_at(context_tokens)

    def _looked_back_at(self, context_tokens):
        """Earlier tokens read, added up over the layers."""
        context = checks.one_whole(context_tokens, "context_tokens", least=0)
        if not self.windowed_layers:
            return self.layers * context
        near = self.windowed_layers * min(context, self.window_tokens)
        return (self.layers - self.windowed_layers) * context + near


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
    tokenizer="llama-3",
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
    tokenizer="llama-3",
)
