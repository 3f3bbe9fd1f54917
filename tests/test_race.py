"""The race: its opening figures, its laws over every seed and setting, and its averages."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specdec import (
    RACE_SEED,
    big_choice,
    race,
    race_average,
    race_rows,
)

KEEP_RATES = st.floats(0, 1)
SEEDS = st.integers(0, 2**32)


def played_by_hand(right, k, words):
    """Tokens of each round, uncut, by walking over the guesses one at a time."""
    tokens, start = [], 0
    while start < words:
        kept = 0
        while kept < k and right[start + kept]:
            kept += 1
        tokens.append(kept + 1)
        start += kept + 1
    return tokens


def test_the_opening_race():
    opening = race(0.8, 4)
    assert RACE_SEED == 1
    assert (opening.plain_passes, opening.draft_passes) == (17, 5)
    assert f"{opening.plain_seconds / 17 * 1000:.3f}" == "7.877"
    assert f"{opening.draft_seconds / 5 * 1000:.3f}" == "12.725"
    assert [len(this.words) for this in opening.rounds] == [2, 2, 3, 5, 5]
    states = [[guess.state[0] for guess in this.guesses] for this in opening.rounds]
    assert ["".join(row) for row in states] == ["krtt", "krtt", "kkrt", "kkkk", "kkkk"]


def test_the_default_seed_is_the_first_with_five_rounds():
    assert race(0.8, 4, seed=0).draft_passes != 5
    assert race(0.8, 4, seed=1).draft_passes == 5


@pytest.mark.parametrize(("a", "k", "rounds"), [(0, 4, 17), (1, 4, 4), (1, 1, 9), (1, 32, 1)])
@pytest.mark.parametrize("seed", [0, 1, 99])
def test_no_guess_right_and_every_guess_right(a, k, rounds, seed):
    assert race(a, k, seed=seed).draft_passes == rounds


def test_the_reply_is_the_big_toys_own_whatever_the_setting():
    words = ["boil", "the", "water"]
    for _ in range(17):
        words.append(big_choice(words))
    for a, k, seed in itertools.product((0, 0.5, 1), (1, 5), (0, 1)):
        this = race(a, k, seed=seed)
        assert list(this.prompt + this.text) == words
        assert [word for r in this.rounds for word in r.words] == words[3:]


@given(SEEDS, st.lists(KEEP_RATES, min_size=2, max_size=6), st.integers(1, 20), st.integers(1, 40))
@settings(deadline=None)
def test_raising_the_keep_rate_never_takes_a_round_more(seed, rates, k, words):
    rounds = [race(a, k, seed=seed, words=words).draft_passes for a in sorted(rates)]
    assert rounds == sorted(rounds, reverse=True)


@given(SEEDS, KEEP_RATES, st.integers(1, 40))
@settings(deadline=None, max_examples=50)
def test_more_guesses_never_take_a_round_more(seed, a, words):
    rounds = [race(a, k, seed=seed, words=words).draft_passes for k in range(1, 13)]
    assert rounds == sorted(rounds, reverse=True)


def test_every_percent_and_k_of_the_controls_keeps_both_laws_for_the_first_seeds():
    for seed in range(5):
        rounds = np.array(
            [[race(p / 100, k, seed=seed).draft_passes for k in (1, 2, 4, 8, 32)]
             for p in range(0, 101, 5)]
        )  # fmt: skip
        assert (np.diff(rounds, axis=0) <= 0).all()
        assert (np.diff(rounds, axis=1) <= 0).all()


@given(SEEDS, KEEP_RATES, st.integers(1, 9), st.integers(1, 24))
@settings(deadline=None)
def test_a_round_is_right_up_to_its_rejected_guess(seed, a, k, words):
    this = race(a, k, seed=seed, words=words)
    right = np.random.default_rng(seed).random(words) < a
    start = 0
    for r in this.rounds:
        states = [guess.state for guess in r.guesses]
        assert [guess.place for guess in r.guesses] == list(range(start, start + k))
        order = "".join({"kept": "k", "rejected": "r", "thrown away": "t"}[s] for s in states)
        assert order == "k" * order.count("k") + "r" * order.count("r") + "t" * order.count("t")
        assert order.count("r") <= 1
        for guess in r.guesses:
            if guess.place >= words:
                assert guess.state == "thrown away"
            else:
                assert (guess.word == this.text[guess.place]) == right[guess.place]
        if "r" in order:
            assert r.own == this.text[start + order.index("r")]
        assert r.words == this.text[start : start + order.count("k") + 1]
        assert r.own == (r.words[-1] if len(r.words) > order.count("k") else "")
        start += len(r.words)
    assert start == words


def test_a_wrong_guess_at_a_place_is_the_same_wrong_word_in_every_setting():
    seen = {}
    for a, k in itertools.product((0, 0.3, 0.6), (1, 3, 8)):
        for r in race(a, k).rounds:
            for guess in r.guesses:
                if guess.state == "rejected":
                    seen.setdefault(guess.place, set()).add(guess.word)
    assert len(seen) == 17
    assert all(len(words) == 1 for words in seen.values())


def test_a_round_cut_by_the_end_of_the_reply_pays_for_all_its_passes():
    last = race(1, 4).rounds[-1]
    assert [guess.state for guess in last.guesses] == ["kept", "kept"] + ["thrown away"] * 2
    assert (len(last.words), last.own) == (2, "")
    assert f"{(last.end_seconds - last.start_seconds) * 1000:.3f}" == "12.725"


def test_the_draft_pass_given_and_the_crowd_change_the_times_only():
    plain, slow, crowd = race(0.8, 4), race(0.8, 4, draft_seconds=0.0024), race(0.8, 4, users=85)
    assert slow.rounds[0].check_seconds == pytest.approx(4 * 0.0024)
    assert slow.draft_seconds == pytest.approx(5 * (4 * 0.0024 + plain.plain_seconds / 17))
    # 85 x 5 tokens at 2 operations a weight, against one fetch of the 2-byte weights at 1 user.
    assert crowd.plain_seconds == pytest.approx(plain.plain_seconds)
    check = crowd.rounds[0].end_seconds - crowd.rounds[0].check_seconds
    assert check == pytest.approx(plain.plain_pass_seconds * 425 * 2.039e12 / 312e12)
    assert [r.guesses for r in slow.rounds] == [r.guesses for r in plain.rounds]


@pytest.mark.parametrize(("a", "k"), [(0.8, 4), (0, 32), (0.3, 32), (1, 1), (0, 1), (0.9, 24)])
def test_the_rows_cover_both_lanes_without_a_gap(a, k):
    this = race(a, k)
    rows = race_rows(this)
    assert len(rows) < 500
    for lane, end in (("plain", this.plain_seconds), ("draft", this.draft_seconds)):
        lane_rows = [row for row in rows if row["lane"] == lane]
        edges = [0, *(row["end_ms"] for row in lane_rows)]
        assert [row["start_ms"] for row in lane_rows] == pytest.approx(edges[:-1])
        assert edges[-1] == pytest.approx(end * 1000)
        assert lane_rows[-1]["written"] == 17
        assert [row["written"] for row in lane_rows] == sorted(row["written"] for row in lane_rows)
    drafts = [row for row in rows if row["what"] == "draft pass"]
    assert sum(row["passes"] for row in drafts) == k * this.draft_passes
    for name in ("kept", "rejected", "thrown away"):
        shown = sum(row["passes"] for row in drafts if row["state"] == name)
        assert shown == sum(g.state == name for r in this.rounds for g in r.guesses)
    bigs = [row for row in rows if row["lane"] == "draft" and row["what"] == "big pass"]
    assert [row["round"] for row in bigs] == list(range(1, this.draft_passes + 1))


def test_the_opening_rows_are_one_for_each_pass():
    rows = race_rows(race(0.8, 4))
    assert len(rows) == 17 + 5 * 4 + 5
    assert {row["passes"] for row in rows} == {1}


def enumerated(a, k, words):
    """Exact mean rounds, mean words uncut, and chance of each number of rounds."""
    places, mean_rounds, mean_words, chances = words + k - 1, 0, 0, {}
    for right in itertools.product((True, False), repeat=places):
        weight = a ** sum(right) * (1 - a) ** (places - sum(right))
        tokens = played_by_hand(right, k, words)
        mean_rounds += weight * len(tokens)
        mean_words += weight * sum(tokens)
        chances[len(tokens)] = chances.get(len(tokens), 0) + weight
    return mean_rounds, mean_words, chances


@pytest.mark.parametrize("k", [1, 2, 4])
@pytest.mark.parametrize("a", [Fraction(3, 10), Fraction(4, 5)])
def test_the_average_is_that_of_every_pattern_of_coins(a, k):
    words = 6
    mean_rounds, mean_words, _ = enumerated(a, k, words)
    average = race_average(float(a), k, tries=20_000, words=words)
    # Five standard errors: a right average fails one time in two million.
    assert abs(average.passes - mean_rounds) < 5 * average.passes_error
    full = mean_words / mean_rounds
    assert abs(average.words_per_pass - full) < 5 * average.words_per_pass_error
    cut = words / mean_rounds
    assert abs(average.reply_words_per_pass - cut) < 5 * average.reply_words_per_pass_error
    # Wald's identity: counting the words past the end gives the formula exactly; cutting is less.
    assert full == sum(a**j for j in range(k + 1))
    assert average.expected == pytest.approx(float(full))
    assert cut < full


@pytest.mark.parametrize("k", [1, 3])
def test_single_races_follow_the_chances_of_every_pattern_of_coins(k):
    a, words, tries = Fraction(1, 2), 5, 1000
    _, _, chances = enumerated(a, k, words)
    counts = {}
    for seed in range(tries):
        passes = race(float(a), k, seed=seed, words=words).draft_passes
        counts[passes] = counts.get(passes, 0) + 1
    assert set(counts) <= set(chances)
    for passes, chance in chances.items():
        error = math.sqrt(chance * (1 - chance) / tries)
        assert abs(counts.get(passes, 0) / tries - chance) <= 5 * error + 1e-12


def test_the_standard_errors_tell_how_far_averages_of_other_seeds_scatter():
    averages = [race_average(0.7, 4, tries=200, seed=seed) for seed in range(300)]
    for value, error in (
        ("passes", "passes_error"),
        ("words_per_pass", "words_per_pass_error"),
        ("reply_words_per_pass", "reply_words_per_pass_error"),
    ):
        scatter = np.std([getattr(one, value) for one in averages], ddof=1)
        told = np.mean([getattr(one, error) for one in averages])
        # The scatter of 300 values is known to about 4 %; five times that.
        assert told == pytest.approx(scatter, rel=0.2)


def test_the_average_at_the_ends_is_exact_and_one_try_has_no_error():
    assert race_average(0, 4).passes == 17
    assert race_average(0, 4).words_per_pass == 1
    every = race_average(1, 4)
    assert (every.passes, every.words_per_pass, every.passes_error) == (4, 5, 0)
    assert every.reply_words_per_pass == 17 / 4
    assert math.isnan(race_average(0.5, 4, tries=1).passes_error)


def test_the_averages_keep_the_laws_too():
    grid = np.array(
        [[race_average(a, k, tries=100).passes for k in range(1, 9)]
         for a in np.linspace(0, 1, 21)]
    )  # fmt: skip
    assert (np.diff(grid, axis=0) <= 0).all()
    assert (np.diff(grid, axis=1) <= 0).all()


@pytest.mark.parametrize("play", [race, race_average])
@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"a": 1.1}, "a must be a chance from 0 to 1"),
        ({"a": [0.5]}, "a must be one chance from 0 to 1"),
        ({"k": 0}, "k must be a whole number of at least 1"),
        ({"k": [1, 2]}, "k must be one whole number"),
        ({"seed": -1}, "seed must be a whole number of at least 0"),
        ({"seed": "x"}, "seed must be a whole number of at least 0"),
        ({"words": 0}, "words must be a whole number of at least 1"),
    ],
)
def test_what_a_race_accepts_is_said_in_one_sentence(play, values, sentence):
    with pytest.raises(ValueError, match=f"^{sentence}"):
        play(**({"a": 0.8, "k": 4} | values))


def test_the_times_and_the_tries_are_checked_too():
    with pytest.raises(ValueError, match="draft_seconds must be"):
        race(0.8, 4, draft_seconds=0)
    with pytest.raises(ValueError, match="users must be"):
        race(0.8, 4, users=[1, 2])
    with pytest.raises(ValueError, match="tries must be"):
        race_average(0.8, 4, tries=0)
