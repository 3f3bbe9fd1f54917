"""What to set, against hand-worked costs and against the lesson's own numbers."""

import numpy as np
import pytest

from specdec import LESSON
from specdec.machine import Machine
from specdec.measured import (
    MeasuredError,
    advise,
    draft_seconds_from_speeds,
    read_server_text,
    run_from_counts,
    tokens_by_k,
    write_csv,
)
from specdec.measured.flags import setting


def run_of(histogram):
    k = len(histogram) - 1
    return read_server_text(write_csv([(k, j) for j, n in enumerate(histogram) for _ in range(n)]))[
        0
    ]


FIFTY = run_of((9, 11, 8, 7, 15))


class Costs:
    """A chip where a plain step takes 10, a draft pass 1 and a check 10 seconds, until the crowd
    of users × (k + 1) tokens is over 20: then each token takes half a second."""

    def plain_seconds(self, users=1):
        return self._pass(users)

    def round_seconds(self, k, draft_seconds=None, users=1):
        return k * (1 if draft_seconds is None else draft_seconds) + self._pass(users * (k + 1))

    def _pass(self, tokens):
        return np.maximum(10, 0.5 * np.asarray(tokens, dtype=float))

    def users_when_tokens_stop_paying(self, tokens_per_round, k, draft_seconds=None):
        return next(
            users
            for users in range(1, 1000)
            if tokens_per_round * self.plain_seconds(users)
            < self.round_seconds(k, draft_seconds, users)
        )

    def break_even(self, k, draft_seconds=None, users=1):
        return 0.25


def test_lengths_come_from_the_places_and_go_on_with_the_last():
    lengths = tokens_by_k(FIFTY, 6)
    # 1.82, 2.42, 2.86, 3.16 as measured; then p5 = .30 × 15/22 = .204545, p6 = .139463.
    measured = [1.82, 2.42, 2.86, 3.16]
    assert [x for x, beyond in lengths if not beyond] == pytest.approx(measured)
    assert [x for x, beyond in lengths if beyond] == pytest.approx([3.364545, 3.504008], abs=1e-6)


def test_best_k_at_hand_worked_costs():
    advice = advise(FIFTY, Costs(), k_max=6)
    # Length × 10 ÷ (k + 10): 1.6545, 2.0167, 2.2, 2.2571, 2.2430, 2.1900.
    assert [round(choice.speedup, 4) for choice in advice.choices] == pytest.approx(
        [1.6545, 2.0167, 2.2, 2.2571, 2.2430, 2.1900]
    )
    assert (advice.k, advice.runner_up.k) == (4, 5)
    assert advice.speedup == pytest.approx(3.16 * 10 / 14)
    assert not advice.extrapolated
    assert advice.basis == "the measured places"
    # With B users the round takes 4 + max(10, 2.5 B): 3.16 × max(10, B/2) is below it first at
    # B = 12: 31.6 against 34; at 11 it is 31.6 against 31.5.
    assert advice.users == 12


def test_cheap_drafts_go_beyond_what_was_measured_and_say_so():
    advice = advise(FIFTY, Costs(), draft_seconds=0.1, k_max=12)
    assert advice.k > 4
    assert advice.extrapolated
    assert any("extrapolated" in sentence and "k = 4" in sentence for sentence in advice.sentences)
    # Inside the measured ones: 3.16 × 10 ÷ (0.4 + 10) = 3.04.
    assert "Of the measured ones the best is k = 4, 3.04 times." in advice.sentences


def test_dear_drafts_are_turned_off():
    advice = advise(FIFTY, Costs(), draft_seconds=30)
    # Even k = 1 costs 40 for 1.82 tokens: 0.455 times.
    assert (advice.k, advice.speedup, advice.users) == (0, 1.0, None)
    assert advice.runner_up.k == 1
    assert advice.runner_up.speedup == pytest.approx(1.82 * 10 / 40)
    assert "Turn it off" in advice.sentences[0]


def test_without_places_the_formula_serves_and_agrees_with_the_lesson():
    # Three numbers at a = 0.8, k = 4: length 3.3616, so 23616 of 40000 kept in 10000 rounds.
    run = run_from_counts(40_000, 23_616, k=4)
    advice = advise(run, LESSON)
    # The lesson: at 0.8 the best is 5 guesses, 2.08 times; k = 4 breaks even at 38.6%.
    assert advice.k == 5
    assert advice.speedup == pytest.approx(2.08, abs=0.005)
    assert advice.basis == "the formula at the keep rate"
    assert advice.extrapolated
    assert advice.choices[3].speedup == pytest.approx(2.08, abs=0.005)
    assert advice.break_even == pytest.approx(LESSON.break_even(5))
    assert advise(run, LESSON, users=100).k < 4


def test_places_of_independent_guesses_give_the_lessons_crowd():
    # 625 rounds that kept each guess with 4/5: 125, 100, 80, 64 rejected, 256 full.
    advice = advise(run_of((125, 100, 80, 64, 256)), LESSON, k_max=4)
    # The lesson: at four guesses and 80% the speed-up falls below 1 at 85 users.
    assert (advice.k, advice.users) == (4, 85)


@pytest.mark.parametrize("context", [None, 500, 900, 1500])
@pytest.mark.parametrize("software", [None, 3.3])
def test_the_crowd_is_that_of_a_look_at_every_crowd(context, software):
    """Notes of many users move it past the crowd at which every pass is limited by arithmetic."""
    model = Machine(context=context, software=software).model()
    advice = advise(FIFTY, model, draft_seconds=2.4e-3)
    crowds = np.arange(1, 20_001)
    length = next(choice for choice in advice.choices if choice.k == advice.k).tokens_per_pass
    gains = length * model.plain_seconds(crowds) / model.round_seconds(advice.k, 2.4e-3, crowds)
    losing = crowds[gains < 1]
    assert advice.users == (int(losing[0]) if losing.size else None)


def test_no_advice_without_a_basis():
    tree = (
        "--speculative-num-steps 5 --speculative-eagle-topk 8 --speculative-num-draft-tokens 64\n"
    )
    tree += "Decode batch, #running-req: 1, accept len: 3.10, accept rate: 0.03, cuda graph: True"
    for text, why in (
        (tree, "tree"),
        ('{"draft_n": 9, "draft_n_accepted": 3}', "neither"),
        ('{"draft_n": 0, "draft_n_accepted": 0}', "Nothing was drafted"),
    ):
        advice = advise(read_server_text(text)[0], LESSON)
        assert advice.k is None
        assert advice.choices == ()
        assert why in advice.sentences[0]


def test_varying_drafts_are_marked_approximate():
    (run,) = read_server_text("round,drafted,kept\n1,4,3\n2,2,2\n3,4,1\n4,4,4\n")
    advice = advise(run, LESSON)
    assert advice.approximate
    assert any("approximate" in sentence for sentence in advice.sentences)


def test_draft_cost_from_two_speeds():
    # Plain 100 a second: 10 ms. Guessing 200 a second at 3 tokens a round: 15 ms a round, so 4
    # drafts take 5 ms: 1.25 ms each, 12.5% of a big pass.
    seconds, share = draft_seconds_from_speeds(100, 200, 3, 4)
    assert seconds == pytest.approx(1.25e-3)
    assert share == pytest.approx(0.125)
    # With a check of 1.2 plain steps they take 3 ms.
    assert draft_seconds_from_speeds(100, 200, 3, 4, check_share=1.2)[0] == pytest.approx(0.75e-3)


def test_draft_cost_gives_the_speeds_back():
    seconds, _ = draft_seconds_from_speeds(1 / LESSON.plain_seconds(), 240.0, 3.16, 4)
    assert 3.16 / LESSON.round_seconds(4, seconds) == pytest.approx(240.0)


@pytest.mark.parametrize(
    ("numbers", "why"),
    [
        ((100, 400, 3, 4), "cannot be faster than 3.00 times"),
        ((0, 200, 3, 4), "plain speed must be"),
        ((100, float("nan"), 3, 4), "guessing speed must be"),
        ((100, 200, 6, 4), "from 1 to k"),
        ((100, 200, 3, 0), "k must be"),
        ((100, "x", 3, 4), "guessing speed must be"),
    ],
)
def test_speeds_that_cannot_be(numbers, why):
    with pytest.raises(MeasuredError, match=why):
        draft_seconds_from_speeds(*numbers)


def test_costs_that_cannot_be():
    for wrong in ({"draft_seconds": -1}, {"users": 0}, {"k_max": 0}):
        with pytest.raises(ValueError, match="must be"):
            advise(FIFTY, LESSON, **wrong)


def test_flags():
    assert '"num_speculative_tokens": 4' in setting("vLLM", "V1 log line", 4)
    assert "--speculative-num-steps 4" in setting("SGLang", "decode line", 4)
    assert "--speculative-num-draft-tokens 5" in setting("SGLang", "decode line", 4)
    assert "--draft-max 4" in setting("llama.cpp", "request line", 4)
    assert "max_draft_len: 4" in setting("TensorRT-LLM", "x", 4)
    assert "--speculative-num-steps 4" in setting("AIPerf", "request record of sglang", 4)
    assert "leave out" in setting("vLLM", "V1 log line", 0)
    assert setting("CSV", "of rounds", 4) is None
    log = read_server_text(
        '{"num_spec_steps": 5, "num_draft_tokens": 10, "acceptance_histogram": [1, 1, 3]}'
    )
    assert "num_speculative_tokens" in advise(log[0], LESSON).flag
