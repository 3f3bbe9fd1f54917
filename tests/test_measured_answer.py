"""What the Measured page says: where each number comes from, and whether guessing pays."""

import pytest

from specdec import OPENING, Setting, read_server_text
from specdec.answers.measured import measured
from specdec.measured import examples, write_csv


def answer_for(example, setting=OPENING):
    (run,) = read_server_text(examples()[example])[:1]
    return measured(run, setting)


def test_a_log_without_places_does_not_call_the_formula_measured():
    """SGLang's line prints one length, that of the k it ran with."""
    answer = answer_for("SGLang log")
    (choices,) = [table for table in answer.tables if table.title.startswith("Every number")]
    sources = {int(row["Guesses per round"]): row["From"] for row in choices.rows}
    assert sources == {
        **dict.fromkeys((1, 2, 3, 4), "formula at a"),
        5: "measured",
        **dict.fromkeys(range(6, 13), "extrapolated"),
    }
    figure = answer.figures["speedup"]
    assert {row["kind"] for row in figure.rows["curve"]} == {"formula at a"}
    assert "green" not in figure.caption


def test_the_extrapolated_line_begins_where_the_measured_one_ends():
    rounds = [(4, j) for j, n in enumerate((9, 11, 8, 7, 15)) for _ in range(n)]
    (run,) = read_server_text(write_csv(rounds))
    curve = measured(run, OPENING).figures["speedup"].rows["curve"]
    lines = {
        kind: [(row["guesses"], row["speedup"]) for row in curve if row["kind"] == kind]
        for kind in ("measured places", "extrapolated")
    }
    assert [k for k, _ in lines["measured places"]] == [1, 2, 3, 4]
    assert lines["extrapolated"][0] == lines["measured places"][-1]


@pytest.mark.parametrize(
    ("draft_ms", "says"), [(1.212, "about 1.95 times as fast"), (10, "so turn it off")]
)
def test_a_run_with_drafts_of_unknown_length_says_whether_it_pays_as_it_is(draft_ms, says):
    """265 guesses in 82 rounds are 3.232 a round: 3.232 × 1.212 + 7.877 = 11.794 ms, for 2.927
    tokens that plain decoding writes in 23.05 ms."""
    answer = answer_for("llama.cpp answer (JSON)", Setting(draft_ms=draft_ms))
    assert "3.2 guesses a round on average" in answer.advice[-1]
    assert says in answer.advice[-1]


def test_the_best_k_stands_in_the_metric_row():
    best = {metric.label: metric for metric in answer_for("vLLM log").metrics}[
        "Best k at these costs"
    ]
    assert (best.value, best.note) == ("5", "1.97 times as fast")
