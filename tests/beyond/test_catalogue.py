"""Every row of the catalogue, against figures that the row does not hold itself."""

import datetime

import pytest

from specdec.catalogue import (
    CERTAINTIES,
    chip_rows,
    chip_with_key,
    model_rows,
    model_with_key,
)
from specdec.hardware import A100
from specdec.time_model import LESSON, TimeModel
from specdec.transformers import LLAMA_3_1_8B, LLAMA_3_2_1B

# Matrix units x dense operations of one in a clock x clock: a rate with sparsity would be double.
UNITS = {
    "a100-40gb-sxm": 432 * 512 * 1.41e9,
    "a100-80gb-pcie": 432 * 512 * 1.41e9,
    "a100-80gb-sxm": 432 * 512 * 1.41e9,
    "h100-sxm": 528 * 1024 * 1.83e9,
    "h200": 528 * 1024 * 1.83e9,
    "gh200-96gb": 528 * 1024 * 1.83e9,
    "l4": 240 * 256 * 2.04e9,
    "l40s": 568 * 256 * 2.52e9,
    "a10g": 320 * 128 * 1.71e9,
    "rtx-3090": 328 * 128 * 1.695e9,
    "rtx-4090": 512 * 128 * 2.52e9,
    "rtx-5090": 680 * 128 * 2.407e9,
    "t4": 320 * 128 * 1.59e9,
    "mi300x": 1216 * 512 * 2.1e9,
    "mi325x": 1216 * 512 * 2.1e9,
    "tpu-v5e": 4 * 128 * 128 * 2 * 1.5e9,
    "m2-ultra": 9728 * 2 * 1.398e9,
    "m4-max": 5120 * 2 * 1.678e9,
}
# Totals printed by other sources than the row's (keras-hub, model cards), to their digits.
BILLIONS = {
    "llama-3.1-8b": "8.0",
    "llama-3.1-70b": "70.6",
    "llama-3.1-405b": "405.9",
    "llama-3.2-1b": "1.2",
    "llama-3.2-3b": "3.2",
    "qwen2.5-72b": "72.7",
    "qwen3-0.6b": "0.6",
    "gemma-2-27b": "27.2",
    "phi-4-14b": "14.7",
    "mistral-nemo-12b": "12.2",
}


def test_there_is_enough_to_choose_from():
    assert len(chip_rows()) >= 10
    assert len(model_rows()) >= 12
    assert len({row.family for row in model_rows().values()}) >= 4


@pytest.mark.parametrize("row", chip_rows().values(), ids=lambda row: row.key)
def test_every_chip(row):
    chip = row.chip
    assert row.certainty in CERTAINTIES
    assert row.certainty != "doubtful" or row.note
    assert "http" in row.source
    datetime.date.fromisoformat(row.read_on)
    assert row.year is None or 2016 <= row.year <= 2026
    assert 8e9 <= chip.memory_bytes <= 1e12
    # Chips without matrix units are near 30 operations a byte, no other is above 450.
    assert 25 < chip.ridge_point < 450
    if row.key in UNITS:
        assert chip.flops_per_second == pytest.approx(UNITS[row.key], rel=0.04)
    for eight_bit in (chip.fp8_flops_per_second, chip.int8_operations_per_second):
        if eight_bit is not None:
            # Twice the 16-bit rate, or four times where its sums are in 32 bit at half speed.
            times = eight_bit / chip.flops_per_second
            assert min(abs(times - 2), abs(times - 4)) < 0.05
    if chip.int4_operations_per_second is not None:
        assert chip.int4_operations_per_second == pytest.approx(
            2 * chip.int8_operations_per_second, rel=0.01
        )


@pytest.mark.parametrize("row", model_rows().values(), ids=lambda row: row.key)
def test_every_model(row):
    model = row.model
    assert row.certainty in CERTAINTIES
    assert row.published_source
    assert row.configuration_source
    datetime.date.fromisoformat(row.read_on)
    assert model.weights == row.published_weights - row.published_not_counted
    assert (row.published_not_counted == 0) or row.note
    assert model.tokenizer
    assert model.bytes_per_weight == 2
    assert model.cache_bytes(1000) > 0
    if row.key in BILLIONS:
        assert f"{model.weights / 1e9:.1f}" == BILLIONS[row.key]
    for bits in (8, 4):
        assert model_with_key(row.key, bits).weight_bytes == model.weights * bits / 8


def test_what_gemma_3_leaves_out_is_its_vision_part():
    # One vision tower for all three, and a projector of 1,152 to each width with its norm.
    for key, width in (("gemma-3-4b", 2560), ("gemma-3-12b", 3840), ("gemma-3-27b", 5376)):
        assert model_rows()[key].published_not_counted == 416_866_032 + 1152 * (width + 1)


def test_caches_and_windows_by_hand():
    assert model_with_key("llama-3.1-70b").cache_bytes(1) == 327_680
    assert model_with_key("qwen2.5-0.5b").cache_bytes(1) == 12_288
    assert model_with_key("olmo-2-13b").cache_bytes(1) == 819_200
    # Half of Gemma 2 9B's 42 layers look back 4,096 tokens: 8,192 bytes a layer and token.
    assert model_with_key("gemma-2-9b").cache_bytes(10_000) == 8_192 * 21 * (10_000 + 4_096)
    # 22 of Gemma 3 1B's 26 layers look back 512: 1,024 bytes a layer and token.
    assert model_with_key("gemma-3-1b").cache_bytes(10_000) == 1_024 * (4 * 10_000 + 22 * 512)
    # The cache stays at 16 bit whatever the weights.
    assert model_with_key("llama-3.1-8b", 4).cache_bytes(1) == 131_072


def test_the_lessons_rows_equal_its_constants():
    chip = chip_with_key("a100-80gb-sxm")
    assert (chip.name, chip.flops_per_second, chip.bytes_per_second, chip.memory_bytes) == (
        A100.name,
        312e12,
        2.039e12,
        A100.memory_bytes,
    )
    big, draft = model_with_key("llama-3.1-8b"), model_with_key("llama-3.2-1b")
    assert big.weights == LLAMA_3_1_8B.weights == 8_030_261_248
    assert draft.weights == LLAMA_3_2_1B.weights == 1_235_814_400
    assert big.weight_parts() == LLAMA_3_1_8B.weight_parts()
    assert draft.weight_parts() == LLAMA_3_2_1B.weight_parts()
    chosen = TimeModel(chip, big, draft)
    assert chosen.speedup(0.8, 4, None, 64) == LESSON.speedup(0.8, 4, None, 64)


@pytest.mark.parametrize(
    ("chip", "bits", "tokens"),
    [
        # Operations per byte x bytes per weight / 2: 312 / 2.039 is 153.02 at 16 bit.
        ("a100-80gb-sxm", 16, 154),
        ("a100-80gb-sxm", 8, 77),
        ("a100-80gb-sxm", 4, 39),
        # 989.4 / 3.35 = 295.3
        ("h100-sxm", 16, 296),
        # 71 / 0.936 = 75.85, at 4 bit a quarter: 18.96
        ("rtx-3090", 4, 19),
        # 27.2 / 0.8 = 34 exactly, and a tie counts as arithmetic
        ("m2-ultra", 16, 34),
        ("m2-ultra", 8, 17),
    ],
)
def test_where_arithmetic_takes_over_follows_the_chip_and_the_bits(chip, bits, tokens):
    model = TimeModel(
        chip_with_key(chip), model_with_key("llama-3.1-8b", bits), model_with_key("llama-3.2-1b")
    )
    assert model.first_arithmetic_tokens(model.big) == tokens
    assert model.users_when_checking_stops_being_free(4) == -(-tokens // 5)


@pytest.mark.parametrize("key", ["no such chip", None, 3, ["a100-80gb-sxm"], "x" * 999])
def test_unknown_keys_are_refused(key):
    with pytest.raises(ValueError, match="must be a key of the catalogue"):
        chip_with_key(key)
    with pytest.raises(ValueError, match="must be a key of the catalogue"):
        model_with_key(key)


@pytest.mark.parametrize("bits", [3, "16", True, None, float("nan"), [16]])
def test_other_bits_are_refused(bits):
    with pytest.raises(ValueError, match="bits must be 16, 8 or 4"):
        model_with_key("llama-3.1-8b", bits)


def test_the_catalogue_cannot_be_changed():
    with pytest.raises(TypeError):
        chip_rows()["mine"] = None
