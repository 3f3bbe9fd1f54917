"""llama.cpp's formats, every value worked out by hand."""

import json

import pytest

from specdec.measured import read_server_text, read_server_text_report


def only(text, **options):
    runs = read_server_text(text, **options)
    assert len(runs) == 1
    return runs[0]


BLOCK = """n_draft   = 16
n_predict = 312
n_drafted = 420
n_accept  = 231
accept    = 55.000%
"""
EVAL = (
    "prompt eval time =     90.00 ms /    41 tokens (    2.20 ms per token,   455.56 tokens)\n"
    "       eval time =   3210.86 ms /   312 tokens (    9.76 ms per token,   102.46 tokens)\n"
    "      total time =   3300.86 ms /   353 tokens\n"
)
RATE = "draft acceptance rate = 0.55000 (  231 accepted /   420 generated)\n"
STATS = (
    "statistics draft: #calls(b,g,a) = 1 81 81, #gen drafts = 81, #acc drafts = 60, "
    "#gen tokens = 420, #acc tokens = 231, dur(b,g,a) = 0.1, 2.0, 3.0 ms\n"
)
MEAN = (
    "slot print_timing: id  0 | task 3 | draft acceptance = 0.63235 (  129 accepted /   204 "
    "generated), mean acceptance length =  2.84, acceptance rate per position = "
    "(0.800, 0.600, 0.443)\n"
)


def test_old_block():
    run = only(BLOCK)
    # 312 written − 231 kept = 81 big passes, 1 + 231/81 = 312/81 = 3.852 tokens each.
    assert (run.rounds, run.drafted, run.accepted, run.k) == (81, 420, 231, 16)
    assert run.rounds_estimated
    assert run.variable
    assert run.tokens_per_pass == pytest.approx(312 / 81)
    assert run.acceptance_rate == pytest.approx(0.55)
    assert run.keep_rate is None


def test_old_blocks_are_runs_of_their_own():
    assert len(read_server_text(BLOCK + "\n" + BLOCK.replace("231", "230"))) == 2


def test_rate_line_takes_the_tokens_written_from_its_request():
    run = only(EVAL + RATE)
    assert (run.rounds, run.accepted) == (81, 231)
    assert run.tokens_per_pass == pytest.approx(312 / 81)
    run = only(RATE)
    assert run.rounds is None
    assert run.acceptance_rate == pytest.approx(0.55)


def test_statistics_count_the_same_events_with_rounds():
    report = read_server_text_report(EVAL + RATE + STATS)
    (run,) = report.runs
    # 60 of 81 drafts kept at least one guess; 1 + 231/81 tokens a drafted pass.
    assert run.format == "statistics line"
    assert (run.rounds, run.drafted, run.accepted) == (81, 420, 231)
    assert not run.rounds_estimated
    assert run.per_position == pytest.approx((60 / 81,))
    assert any("same guesses" in sentence for sentence in report.left_out)


def test_first_statistics_wording():
    run = only(STATS.replace("#calls(b,g,a) = 1 81 81", "#calls = 81"))
    assert (run.rounds, run.drafted) == (81, 420)


def test_statistics_that_reach_further_back_are_subtracted():
    later = STATS.replace("81", "100").replace("60", "75").replace("420", "500")
    later = later.replace("231", "281")
    # The two request lines hold 420 + 80 guesses, but the totals 500 + 1000 before.
    before = STATS.replace("420", "1420").replace("231", "731").replace("81, #acc", "281, #acc")
    after = later.replace("500", "1500").replace("281", "781").replace("100, #acc", "300, #acc")
    second = "draft acceptance rate = 0.62500 (   50 accepted /    80 generated)\n"
    report = read_server_text_report(EVAL + RATE + before + second + after)
    (run,) = report.runs
    # 300 − 281 rounds, 1500 − 1420 guesses, 781 − 731 kept, 75 − 60 drafts with one or more.
    assert (run.rounds, run.drafted, run.accepted) == (19, 80, 50)
    assert run.per_position == pytest.approx((15 / 19,))
    assert any("subtracted" in sentence for sentence in report.left_out)


def test_one_old_statistics_line_does_not_replace_the_request():
    report = read_server_text_report(MEAN + STATS)
    (run,) = report.runs
    assert run.drafted == 204
    assert any("reach back" in sentence for sentence in report.left_out)


def test_two_drafters_are_two_runs():
    text = STATS + STATS.replace("draft:", "ngram-mod:").replace("420", "177").replace("231", "70")
    assert [run.name.split(", ")[1] for run in read_server_text(text)] == ["draft", "ngram-mod"]


def test_mean_line():
    run = only(MEAN)
    # 129/(2.84 − 1) = 70.1, and 70 rounds make .8, .6 and .443 the whole numbers 56, 42 and 31.
    assert (run.rounds, run.drafted, run.accepted) == (70, 204, 129)
    assert run.per_position == pytest.approx((56 / 70, 42 / 70, 31 / 70))
    # 204 of 3 × 70 = 210: six places had no guess, more than the 2% that are let pass.
    assert run.variable
    assert run.keep_rate is None
    assert any("lower bounds" in warning for warning in run.warnings)


def test_a_last_draft_cut_short_widens_the_interval():
    text = (
        "draft acceptance = 0.77945 (  311 accepted /   399 generated), mean len =  2.55\n"
        "statistics        draft-mtp: #calls(b,g,a) =    1    200    200, #gen drafts =    200, "
        "#acc drafts =   170, #gen tokens =    399, #acc tokens =   311, #mean acc len = 2.55, "
        "#acc rate/pos = (0.850, 0.705), dur(b,g,a) = 0.004, 1011.730, 0.465 ms\n"
    )
    run = only(text)
    # 170 + 141 = 311 kept in 200 rounds, 141 of them full: judged 311 + 200 − 141 = 370.
    assert (run.k, run.rounds) == (2, 200)
    assert run.keep_rate == pytest.approx(311 / 370)
    # The one short draft may have had no rejection: the upper end is that of 311 of 369.
    p, n, z2 = 311 / 369, 369, 1.959964**2
    upper = (p + z2 / 2 / n + 1.959964 * (p * (1 - p) / n + z2 / 4 / n / n) ** 0.5) / (1 + z2 / n)
    assert run.keep_rate_interval[1] == pytest.approx(upper, abs=1e-6)
    assert any("1 of 400 places" in warning for warning in run.warnings)


def test_a_list_of_places_that_stops_early_gives_no_k():
    # 1 + 527/31 = 18.00, but the two places add up to 1.709 only: the list is cut at two.
    text = (
        "statistics        ngram-mod: #calls(b,g,a) =    4    542     31, #gen drafts =     31, "
        "#acc drafts =    28, #gen tokens =    920, #acc tokens =   527, #mean acc len = 18.00, "
        "#acc rate/pos = (0.903, 0.806), dur(b,g,a) = 0.688, 0.851, 0.021 ms\n"
    )
    run = only(text)
    assert run.k is None
    assert run.tokens_per_pass == pytest.approx(18.0)
    assert run.per_position == pytest.approx((28 / 31,))
    assert run.keep_rate is None


def test_requests_are_added():
    run = only(MEAN + MEAN)
    assert (run.rounds, run.drafted, run.accepted) == (140, 408, 258)


def test_latest_wording_in_router_mode():
    text = (
        "[54321] slot print_timing: id  3 | task 0 | draft acceptance = 0.50000 (   30 accepted /"
        "    60 generated), mean len =  2.00, acc per pos = (0.700, 0.300)\n"
    )
    run = only(text)
    # 30/(2.00 − 1) = 30 rounds of 2; 21 + 9 = 30 kept; judged 30 + 30 − 9 = 51.
    assert (run.k, run.rounds) == (2, 30)
    assert run.keep_rate == pytest.approx(30 / 51)


def test_timings_json():
    timings = {"prompt_ms": 30.5, "predicted_n": 312, "draft_n": 420, "draft_n_accepted": 231}
    run = only(json.dumps({"content": "x", "timings": timings}))
    assert (run.rounds, run.drafted, run.accepted) == (81, 420, 231)
    assert run.keep_rate is None


def test_timings_in_every_piece_of_a_stream_are_one_request():
    pieces = [
        {
            "timings": {
                "prompt_ms": 30.5,
                "predicted_n": n,
                "draft_n": 2 * n,
                "draft_n_accepted": n // 2,
            }
        }
        for n in (10, 20, 30)
    ]
    other = {"timings": {"prompt_ms": 31.5, "predicted_n": 8, "draft_n": 9, "draft_n_accepted": 3}}
    run = only("\n".join(f"data: {json.dumps(piece)}" for piece in [*pieces, other]))
    assert (run.drafted, run.accepted) == (69, 18)


def test_timings_without_drafts_are_no_data():
    run = only('{"timings": {"predicted_n": 30, "draft_n": 0, "draft_n_accepted": 0}}')
    assert run.acceptance_rate is None
    assert any("no data" in warning for warning in run.warnings)


def test_mtp_bench_rows_and_not_their_aggregate():
    text = (
        "code_python    pred= 192 draft= 150 acc= 116 rate=0.773 tok/s=51.2\n"
        "prose          pred= 100 draft=  90 acc=  49 rate=0.544 tok/s=40.1\n"
        '{"total_predicted": 292, "total_draft": 240, "total_draft_accepted": 165}\n'
    )
    run = only(text)
    # Rounds 192 − 116 − 1 = 75 and 100 − 49 − 1 = 50.
    assert (run.rounds, run.drafted, run.accepted) == (125, 240, 165)
    assert run.acceptance_rate == pytest.approx(165 / 240)
    assert run.records_used == 2


def test_counters_of_the_newer_server():
    text = (
        "llamacpp:spec_decode_num_drafts_total 10\n"
        "llamacpp:spec_decode_num_draft_tokens_total 20\n"
        "llamacpp:spec_decode_num_accepted_tokens_total 12\n"
        'llamacpp:spec_decode_num_accepted_tokens_per_pos_total{position="0"} 8\n'
        'llamacpp:spec_decode_num_accepted_tokens_per_pos_total{position="1"} 4\n'
    )
    run = only(text)
    assert run.engine == "llama.cpp"
    assert run.keep_rate == pytest.approx(12 / 18)
