"""How fast the models are. Not part of the test suite, because a busy machine is no failure:

    python -m pytest benchmarks --benchmark-group-by=group --benchmark-columns=min,median,rounds

Aims: the simulation at least 20 times a plain loop that tosses the same coins, and a speed-up grid
of 101 keep rates × 32 guesses in under 5 ms.
"""

import random
from itertools import accumulate

import numpy as np
import pytest

from specdec import LESSON, Setting, simulate_tokens_per_pass
from specdec.answers.costs import costs
from specdec.answers.speedup import speedup
from specdec.answers.users import users

ROUNDS = 100_000
RATES = np.arange(101) / 100
GUESSES = np.arange(1, 33)


def plain_loop(a, k, rounds=ROUNDS, seed=1):
    """The simulation as one would write it first: toss until a guess is rejected."""
    toss, tokens = random.Random(seed).random, 0
    for _ in range(rounds):
        kept = 0
        while kept < k and toss() < a:
            kept += 1
        tokens += kept + 1
    return tokens / rounds


def exact(a, k):
    return list(accumulate(a**j for j in range(k + 1)))[-1]


@pytest.mark.parametrize("k", [4, 8])
@pytest.mark.parametrize("simulate", [plain_loop, simulate_tokens_per_pass])
def test_simulation(benchmark, simulate, k):
    benchmark.group = f"100,000 rounds of {k} guesses"
    average = benchmark.pedantic(simulate, (0.8, k), {"rounds": ROUNDS}, rounds=30, warmup_rounds=2)
    assert average == pytest.approx(exact(0.8, k), rel=0.015)


def test_speedup_grid(benchmark):
    benchmark.group = "the models"
    grid = benchmark(lambda: LESSON.speedup(RATES[:, np.newaxis], GUESSES))
    assert grid.shape == (101, 32)


def test_best_k(benchmark):
    benchmark.group = "the models"
    best = benchmark(lambda: LESSON.best_k(RATES))
    assert best[[60, 80, 90]].tolist() == [2, 5, 8]


def test_break_even(benchmark):
    benchmark.group = "the models"
    edges = benchmark(lambda: LESSON.break_even(GUESSES))
    assert f"{edges[3]:.3f}" == "0.386"


@pytest.mark.parametrize("answer", [costs, speedup, users])
def test_answer(benchmark, answer):
    benchmark.group = "a page's answer"
    assert benchmark(answer, Setting(kept=81)).sentence
