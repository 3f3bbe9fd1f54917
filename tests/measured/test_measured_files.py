"""Several files in one go: kept apart, refused one by one, two scrapes set against each other."""

import pytest

from specdec.measured import BYTES_MAX, MeasuredError, examples, write_csv
from specdec.measured.files import read_files

CSV = write_csv([(4, 2), (4, 4), (4, 0)]).encode()
BINARY = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4


def scrape(rounds, places):
    """One scrape of a server whose rounds have 3 guesses each."""
    lines = [
        f'vllm:spec_decode_num_drafts_total{{engine="0"}} {rounds}.0',
        f'vllm:spec_decode_num_draft_tokens_total{{engine="0"}} {3 * rounds}.0',
        f'vllm:spec_decode_num_accepted_tokens_total{{engine="0"}} {sum(places)}.0',
        *(
            "vllm:spec_decode_num_accepted_tokens_per_pos_total"
            f'{{engine="0",position="{place}"}} {kept}.0'
            for place, kept in enumerate(places)
        ),
    ]
    return "\n".join(lines).encode()


BEFORE, AFTER = scrape(400, (275, 205, 161)), scrape(1050, (746, 557, 437))


def runs_of(reading):
    return reading.report.runs


def test_each_file_is_read_for_itself_under_its_own_name():
    log = examples()["vLLM log"].encode()
    first, second = read_files([("a.csv", CSV), ("deep/b.log", log)])
    assert (first.name, second.name) == ("a.csv", "deep/b.log")
    assert (runs_of(first)[0].rounds, runs_of(first)[0].accepted) == (3, 6)
    assert runs_of(second)[0].engine == "vLLM"
    assert first.refusal is None
    assert second.refusal is None


def test_the_same_run_in_two_files_is_not_pooled():
    readings = read_files([("monday.csv", CSV), ("tuesday.csv", CSV)])
    assert [runs_of(each)[0].rounds for each in readings] == [3, 3]


def test_a_binary_file_beside_a_good_one_is_refused_alone():
    good, bad = read_files([("a.csv", CSV), ("photo.log", BINARY)])
    assert runs_of(good)[0].rounds == 3
    assert (bad.name, bad.report) == ("photo.log", None)
    assert bad.refusal == "This is a binary file; the reader takes text, JSON or CSV."


@pytest.mark.parametrize("data", [b"", b" \n\n ", b"nothing here tells of guesses"])
def test_a_file_with_nothing_in_it_says_so(data):
    (reading,) = read_files([("notes.txt", data)])
    assert reading.report is None
    assert reading.refusal.endswith(".")
    assert "\n" not in reading.refusal


def test_no_files_are_no_readings():
    assert read_files([]) == []


def test_two_scrapes_in_two_files_are_differenced():
    """1,050 − 400 rounds, 3 × 650 guesses, and 471, 352 and 276 kept at the places."""
    (reading,) = read_files([("before.txt", BEFORE), ("after.txt", AFTER)])
    assert reading.name == "before.txt and after.txt"
    (run,) = runs_of(reading)
    assert (run.rounds, run.drafted, run.accepted) == (650, 1950, 471 + 352 + 276)
    assert run.per_position == pytest.approx((471 / 650, 352 / 650, 276 / 650))
    assert run.tokens_per_pass == pytest.approx(1 + 1099 / 650)
    # Judged: every kept guess, and one rejection in each round that did not keep all three.
    assert run.keep_rate == pytest.approx(1099 / (1099 + 650 - 276))


def test_two_scrapes_the_wrong_way_round_are_no_negative_run():
    """Counters that fall mean another start of the server: two runs, neither of them pooled."""
    (reading,) = read_files([("after.txt", AFTER), ("before.txt", BEFORE)])
    assert [(run.rounds, run.accepted) for run in runs_of(reading)] == [(1050, 1740), (400, 641)]


def test_one_scrape_is_everything_since_the_start():
    (reading,) = read_files([("metrics.txt", AFTER)])
    (run,) = runs_of(reading)
    assert (run.rounds, run.accepted) == (1050, 1740)


def test_scrapes_beside_a_log_are_kept_apart():
    readings = read_files([("before.txt", BEFORE), ("after.txt", AFTER), ("a.csv", CSV)])
    assert [reading.name for reading in readings] == ["before.txt", "after.txt", "a.csv"]
    assert [runs_of(each)[0].rounds for each in readings] == [400, 1050, 3]


def test_the_files_together_may_have_5_mb_and_no_more():
    half = BYTES_MAX // 2
    padded = [(f"{n}.csv", CSV + b"\n" * (half - len(CSV))) for n in range(2)]
    assert [runs_of(each)[0].rounds for each in read_files(padded)] == [3, 3]
    with pytest.raises(MeasuredError, match=r"^The files may have 5 MB in all") as caught:
        read_files([*padded, ("one.more", b"x")])
    assert str(caught.value).endswith(".")


def test_k_is_handed_to_every_file():
    text = b"round,drafted,kept\n"
    assert read_files([("a.csv", text)])[0].report is None
    line = (
        b"SpecDecoding metrics: Draft acceptance rate: 54.0%, Accepted: 108 tokens, "
        b"Drafted: 200 tokens"
    )
    readings = read_files([("a.log", line), ("b.log", line)], k=4)
    for reading in readings:
        (run,) = runs_of(reading)
        assert (run.k, run.rounds) == (4, 50)


@pytest.mark.parametrize("k", [0, -1, 1001, 1.5, "x"])
def test_an_impossible_k_is_one_sentence_a_file(k):
    for reading in read_files([("a.csv", CSV)], k=k):
        assert reading.report is None
        assert "k must be" in reading.refusal
