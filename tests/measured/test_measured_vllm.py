"""vLLM's formats, every value worked out by hand.

The run of most tests: 50 rounds of k = 4 that kept at least 1, 2, 3, 4 guesses 41, 30, 22 and 15
times. So accepted = 41 + 30 + 22 + 15 = 108 of 50 × 4 = 200; tokens per big pass = 1 + 108/50
= 3.16; judged = 108 + 50 − 15 = 143, so a = 108/143 = 0.7552….
"""

import json

import pytest

from specdec.measured import MeasuredError, read_server_text, read_server_text_report

A = 108 / 143
P = (0.82, 0.60, 0.44, 0.30)
Q = (41 / 50, 30 / 41, 22 / 30, 15 / 22)
WINDOW = (
    "(APIServer pid=7) INFO 10-05 09:15:04 [metrics.py:96] SpecDecoding metrics: "
    "Mean acceptance length: 3.16, Accepted throughput: 10.80 tokens/s, "
    "Drafted throughput: 20.00 tokens/s, Accepted: 108 tokens, Drafted: 200 tokens, "
    "Per-position acceptance rate: 0.820, 0.600, 0.440, 0.300, Avg Draft acceptance rate: 54.0%"
)
OLD = (
    "INFO 08-08 11:00:17 metrics.py:373] Speculative metrics: Draft acceptance rate: 0.575, "
    "System efficiency: 0.560, Number of speculative tokens: 4, Number of accepted tokens: 1150, "
    "Number of draft tokens: 2000, Number of emitted tokens: 1400."
)


def only(text, **options):
    runs = read_server_text(text, **options)
    assert len(runs) == 1
    return runs[0]


def check_the_fifty_rounds(run, rounds=50, places=True):
    times = rounds // 50
    assert (run.engine, run.k) == ("vLLM", 4)
    assert (run.rounds, run.drafted, run.accepted) == (rounds, 200 * times, 108 * times)
    assert run.acceptance_rate == pytest.approx(0.54)
    assert run.tokens_per_pass == pytest.approx(3.16)
    assert not run.variable
    assert not run.tree
    if places:
        assert run.per_position == pytest.approx(P)
        assert run.conditional_per_position == pytest.approx(Q)
        assert run.keep_rate == pytest.approx(A)
        assert (run.kept_guesses, run.judged_guesses) == (108 * times, 143 * times)
        # The rate that the log prints is far from it: the point of the whole exercise.
        assert abs(run.keep_rate - run.acceptance_rate) > 0.2


def test_newest_window_line():
    run = only(WINDOW)
    check_the_fifty_rounds(run)
    # Wilson at 108 of 143, by hand: z² = 3.8415; centre (0.75524 + 3.8415/286)/(1 + 3.8415/143)
    # = 0.76868/1.02686 = 0.74857; half-width 1.95996/1.02686 × √(0.75524×0.24476/143 +
    # 3.8415/(4×143²)) = 1.90869 × √(0.0012927 + 0.0000470) = 1.90869 × 0.036602 = 0.06986.
    assert run.keep_rate_interval == pytest.approx((0.67871, 0.81843), abs=2e-5)
    assert "Wilson" in run.keep_rate_method
    assert run.printed_acceptance_rate == pytest.approx(0.54)
    assert run.warnings == ()


def test_windows_are_added_and_an_empty_one_is_no_data():
    empty = WINDOW.replace("3.16", "nan").replace("54.0%", "nan%")
    empty = empty.replace("Accepted: 108", "Accepted: 0").replace("Drafted: 200", "Drafted: 0")
    empty = empty.replace("0.820, 0.600, 0.440, 0.300", "nan, nan, nan, nan")
    run = only("\n".join([WINDOW, empty, WINDOW]))
    check_the_fifty_rounds(run, rounds=100)
    assert run.lines == (1, 3)
    assert run.left_out == ("1 window without a draft: no data.",)


def test_a_log_with_no_drafts_is_no_data_and_not_zero():
    text = (
        "INFO metrics.py SpecDecoding metrics: Draft acceptance rate: nan%, "
        "Accepted: 0 tokens, Drafted: 0 tokens"
    )
    run = only(text)
    assert run.drafted == 0
    assert run.acceptance_rate is None
    assert run.keep_rate is None
    assert any("no data" in warning for warning in run.warnings)


def test_first_v1_wording_needs_k():
    text = (
        "INFO 03-20 Speculative metrics: Draft acceptance rate: 0.540, "
        "Number of accepted tokens: 108, Number of draft tokens: 200, \nINFO next line"
    )
    run = only(text)
    assert (run.k, run.rounds, run.drafted, run.accepted) == (None, None, 200, 108)
    assert run.keep_rate is None
    run = only(text, k=4)
    # 200/4 = 50 rounds, L = 1 + 108/50 = 3.16. Then 1 + a + a² + a³ + a⁴ = 3.16 at a = 0.76821:
    # 1 + .76821 + .59015 + .45336 + .34828 = 3.16000.
    check_the_fifty_rounds(run, places=False)
    assert run.keep_rate == pytest.approx(0.76821, abs=1e-5)


def test_second_wording_with_k_from_the_start_up_line():
    text = (
        "INFO core.py Initializing a V1 LLM engine with config: "
        "speculative_config=SpeculativeConfig(method='ngram', num_spec_tokens=4)\n"
        "INFO SpecDecoding metrics: Draft acceptance rate: 54.0%, Accepted: 108 tokens, "
        "Drafted: 200 tokens\n"
    )
    check_the_fifty_rounds(only(text), places=False)


@pytest.mark.parametrize(("mean", "added"), [("2.16", True), ("3.16", False)])
def test_third_wording_with_and_without_the_big_models_own_token(mean, added):
    # The shares add up to .82 + .60 + .44 + .30 = 2.16, so a mean of 2.16 lacks the own token.
    text = (
        "INFO SpecDecoding metrics: Draft acceptance rate: 54.0%, "
        f"Mean acceptance length: {mean}, Accepted: 108 tokens, Drafted: 200 tokens, "
        "Per-position acceptance rate: 0.820, 0.600, 0.440, 0.300\n2026-05-01 next line"
    )
    run = only(text)
    check_the_fifty_rounds(run)
    assert any("own token" in warning for warning in run.warnings) == added


def test_old_engine_line():
    run = only(OLD)
    # 2000/4 = 500 rounds; L = 1400/500 = 2.80, not 1 + 1150/500 = 3.30; kept = 1400 − 500 = 900.
    assert (run.k, run.rounds, run.drafted, run.accepted) == (4, 500, 2000, 900)
    assert run.tokens_per_pass == pytest.approx(2.80)
    assert run.acceptance_rate == pytest.approx(0.45)
    assert run.printed_acceptance_rate == pytest.approx(0.575)
    # 1 + .70510 + .49717 + .35056 + .24718 = 2.80001
    assert run.keep_rate == pytest.approx(0.70510, abs=1e-5)
    assert any("after a rejection" in warning for warning in run.warnings)
    # 1400/(500 × 5) = 0.560 is what is printed, so nothing else is wrong.
    assert len(run.warnings) == 1


def test_old_engine_totals_are_not_added_and_a_restart_begins_a_new_run():
    later = OLD.replace("2000", "4000").replace("1400", "2800").replace("1150", "2300")
    run = only(OLD + "\n" + later)
    assert run.drafted == 4000
    first, second = read_server_text(later + "\n" + OLD)
    assert (first.drafted, second.drafted) == (4000, 2000)
    assert first.name != second.name


def test_old_engine_wrong_efficiency_and_doubled_word():
    text = OLD.replace("0.560", "0.700").replace("draft tokens:", "draft tokens tokens:")
    assert any("0.7, not 0.560" in warning for warning in only(text).warnings)


def test_old_engine_without_any_draft():
    text = OLD.replace("0.575", "nan").replace("0.560", "nan").replace("1150", "0")
    text = text.replace("2000", "0").replace("1400", "0")
    assert only(text).acceptance_rate is None


def test_variable_drafts_get_a_length_but_no_keep_rate():
    # 40 rounds that kept at least 1, 2, 3 guesses 24, 12 and 6 times: 42 kept, L = 2.05. Full
    # drafts would be 120 guesses, but only 90 were drafted, so 90/3 = 30 rounds cannot be.
    text = (
        "SpecDecoding metrics: Mean acceptance length: 2.05, Accepted throughput: 4.20 tokens/s, "
        "Drafted throughput: 9.00 tokens/s, Accepted: 42 tokens, Drafted: 90 tokens, "
        "Per-position acceptance rate: 0.600, 0.300, 0.150, Avg Draft acceptance rate: 46.7%"
    )
    run = only(text)
    assert run.rounds == 40
    assert run.variable
    assert run.keep_rate is None
    assert run.tokens_per_pass == pytest.approx(2.05)
    assert any("vary in length" in warning for warning in run.warnings)


def test_a_few_short_drafts_are_let_pass_and_said():
    # 50 rounds of 4 but for the last, which had 2 guesses and kept both: 198 drafted, 1% short.
    text = WINDOW.replace("Drafted: 200", "Drafted: 198").replace("54.0%", "54.5%")
    run = only(text)
    assert (run.rounds, run.variable) == (50, False)
    assert run.keep_rate == pytest.approx(A)
    assert run.keep_rate_interval[1] > 0.81843
    assert any("2 of 200 places had no guess" in warning for warning in run.warnings)


def test_places_under_their_short_lived_name_and_two_engines_in_parallel():
    text = WINDOW.replace("acceptance rate: 0.8", "acceptance probabilities: 0.8")
    lines = []
    for engine in ("000", "001"):
        lines += [f"INFO 10-05 09:15:04 [loggers.py:127] Engine {engine}: Running: 1 reqs", text]
    check_the_fifty_rounds(only("\n".join(lines)), rounds=100)


def test_a_rate_that_disagrees_with_its_counts_is_named():
    run = only(WINDOW.replace("54.0%", "61.0%"))
    assert run.acceptance_rate == pytest.approx(0.54)
    assert run.warnings == (
        "Line 1 prints an acceptance rate of 0.61, but 108 of 200 guesses are 0.54.",
    )


def test_the_same_disagreement_on_many_lines_is_one_warning():
    bad = WINDOW.replace("54.0%", "61.0%")
    run = only("\n".join([WINDOW, bad, bad, bad]))
    assert run.warnings == (
        "Line 2 prints an acceptance rate of 0.61, but 108 of 200 guesses are 0.54 "
        "(and 2 more like it).",
    )


def test_nothing_kept_and_everything_kept():
    none = only('{"num_spec_steps": 50, "num_draft_tokens": 200, "num_accepted_draft_tokens": 0}')
    assert (none.tokens_per_pass, none.keep_rate) == (1.0, 0.0)
    assert none.keep_rate_interval[1] > 0
    every = only('{"num_spec_steps": 5, "num_draft_tokens": 20, "num_accepted_draft_tokens": 20}')
    assert (every.tokens_per_pass, every.keep_rate) == (5.0, 1.0)
    assert every.keep_rate_interval[0] < 1


def test_two_k_and_two_engine_starts_are_kept_apart():
    two = (
        "SpecDecoding metrics: Mean acceptance length: 2.40, Accepted throughput: 1 tokens/s, "
        "Drafted throughput: 2 tokens/s, Accepted: 14 tokens, Drafted: 20 tokens, "
        "Per-position acceptance rate: 0.800, 0.600, Avg Draft acceptance rate: 70.0%"
    )
    runs = read_server_text("\n".join([WINDOW, two, WINDOW]))
    assert [(run.k, run.rounds) for run in runs] == [(4, 100), (2, 10)]
    start = "INFO Initializing a V1 LLM engine (v0.11.0) with config: model='m'"
    runs = read_server_text("\n".join([start, WINDOW, start, WINDOW, WINDOW]))
    assert [(run.k, run.rounds) for run in runs] == [(4, 50), (4, 100)]
    assert len({run.name for run in runs}) == 2


def series(name, value, labels='engine="0",model_name="m"', suffix="_total"):
    return f"vllm:spec_decode_{name}{suffix}{{{labels}}} {value}\n"


def scrape(rounds, kept, engine="0", k=None, suffix="_total"):
    base = f'engine="{engine}",model_name="m"'
    text = "# HELP vllm:spec_decode_num_drafts_total Number of drafts.\n"
    text += series("num_drafts", f"{rounds}.0", base, suffix)
    text += series("num_drafts", "1.7e+09", base, "_created")
    text += series("num_draft_tokens", f"{rounds * (k or len(kept))}.0", base, suffix)
    text += series("num_accepted_tokens", f"{sum(kept)}.0", base, suffix)
    for place, times in reversed(list(enumerate(kept))):
        labels = f'{base},position="{place}"'
        text += series("num_accepted_tokens_per_pos", f"{times}.0", labels, suffix)
    return text


def test_one_scrape_is_everything_since_the_start():
    run = only(scrape(50, (41, 30, 22, 15)))
    check_the_fifty_rounds(run)
    assert "since the server's start" in run.used


def test_two_scrapes_are_subtracted_and_engines_added():
    before = scrape(30, (25, 20, 12, 10)) + scrape(20, (10, 5, 4, 2), engine="1")
    after = scrape(60, (52, 38, 23, 18)) + scrape(40, (24, 17, 15, 9), engine="1")
    # Rounds 100 − 50; kept per place 76 − 35, 55 − 25, 38 − 16, 27 − 12: the fifty rounds.
    check_the_fifty_rounds(only(before + "\n" + after))


def test_a_smaller_second_scrape_is_a_restart():
    runs = read_server_text(scrape(100, (82, 60, 44, 30)) + scrape(50, (41, 30, 22, 15)))
    assert [run.rounds for run in runs] == [100, 50]


def test_in_process_names_and_objects():
    check_the_fifty_rounds(only(scrape(50, (41, 30, 22, 15), suffix="")))
    text = (
        "Counter(name='vllm:spec_decode_num_drafts', labels={'engine': '0'}, value=50)\n"
        "Counter(name='vllm:spec_decode_num_draft_tokens', labels={'engine': '0'}, value=200)\n"
        "Counter(name='vllm:spec_decode_num_accepted_tokens', labels={'engine': '0'}, value=108)\n"
        "Vector(name='vllm:spec_decode_num_accepted_tokens_per_pos', labels={'engine': '0'}, "
        "values=[41, 30, 22, 15])\n"
    )
    check_the_fifty_rounds(only(text))


def test_two_models_in_one_scrape_are_two_runs():
    text = scrape(50, (41, 30, 22, 15)) + scrape(10, (5, 1)).replace('"m"', '"n"')
    runs = read_server_text(text)
    assert [(run.k, run.rounds) for run in runs] == [(4, 50), (2, 10)]
    assert "n" in runs[1].name


def test_old_gauge_gives_a_rate_and_nothing_else():
    run = only('vllm:spec_decode_draft_acceptance_rate{model_name="m"} 0.575\n')
    assert run.printed_acceptance_rate == pytest.approx(0.575)
    assert run.keep_rate is None


REQUEST = {
    "acceptance_histogram": [9, 11, 8, 7, 15],
    "num_spec_steps": 50,
    "num_accepted_draft_tokens": 108,
    "num_draft_tokens": 200,
    "num_spec_tokens": 4,
    "mean_acceptance_length": 3.16,
    "draft_acceptance_rate": 0.54,
}


def answer(fields):
    return {
        "id": "c",
        "choices": [{"message": {"content": 'if (x) { "draft_n": 3 }'}}],
        "metrics": {"speculative_decoding": fields},
    }


def test_one_answer():
    # Kept exactly 0 to 4: 50 − 41, 41 − 30, 30 − 22, 22 − 15, 15.
    run = only(json.dumps(answer(REQUEST), indent=2))
    check_the_fifty_rounds(run)
    assert run.warnings == ()


def test_sparse_histogram_and_sum_of_answers():
    sparse = {
        **REQUEST,
        "acceptance_histogram": {str(j): n for j, n in enumerate((9, 11, 8, 7, 15))},
    }
    one = json.dumps({"choices": [{"speculative_decoding_stats": sparse}]})
    check_the_fifty_rounds(only(one + "\n" + json.dumps(answer(REQUEST))), rounds=100)


def test_histogram_alone():
    run = only('{"acceptance_histogram": [9, 11, 8, 7, 15], "num_spec_tokens": 4}')
    assert (run.rounds, run.accepted) == (50, 108)
    assert run.keep_rate == pytest.approx(A)


def test_histogram_by_draft_length_gives_a_true_keep_rate_for_varying_drafts():
    fields = {
        "num_spec_steps": 14,
        "num_accepted_draft_tokens": 25,
        "num_draft_tokens": 44,
        "num_spec_tokens": 4,
        "acceptance_histogram": [3, 3, 4, 2, 2],
        "acceptance_histogram_by_draft_length": {"2": [1, 2, 3], "4": [2, 1, 1, 2, 2]},
    }
    # Length 2: kept 2 + 6 = 8, judged 1·1 + 2·2 + 3·2 = 11. Length 4: kept 1 + 2 + 6 + 8 = 17,
    # judged 2·1 + 1·2 + 1·3 + 2·4 + 2·4 = 23. a = 25/34. Place 1: 11 of 14 kept; place 2: 8 of 11;
    # place 3: reached by the 5 of length 4 that kept 2, kept by 4; place 4: 2 of 4.
    run = only(json.dumps(answer(fields)))
    assert run.variable
    assert run.keep_rate == pytest.approx(25 / 34)
    assert run.conditional_per_position == pytest.approx((11 / 14, 8 / 11, 4 / 5, 2 / 4))
    assert run.per_position == pytest.approx((11 / 14, 8 / 14, 4 / 14, 2 / 14))
    assert run.tokens_per_pass == pytest.approx(1 + 25 / 14)


def test_detailed_steps():
    fields = {
        "num_spec_steps": 3,
        "num_accepted_draft_tokens": 4,
        "num_draft_tokens": 7,
        "num_spec_tokens": 3,
        "per_step_accepted": [3, 0, 1],
        "per_step_drafted": [3, 3, 1],
    }
    # Judged: 3 (full), 1, 1 (full at its own length): a = 4/5.
    assert only(json.dumps(answer(fields))).keep_rate == pytest.approx(4 / 5)


def test_a_histogram_that_does_not_add_up_is_named():
    run = only(json.dumps(answer({**REQUEST, "num_spec_steps": 51})))
    assert any("histogram of 50 rounds beside a count of 51" in w for w in run.warnings)


def test_cut_off_json():
    text = json.dumps(answer(REQUEST))
    run = only(text[: text.index('"mean_acceptance_length"')])
    check_the_fifty_rounds(run)
    assert any("cut off" in warning for warning in run.warnings)


BENCH = """---------------Speculative Decoding---------------
Acceptance rate (%):                     54.00
Acceptance length:                       3.16
Drafts:                                  50
Draft tokens:                            200
Accepted tokens:                         108
Per-position acceptance (%):
  Position 0:                            82.00
  Position 1:                            60.00
  Position 2:                            44.00
  Position 3:                            30.00
==================================================
"""


def test_bench_serve_blocks_are_runs_of_their_own():
    check_the_fifty_rounds(only(BENCH))
    assert [run.rounds for run in read_server_text(BENCH + BENCH)] == [50, 50]


def test_bench_serve_without_its_counts():
    text = "\n".join(line for line in BENCH.splitlines() if "rafts" not in line)
    text = "\n".join(line for line in text.splitlines() if "tokens:" not in line)
    run = only(text)
    # No rounds, but shares of them: (3.16 − 1) ÷ (3.16 − 0.30) = 2.16/2.86 = 108/143.
    assert run.keep_rate == pytest.approx(A)
    assert run.keep_rate_interval is None


def test_bench_serve_json():
    fields = {
        "spec_decode_acceptance_rate": 54.0,
        "spec_decode_acceptance_length": 3.16,
        "spec_decode_num_drafts": 50,
        "spec_decode_draft_tokens": 200,
        "spec_decode_accepted_tokens": 108,
        "spec_decode_per_position_acceptance_rates": [0.82, 0.6, 0.44, 0.3],
    }
    run = only(json.dumps(fields))
    check_the_fifty_rounds(run)
    assert run.warnings == ()


OFFLINE = """--------------------------------------------------
total_num_output_tokens: 158
num_drafts: 50
num_draft_tokens: 200
num_accepted_tokens: 108
mean acceptance length: 3.16
--------------------------------------------------
acceptance at token 0: 0.82
acceptance at token 1: 0.60
acceptance at token 2: 0.44
acceptance at token 3:0.30
"""


def test_offline_example():
    check_the_fifty_rounds(only(OFFLINE))


def test_offline_example_prints_a_length_of_one_where_nothing_ran():
    text = OFFLINE.replace(" 50", " 0").replace(" 200", " 0").replace(" 108", " 0")
    run = only(text.replace("3.16", "1.00"))
    assert run.tokens_per_pass is None
    assert any("no data" in warning for warning in run.warnings)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("Accepted: 108", "Accepted: 300", "300 guesses kept are more than the 200"),
        ("Accepted: 108", "Accepted: -1", "negative"),
        ("Drafted: 200", "Drafted: nan", "not a number"),
        ("0.820", "1.820", "not from 0 to 1"),
    ],
)
def test_impossible_windows_are_left_out_by_name(old, new, why):
    bad = WINDOW.replace(old, new)
    with pytest.raises(MeasuredError, match=why):
        read_server_text(bad)
    report = read_server_text_report(WINDOW + "\n" + bad)
    assert report.runs[0].rounds == 50
    assert any(why in sentence and "line 2" in sentence for sentence in report.left_out)


def test_a_length_above_k_plus_one_is_kept_and_named():
    fields = {**REQUEST, "num_spec_tokens": 2, "num_draft_tokens": 108}
    del fields["acceptance_histogram"]
    run = only(json.dumps(answer(fields)))
    assert run.tokens_per_pass == pytest.approx(3.16)
    assert run.keep_rate is None
    assert any("k + 1 = 3" in warning for warning in run.warnings)


def test_two_tellings_of_the_same_events_count_once():
    report = read_server_text_report(WINDOW + "\n" + scrape(50, (41, 30, 22, 15)))
    assert len(report.runs) == 1
    assert any("counted once" in sentence for sentence in report.left_out)
