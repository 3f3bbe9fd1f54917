"""Custom chips and models: typed in, counted, or from a pasted configuration."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdec.catalogue import model_rows
from specdec.conditions import Conditions
from specdec.custom import CountedModel, custom_chip
from specdec.model_config import CONFIG_CHARACTERS_MAX, model_from_config
from specdec.time_model import LESSON, TimeModel


def config(kind, layers, width, feed_forward, heads, key_value_heads, vocabulary, **more):
    return {
        "model_type": kind,
        "num_hidden_layers": layers,
        "hidden_size": width,
        "intermediate_size": feed_forward,
        "num_attention_heads": heads,
        "num_key_value_heads": key_value_heads,
        "vocab_size": vocabulary,
        **more,
    }


LLAMA_8B = config("llama", 32, 4096, 14336, 32, 8, 128256, tie_word_embeddings=False)
# The files as published write these keys; the totals are those that other people list.
PUBLISHED = [
    (LLAMA_8B | {"attention_bias": False, "mlp_bias": False, "head_dim": 128}, 8_030_261_248),
    (config("llama", 16, 2048, 8192, 32, 8, 128256, tie_word_embeddings=True), 1_235_814_400),
    (config("llama", 22, 2048, 5632, 32, 4, 32000), 1_100_048_384),
    (
        config(
            "qwen2",
            28,
            3584,
            18944,
            28,
            4,
            152064,
            sliding_window=131072,
            max_window_layers=28,
            use_sliding_window=False,
            tie_word_embeddings=False,
        ),
        7_615_616_512,
    ),
    (config("qwen2", 24, 896, 4864, 14, 2, 151936, tie_word_embeddings=True), 494_032_768),
    (
        config(
            "qwen3",
            28,
            1024,
            3072,
            16,
            8,
            151936,
            head_dim=128,
            tie_word_embeddings=True,
            attention_bias=False,
        ),
        596_049_920,
    ),
    (config("gemma2", 42, 3584, 14336, 16, 8, 256000, head_dim=256), 9_241_705_984),
    (config("gemma3_text", 26, 1152, 6912, 4, 1, 262144, head_dim=256), 999_885_952),
    (config("mistral", 40, 5120, 14336, 32, 8, 131072, head_dim=128), 12_247_782_400),
    (config("phi3", 32, 3072, 8192, 32, 32, 32064, sliding_window=2047), 3_821_079_552),
    (config("olmo2", 32, 4096, 11008, 32, 32, 100352), 7_298_617_344),
]


@pytest.mark.parametrize(("given_config", "total"), PUBLISHED)
def test_published_configurations_give_published_totals(given_config, total):
    assert model_from_config(json.dumps(given_config)).weights == total


def test_biases_of_all_four_projections_are_counted():
    # 4,096 + 1,024 + 1,024 + 4,096 for each of 32 layers.
    more = model_from_config(json.dumps(LLAMA_8B | {"attention_bias": True}))
    assert more.weights == 8_030_261_248 + 32 * 10_240


def test_heads_are_not_shared_where_the_file_does_not_say():
    alone = {key: value for key, value in LLAMA_8B.items() if key != "num_key_value_heads"}
    assert model_from_config(json.dumps(alone)).key_value_heads == 32


@pytest.mark.parametrize(
    ("given_config", "window", "layers"),
    [
        (LLAMA_8B, None, 0),
        (config("mistral", 32, 4096, 14336, 32, 8, 32000, sliding_window=4096), 4096, 32),
        (config("mistral", 32, 4096, 14336, 32, 8, 32000, sliding_window=None), None, 0),
        (config("gemma2", 26, 2304, 9216, 8, 4, 256000, sliding_window=4096), 4096, 13),
        (config("gemma3_text", 26, 1152, 6912, 4, 1, 262144, sliding_window=512), 512, 22),
        (config("qwen2", 4, 896, 4864, 14, 2, 1000, sliding_window=9), None, 0),
        (
            config(
                "qwen2",
                4,
                896,
                4864,
                14,
                2,
                1000,
                sliding_window=9,
                use_sliding_window=True,
                max_window_layers=3,
            ),
            9,
            1,
        ),
        (
            config(
                "qwen3",
                3,
                896,
                4864,
                14,
                2,
                1000,
                sliding_window=9,
                layer_types=["full_attention", "sliding_attention", "sliding_attention"],
            ),
            9,
            2,
        ),
    ],
)
def test_windows(given_config, window, layers):
    model = model_from_config(json.dumps(given_config))
    assert (model.window_tokens, model.windowed_layers) == (window, layers)


def test_the_catalogues_windows_are_what_its_configurations_say():
    for key, kind in (("gemma-2-27b", "gemma2"), ("gemma-3-27b", "gemma3_text")):
        model = model_rows()[key].model
        text = json.dumps(
            config(
                kind,
                model.layers,
                model.width,
                model.feed_forward_width,
                model.attention_heads,
                model.key_value_heads,
                model.vocabulary,
                head_dim=model.channels_per_head,
                sliding_window=model.window_tokens,
            )
        )
        assert model_from_config(text).windowed_layers == model.windowed_layers
        assert model_from_config(text).weights == model.weights


def test_of_a_model_that_sees_the_text_part_is_taken():
    text = json.dumps({"model_type": "llava", "vision_config": {}, "text_config": LLAMA_8B})
    assert model_from_config(text, "Mine", 0.5, "llama-3").weight_bytes == 8_030_261_248 / 2


@pytest.mark.parametrize(
    "experts",
    [
        config("mixtral", 32, 4096, 14336, 32, 8, 32000, num_local_experts=8),
        config("qwen3_moe", 48, 2048, 6144, 32, 4, 151936, num_experts=128),
        config("deepseek_v3", 61, 7168, 18432, 128, 128, 129280, n_routed_experts=256),
        LLAMA_8B | {"num_local_experts": 4},
        {"text_config": LLAMA_8B | {"num_experts": 16}},
    ],
)
def test_a_mixture_of_experts_is_refused_with_the_reason(experts):
    with pytest.raises(ValueError, match="mixture of experts reads other weights for each token"):
        model_from_config(json.dumps(experts))


def test_a_dense_file_that_mentions_no_experts_is_not_refused():
    assert model_from_config(json.dumps(LLAMA_8B | {"num_experts": 0})).layers == 32


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "valid JSON"),
        ("{", "valid JSON"),
        ("[" * 50_000, "valid JSON"),
        ('{"hidden_size": ' + "9" * 5_000 + "}", "valid JSON"),
        ("[1]", "one JSON object"),
        ("null", "one JSON object"),
        (None, "a text of at most"),
        (b"{}", "a text of at most"),
        (" " * (CONFIG_CHARACTERS_MAX + 1), "a text of at most"),
        ("{}", "model_type must be one of"),
        ('{"model_type": ["llama"]}', "model_type must be one of"),
        (json.dumps(LLAMA_8B | {"model_type": "gpt2"}), "model_type must be one of"),
        (json.dumps(LLAMA_8B | {"hidden_size": None}), "a value for hidden_size"),
        (json.dumps(LLAMA_8B | {"hidden_size": True}), "hidden_size must be a whole number"),
        (json.dumps(LLAMA_8B | {"hidden_size": "4096"}), "hidden_size must be a whole number"),
        (json.dumps(LLAMA_8B | {"hidden_size": -4096}), "hidden_size must be a whole number"),
        (json.dumps(LLAMA_8B | {"hidden_size": 4097}), "width must be a multiple"),
        (json.dumps(LLAMA_8B).replace("4096", "1e400"), "hidden_size must be a whole number"),
        (json.dumps(LLAMA_8B).replace("4096", "NaN"), "hidden_size must be a whole number"),
        (json.dumps(LLAMA_8B | {"vocab_size": 10**30}), "vocab_size must be a whole number"),
        (json.dumps(LLAMA_8B | {"mlp_bias": True}), "mlp_bias must be false"),
        (json.dumps(LLAMA_8B | {"tie_word_embeddings": 1}), "tie_word_embeddings must be true"),
        (json.dumps(LLAMA_8B | {"layer_types": 3}), "layer_types must be a list"),
        (json.dumps(LLAMA_8B | {"layer_types": [[]] * 32}), "layer_types must hold"),
        (json.dumps(LLAMA_8B | {"layer_types": ["sliding_attention"] * 32}), "sliding_window"),
    ],
)
def test_anything_else_is_refused_in_one_sentence(text, says):
    with pytest.raises(ValueError, match=says) as refused:
        model_from_config(text)
    message = str(refused.value)
    assert message.endswith(".")
    assert "\n" not in message
    assert len(message) < 300


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text("ab9", max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("ab9", max_size=9), inner, max_size=3)
    ),
    max_leaves=5,
)


@given(
    st.dictionaries(
        st.sampled_from(
            [*LLAMA_8B, "text_config", "head_dim", "layer_types", "sliding_window", "num_experts"]
        ),
        json_values,
    )
)
def test_no_pasted_file_raises_anything_but_a_sentence(changes):
    said = "."
    try:
        model_from_config(json.dumps(LLAMA_8B | changes))
    except ValueError as refused:
        said = str(refused)
    assert said.endswith(".")


def test_a_custom_chip_is_two_numbers():
    chip = custom_chip(100e12, 1e12)
    model = TimeModel(chip, LESSON.big, LESSON.draft)
    # 100 operations a byte at 2 bytes a weight: 100 tokens, 16.06 ms of weights.
    assert model.first_arithmetic_tokens(model.big) == 100
    assert f"{1e3 * model.plain_seconds():.2f}" == "16.06"
    assert chip.memory_bytes is None
    assert custom_chip(1e12, 1e12, 8e9, "Mine").memory_bytes == 8e9


@pytest.mark.parametrize(
    "numbers",
    [
        (0, 1e12),
        (1e14, -1e12),
        (1e14, 1e12, 0),
        (float("inf"), 1e12),
        (1e19, 1e12),
        (1e14, 1e5),
        ([1e14, 2e14], 1e12),
        ("fast", 1e12),
        (None, 1e12),
    ],
)
def test_impossible_chips_are_refused(numbers):
    with pytest.raises(ValueError, match=r"must be .*\.$"):
        custom_chip(*numbers)


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x" * 61, None, 3])
def test_impossible_names_are_refused(name):
    with pytest.raises(ValueError, match="name must be"):
        custom_chip(1e14, 1e12, name=name)
    with pytest.raises(ValueError, match="name must be"):
        model_from_config(json.dumps(LLAMA_8B), name)


def test_a_counted_model_takes_the_lessons_times():
    big, draft = CountedModel("B", 8_030_261_248), CountedModel("D", 1_235_814_400.0)
    model = TimeModel(LESSON.chip, big, draft)
    assert f"{model.speedup(0.8, 4):.2f}" == "2.08"
    assert model.users_when_guessing_stops_paying(0.8, 4) == 85


def test_the_most_unlike_chips_and_models_still_give_an_answer():
    for flops, rate in ((1e18, 1e6), (1e6, 1e18)):
        for weights in (1, 10**14):
            model = TimeModel(
                custom_chip(flops, rate), CountedModel("B", weights), CountedModel("D", 1)
            )
            paying = model.users_when_guessing_pays(0.8, 4)
            assert all(first >= 1 for first, _ in paying)
            assert model.best_k(0.8) >= 0


def test_a_counted_model_needs_its_cache_for_a_context():
    model = TimeModel(LESSON.chip, CountedModel("B", 8 * 10**9), LESSON.draft)
    long = replace(model, conditions=Conditions(context_tokens=1_000))
    with pytest.raises(ValueError, match="B needs the bytes"):
        long.speedup(0.8, 4)
    known = replace(long, big=CountedModel("B", 8 * 10**9, cache_bytes_per_token=100_000))
    assert 1e3 * known.plain_seconds(2) == pytest.approx((16 + 0.2) / 2.039)


@pytest.mark.parametrize(
    "fields",
    [
        {"weights": 0},
        {"weights": 1.5},
        {"weights": 10**15},
        {"weights": 1, "bytes_per_weight": 0},
        {"weights": 1, "cache_bytes_per_token": -1},
        {"weights": 1, "vocabulary": 0},
    ],
)
def test_impossible_counted_models_are_refused(fields):
    with pytest.raises(ValueError, match=r"must be .*\.$"):
        CountedModel("Mine", **fields)
