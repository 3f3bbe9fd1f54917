"""What the library refuses, in one sentence, and the shapes that it takes and gives."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from specdec import (
    A100,
    LESSON,
    LLAMA_3_1_8B,
    LLAMA_3_2_1B,
    Chip,
    TimeModel,
    agreement,
    big_choice,
    expected_tokens,
    keep_chance,
    one_round,
    parse_odds,
    parse_probability,
    plain_greedy,
    prompt_at,
    residual,
    sampling_table,
    simulate_rounds,
    simulate_sampling,
    simulate_tokens_per_pass,
    small_choice,
    speculative_greedy,
    tokens_per_round_distribution,
    words_per_pass,
)

HALF = Fraction(1, 2)
EVEN = {"A": HALF, "B": HALF}
SURE = {"A": Fraction(1), "B": Fraction(0)}
PROMPT = ("boil", "the")

NOT_CHANCES = [-0.1, 1.1, math.nan, math.inf, -math.inf, "0.5", None, True, 1j, [0.5, 2], {}, b"1"]
NOT_COUNTS = [
    0,
    -1,
    2.5,
    math.nan,
    math.inf,
    "4",
    None,
    True,
    [4, 0],
    1j,
    object(),
    pytest.param(-(10**5000), id="huge"),
]
NOT_POSITIVE = [
    0,
    -1.0,
    math.nan,
    math.inf,
    "1",
    True,
    [1, -1],
    1j,
    pytest.param(10**5000, id="huge"),
]
ONE_NUMBER = [*NOT_COUNTS, [1, 2], np.array([3, 4])]


def refusal(function, *args, **kwargs):
    """The one sentence that ``function`` refuses with."""
    with pytest.raises(ValueError, match=r"\.$") as caught:
        function(*args, **kwargs)
    sentence = str(caught.value)
    assert type(caught.value) is ValueError
    assert "\n" not in sentence
    assert "Traceback" not in sentence
    assert 20 < len(sentence) < 250
    return sentence


CHANCE = "from 0 to 1"
COUNT = "a whole number of at least 1"
SECONDS = "a number of seconds above 0"


class TestRefusals:
    @pytest.mark.parametrize("a", NOT_CHANCES)
    @pytest.mark.parametrize(
        "function",
        [
            lambda a: expected_tokens(a, 4),
            lambda a: tokens_per_round_distribution(a, 4),
            lambda a: simulate_rounds(a, 4, 10),
            lambda a: simulate_tokens_per_pass(a, 4, 10),
            lambda a: LESSON.speedup(a, 4),
            lambda a: LESSON.best_k(a),
            lambda a: LESSON.users_when_guessing_stops_paying(a, 4),
        ],
    )
    def test_a_keep_rate(self, function, a):
        sentence = refusal(function, a)
        assert sentence.startswith("a must be")
        assert CHANCE in sentence or "one number" in sentence

    @pytest.mark.parametrize("k", NOT_COUNTS)
    @pytest.mark.parametrize(
        "function",
        [
            lambda k: expected_tokens(0.8, k),
            lambda k: LESSON.round_seconds(k),
            lambda k: LESSON.speedup(0.8, k),
            lambda k: LESSON.break_even(k),
            lambda k: LESSON.users_when_checking_stops_being_free(k),
        ],
    )
    def test_guesses_per_round(self, function, k):
        sentence = refusal(function, k)
        assert sentence.startswith("k must be")
        assert COUNT in sentence

    @pytest.mark.parametrize("value", ONE_NUMBER)
    @pytest.mark.parametrize(
        ("function", "name"),
        [
            (lambda k: tokens_per_round_distribution(0.8, k), "k"),
            (lambda k: simulate_rounds(0.8, k, 10), "k"),
            (lambda k: simulate_tokens_per_pass(0.8, k, 10), "k"),
            (lambda n: simulate_rounds(0.8, 4, n), "rounds"),
            (lambda n: simulate_tokens_per_pass(0.8, 4, n), "rounds"),
            (lambda n: simulate_sampling(EVEN, SURE, n), "draws"),
            (lambda k: speculative_greedy(PROMPT, 5, k), "k"),
            (lambda k: one_round(PROMPT, k), "k"),
            (lambda k: words_per_pass(k), "k"),
            (lambda n: words_per_pass(4, n), "words"),
            (lambda k: LESSON.best_k(0.8, k_max=k), "k_max"),
            (lambda n: replace(LLAMA_3_2_1B, layers=n), "layers"),
            (lambda n: replace(LLAMA_3_2_1B, vocabulary=n), "vocabulary"),
        ],
    )
    def test_single_whole_numbers(self, function, name, value):
        sentence = refusal(function, value)
        assert sentence.startswith(f"{name} must be")
        assert "whole number" in sentence

    @pytest.mark.parametrize("users", NOT_COUNTS)
    @pytest.mark.parametrize(
        "function",
        [
            lambda users: LESSON.plain_seconds(users),
            lambda users: LESSON.draft_seconds(users),
            lambda users: LESSON.round_seconds(4, users=users),
            lambda users: LESSON.speedup(0.8, 4, users=users),
            lambda users: LESSON.break_even(4, users=users),
            lambda users: LESSON.best_k(0.8, users=users),
        ],
    )
    def test_users(self, function, users):
        sentence = refusal(function, users)
        assert sentence.startswith("users must be")
        assert COUNT in sentence

    @pytest.mark.parametrize("seconds", NOT_POSITIVE)
    @pytest.mark.parametrize(
        "function",
        [
            lambda s: LESSON.draft_seconds(1, s),
            lambda s: LESSON.round_seconds(4, s),
            lambda s: LESSON.speedup(0.8, 4, s),
            lambda s: LESSON.break_even(4, s),
            lambda s: LESSON.best_k(0.8, s),
            lambda s: LESSON.users_when_guessing_stops_paying(0.8, 4, s),
        ],
    )
    def test_draft_seconds(self, function, seconds):
        sentence = refusal(function, seconds)
        assert sentence.startswith("draft_seconds must be")
        assert SECONDS in sentence or "one number" in sentence

    @pytest.mark.parametrize("tokens", NOT_COUNTS)
    @pytest.mark.parametrize("function", [LESSON.big_pass, LESSON.draft_pass])
    def test_tokens_of_a_pass(self, function, tokens):
        assert COUNT in refusal(function, tokens)

    @pytest.mark.parametrize("count", [-1, 2.5, math.nan, "3", None, True, [1]])
    def test_words_to_write(self, count):
        for function in (plain_greedy, lambda p, n: speculative_greedy(p, n, 4)):
            sentence = refusal(function, PROMPT, count)
            assert sentence.startswith("count must be")

    @pytest.mark.parametrize("place", [-1, 0.5, "first", None, [1, 2]])
    def test_a_place_of_the_ring(self, place):
        assert refusal(prompt_at, place).startswith("place must be")

    @pytest.mark.parametrize("words", ["boil the water", None, 5, True])
    def test_a_sequence_of_words(self, words):
        """A string would be taken for a sequence of letters."""
        for function in (
            lambda: plain_greedy(words, 3),
            lambda: speculative_greedy(words, 3, 4),
            lambda: one_round(words, 4),
            lambda: big_choice(words),
            lambda: small_choice(words),
        ):
            assert "must be a sequence of words" in refusal(function)

    @pytest.mark.parametrize("seed", [-1, 1.5, "seed", None, True, [1, 2]])
    def test_a_seed(self, seed):
        for function in (
            lambda: simulate_rounds(0.8, 4, 10, seed),
            lambda: simulate_tokens_per_pass(0.8, 4, 10, seed),
            lambda: simulate_sampling(EVEN, SURE, 10, seed),
        ):
            sentence = refusal(function)
            assert sentence.startswith("seed must be")
            assert "whole number" in sentence

    @pytest.mark.parametrize("rate", NOT_POSITIVE)
    def test_a_chips_rates(self, rate):
        assert refusal(Chip, "chip", rate, 1e12, "").startswith("flops_per_second must be")
        assert refusal(Chip, "chip", 1e12, rate, "").startswith("bytes_per_second must be")
        assert refusal(Chip, "chip", [1e12, 2e12], 1e12, "").startswith("flops_per_second must be")

    @pytest.mark.parametrize("size", [*NOT_POSITIVE, [1, 2]])
    def test_bytes_per_weight(self, size):
        sentence = refusal(replace, LLAMA_3_2_1B, bytes_per_weight=size)
        assert sentence.startswith("bytes_per_weight must be")

    def test_a_width_that_heads_cannot_share(self):
        sentence = refusal(replace, LLAMA_3_2_1B, attention_heads=31)
        assert "width must be a multiple of attention_heads" in sentence

    def test_shapes_that_do_not_fit_together(self):
        two, three = [0.1, 0.2], [1, 2, 3]
        for function in (
            lambda: expected_tokens(two, three),
            lambda: LESSON.speedup(two, three),
            lambda: LESSON.speedup(two, 4, users=three),
            lambda: LESSON.speedup(0.8, three, two),
            lambda: LESSON.round_seconds([1, 2], users=three),
            lambda: LESSON.draft_seconds(three, two),
            lambda: LESSON.break_even(three, two),
            lambda: LESSON.best_k(two, users=three),
            lambda: LESSON.best_k([[0.1], [0.2, 0.3]]),
        ):
            assert "broadcast together" in refusal(function)


class TestOddsRefusals:
    @pytest.mark.parametrize("value", [0.5, -HALF, Fraction(3, 2), "1/2", None, True, math.nan])
    def test_a_probability_is_an_exact_fraction(self, value):
        for function in (
            lambda: keep_chance(value, HALF),
            lambda: keep_chance(HALF, value),
            lambda: sampling_table({"A": value, "B": HALF}, EVEN),
            lambda: residual(EVEN, {"A": value, "B": HALF}),
            lambda: simulate_sampling({"A": value, "B": HALF}, EVEN),
        ):
            assert "must be an exact fraction from 0 to 1" in refusal(function)

    @pytest.mark.parametrize("function", [residual, sampling_table, simulate_sampling])
    def test_odds_add_up_to_exactly_one_over_the_same_tokens(self, function):
        short = {"A": HALF, "B": Fraction(499_999, 1_000_000)}
        assert "must add up to exactly 1" in refusal(function, short, EVEN)
        assert "must add up to exactly 1" in refusal(function, EVEN, short)
        assert "name the same tokens" in refusal(function, EVEN, {"A": HALF, "C": HALF})
        assert "name the same tokens" in refusal(function, EVEN, {**EVEN, "C": Fraction(0)})
        for nothing in ({}, None, [HALF, HALF], "odds", 1):
            assert "must map at least one token" in refusal(function, nothing, EVEN)

    def test_equal_odds_have_no_residual_but_a_table(self):
        assert "no guess is rejected" in refusal(residual, EVEN, EVEN)
        assert sampling_table(EVEN, EVEN).keep_rate == 1
        assert simulate_sampling(EVEN, EVEN, 100) == {
            token: (kept, 0) for token, (kept, _) in simulate_sampling(EVEN, EVEN, 100).items()
        }

    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("3/10", Fraction(3, 10)),
            ("0.3", Fraction(3, 10)),
            (" 30% ", Fraction(3, 10)),
            (".5", HALF),
            ("0", 0),
            ("1", 1),
            ("12.5%", Fraction(1, 8)),
        ],
    )
    def test_a_typed_probability(self, text, value):
        assert parse_probability(text) == value

    @pytest.mark.parametrize(
        "text",
        [
            *("", "x", "1/0", "-1/2", "3/2", "101%", "nan", "inf", "1e-3", "1e999999999"),
            *("½", "٣/٤", "1/2/3", "..", "1 2", "<b>1</b>", None, "9" * 500, "1\n2"),
        ],
    )
    def test_a_mistyped_probability(self, text):
        assert "a fraction like 3/10 or a decimal like 0.3" in refusal(parse_probability, text)

    @pytest.mark.parametrize(
        "text", ["1/2, 3/10, 1/5", "1/2 3/10 1/5", "0.5;0.3;0.2", "50%,30%,20%", "1 / 2, 3/ 10, .2"]
    )
    def test_typed_odds(self, text):
        assert parse_odds(text) == {"A": HALF, "B": Fraction(3, 10), "C": Fraction(1, 5)}

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ("", "2 to 6 probabilities"),
            ("1", "2 to 6 probabilities"),
            ("1/7 " * 7, "2 to 6 probabilities"),
            ("1/2, 1/3", "add up to 5/6"),
            ("0.5, 0.6", "add up to 11/10"),
            ("1/2, x", "a fraction like 3/10"),
            ("1/3, 1/3, 0.33333333333333333333", "add up to exactly 1"),
            (None, "2 to 6 probabilities"),
        ],
    )
    def test_mistyped_odds(self, text, says):
        assert says in refusal(parse_odds, text)


class TestShapes:
    def test_scalars_in_scalars_out(self):
        for value in (
            expected_tokens(0.8, 4),
            LESSON.plain_seconds(),
            LESSON.draft_seconds(),
            LESSON.draft_seconds(3, 0.002),
            LESSON.round_seconds(4),
            LESSON.speedup(0.8, 4),
            LESSON.speedup(0.8, 4, 0.0024, 31),
            LESSON.break_even(4),
            LESSON.big_pass(5).seconds,
            simulate_tokens_per_pass(0.8, 4, 10),
        ):
            assert isinstance(value, float)
            assert np.ndim(value) == 0
        for value in (
            LESSON.best_k(0.8),
            LESSON.users_when_checking_stops_being_free(4),
            LESSON.users_when_guessing_stops_paying(0.8, 4),
        ):
            assert type(value) is int
        assert type(LESSON.big_pass(5).limited_by) is str

    def test_whole_numbers_may_come_as_any_type(self):
        for k in (4, 4.0, np.int64(4), np.float32(4), Fraction(4)):
            assert LESSON.speedup(0.8, k) == LESSON.speedup(0.8, 4)
        assert expected_tokens(Fraction(4, 5), 4) == expected_tokens(0.8, 4)

    def test_a_grid_equals_its_cells(self):
        rates, ks = np.array([0, 0.3, 0.8, 1]), np.array([1, 4, 32])
        grid = LESSON.speedup(rates[:, None], ks, 0.0024, 31)
        assert grid.shape == (4, 3)
        for i, a in enumerate(rates):
            for j, k in enumerate(ks):
                assert grid[i, j] == pytest.approx(LESSON.speedup(a, k, 0.0024, 31), rel=1e-13)

    def test_users_and_draft_times_may_be_arrays(self):
        users, drafts = np.arange(1, 257), np.array([[0.001], [0.002]])
        gains = LESSON.speedup(0.8, 4, drafts, users)
        assert gains.shape == (2, 256)
        assert gains[1, 30] == LESSON.speedup(0.8, 4, 0.002, 31)
        assert LESSON.round_seconds([[1], [2]], users=users).shape == (2, 256)

    def test_a_pass_over_many_tokens(self):
        many = LESSON.big_pass([[1, 153], [154, 300]])
        assert many.seconds.shape == many.limited_by.shape == (2, 2)
        assert many.limited_by.tolist() == [["memory"] * 2, ["arithmetic"] * 2]

    def test_the_distribution_has_an_axis_more(self):
        assert tokens_per_round_distribution([[0.1], [0.2]], 4).shape == (2, 1, 5)

    def test_simulated_rounds_are_one_number_each(self):
        rounds = simulate_rounds(0.8, 4, 123)
        assert rounds.shape == (123,)
        assert rounds.min() >= 1
        assert rounds.max() <= 5
        assert np.array_equal(rounds, simulate_rounds(0.8, 4, 123))
        assert not np.array_equal(rounds, simulate_rounds(0.8, 4, 123, seed=1))

    def test_where_even_a_rate_of_one_is_not_enough(self):
        """At 10 ms a guess, k guesses cost more than the k plain passes that they save."""
        assert LESSON.break_even(4, 0.01) is None
        edges = LESSON.break_even([1, 4], [[0.01], [0.001]])
        assert edges.shape == (2, 2)
        assert np.isnan(edges[0]).all()
        assert edges[1] == pytest.approx([LESSON.break_even(k, 0.001) for k in (1, 4)])

    def test_best_k_of_arrays_equals_a_loop(self):
        rates, users = np.arange(101) / 100, np.array([1, 20, 60, 200])
        best = LESSON.best_k(rates[:, None], users=users)
        assert best.shape == (101, 4)
        loop = [[LESSON.best_k(a, users=int(n)) for n in users] for a in rates]
        assert best.tolist() == loop
        drafts = [0.0005, 0.001212, 0.003, 0.01]
        loop = [LESSON.best_k(0.8, draft) for draft in drafts]
        assert LESSON.best_k(0.8, drafts).tolist() == loop
        assert loop == sorted(loop, reverse=True)
        assert loop[-1] == 0

    def test_the_best_of_fewer_guesses(self):
        assert LESSON.best_k(0.95, k_max=6) == 6
        assert LESSON.best_k(1) == 32
        assert LESSON.best_k(0) == 0

    def test_an_array_of_k_for_the_free_check(self):
        firsts = LESSON.users_when_checking_stops_being_free([2, 4, 6, 8])
        assert firsts.tolist() == [52, 31, 22, 18]

    def test_inputs_are_left_as_they_were(self):
        rates = np.array([0.2, 0.8])
        LESSON.speedup(rates, 4)
        LESSON.best_k(rates)
        assert rates.tolist() == [0.2, 0.8]
        prompt = ["boil", "the"]
        speculative_greedy(prompt, 9, 4)
        plain_greedy(prompt, 9)
        one_round(prompt, 4)
        assert prompt == ["boil", "the"]

    def test_counts_may_be_small_and_large(self):
        assert plain_greedy(PROMPT, 0) == []
        assert speculative_greedy(PROMPT, 0, 4) == ([], [])
        assert prompt_at(41) == prompt_at(0)
        assert agreement()[1] == 41


class TestDraftSeconds:
    def test_its_own_time_is_the_default(self):
        own = LESSON.draft_seconds()
        for users in (1, 31, 153, 154, 256):
            given = LESSON.speedup(0.8, 4, own, users)
            assert given == pytest.approx(LESSON.speedup(0.8, 4, users=users), rel=1e-14)

    def test_a_crowd_slows_a_given_draft_as_it_slows_its_own(self):
        """Memory-bound to 153 users, then arithmetic: at 308 users twice the time at 154."""
        assert LESSON.draft_seconds(153, 0.0024) == pytest.approx(0.0024)
        at_154 = LESSON.draft_seconds(154, 0.0024)
        assert at_154 == pytest.approx(0.0024 * (2 * 154 / 312e12) / (2 / 2.039e12))
        assert LESSON.draft_seconds(308, 0.0024) == pytest.approx(2 * at_154)

    def test_twice_as_slow_is_twice_as_slow_for_any_crowd(self):
        users = np.arange(1, 257)
        own = LESSON.draft_seconds()
        ratio = LESSON.draft_seconds(users, 2 * own) / LESSON.draft_seconds(users)
        assert ratio == pytest.approx(2)


class TestTies:
    def test_a_tie_counts_as_arithmetic(self):
        """1,600 operations and 100 bytes a second at 2 bytes a weight: a tie at 16 tokens."""
        even = Chip("even", 1600.0, 100.0, "made up")
        model = TimeModel(even, LLAMA_3_1_8B, LLAMA_3_2_1B)
        assert model.big_pass(15).limited_by == "memory"
        assert model.big_pass(16).limited_by == "arithmetic"
        assert model.big_pass(16).seconds == model.big_pass(1).seconds
        assert model.big_pass(17).seconds > model.big_pass(16).seconds
        assert model.users_when_checking_stops_being_free(3) == 4
        assert model.users_when_checking_stops_being_free(4) == 4
        assert model.users_when_checking_stops_being_free(15) == 1

    @pytest.mark.parametrize(
        ("bytes_per_weight", "first"), [(1, 77), (0.5, 39), (2, 154), (4, 307)]
    )
    def test_fewer_bytes_a_weight_reach_arithmetic_sooner(self, bytes_per_weight, first):
        """312e12 × bytes ÷ (2 × 2.039e12) tokens, rounded up, by hand."""
        small = replace(LLAMA_3_1_8B, bytes_per_weight=bytes_per_weight)
        model = TimeModel(A100, small, LLAMA_3_2_1B)
        assert model.first_arithmetic_tokens(small) == first
        assert model.big_pass(first).limited_by == "arithmetic"
        assert model.big_pass(first - 1).limited_by == "memory"

    def test_a_chip_short_of_arithmetic_is_never_limited_by_memory(self):
        slow = TimeModel(Chip("slow", 1.0, 1e12, "made up"), LLAMA_3_1_8B, LLAMA_3_2_1B)
        assert slow.big_pass(1).limited_by == "arithmetic"
        assert slow.users_when_checking_stops_being_free(1) == 1
