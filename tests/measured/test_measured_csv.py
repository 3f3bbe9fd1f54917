"""Our own CSV: read, written, and read again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdec.measured import (
    MeasuredError,
    read_server_text,
    read_server_text_report,
    run_from_counts,
    run_rounds,
    write_csv,
)

FIFTY = [(4, j) for j, n in enumerate((9, 11, 8, 7, 15)) for _ in range(n)]


def test_what_is_written_is_documented_and_read_again():
    text = write_csv(FIFTY)
    assert text.startswith("round,drafted,kept\n1,4,0\n")
    assert text.endswith("\n50,4,4\n")
    (run,) = read_server_text(text)
    assert (run.k, run.rounds, run.drafted, run.accepted) == (4, 50, 200, 108)
    assert run.keep_rate == pytest.approx(108 / 143)
    assert run_rounds(run) == FIFTY


@pytest.mark.parametrize("separator", [",", ";", "\t", " , "])
def test_separators_quotes_and_extra_columns(separator):
    text = '"Round",Drafted,time,Kept\n1,2,0.1,"2"\n2,2,0.2,0\n'.replace(",", separator)
    (run,) = read_server_text(text)
    # One full round of 2 and one rejection: 2 kept of 3 judged.
    assert run.keep_rate == pytest.approx(2 / 3)


def test_runs_and_tables_are_kept_apart():
    text = "round,drafted,kept,run\n1,2,1,code\n2,2,2,chat\n3,2,2,chat\n"
    code, chat = read_server_text(text)
    assert (code.rounds, chat.rounds) == (1, 2)
    assert "chat" in chat.name
    runs = read_server_text("round,drafted,kept\n1,2,1\nround,drafted,kept\n1,3,1\n1,3,2\n")
    assert [(run.k, run.rounds) for run in runs] == [(2, 1), (3, 2)]


def test_bad_rows_are_named():
    text = "round,drafted,kept\n1,4,2\n2,4,5\n3,x,1\n4,4,\n5,-1,0\n6,4,nan\n7,4,4\n"
    report = read_server_text_report(text)
    assert report.runs[0].rounds == 2
    assert len(report.left_out) == 3
    assert "line 3: more guesses kept than drafted" in report.left_out[0]


def test_rounds_without_a_guess_are_set_aside():
    (run,) = read_server_text("round,drafted,kept\n1,0,0\n2,2,1\n")
    assert run.rounds == 1
    assert any("1 round" in warning for warning in run.warnings)
    (run,) = read_server_text("round,drafted,kept\n1,0,0\n")
    assert run.acceptance_rate is None


def test_a_header_alone_is_nothing():
    with pytest.raises(MeasuredError, match="recognises nothing"):
        read_server_text("round,drafted,kept\n")


@pytest.mark.parametrize("pair", [(2, 3), (-1, -1), ("x", 1), (1,), (2000, 1), None])
def test_rounds_that_cannot_be_are_not_written(pair):
    with pytest.raises(MeasuredError, match="Round 1"):
        write_csv([pair])


@given(
    st.lists(
        st.integers(1, 6).flatmap(lambda k: st.tuples(st.just(k), st.integers(0, k))), min_size=1
    )
)
def test_any_rounds_come_back_as_they_were(rounds):
    (run,) = read_server_text(write_csv(rounds))
    assert run_rounds(run) == sorted(rounds)
    assert run.accepted == sum(kept for _, kept in rounds)
    assert run.variable == (len({drafted for drafted, _ in rounds}) > 1)


def test_runs_of_servers_can_be_written_where_counts_allow():
    histogram = '{"acceptance_histogram": [9, 11, 8, 7, 15], "num_draft_tokens": 200}'
    assert run_rounds(read_server_text(histogram)[0]) == FIFTY
    assert run_rounds(run_from_counts(200, 108, k=4)) is None


def test_three_numbers():
    by_k, by_rounds = run_from_counts(200, 108, k=4), run_from_counts(200, 108, rounds=50)
    both = run_from_counts(200, 108, rounds=50, k=4)
    for run in (by_k, by_rounds, both):
        assert (run.k, run.rounds) == (4, 50)
        assert run.acceptance_rate == pytest.approx(0.54)
        # 1 + .76821 + .59015 + .45336 + .34828 = 3.16
        assert run.keep_rate == pytest.approx(0.76821, abs=1e-5)
        assert run.keep_rate_interval[0] < run.keep_rate < run.keep_rate_interval[1]
    varying = run_from_counts(150, 108, rounds=50, k=4)
    assert varying.variable
    assert varying.keep_rate is None
    assert run_from_counts(200, 0, k=4).keep_rate == 0
    assert run_from_counts(200, 200, k=4).keep_rate == 1
    assert run_from_counts(0, 0, k=4).acceptance_rate is None


@pytest.mark.parametrize(
    ("numbers", "why"),
    [
        ({"drafted": 10, "accepted": 11, "k": 5}, "more than"),
        ({"drafted": 10, "accepted": 5}, "Give the number of rounds"),
        ({"drafted": 10, "accepted": 5, "k": 4}, "no whole number of rounds"),
        ({"drafted": 10, "accepted": 5, "rounds": 2, "k": 4}, "at most 8"),
        ({"drafted": 10, "accepted": 5, "rounds": 11}, "11 rounds"),
        ({"drafted": -1, "accepted": 0, "k": 1}, "drafted must be"),
        ({"drafted": float("nan"), "accepted": 0, "k": 1}, "drafted must be"),
        ({"drafted": 1.5, "accepted": 0, "k": 1}, "drafted must be"),
        ({"drafted": "x", "accepted": 0, "k": 1}, "drafted must be"),
        ({"drafted": 10, "accepted": 0, "k": 0}, "k must be"),
        ({"drafted": 10**13, "accepted": 0, "k": 1}, "at most"),
        ({"drafted": 2000, "accepted": 0, "k": 2000}, "from 1 to 1000"),
    ],
)
def test_three_numbers_that_cannot_be(numbers, why):
    with pytest.raises(MeasuredError, match=why):
        run_from_counts(**numbers)
