"""TensorRT-LLM, LM Studio, AIPerf, mlx-vlm and others, every value worked out by hand."""

import json

import pytest

from specdec.measured import MeasuredError, read_server_text, read_server_text_report


def only(text, **options):
    runs = read_server_text(text, **options)
    assert len(runs) == 1
    return runs[0]


def iteration(drafted, accepted, rounds, length, rank=None):
    stats = {
        "numDraftTokens": drafted,
        "numAcceptedTokens": accepted,
        "numRequestsWithDraftTokens": rounds,
        "acceptanceLength": length,
    }
    row = {"iter": 1, "specDecodingStats": stats}
    return row if rank is None else {**row, "attentionDpRank": rank}


def test_tensorrt_llm_iterations_are_added_and_rank_copies_left_out():
    rows = [
        iteration(96, 57, 32, 2.78, rank=0),
        iteration(96, 57, 32, 2.78, rank=1),
        iteration(0, 0, 0, 1.0, rank=0),
        iteration(30, 15, 10, 2.5, rank=0),
    ]
    report = read_server_text_report(json.dumps(rows))
    (run,) = report.runs
    # 96 + 30 guesses in 32 + 10 rounds of 3; 57 + 15 kept; 1 + 72/42 = 2.714.
    assert (run.k, run.rounds, run.drafted, run.accepted) == (3, 42, 126, 72)
    assert run.tokens_per_pass == pytest.approx(1 + 72 / 42)
    # 1 + .76175 + .58026 + .44202 = 2.78403 is over it; a = .7447: 1 + .7447 + .5546 + .4130
    # = 2.7123; so a = .7451 (2.7139).
    assert run.keep_rate == pytest.approx(0.7451, abs=4e-4)
    assert any("other ranks" in sentence for sentence in report.left_out)


def test_tensorrt_llm_request_statistics():
    spec = {
        "acceptance_rate": 0.54,
        "total_accepted_draft_tokens": 108,
        "total_draft_tokens": 200,
        "num_spec_steps": 50,
        "acceptance_histogram": [9, 11, 8, 7, 15],
        "num_spec_tokens": 4,
    }
    run = only(json.dumps({"choices": [{"speculative_decoding": spec}]}))
    assert run.engine == "TensorRT-LLM"
    assert run.keep_rate == pytest.approx(108 / 143)


def test_tensorrt_llm_zeros_beside_a_length_are_not_recorded():
    text = json.dumps(
        {
            "avg_decoded_tokens_per_iter": 2.56,
            "request_perf_metrics": {
                "speculative_decoding": {
                    "acceptance_rate": 0.0,
                    "total_accepted_draft_tokens": 0,
                    "total_draft_tokens": 0,
                }
            },
        }
    )
    with pytest.raises(MeasuredError, match="not recorded"):
        read_server_text(text)


def test_tensorrt_llm_bench_calls_a_length_a_rate():
    run = only("trtllm-bench\nAcceptance Rate (avg): 2.44\n", k=2)
    assert run.tokens_per_pass == pytest.approx(2.44)
    assert run.keep_rate == pytest.approx(0.8)
    assert any("it is a length" in warning for warning in run.warnings)


SNAKE = {
    "draft_model": "m",
    "total_draft_tokens_count": 120,
    "accepted_draft_tokens_count": 78,
    "rejected_draft_tokens_count": 36,
    "ignored_draft_tokens_count": 6,
    "predicted_tokens_count": 131,
}


def camel(name):
    first, *rest = name.split("_")
    return first + "".join(word.title() for word in rest)


@pytest.mark.parametrize("rename", [str, camel])
def test_lm_studio(rename):
    run = only(json.dumps({"stats": {rename(key): value for key, value in SNAKE.items()}}))
    # 78 + 36 + 6 = 120; 131 − 78 = 53 passes, 1 + 78/53 tokens each; of 114 judged, 68.4% kept.
    assert (run.engine, run.drafted, run.accepted, run.rounds) == ("LM Studio", 120, 78, 53)
    assert run.acceptance_rate == pytest.approx(0.65)
    assert run.rounds_estimated
    assert run.keep_rate is None
    assert any("114 others 68.4%" in warning for warning in run.warnings)


def test_lm_studio_parts_that_do_not_add_up():
    run = only(json.dumps({"stats": {**SNAKE, "ignored_draft_tokens_count": 9}}))
    assert any("add up to 123" in warning for warning in run.warnings)


CONSOLE = """                  NVIDIA AIPerf: Spec Decode
┃                            Metric ┃    avg ┃   min ┃
│         Acceptance Length (ratio) │   9.99 │  1.00 │
│  Token-Weighted Acceptance Length │   2.60 │   N/A │
│                           (ratio) │        │       │
│         Draft Acceptance Rate (%) │  99.00 │  0.00 │
│ Overall Draft Acceptance Rate (%) │  53.33 │   N/A │
│     Accepted per Verified (ratio) │   0.53 │  0.17 │
  Accepted drafts per step (% of steps):  0: 30%   1: 20%   2: 10%   3: 40%
"""


def test_aiperf_console_uses_the_run_level_rows():
    run = only(CONSOLE)
    # Shares that kept 1, 2, 3 or more: 20 + 10 + 40, 10 + 40, 40%. Length 1 + .7 + .5 + .4 = 2.60,
    # and 1.6/3 = 53.33%: k = 3. a = 1.6/(2.6 − 0.4) = 0.7273.
    assert run.k == 3
    assert run.tokens_per_pass == pytest.approx(2.60)
    assert run.per_position == pytest.approx((0.7, 0.5, 0.4))
    assert run.acceptance_rate == pytest.approx(1.6 / 3)
    assert run.keep_rate == pytest.approx(1.6 / 2.2)


def test_aiperf_console_that_contradicts_itself_trusts_the_histogram():
    run = only(CONSOLE.replace("2.60", "3.20"))
    assert run.tokens_per_pass == pytest.approx(2.60)
    assert any("histogram is used" in warning for warning in run.warnings)


def test_aiperf_console_folds_its_last_bucket():
    text = CONSOLE.replace("3: 40%", ">=3: 40%").replace("2.60", "3.10")
    run = only(text)
    assert run.k is None
    assert run.tokens_per_pass == pytest.approx(3.10)
    assert run.per_position == pytest.approx((0.7, 0.5, 0.4))


RECORD = {
    "engine": "sglang",
    "mean_acceptance_length": 3.16,
    "draft_acceptance_rate": 0.54,
    "acceptance_histogram": {"0": 9, "1": 11, "2": 8, "3": 7, "4": 15},
    "num_accepted_draft_tokens": 108,
    "num_draft_tokens": 200,
    "num_spec_steps": 50,
    "num_spec_tokens": 4,
}


def test_aiperf_records_and_not_their_pool():
    lines = [json.dumps({"metadata": {}, "spec_decode_acceptance": RECORD}) for _ in range(2)]
    pool = {
        "pooled_spec_decode_acceptance_histogram": {"0": 18, "1": 22, "2": 16, "3": 14, "4": 30}
    }
    report = read_server_text_report("\n".join([*lines, json.dumps(pool)]))
    (run,) = report.runs
    assert (run.engine, run.rounds) == ("AIPerf", 100)
    assert run.keep_rate == pytest.approx(108 / 143)
    assert "sglang" in run.format
    assert any("pooled" in sentence for sentence in report.left_out)


def test_aiperf_pool_alone_needs_k():
    pool = json.dumps(
        {"pooled_spec_decode_acceptance_histogram": {"0": 9, "1": 11, "2": 8, "4": 22}}
    )
    run = only(pool)
    # 11 + 16 + 88 = 115 kept in 50 rounds.
    assert (run.rounds, run.accepted, run.keep_rate) == (50, 115, None)
    # At k = 4 the 22 that kept 4 are full: 115/(115 + 50 − 22).
    assert only(pool, k=4).keep_rate == pytest.approx(115 / 143)


def test_mlx_vlm_timings():
    timings = {
        "predicted_n": 131,
        "draft_kind": "mtp",
        "draft_rounds": 50,
        "draft_n": 100,
        "draft_n_accepted": 80,
    }
    run = only(json.dumps({"timings": timings}))
    # 100/50 = 2 each; 1 + 80/50 = 2.6 = 1 + a + a²: a = (√(1 + 4·1.6) − 1)/2 = 0.86015.
    assert (run.engine, run.k, run.rounds) == ("mlx-vlm", 2, 50)
    assert run.keep_rate == pytest.approx(0.860147, abs=1e-6)
    assert run.warnings == ()
    # Delivered (121 − 1)/50 = 2.40 < 2.6: guesses kept past the end.
    run = only(json.dumps({"timings": {**timings, "predicted_n": 121}}))
    assert any("2.40" in warning for warning in run.warnings)


def test_mlx_vlm_summary_line():
    run = only("Speculative decoding: 1.44 accepted tokens over 50 rounds", k=2)
    assert (run.rounds, run.tokens_per_pass) == (50, pytest.approx(2.44))
    assert run.keep_rate == pytest.approx(0.8)


def test_mlc_counts_have_the_right_denominator():
    # 100 rounds reach one guess, 60 two, 40 three; kept 80, 40, 20. Shares .8, .667, .5;
    # judged 100 + 60 × .8 + 40 × .667 = 174.67; a = 140/174.67.
    text = json.dumps({"spec_decode": {"draft_count": [100, 60, 40], "accept_count": [80, 40, 20]}})
    run = only(text)
    assert run.per_position == pytest.approx((0.8, 2 / 3, 0.5))
    assert run.variable
    assert run.keep_rate == pytest.approx(140 / (100 + 48 + 80 / 3))
    # With drafts of one length it is the censored estimate: 108/143.
    text = json.dumps({"draft_count": [50] * 4, "accept_count": [41, 30, 22, 15]})
    run = only(text)
    assert run.k == 4
    assert run.keep_rate == pytest.approx(108 / 143)


def test_prediction_tokens():
    text = '{"usage": {"accepted_prediction_tokens": 30, "rejected_prediction_tokens": 20}}'
    run = only(text)
    assert (run.drafted, run.accepted, run.keep_rate) == (50, 30, None)
    with pytest.raises(MeasuredError):
        read_server_text('{"accepted_prediction_tokens": 0, "rejected_prediction_tokens": 0}')
