"""A model from its ``config.json``, with the keys of Hugging Face's transformers library.

Each kind of model (``model_type``) that is accepted was counted against a published total; its
layout follows the library's modelling code. Other kinds have other parts, so they are refused
rather than counted wrong.
"""

import json

from specdec.custom import custom_name
from specdec.transformers import Transformer

CONFIG_CHARACTERS_MAX = 100_000
_NUMBER_MAX = 10**7

# Whether the tables are shared where the file does not say, and what else differs from Llama.
_KINDS = {
    "llama": (False, {}),
    "mistral": (False, {}),
    "phi3": (False, {}),
    "qwen2": (False, {"attention_biases": "qkv"}),
    "qwen3": (False, {"query_key_norms": "head"}),
    "olmo2": (False, {"query_key_norms": "full"}),
    "gemma": (True, {}),
    "gemma2": (True, {"norms_per_layer": 4}),
    "gemma3_text": (True, {"norms_per_layer": 4, "query_key_norms": "head"}),
}
_EXPERT_KEYS = ("num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts")


def model_from_config(text, name="Custom model", bytes_per_weight=2, tokenizer=""):
    """A ``Transformer`` from the text of a ``config.json``.

    Of a model that also sees or hears, the part that writes (``text_config``) is taken. The file
    does not name the tokenizer, so ``tokenizer`` is unknown unless given. Raises ``ValueError``,
    one sentence, for a text that is too long or not JSON, for a mixture of experts, for a kind of
    model that is not known here, and for a missing or impossible number.
    """
    name = custom_name(name)
    config = _object(text)
    if isinstance(config.get("text_config"), dict):
        config = config["text_config"]
    _refuse_experts(config)
    kind = config.get("model_type")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise ValueError(f"model_type must be one of {', '.join(_KINDS)}, not {_short(kind)}.")
    if _flag(config, "mlp_bias", False):
        raise ValueError("mlp_bias must be false: biases of the feed-forward blocks are not known.")
    tied_by_default, differs = _KINDS[kind]
    if kind != "qwen2" and _flag(config, "attention_bias", False):
        differs = {**differs, "attention_biases": "qkvo"}
    layers, heads = _number(config, "num_hidden_layers"), _number(config, "num_attention_heads")
    window, windowed = _windows(config, kind, layers)
    return Transformer(
        name=name,
        layers=layers,
        width=_number(config, "hidden_size"),
        feed_forward_width=_number(config, "intermediate_size"),
        attention_heads=heads,
        key_value_heads=_number(config, "num_key_value_heads", heads),
        vocabulary=_number(config, "vocab_size"),
        tied_embeddings=_flag(config, "tie_word_embeddings", tied_by_default),
        bytes_per_weight=bytes_per_weight,
        source="config.json as pasted",
        channels_per_head=_number(config, "head_dim", None),
        tokenizer=tokenizer,
        window_tokens=window,
        windowed_layers=windowed,
        **differs,
    )


def _object(text):
    if not isinstance(text, str) or len(text) > CONFIG_CHARACTERS_MAX:
        raise ValueError(
            f"config.json must be a text of at most {CONFIG_CHARACTERS_MAX:,} characters."
        )
    try:
        config = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("config.json must be valid JSON, pasted whole.") from None
    if not isinstance(config, dict):
        raise ValueError("config.json must be one JSON object, with names and values.")
    return config


def _refuse_experts(config):
    kind = str(config.get("model_type", "")).lower()
    experts = any(config.get(key) not in (None, 0, 1, False) for key in _EXPERT_KEYS)
    if experts or "moe" in kind or "mixtral" in kind:
        raise ValueError(
            "config.json must be of a dense model: a mixture of experts reads other weights for "
            "each token, so a check of several tokens reads more than a plain pass, which is not "
            "modelled here."
        )


_REQUIRED = object()


def _number(config, key, default=_REQUIRED):
    value = config.get(key)
    if value is None:
        if default is _REQUIRED:
            raise ValueError(f"config.json must have a value for {key}.")
        return default
    # JSON's true is a whole number in Python, and 1e400 an infinity.
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= _NUMBER_MAX:
        raise ValueError(
            f"{key} must be a whole number from 1 to {_NUMBER_MAX:,}, not {_short(value)}."
        )
    return value


def _flag(config, key, default):
    value = config.get(key)
    if value is None:
        return default
    if not isinstance(value, bool):
        raise ValueError(f"{key} must be true or false, not {_short(value)}.")
    return value


def _windows(config, kind, layers):
    """Tokens that windowed layers look back, and how many layers those are."""
    window = _number(config, "sliding_window", None)
    listed = config.get("layer_types")
    if listed is not None:
        known = ("full_attention", "sliding_attention")
        if not isinstance(listed, list) or len(listed) != layers:
            raise ValueError("layer_types must be a list with one text for each layer.")
        if any(each not in known for each in listed):
            raise ValueError(f"layer_types must hold {' and '.join(known)} only.")
        windowed = listed.count("sliding_attention")
    elif window is None:
        windowed = 0
    elif kind == "gemma2":
        windowed = (layers + 1) // 2
    elif kind == "gemma3_text":
        windowed = layers - layers // _number(config, "sliding_window_pattern", 6)
    elif kind in ("qwen2", "qwen3"):
        # These write a window even where they do not use it.
        used = _flag(config, "use_sliding_window", False)
        windowed = max(0, layers - _number(config, "max_window_layers", layers)) if used else 0
    else:
        windowed = layers if kind in ("mistral", "phi3") else 0
    if windowed and window is None:
        raise ValueError("config.json must have a sliding_window for its sliding layers.")
    return (window, windowed) if windowed else (None, 0)


def _short(value):
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."
