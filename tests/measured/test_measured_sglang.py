"""SGLang's formats, every value worked out by hand."""

import json

import pytest

from specdec.measured import read_server_text, read_server_text_report


def line(length, rate=None, running=1, rank="TP0", time="10:00:00"):
    rate = "" if rate is None else f"accept rate: {rate}, "
    return (
        f"[2026-01-02 {time} {rank}] Decode batch, #running-req: {running}, #token: 900, "
        f"token usage: 0.01, accept len: {length}, {rate}cuda graph: True, "
        "gen throughput (token/s): 150.00, #queue-req: 0"
    )


def only(text, **options):
    runs = read_server_text(text, **options)
    assert len(runs) == 1
    return runs[0]


def test_new_formula_is_accepted_over_drafted():
    # (3.10 − 1)/5 = 0.42 and (3.50 − 1)/5 = 0.50: k = 5. 3.10/0.42 = 7.4 and 3.50/0.50 = 7: no
    # whole number of draft tokens. Lengths weigh by running requests: (3.10 + 3 × 3.50)/4 = 3.40.
    run = only(line("3.10", "0.42") + "\n" + line("3.50", "0.50", running=3))
    assert run.k == 5
    assert run.tokens_per_pass == pytest.approx(3.40)
    assert run.acceptance_rate == pytest.approx(0.48)
    # 1 + .76650 + .58752 + .45034 + .34518 + .26458 = 3.41412 is a little over 3.40:
    # a = .76398: 1 + .76398 + .58367 + .44591 + .34067 + .26026 = 3.39449; between them 0.7647.
    assert run.keep_rate == pytest.approx(0.7647, abs=5e-4)
    assert run.keep_rate_interval is None
    assert run.rounds is None


def test_old_formula_counts_the_root_on_both_sides():
    # 3.10/6 = 0.5167 and 1.00/6 = 0.1667: six draft tokens, so k = 5, and accepted ÷ drafted is
    # ((3.10 + 1.00)/2 − 1)/5 = 0.21.
    run = only(line("3.10", "0.52") + "\n" + line("1.00", "0.17"))
    assert run.k == 5
    assert run.acceptance_rate == pytest.approx(0.21)
    assert run.printed_acceptance_rate == pytest.approx((0.52 + 0.17) / 2)
    assert any("6 draft tokens" in warning for warning in run.warnings)


def test_nothing_accepted_tells_the_formulas_apart():
    # 1.00 with 0.25 can only be 1/4 (old); 1.00 with 0.00 only (1 − 1)/k (new, k unknown).
    assert only(line("1.00", "0.25")).k == 3
    assert only(line("1.00", "0.00") + "\n" + line("2.20", "0.40")).k == 3


def test_an_open_choice_is_not_made():
    # 3.10 with 0.52: 3.10/6 = 0.517 and 2.10/4 = 0.525 both print so, to within rounding.
    run = only(line("3.10", "0.52"))
    assert run.k is None
    assert run.keep_rate is None
    assert any("give k" in warning for warning in run.warnings)
    assert only(line("3.10", "0.52"), k=5).k == 5


def test_length_alone_takes_k_from_the_user_or_the_start_up_line():
    assert only(line("2.44")).keep_rate is None
    # 1 + 0.8 + 0.64 = 2.44
    assert only(line("2.44"), k=2).keep_rate == pytest.approx(0.8)
    args = (
        "[2026-01-02] server_args=ServerArgs(model_path='m', speculative_num_steps=2, "
        "speculative_eagle_topk=1, speculative_num_draft_tokens=3)\n"
    )
    assert only(args + line("2.44")).keep_rate == pytest.approx(0.8)


def test_a_tree_gets_its_length_and_no_keep_rate():
    args = "python -m sglang.launch_server --speculative-num-steps 5 --speculative-eagle-topk 8 "
    args += "--speculative-num-draft-tokens 64\n"
    run = only(args + line("3.10", "0.03"))
    assert run.tree
    assert (run.k, run.tokens_per_pass) == (5, pytest.approx(3.10))
    assert run.keep_rate is None
    assert any("tree" in warning for warning in run.warnings)


def test_coarse_rates_of_a_wide_tree_single_out_no_k():
    # 2.10/63 = 0.0333 prints as 0.03, and so does 2.10 over anything from 60 to 84.
    run = only(line("3.10", "0.03"))
    assert run.keep_rate is None


def test_rates_that_fit_no_fixed_number():
    run = only("\n".join([line("3.10", "0.42"), line("3.10", "0.70"), line("2.00", "0.11")]))
    assert run.k is None
    assert run.keep_rate is None
    assert any("fit no formula" in warning for warning in run.warnings)


def test_ranks_copy_each_other_and_data_parallel_ranks_do_not():
    text = "\n".join(line("3.10", "0.42", rank=rank) for rank in ("TP0", "TP1"))
    report = read_server_text_report(text)
    assert report.runs[0].records_used == 1
    assert any("other ranks" in sentence for sentence in report.left_out)
    text = "\n".join(line("3.10", "0.42", rank=rank) for rank in ("DP0 TP0", "DP1 TP0"))
    assert only(text).records_used == 2


def test_backends_and_the_full_stop():
    text = line("3.10", "0.42").replace("Decode batch,", "Decode batch.").replace("cuda", "npu")
    assert only(text).k == 5


def test_two_servers_are_two_runs():
    args = "server_args=ServerArgs(speculative_num_steps={}, speculative_num_draft_tokens={})\n"
    text = (
        args.format(5, 6) + line("3.10", "0.42") + "\n" + args.format(2, 3) + line("2.44", "0.72")
    )
    assert [run.k for run in read_server_text(text)] == [5, 2]


NAMINGS = {
    "2025": {"spec_accept_token_num": 108, "spec_draft_token_num": 200},
    "2026": {"spec_num_correct_drafts": 108, "spec_num_proposed_drafts": 200},
}


@pytest.mark.parametrize("naming", NAMINGS)
def test_meta_info_of_a_request(naming):
    meta = {"id": "a", "spec_verify_ct": 50, "completion_tokens": 159, **NAMINGS[naming]}
    meta["spec_accept_length"] = 3.18  # 159/50: with the prompt's own token
    meta["spec_accept_rate"] = 0.54
    run = only(json.dumps({"text": "a {", "meta_info": meta}))
    assert (run.k, run.rounds, run.drafted, run.accepted) == (4, 50, 200, 108)
    assert run.tokens_per_pass == pytest.approx(3.16)
    assert run.warnings == ()
    # 1 + .76821 + .59015 + .45336 + .34828 = 3.16
    assert run.keep_rate == pytest.approx(0.76821, abs=1e-5)


def test_earliest_naming_has_only_rounds_and_tokens():
    run = only(json.dumps({"meta_info": {"spec_verify_ct": 50, "completion_tokens": 159}}), k=4)
    # 159 written − 1 from the prompt − 50 of the big model's own = 108.
    assert (run.rounds, run.accepted) == (50, 108)
    assert run.keep_rate == pytest.approx(0.76821, abs=1e-5)


@pytest.mark.parametrize("histogram", [[9, 11, 8, 7, 15], [0, 9, 11, 8, 7, 15]])
def test_histogram_also_when_it_is_off_by_one(histogram):
    meta = {"spec_verify_ct": 50, "spec_accept_histogram": histogram, **NAMINGS["2025"]}
    run = only(json.dumps({"meta_info": meta}))
    assert run.keep_rate == pytest.approx(108 / 143)
    assert any("shifted" in warning for warning in run.warnings) == (len(histogram) == 6)


def test_finish_line_with_single_quotes():
    text = (
        "Finish: obj=GenerateReqInput(rid='7', text=\"it's {\"), out={'text': \"don't }\", "
        "'meta_info': {'id': '7', 'spec_verify_ct': 50, 'spec_accept_token_num': 108, "
        "'spec_draft_token_num': 200, 'completion_tokens': 159, 'spec_accept_rate': None}}"
    )
    run = only(text)
    assert (run.rounds, run.accepted) == (50, 108)


def test_a_stream_repeats_its_request():
    pieces = [
        json.dumps({"meta_info": {"id": "a", "spec_verify_ct": n, "completion_tokens": 3 * n + 1}})
        for n in (10, 20, 30)
    ]
    run = only("\n".join(f"data: {piece}" for piece in pieces))
    # 3 × 30 + 1 written, 1 from the prompt, 30 of its own: 60 kept.
    assert (run.rounds, run.accepted) == (30, 60)


def test_gauges_and_averages_stay_as_they_are():
    text = 'sglang:spec_accept_length{model="m"} 3.0\nsglang:spec_accept_length{model="m"} 2.44\n'
    run = only(text, k=2)
    assert run.tokens_per_pass == pytest.approx(2.44)
    assert run.keep_rate == pytest.approx(0.8)
    assert any("cannot be subtracted" in warning for warning in run.warnings)
    run = only('{"internal_states": [{"avg_spec_accept_length": 2.44}]}', k=2)
    assert run.keep_rate == pytest.approx(0.8)


@pytest.mark.parametrize(
    "text", ["Accept length:                           2.44\n", "acc_length=2.44"]
)
def test_benchmark_lines(text):
    assert only(text, k=2).keep_rate == pytest.approx(0.8)


def test_a_server_without_settings_forgets_those_of_the_one_before():
    text = "server_args=ServerArgs(speculative_num_steps=5, speculative_num_draft_tokens=6)\n"
    text += line("3.10") + "\nserver_args=ServerArgs(model_path='m')\n"
    runs = read_server_text(text + "Decode batch, accept len: 2.44")
    assert [(run.k, run.tokens_per_pass) for run in runs] == [(5, 3.1), (None, 2.44)]
