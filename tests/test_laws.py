"""Laws that hold at every setting, each checked against something worked out another way."""

import itertools
from dataclasses import replace
from fractions import Fraction
from math import sqrt

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from specdec import (
    LESSON,
    SENTENCE,
    big_choice,
    expected_tokens,
    keep_chance,
    one_round,
    plain_greedy,
    prompt_at,
    residual,
    sampling_table,
    simulate_rounds,
    simulate_sampling,
    simulate_tokens_per_pass,
    speculative_greedy,
    tokens_per_round_distribution,
    toy,
)

PLACES = range(len(SENTENCE))
PLAIN = {place: plain_greedy(prompt_at(place), 50) for place in PLACES}
# Words that the big toy has never seen are fair guesses of a bad draft.
VOCABULARY = (*sorted(set(SENTENCE)), "coffee", "", "Boil")

places = st.sampled_from(PLACES)
guesses = st.integers(1, 10)
rates = st.floats(0, 1)


def rejecting(text):
    """A draft that is always wrong."""
    return "coffee"


# ── The text is unchanged ──────────────────────────────────────────────────────────────────


class TestIdentity:
    @pytest.mark.parametrize("k", [1, 2, 3, 4, 6, 8])
    def test_the_pair_writes_the_big_models_own_text_from_every_start(self, k):
        for place in PLACES:
            text, rounds = speculative_greedy(prompt_at(place), 50, k)
            assert text == PLAIN[place]
            check_shapes(prompt_at(place), rounds, k)

    @given(st.data(), places, guesses, st.integers(0, 30))
    @settings(max_examples=150)
    def test_so_does_any_draft(self, data, place, k, count):
        draws = st.sampled_from(VOCABULARY)
        text, rounds = speculative_greedy(prompt_at(place), count, k, lambda _: data.draw(draws))
        assert text == PLAIN[place][:count]
        check_shapes(prompt_at(place), rounds, k)

    @given(st.randoms(use_true_random=False), places, guesses, rates)
    @settings(max_examples=60)
    def test_so_does_a_draft_that_is_right_now_and_then(self, random, place, k, skill):
        def draft(text):
            return big_choice(text) if random.random() < skill else random.choice(VOCABULARY)

        assert speculative_greedy(prompt_at(place), 50, k, draft)[0] == PLAIN[place]

    @given(places, guesses)
    def test_a_draft_that_is_always_wrong_gives_one_word_a_round(self, place, k):
        text, rounds = speculative_greedy(prompt_at(place), 50, k, rejecting)
        assert text == PLAIN[place]
        assert [len(this.new) for this in rounds] == [1] * 50

    @given(places, guesses)
    def test_a_draft_that_is_always_right_gives_k_and_one_words_a_round(self, place, k):
        text, rounds = speculative_greedy(prompt_at(place), 50, k, big_choice)
        assert text == PLAIN[place]
        assert {len(this.new) for this in rounds} == {k + 1}
        assert len(rounds) == -(-50 // (k + 1))

    @given(st.lists(st.sampled_from(VOCABULARY), max_size=6), guesses)
    def test_from_any_prompt_at_all(self, prompt, k):
        assert speculative_greedy(prompt, 20, k)[0] == plain_greedy(prompt, 20)

    @pytest.mark.parametrize(
        "wrong",
        [
            # The guess at the first mismatch is kept.
            lambda this: (*this.guesses[: this.kept + 1], this.own[this.kept]),
            # The guess at the first mismatch takes the place of the big model's word.
            lambda this: this.guesses[: this.kept + 1],
            # The big model's word is taken from one place on.
            lambda this: (
                *this.guesses[: this.kept],
                this.own[min(this.kept + 1, len(this.own) - 1)],
            ),
        ],
    )
    def test_the_check_would_see_a_wrong_rule(self, monkeypatch, wrong):
        def mutated(text, k, draft, target):
            this = one_round(text, k, draft, target)
            return replace(this, new=tuple(wrong(this)))

        monkeypatch.setattr(toy, "one_round", mutated)
        assert any(speculative_greedy(prompt_at(p), 50, 4)[0] != PLAIN[p] for p in PLACES)

    def test_without_the_big_models_own_word_a_round_can_write_nothing(self, monkeypatch):
        class WritesNothingError(Exception):
            pass

        def mutated(text, k, draft, target):
            this = one_round(text, k, draft, target)
            if not this.kept:
                raise WritesNothingError
            return replace(this, new=this.guesses[: this.kept])

        monkeypatch.setattr(toy, "one_round", mutated)
        for place in PLACES:
            with pytest.raises(WritesNothingError):
                speculative_greedy(prompt_at(place), 50, 4)


def check_shapes(prompt, rounds, k):
    """Each round is what the rule says, and where it stopped early the two did disagree."""
    text = list(prompt)
    for this in rounds:
        assert (len(this.guesses), len(this.own)) == (k, k + 1)
        assert this.own == tuple(big_choice([*text, *this.guesses[:i]]) for i in range(k + 1))
        assert 0 <= this.kept <= k
        assert this.guesses[: this.kept] == this.own[: this.kept]
        if this.kept < k:
            assert this.guesses[this.kept] != this.own[this.kept]
        assert this.new == (*this.guesses[: this.kept], this.own[this.kept])
        text += this.new


def test_the_toys_are_what_the_text_says():
    """The tables, counted again in the plainest way: every place, every follower."""
    ring = [*SENTENCE, *SENTENCE[:2]]
    for look_back, choice in ((2, big_choice), (1, toy.small_choice)):
        for place in PLACES:
            seen = tuple(ring[place : place + look_back])
            after = [
                SENTENCE[(j + look_back) % 41]
                for j in PLACES
                if all(SENTENCE[(j + i) % 41] == seen[i] for i in range(look_back))
            ]
            most = max(map(after.count, after))
            assert choice(("bag", *seen)) == next(w for w in after if after.count(w) == most)


# ── The keep rule for sampled text ─────────────────────────────────────────────────────────


@st.composite
def pairs(draw):
    """Odds p and q of 2 to 6 tokens, exact; zeros are common and p may equal q."""
    size = draw(st.integers(2, 6))
    weights = st.lists(st.integers(0, 12), min_size=size, max_size=size).filter(any)
    p = draw(weights)
    q = draw(st.one_of(weights, st.just(p)))
    tokens = "ABCDEF"[:size]
    return tuple(
        {t: Fraction(w, sum(row)) for t, w in zip(tokens, row, strict=True)} for row in (p, q)
    )


class TestSamplingRule:
    @given(pairs())
    @example(({"A": Fraction(1), "B": Fraction(0)}, {"A": Fraction(0), "B": Fraction(1)}))
    @example(({"A": Fraction(1), "B": Fraction(0)}, {"A": Fraction(1), "B": Fraction(0)}))
    def test_kept_and_redrawn_are_the_big_models_odds_exactly(self, pair):
        p, q = pair
        table = sampling_table(p, q)
        # By hand, from the rule's own words: draw x from q, keep it or draw from the residual.
        written = dict.fromkeys(p, Fraction(0))
        for guess in p:
            keep = keep_chance(p[guess], q[guess])
            written[guess] += q[guess] * keep
            if q[guess] and keep < 1:
                for token, share in residual(p, q).items():
                    written[token] += q[guess] * (1 - keep) * share
        assert written == p
        assert {row.token: row.total for row in table.rows} == p
        assert {row.token: row.kept + row.redrawn for row in table.rows} == p
        assert all(isinstance(row.total, Fraction) for row in table.rows)

    @given(pairs())
    def test_the_keep_rate_is_one_less_the_distance_between_the_odds(self, pair):
        p, q = pair
        distance = sum(abs(p[token] - q[token]) for token in p) / 2
        assert sampling_table(p, q).keep_rate == 1 - distance

    @given(pairs())
    def test_no_token_is_both_rejected_and_redrawn(self, pair):
        for row in sampling_table(*pair).rows:
            assert row.redrawn == 0 or row.kept == row.q

    @given(pairs())
    def test_equal_odds_reject_nothing(self, pair):
        p, _ = pair
        table = sampling_table(p, dict(p))
        assert table.keep_rate == 1
        assert all(row.redrawn == 0 and row.kept == row.p for row in table.rows)

    @given(pairs())
    def test_the_residual_adds_up_to_one(self, pair):
        assume(pair[0] != pair[1])
        left = residual(*pair)
        assert sum(left.values()) == 1
        assert all(share >= 0 for share in left.values())

    @given(pairs(), st.integers(0, 2**32))
    @settings(max_examples=40)
    def test_a_seeded_run_stays_inside_its_bound(self, pair, seed):
        """Hoeffding: a count of 20,000 misses its mean by more than this once in 10^9."""
        p, q = pair
        draws, table = 20_000, sampling_table(p, q)
        bound = sqrt(np.log(2e9) / (2 * draws))
        counts = simulate_sampling(p, q, draws, seed)
        assert sum(map(sum, counts.values())) == draws
        for row in table.rows:
            kept, redrawn = counts[row.token]
            assert abs(kept / draws - row.kept) < bound
            assert abs(redrawn / draws - row.redrawn) < bound
            assert row.kept or not kept
            assert row.redrawn or not redrawn


# ── Tokens per big pass ────────────────────────────────────────────────────────────────────


def enumerated(a, k):
    """Mean and distribution over all 2^k outcomes of k independent guesses, in fractions."""
    chances = [Fraction(0)] * (k + 1)
    for outcome in itertools.product((True, False), repeat=k):
        chance = Fraction(1)
        for kept in outcome:
            chance *= a if kept else 1 - a
        run = next((i for i, kept in enumerate(outcome) if not kept), k)
        chances[run] += chance
    return sum((run + 1) * chance for run, chance in enumerate(chances)), chances


def exact_sum(a, k):
    """1 + a + … + a^k over one denominator, in whole numbers, rounded once."""
    top, bottom = float(a).as_integer_ratio()
    return sum(top**j * bottom ** (k - j) for j in range(k + 1)) / bottom**k


class TestExpectedTokens:
    @pytest.mark.parametrize("k", range(1, 9))
    @pytest.mark.parametrize("a", [0, 0.1, 0.25, 0.5, 0.8, 0.99, 1 - 1e-7, 1])
    def test_equals_every_outcome_counted(self, a, k):
        mean, chances = enumerated(Fraction(a), k)
        assert expected_tokens(a, k) == pytest.approx(float(mean), rel=1e-14)
        distribution = tokens_per_round_distribution(a, k)
        assert distribution == pytest.approx([float(c) for c in chances], rel=1e-12, abs=1e-15)

    @given(rates, st.integers(1, 32))
    @example(1 - 1e-6, 32)
    @example(1 - 1e-9, 32)
    @example(1 - 2**-53, 32)
    @example(5e-324, 32)
    def test_equals_the_sum_of_its_terms_in_fractions(self, a, k):
        assert expected_tokens(a, k) == pytest.approx(exact_sum(a, k), rel=1e-14)

    @pytest.mark.parametrize("below", [1e-3, 1e-5, 9e-7, 1e-9, 1e-12, 1e-15])
    @pytest.mark.parametrize("k", [1, 32, 1000])
    def test_keeps_its_digits_near_one(self, below, k):
        a = 1 - below
        assert expected_tokens(a, k) == pytest.approx(exact_sum(a, k), rel=1e-14)

    def test_a_very_long_round_of_nearly_certain_guesses(self):
        """(1 − e^(−n·m)) / m, which the sum comes to for a small m = 1 − a."""
        assert expected_tokens(1 - 5e-7, 10**7) == pytest.approx(1_986_524.1, abs=10)

    @given(rates, rates, st.integers(1, 31))
    def test_rises_with_the_keep_rate_and_with_k(self, one, other, k):
        low, high = sorted((one, other))
        assert expected_tokens(low, k) <= expected_tokens(high, k) * (1 + 1e-14)
        assert expected_tokens(low, k) <= expected_tokens(low, k + 1) * (1 + 1e-14)
        if high - low > 1e-9:
            assert expected_tokens(low, k) < expected_tokens(high, k)
        if low > 0.5:
            assert expected_tokens(low, k) < expected_tokens(low, k + 1)

    @given(rates, st.integers(1, 32))
    def test_the_distribution_adds_up_to_one_and_has_that_mean(self, a, k):
        chances = tokens_per_round_distribution(a, k)
        assert chances.shape == (k + 1,)
        assert np.all(chances >= 0)
        assert chances.sum() == pytest.approx(1, rel=1e-12)
        mean = (chances * np.arange(1, k + 2)).sum()
        assert mean == pytest.approx(expected_tokens(a, k), rel=1e-12)

    @given(rates, st.integers(1, 32), st.integers(0, 2**32))
    @settings(max_examples=60)
    def test_the_simulation_stays_inside_its_bound(self, a, k, seed):
        """Hoeffding, for a round of 1 to k + 1 tokens: one run in 10^9 would leave it."""
        rounds = 5_000
        bound = k * sqrt(np.log(2e9) / (2 * rounds))
        average = simulate_tokens_per_pass(a, k, rounds, seed)
        assert abs(average - exact_sum(a, k)) < bound
        assert average == simulate_rounds(a, k, rounds, seed).mean()

    @pytest.mark.parametrize(("a", "k"), [(0.3, 2), (0.6, 4), (0.8, 4), (0.9, 8), (0.95, 32)])
    def test_the_simulated_rounds_are_spread_as_they_should_be(self, a, k):
        """Each count of tokens within five standard deviations, at 400,000 rounds."""
        rounds = 400_000
        counts = np.bincount(simulate_rounds(a, k, rounds), minlength=k + 2)[1:]
        chances = np.array([a**j * (1 - a if j < k else 1) for j in range(k + 1)])
        deviations = np.sqrt(rounds * chances * (1 - chances))
        assert np.all(abs(counts - rounds * chances) < 5 * deviations)

    @pytest.mark.parametrize(("a", "tokens"), [(0, 1), (1, 9)])
    def test_certain_outcomes_are_certain(self, a, tokens):
        assert set(simulate_rounds(a, 8, 1000)) == {tokens}
        assert simulate_tokens_per_pass(a, 8, 1000) == tokens


# ── Time ───────────────────────────────────────────────────────────────────────────────────


def theorem_3_8(a, k, c):
    """Leviathan, Kalman and Matias (2023), Theorem 3.8: (1 − a^(k+1)) / ((1 − a)(1 + kc)).

    The first factor is summed as 1 + a + … + a^k, which it stands for and which holds at a = 1.
    """
    return exact_sum(a, k) / (1 + k * c)


class TestTime:
    @given(rates, st.integers(1, 32))
    def test_for_one_user_the_speed_up_is_theorem_3_8(self, a, k):
        c = 1_235_814_400 / 8_030_261_248
        assert LESSON.speedup(a, k) == pytest.approx(theorem_3_8(a, k, c), rel=1e-12)

    @given(rates, st.integers(1, 32), st.floats(1e-4, 1e-2))
    def test_so_it_is_with_a_draft_time_given(self, a, k, draft_seconds):
        c = draft_seconds * 2.039e12 / (2 * 8_030_261_248)
        expected = theorem_3_8(a, k, c)
        assert LESSON.speedup(a, k, draft_seconds) == pytest.approx(expected, rel=1e-12)

    @given(st.integers(1, 32), st.floats(1e-4, 1e-2), st.integers(1, 256))
    @settings(max_examples=40)
    def test_break_even_is_where_the_speed_up_crosses_one(self, k, draft_seconds, users):
        edge = LESSON.break_even(k, draft_seconds, users)
        if edge is None:
            assert LESSON.speedup(1, k, draft_seconds, users) < 1
        else:
            assert LESSON.speedup(edge, k, draft_seconds, users) >= 1
            assert LESSON.speedup(max(0, edge - 1e-6), k, draft_seconds, users) < 1

    @given(rates, st.floats(1e-4, 1e-2), st.integers(1, 256))
    @settings(max_examples=50)
    def test_no_k_beats_the_best_one(self, a, draft_seconds, users):
        gains = [LESSON.speedup(a, k, draft_seconds, users) for k in range(1, 33)]
        best = LESSON.best_k(a, draft_seconds, users)
        if best == 0:
            assert max(gains) <= 1
        else:
            assert gains[best - 1] == max(gains) > 1

    @given(st.integers(1, 400))
    def test_a_check_is_free_below_its_first_user_and_not_from_it(self, k):
        first = LESSON.users_when_checking_stops_being_free(k)
        assert LESSON.big_pass(first * (k + 1)).limited_by == "arithmetic"
        if first > 1:
            assert LESSON.big_pass((first - 1) * (k + 1)).limited_by == "memory"

    @given(rates, st.integers(1, 32), st.floats(1e-4, 1e-2))
    @settings(max_examples=50)
    def test_guessing_pays_below_its_last_user_and_not_from_it(self, a, k, draft_seconds):
        first = LESSON.users_when_guessing_stops_paying(a, k, draft_seconds)
        gains = LESSON.speedup(a, k, draft_seconds, np.arange(1, 1001))
        if first is None:
            assert np.all(gains >= 1)
        else:
            assert np.all(gains[: first - 1] >= 1)
            assert np.all(gains[first - 1 :] < 1)
