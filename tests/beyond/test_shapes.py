"""The parts of shapes and chips that the lesson's own pair does not use, and what is refused."""

import re
from dataclasses import fields, replace
from pathlib import Path

import pytest

from specdec.conditions import Conditions
from specdec.hardware import A100
from specdec.transformers import LLAMA_3_1_8B, Transformer

# Two layers of width 8: two heads of 6 channels, one key-value head, feed-forward width 10.
SMALL = Transformer("Small", 2, 8, 10, 2, 1, 100, True, 2, "made up", channels_per_head=6)


def test_a_small_shape_by_hand():
    # Table 800; a layer: queries 8x12, keys 8x6, values 8x6, output 12x8, gated 3x80, norms 16.
    assert SMALL.weights == 800 + 2 * (96 + 48 + 48 + 96 + 240 + 16) + 8
    assert replace(SMALL, attention_biases="qkv").weights == SMALL.weights + 2 * (12 + 6 + 6)
    assert replace(SMALL, attention_biases="qkvo").weights == SMALL.weights + 2 * (24 + 8)
    assert replace(SMALL, query_key_norms="head").weights == SMALL.weights + 2 * (6 + 6)
    assert replace(SMALL, query_key_norms="full").weights == SMALL.weights + 2 * (12 + 6)
    assert replace(SMALL, norms_per_layer=4).weights == SMALL.weights + 2 * 16
    assert replace(SMALL, tied_embeddings=False).weights == SMALL.weights + 800
    # A key and a value of 6 channels and 2 bytes in each layer.
    assert SMALL.cache_bytes(5) == 5 * 2 * 2 * 6 * 2
    assert replace(SMALL, cache_bytes_per_value=1).cache_bytes(5) == 5 * 2 * 2 * 6


def test_a_changed_shape_is_counted_anew():
    assert SMALL.weights == 1896
    assert replace(SMALL, layers=1).weights == 1896 - 544


@pytest.mark.parametrize(
    "changes",
    [
        {"channels_per_head": 0},
        {"channels_per_head": 1.5},
        {"attention_biases": "all"},
        {"attention_biases": None},
        {"query_key_norms": ["head"]},
        {"norms_per_layer": 0},
        {"windowed_layers": 2},
        {"windowed_layers": 3, "window_tokens": 9},
        {"windowed_layers": -1, "window_tokens": 9},
        {"window_tokens": 0},
        {"cache_bytes_per_value": 0},
        {"attention_heads": 3, "channels_per_head": None},
    ],
)
def test_impossible_shapes_are_refused_in_one_sentence(changes):
    with pytest.raises(ValueError, match=r"^[a-z_]+ must be .*\.$"):
        replace(SMALL, **changes)


@pytest.mark.parametrize("context", [-1, 0.5, None, "long", [1]])
def test_impossible_contexts_are_refused(context):
    with pytest.raises(ValueError, match="context_tokens must be"):
        LLAMA_3_1_8B.cache_bytes(context)


@pytest.mark.parametrize(
    "changes",
    [
        {"memory_bytes": 0},
        {"fp8_flops_per_second": -1},
        {"int8_operations_per_second": float("nan")},
        {"int4_operations_per_second": "fast"},
    ],
)
def test_impossible_chips_are_refused(changes):
    with pytest.raises(ValueError, match=next(iter(changes))):
        replace(A100, **changes)


def test_the_ridge_point_of_the_lessons_chip():
    assert f"{A100.ridge_point:.0f}" == "153"


def test_the_documented_assumptions_are_numbered_and_name_every_switch():
    text = (Path(__file__).parents[2] / "docs" / "model.md").read_text(encoding="utf-8")
    for letter in "ABCF":
        numbers = [int(number) for number in re.findall(rf"^\| {letter}(\d+) \|", text, re.M)]
        assert numbers == list(range(1, len(numbers) + 1))
        assert numbers
    for field in fields(Conditions):
        assert f"`{field.name}`" in text
    for row in re.findall(r"^\| [ABCF]\d+ \|.*$", text, re.M):
        # Every assumption says what would falsify it, every formula its source.
        assert row.rstrip("| ").split("|")[-1].strip()
