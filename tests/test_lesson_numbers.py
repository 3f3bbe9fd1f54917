"""Every number that the lesson prints, at its printed digits. The texts here are typed by hand."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from specdec import (
    A100,
    LESSON,
    LLAMA_3_1_8B,
    LLAMA_3_2_1B,
    SENTENCE,
    Setting,
    agreement,
    expected_tokens,
    one_round,
    residual,
    sampling_table,
    simulate_tokens_per_pass,
    words_per_pass,
)
from specdec.answers.costs import costs
from specdec.answers.parts import milliseconds, percent
from specdec.answers.round import round_page

A, B, C = "ABC"
P = {A: Fraction(1, 2), B: Fraction(3, 10), C: Fraction(1, 5)}
Q = {A: Fraction(1, 5), B: Fraction(3, 10), C: Fraction(1, 2)}


def ms(seconds, digits):
    return f"{1000 * seconds:.{digits}f}"


class TestModels:
    def test_the_chips_peak_rates(self):
        assert A100.flops_per_second == 312_000_000_000_000
        assert A100.bytes_per_second == 2_039_000_000_000

    def test_the_big_models_weights(self):
        assert LLAMA_3_1_8B.weights == 8_030_261_248
        assert f"{LLAMA_3_1_8B.weight_bytes / 1e9:.0f}" == "16"

    def test_the_draft_models_weights(self):
        assert LLAMA_3_2_1B.weights == 1_235_814_400
        assert f"{LLAMA_3_2_1B.weights / 1e9:.2f}" == "1.24"
        assert f"{LLAMA_3_2_1B.weight_bytes / 1e9:.2f}" == "2.47"
        assert f"{LLAMA_3_2_1B.weight_bytes / 1e9:.1f}" == "2.5"

    def test_the_draft_models_shape(self):
        shape = LLAMA_3_2_1B
        assert (shape.layers, shape.width, shape.feed_forward_width) == (16, 2048, 8192)
        assert (shape.attention_heads, shape.key_value_heads) == (32, 8)
        assert shape.vocabulary == LLAMA_3_1_8B.vocabulary == 128_256

    def test_a_second_table_would_be_counted_and_slow_the_draft_by_a_fifth(self):
        untied = replace(LLAMA_3_2_1B, tied_embeddings=False)
        assert untied.weights == 1_498_482_688
        assert f"{untied.weights / 1e9:.2f}" == "1.50"
        slow = replace(LESSON, draft=untied).draft_pass(1).seconds
        assert percent(slow / LESSON.draft_pass(1).seconds - 1) == "21%"


class TestPasses:
    def test_one_big_pass(self):
        assert ms(LESSON.big_pass(1).seconds, 3) == "7.877"
        assert ms(LESSON.plain_seconds(), 2) == "7.88"

    def test_one_draft_pass(self):
        assert ms(LESSON.draft_pass(1).seconds, 3) == "1.212"
        assert ms(LESSON.draft_seconds(), 2) == "1.21"

    def test_the_drafts_share_of_a_big_pass(self):
        share = LESSON.draft_pass(1).seconds / LESSON.big_pass(1).seconds
        assert percent(share, 1) == "15.4%"
        assert percent(share) == "15%"
        assert f"{share:.3f}" == "0.154"

    def test_a_big_pass_costs_one_token_up_to_153(self):
        flat = LESSON.big_pass(np.arange(1, 154))
        assert np.all(flat.seconds == LESSON.big_pass(1).seconds)
        assert set(flat.limited_by) == {"memory"}

    def test_from_154_tokens_arithmetic_takes_longer(self):
        assert LESSON.big_pass(153).limited_by == "memory"
        assert LESSON.big_pass(154).limited_by == "arithmetic"
        assert LESSON.big_pass(154).seconds > LESSON.big_pass(153).seconds
        rising = LESSON.big_pass(np.arange(154, 400)).seconds
        assert np.all(np.diff(rising) > 0)

    @pytest.mark.parametrize(("tokens", "printed"), [(5, "7.9"), (200, "10.3"), (300, "15.4")])
    def test_a_longer_pass(self, tokens, printed):
        assert ms(LESSON.big_pass(tokens).seconds, 1) == printed


class TestWorkedExample:
    @pytest.mark.parametrize(
        ("step", "printed"),
        [
            ("4 draft passes", "4.848 ms"),
            ("Big pass, 5 tokens", "7.877 ms"),
            ("One round", "12.725 ms"),
            ("Tokens per round", "3.36"),
            ("Time per token", "3.79 ms"),
            ("Speed-up", "2.08 times"),
        ],
    )
    def test_the_costs_page_prints_the_lessons_table(self, step, printed):
        steps, _ = costs(Setting()).tables
        assert {row["Step"]: row["Value"] for row in steps.rows}[step] == printed

    def test_the_models_own_numbers(self):
        assert ms(LESSON.round_seconds(4), 3) == "12.725"
        assert ms(LESSON.round_seconds(4), 1) == "12.7"
        assert f"{expected_tokens(0.8, 4):.2f}" == "3.36"
        assert milliseconds(LESSON.round_seconds(4) / expected_tokens(0.8, 4)) == "3.79 ms"

    def test_the_costs_page_says_where_the_weights_come_from(self):
        _, weights = costs(Setting()).tables
        last = {row["Weights in"]: row for row in weights.rows}
        assert last["all"]["Llama 3.1 8B"] == "8,030,261,248"
        assert last["all"]["Llama 3.2 1B"] == "1,235,814,400"
        assert last["bytes to fetch"]["Llama 3.1 8B"] == "16.06 GB"
        assert last["bytes to fetch"]["Llama 3.2 1B"] == "2.47 GB"


class TestSpeedup:
    @pytest.mark.parametrize(
        ("kept", "printed"), [(0.6, "1.43"), (0.8, "2.08"), (0.9, "2.53"), (0.39, "1.01")]
    )
    def test_four_guesses(self, kept, printed):
        assert f"{LESSON.speedup(kept, 4):.2f}" == printed

    @pytest.mark.parametrize(
        ("k", "printed"), [(1, "15.4%"), (2, "24.7%"), (4, "38.6%"), (8, "55.4%")]
    )
    def test_break_even(self, k, printed):
        assert percent(LESSON.break_even(k), 1) == printed

    def test_break_even_in_words(self):
        assert percent(LESSON.break_even(4)) == "39%"

    def test_break_even_with_the_draft_twice_as_slow(self):
        assert percent(LESSON.break_even(4, 2 * LESSON.draft_seconds())) == "58%"
        assert percent(LESSON.break_even(4, 0.0024)) == "58%"

    @pytest.mark.parametrize(
        ("kept", "best", "printed"),
        [(0.6, 2, "1.50"), (0.8, 5, "2.08"), (0.9, 8, "2.75"), (0.95, 12, "3.42")],
    )
    def test_the_best_number_of_guesses(self, kept, best, printed):
        assert LESSON.best_k(kept) == best
        assert f"{LESSON.speedup(kept, best):.2f}" == printed

    def test_at_60_percent_the_curve_falls_below_1_at_10_guesses(self):
        gains = LESSON.speedup(0.6, np.arange(1, 33))
        assert np.flatnonzero(gains < 1)[0] + 1 == 10
        assert np.all(gains[9:] < 1)

    @pytest.mark.parametrize(("draft_ms", "printed"), [(2.4, "1.52"), (7.9, "0.67")])
    def test_a_slower_draft(self, draft_ms, printed):
        assert f"{LESSON.speedup(0.8, 4, draft_ms / 1000):.2f}" == printed


class TestUsers:
    @pytest.mark.parametrize(("k", "first"), [(2, 52), (4, 31), (6, 22), (8, 18)])
    def test_checking_stops_being_free(self, k, first):
        assert LESSON.users_when_checking_stops_being_free(k) == first
        assert LESSON.big_pass((first - 1) * (k + 1)).limited_by == "memory"
        assert LESSON.big_pass(first * (k + 1)).limited_by == "arithmetic"

    def test_22_users_of_7_tokens_read_exactly_154(self):
        assert LESSON.users_when_checking_stops_being_free(6) * 7 == 154

    @pytest.mark.parametrize(
        ("users", "printed"),
        [(1, "2.08"), (30, "2.08"), (32, "2.02"), (64, "1.24"), (154, "0.60"), (256, "0.60")],
    )
    def test_the_gain_of_a_crowd(self, users, printed):
        assert f"{LESSON.speedup(0.8, 4, users=users):.2f}" == printed

    def test_the_gain_is_flat_to_30_users_and_from_154(self):
        gains = LESSON.speedup(0.8, 4, users=np.arange(1, 1001))
        assert np.all(gains[:30] == gains[0])
        assert gains[30] < gains[29]
        assert gains[153:] == pytest.approx(gains[153])
        assert gains[152] > gains[153]

    def test_the_gain_falls_below_1_at_85_users(self):
        assert LESSON.users_when_guessing_stops_paying(0.8, 4) == 85
        assert LESSON.speedup(0.8, 4, users=84) >= 1 > LESSON.speedup(0.8, 4, users=85)

    def test_a_rounds_arithmetic_in_plain_steps(self):
        work = LESSON.round_seconds(4, users=154) / LESSON.plain_seconds(154)
        assert f"{work:.1f}" == "5.6"

    def test_five_readers_of_31_users(self):
        assert costs(Setting(users=31)).sentence.count("155 tokens") == 1


class TestTokensPerPass:
    @pytest.mark.parametrize(
        ("a", "printed"), [(0.3, "1.43"), (0.6, "2.31"), (0.8, "3.36"), (0.9, "4.10")]
    )
    def test_the_formula_at_four_guesses(self, a, printed):
        assert f"{expected_tokens(a, 4):.2f}" == printed

    @pytest.mark.parametrize("a", [0.3, 0.6, 0.8, 0.9])
    @pytest.mark.parametrize("k", [2, 4, 8])
    def test_the_simulation_comes_within_one_and_a_half_percent(self, a, k):
        average = simulate_tokens_per_pass(a, k, rounds=100_000)
        assert average == pytest.approx(sum(a**j for j in range(k + 1)), rel=0.015)


class TestToyPair:
    def test_the_text_has_41_tokens(self):
        assert len(SENTENCE) == 41
        assert isinstance(SENTENCE, tuple)

    def test_the_two_agree_at_28_of_41_places(self):
        assert agreement() == (28, 41)
        assert percent(28 / 41, 1) == "68.3%"

    def test_the_round_after_boil_the_water(self):
        this = one_round(("boil", "the", "water"), 4)
        assert this.guesses == ("in", "the", "bag", ".")
        assert this.own == ("in", "the", "kettle", "out", "wait")
        assert this.kept == 2
        assert this.new == ("in", "the", "kettle")

    def test_the_reply_takes_17_passes_alone_and_the_round_page_says_so(self):
        assert len(round_page(Setting()).plain) == 17

    @pytest.mark.parametrize(
        ("k", "measured", "formula"),
        [(1, "1.71", "1.68"), (2, "2.41", "2.15"), (4, "2.92", "2.69"), (8, "3.14", "3.05")],
    )
    def test_words_per_pass_against_the_formula(self, k, measured, formula):
        assert f"{words_per_pass(k):.2f}" == measured
        assert f"{expected_tokens(28 / 41, k):.2f}" == formula
        _, table = round_page(Setting()).tables
        row = {row["Guesses per round"]: row for row in table.rows}[str(k)]
        assert (row["Measured"], row["Formula"]) == (measured, formula)


class TestSamplingTable:
    @pytest.mark.parametrize(
        ("token", "kept", "redrawn", "total"),
        [(A, "1/5", "3/10", "1/2"), (B, "3/10", "0", "3/10"), (C, "1/5", "0", "1/5")],
    )
    def test_the_rows(self, token, kept, redrawn, total):
        row = {row.token: row for row in sampling_table(P, Q).rows}[token]
        assert (str(row.kept), str(row.redrawn), str(row.total)) == (kept, redrawn, total)

    def test_the_overall_keep_rate(self):
        assert str(sampling_table(P, Q).keep_rate) == "7/10"

    def test_every_rejection_becomes_a(self):
        assert residual(P, Q) == {A: 1, B: 0, C: 0}
