"""The reader as a whole: bad input, the shipped examples, what is said about what was read."""

import pytest

import specdec
from specdec.measured import (
    MeasuredError,
    MeasuredRun,
    examples,
    read_server_text,
    read_server_text_report,
)
from specdec.tokens import expected_tokens


def test_exported_from_the_package():
    assert specdec.read_server_text is read_server_text
    assert specdec.MeasuredRun is MeasuredRun
    assert issubclass(MeasuredError, ValueError)


@pytest.mark.parametrize("name", examples())
def test_examples_are_read_and_consistent(name):
    report = read_server_text_report(examples()[name])
    assert len(report.recognised) == len(report.runs) >= 1
    for run in report.runs:
        assert run.engine.lower().replace("-", "")[:4] in name.lower().replace("-", "")
        assert run.used
        assert hash(run)
        assert run.lines
        if run.rounds and run.accepted is not None:
            assert run.tokens_per_pass == pytest.approx(1 + run.accepted / run.rounds)
        if run.drafted:
            assert run.acceptance_rate == pytest.approx(run.accepted / run.drafted)
        if run.per_position and not run.variable and len(run.per_position) == run.k:
            # Printed to 2 or 3 digits a place in some, so the sum may be that much off.
            assert run.tokens_per_pass == pytest.approx(1 + sum(run.per_position), abs=0.03)
        if run.keep_rate_interval:
            assert run.keep_rate_interval[0] < run.keep_rate < run.keep_rate_interval[1]
        if run.keep_rate is not None and run.k > 1:
            assert run.keep_rate > run.acceptance_rate
            # The formula at the right a is near the measured length, and far at the wrong one.
            right = expected_tokens(run.keep_rate, run.k)
            wrong = expected_tokens(run.acceptance_rate, run.k)
            assert abs(right - run.tokens_per_pass) < abs(wrong - run.tokens_per_pass) / 2


def test_there_is_an_example_for_every_engine():
    engines = {run.engine for text in examples().values() for run in read_server_text(text)}
    assert engines == {
        "vLLM",
        "SGLang",
        "llama.cpp",
        "TensorRT-LLM",
        "LM Studio",
        "AIPerf",
        "mlx-vlm",
        "MLC-LLM",
        "CSV",
    }


def test_all_examples_in_one_paste_stay_apart():
    together = read_server_text("\n".join(examples().values()))
    apart = [run for text in examples().values() for run in read_server_text(text)]
    # The AIPerf console counts as the same tool's second telling beside its records.
    assert {run.name for run in together} >= {run.name for run in apart if run.engine != "AIPerf"}
    assert len({run.name for run in together}) == len(together)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "nothing to read"),
        (" \n\t\n", "nothing to read"),
        ("hello world\n" * 1000, "recognises nothing"),
        ("\x00\x01\x02", "binary"),
        ("\x01\x02\x03\x04\x05\x06\x07\x08" * 30, "binary"),
        (None, "takes text"),
        (b"text", "takes text"),
        ("SpecDecoding metrics: Accepted: 1", "cut off"),
        ("draft acceptance rate = 0.5", "cut off"),
        ('{"draft_n": -5, "draft_n_accepted": 2}', "negative"),
        ('{"draft_n": NaN, "draft_n_accepted": 2}', "not a number"),
        ('{"draft_n": 5.5, "draft_n_accepted": 2}', "not whole"),
        ('{"draft_n": 5, "draft_n_accepted": 7}', "7 guesses kept are more than the 5"),
        ('{"draft_n": 5e300, "draft_n_accepted": 7}', "not a number, or not whole"),
        ('{"draft_n": ' + "9" * 5000 + ', "draft_n_accepted": 7}', "not a number"),
        ('{"draft_n": 9, "draft_n_accepted": 7, "predicted_n": 3}', "more than the 3 tokens"),
        ('{"num_spec_steps": 9, "num_draft_tokens": 5}', "9 rounds"),
        ('{"num_spec_steps": 0, "num_draft_tokens": 5}', "no rounds"),
        (
            '{"num_spec_steps": 5, "num_draft_tokens": 0, "num_accepted_draft_tokens": 3}',
            "3 guesses",
        ),
        ('{"num_spec_steps": 5, "num_draft_tokens": 9, "num_spec_tokens": 0}', "k = 0"),
        ("Decode batch, accept len: 0.50, accept rate: 0.10, ", "fewer than its own one"),
        ("Decode batch, accept len: nan, accept rate: 0.10, ", "not a number"),
    ],
)
def test_bad_input_is_one_clear_sentence(text, why):
    with pytest.raises(MeasuredError, match=why) as caught:
        read_server_text(text)
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert sentence.endswith(".")
    assert len(sentence) < 400


@pytest.mark.parametrize("k", [0, -1, 1.5, "4", True, float("nan"), 1001, [4]])
def test_k_that_cannot_be(k):
    with pytest.raises(MeasuredError, match="k must be"):
        read_server_text("round,drafted,kept\n1,2,1\n", k=k)


def test_k_of_the_text_goes_before_the_users():
    (run,) = read_server_text("round,drafted,kept\n1,2,1\n", k=5)
    assert run.k == 2
    assert any("5 asked for is not used" in warning for warning in run.warnings)


def test_a_million_lines():
    text = "a b\n" * 1_000_000 + "round,drafted,kept\n1,2,1\n"
    (run,) = read_server_text(text)
    assert run.lines == (1_000_001,)


def test_many_runs_are_cut_and_said_so():
    text = "round,drafted,kept\n1,2,1\n" * 250
    report = read_server_text_report(text)
    assert len(report.runs) == 200
    assert any("50 runs after the first 200" in sentence for sentence in report.left_out)
