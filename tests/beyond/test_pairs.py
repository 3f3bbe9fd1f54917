"""Which models can guess for which."""

import pytest

from specdec.catalogue import model_rows, model_with_key
from specdec.custom import CountedModel
from specdec.pairs import check_pair, drafts_for

SHARED = [
    ("llama-3.1-8b", "llama-3.2-1b"),
    ("llama-3.1-70b", "llama-3.1-8b"),
    ("llama-3.1-405b", "llama-3.2-3b"),
    ("qwen3-32b", "qwen3-1.7b"),
    ("qwen2.5-72b", "qwen2.5-7b"),
    ("gemma-2-27b", "gemma-2-2b"),
    ("smollm2-1.7b", "smollm2-135m"),
    ("olmo-2-13b", "olmo-2-7b"),
    ("llama-2-7b", "tinyllama-1.1b"),
]
PADDED = [
    ("qwen2.5-7b", "qwen2.5-0.5b"),
    ("qwen2.5-72b", "qwen2.5-1.5b"),
    ("gemma-3-27b", "gemma-3-1b"),
]
REFUSED = [
    ("llama-3.1-8b", "llama-2-7b"),
    ("llama-3.1-70b", "tinyllama-1.1b"),
    ("mistral-nemo-12b", "mistral-7b-v0.3"),
    ("phi-4-14b", "phi-3-mini"),
    ("phi-4-14b", "phi-4-mini"),
]
REFUSED_AT_ONE_SIZE = [
    ("phi-4-14b", "olmo-2-7b"),
    ("mistral-small-24b", "mistral-nemo-12b"),
    ("qwen3-8b", "qwen2.5-0.5b"),
]


def verdict(pair):
    return check_pair(*map(model_with_key, pair))


@pytest.mark.parametrize("pair", SHARED, ids=" ".join)
def test_pairs_that_share(pair):
    assert verdict(pair).verdict == "shared"
    assert verdict(pair).allowed


@pytest.mark.parametrize("pair", PADDED, ids=" ".join)
def test_pairs_with_a_padded_table_are_marked(pair):
    assert verdict(pair).verdict == "padded"
    assert "padded" in verdict(pair).sentence
    assert verdict(pair).allowed


@pytest.mark.parametrize("pair", REFUSED, ids=" ".join)
def test_pairs_with_other_vocabularies_are_refused(pair):
    found = verdict(pair)
    assert not found.allowed
    assert "another vocabulary" in found.sentence
    for key in pair:
        assert f"{model_with_key(key).vocabulary:,}" in found.sentence


@pytest.mark.parametrize("pair", REFUSED_AT_ONE_SIZE, ids=" ".join)
def test_equal_sizes_are_not_enough(pair):
    big, draft = map(model_with_key, pair)
    assert big.vocabulary == draft.vocabulary
    assert not check_pair(big, draft).allowed


def test_verdicts_do_not_depend_on_who_guesses():
    models = [row.model for row in model_rows().values()]
    for big in models:
        for draft in models:
            found = check_pair(big, draft)
            assert found.verdict == check_pair(draft, big).verdict
            assert found.sentence.endswith(".")
            assert found.sentence.count(". ") == 0


def test_a_custom_model_without_a_tokenizer():
    big = model_with_key("llama-3.1-8b")
    assert check_pair(big, CountedModel("Mine", 10**9)).verdict == "unknown"
    assert check_pair(big, CountedModel("Mine", 10**9, vocabulary=128_256)).verdict == "unknown"
    other = check_pair(big, CountedModel("Mine", 10**9, vocabulary=32_000))
    assert other.verdict == "refused"
    same = CountedModel("Mine", 10**9, vocabulary=128_256, tokenizer="llama-3")
    assert check_pair(big, same).verdict == "shared"


def test_drafts_to_choose_from():
    assert drafts_for(model_with_key("llama-3.1-8b")) == ("llama-3.2-1b", "llama-3.2-3b")
    assert drafts_for(model_with_key("qwen2.5-7b")) == (
        "qwen2.5-0.5b",
        "qwen2.5-1.5b",
        "qwen2.5-3b",
    )
    assert drafts_for(model_with_key("mistral-nemo-12b")) == ()
