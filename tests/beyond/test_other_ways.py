"""Guessing without a draft model, against full enumeration of small cases."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specdec.conditions import Conditions
from specdec.other_ways import EXTRA_HEADS, PROMPT_LOOKUP, extra_heads, prompt_lookup
from specdec.time_model import LESSON
from specdec.trees import best_tree, candidate_rates, full_tree, tree_tokens


def coins(chances):
    """Every outcome of independent coins, with its chance."""
    for outcome in itertools.product([True, False], repeat=len(chances)):
        yield (
            outcome,
            math.prod(c if o else 1 - c for c, o in zip(chances, outcome, strict=True)),
        )


def run(outcome):
    return outcome.index(False) if False in outcome else len(outcome)


def walked_tokens(tree, a_by_place, widths):
    """Tokens of a round, over every way the candidates of each place can turn out."""
    depth = len(widths)
    total = 0.0
    for right in itertools.product(*(range(width + 1) for width in widths)):
        # The candidate that is right at each place, or none of them.
        chance = math.prod(
            (1 - a) ** width if i == width else a * (1 - a) ** i
            for a, width, i in zip(a_by_place, widths, right, strict=True)
        )
        tokens = 1
        for length in range(1, depth + 1):
            if right[:length] not in tree:
                break
            tokens += 1
        total += chance * tokens
    return total


@settings(max_examples=40, deadline=None)
@given(st.floats(0, 1), st.integers(1, 3), st.integers(1, 3), st.floats(0, 1))
def test_prompt_lookup_equals_full_enumeration(a, k, users, found):
    # 600 users' worth of tokens a user make the check leave the flat part of the roofline.
    model = replace(LESSON, chip=replace(LESSON.chip, flops_per_second=4e12))
    tokens = seconds = 0.0
    for finders, chance in coins([found] * users):
        read = users + k * sum(finders)
        seconds += chance * model.big_pass(read).seconds
        for finds in finders:
            mean = sum(c * (1 + run(kept)) for kept, c in coins([a] * k)) if finds else 1
            tokens += chance * mean / users
    estimate = prompt_lookup(model, a, k, users, found, lookup_seconds=1e-3)
    assert estimate.tokens_per_round == pytest.approx(tokens, rel=1e-9)
    assert estimate.round_seconds == pytest.approx(seconds + 1e-3, rel=1e-9)
    assert estimate.checked_tokens == pytest.approx(1 + found * k)
    plain = model.big_pass(users).seconds
    assert estimate.speedup == pytest.approx(tokens * plain / (seconds + 1e-3), rel=1e-9)


def test_prompt_lookup_by_hand():
    # 1 + 0.5 + 0.25 + 0.125 + 0.0625 tokens for the price of one pass.
    assert prompt_lookup(LESSON, 0.5, 4).speedup == pytest.approx(1.9375)
    # Found half the time: 0.5 x 1.9375 + 0.5 tokens.
    assert prompt_lookup(LESSON, 0.5, 4, found=0.5).speedup == pytest.approx(1.46875)
    # Nothing found is plain decoding, whatever else is set.
    slow = replace(LESSON, conditions=Conditions(software_seconds=1, check_passes=3))
    assert prompt_lookup(slow, 0.5, 4, found=0).speedup == 1
    # 154 users reading 5 tokens each do 5 times the arithmetic for 3.3616 tokens.
    crowd = prompt_lookup(LESSON, 0.8, 4, users=154)
    assert crowd.speedup == pytest.approx(3.3616 / 5, rel=1e-3)


def test_a_free_draft_is_the_limit_of_a_draft_model():
    rates, ks = np.array([[0.3], [0.9]]), np.array([1, 4, 8])
    free = prompt_lookup(LESSON, rates, ks, users=20).speedup
    assert free.shape == (2, 3)
    assert free == pytest.approx(LESSON.speedup(rates, ks, draft_seconds=1e-15, users=20))


def test_lookups_of_a_large_crowd_keep_their_average():
    large = prompt_lookup(LESSON, 0.8, 4, users=3_000, found=0.25)
    # Far above the crossover time is in proportion to tokens, so only the average counts.
    assert large.round_seconds == pytest.approx(LESSON.big_pass(3_000 + 4 * 750).seconds, rel=1e-9)


@pytest.mark.parametrize("widths", [(1, 1, 1), (3,), (2, 3), (3, 1, 2), (2, 2, 2, 2)])
@pytest.mark.parametrize("a", [0.0, 0.35, 0.8, 1.0])
def test_a_full_tree_equals_full_enumeration(widths, a):
    tree = full_tree(widths)
    found = extra_heads(LESSON, a, len(widths), 0.1, candidates=widths)
    assert found.tokens_per_round == pytest.approx(walked_tokens(tree, [a] * len(widths), widths))
    assert found.checked_tokens == 1 + len(tree)


def test_any_tree_equals_full_enumeration():
    widths, rates = (3, 2, 2), (0.7, 0.5, 0.2)
    tree = ((0,), (2,), (0, 0), (0, 1), (2, 0), (0, 1, 0))
    chances = [candidate_rates(a, width) for a, width in zip(rates, widths, strict=True)]
    assert tree_tokens(tree, chances) == pytest.approx(walked_tokens(tree, rates, widths))


def test_candidates_are_what_earlier_ones_missed():
    # Coins for each candidate: the first that shows heads is the right one.
    for i, chance in enumerate(candidate_rates(0.3, 4)):
        assert chance == pytest.approx(
            sum(
                c for outcome, c in coins([0.3] * 4) if True in outcome and outcome.index(True) == i
            )
        )


def prefix_closed(paths, count):
    for chosen in itertools.combinations(paths, count):
        if all(path[:-1] in chosen for path in chosen if len(path) > 1):
            yield chosen


@given(
    st.lists(
        st.lists(st.sampled_from([0.05, 0.1, 0.15, 0.2, 0.3]), min_size=2, max_size=2),
        min_size=2,
        max_size=3,
    ),
    st.integers(1, 5),
)
@settings(max_examples=30, deadline=None)
def test_the_best_tree_beats_every_other(rates, nodes):
    rates = [sorted(place, reverse=True) for place in rates]
    paths = full_tree([2] * len(rates))
    most = max(float(tree_tokens(tree, rates)) for tree in prefix_closed(paths, nodes))
    tree = best_tree(rates, nodes)
    assert len(tree) == nodes
    assert all(path[:-1] in tree for path in tree if len(path) > 1)
    assert float(tree_tokens(tree, rates)) == pytest.approx(most)


def test_heads_without_extra_candidates_are_one_pass_for_all_guesses():
    # 3.3616 tokens for a head pass of a tenth and a check of one pass.
    assert extra_heads(LESSON, 0.8, 4, 0.1).speedup == pytest.approx(3.3616 / 1.1, rel=1e-4)
    each = extra_heads(LESSON, 0.8, 4, 0.1, one_head_pass=False)
    assert each.speedup == pytest.approx(3.3616 / 1.4, rel=1e-4)
    # A draft model whose pass is a tenth of a big pass is the same thing.
    tenth = LESSON.plain_seconds() / 10
    assert each.speedup == pytest.approx(LESSON.speedup(0.8, 4, draft_seconds=tenth))


def test_more_candidates_raise_the_keep_rate_but_are_not_free():
    one = extra_heads(LESSON, 0.6, 4, 0.1)
    some = extra_heads(LESSON, 0.6, 4, 0.1, candidates=4, nodes=64)
    every = extra_heads(LESSON, 0.6, 4, 0.1, candidates=4)
    assert one.tokens_per_round < some.tokens_per_round < every.tokens_per_round
    # 4 + 16 + 64 + 256 nodes and one more: more than the 153 tokens that are free.
    assert every.checked_tokens == 341
    assert every.speedup < some.speedup
    # With 16 users the same 64 nodes cost more than they bring.
    crowd = extra_heads(LESSON, 0.6, 4, 0.1, candidates=4, nodes=64, users=np.array([1, 16]))
    assert crowd.speedup[0] == some.speedup
    assert crowd.speedup[1] < 1


def test_keep_rates_by_place_stand_in():
    model = replace(LESSON, conditions=Conditions(keep_rates=(0.9, 0.5)))
    heads = extra_heads(model, np.array([0.1, 0.2]), 3, 0.1, candidates=2)
    expected = walked_tokens(full_tree([2, 2, 2]), (0.9, 0.5, 0.5), (2, 2, 2))
    assert heads.tokens_per_round == pytest.approx([expected, expected])
    assert prompt_lookup(model, 0.1, 2).tokens_per_round == pytest.approx(1 + 0.9 + 0.45)


def test_ways_state_their_assumptions_and_papers():
    for way in (PROMPT_LOOKUP, EXTRA_HEADS):
        assert way.assumptions
        assert any("arXiv" in paper for paper in way.papers)


@pytest.mark.parametrize(
    "call",
    [
        lambda: prompt_lookup(LESSON, 1.1, 4),
        lambda: prompt_lookup(LESSON, 0.5, 0),
        lambda: prompt_lookup(LESSON, 0.5, 4, users=10_001),
        lambda: prompt_lookup(LESSON, 0.5, 4, found=[0.5]),
        lambda: prompt_lookup(LESSON, 0.5, 4, found=-0.1),
        lambda: prompt_lookup(LESSON, 0.5, 4, lookup_seconds=-1),
        lambda: extra_heads(LESSON, 0.5, 4, -0.1),
        lambda: extra_heads(LESSON, 0.5, [4], 0.1),
        lambda: extra_heads(LESSON, 0.5, 4, 0.1, candidates=[1, 2]),
        lambda: extra_heads(LESSON, 0.5, 4, 0.1, candidates=0),
        lambda: extra_heads(LESSON, 0.5, 8, 0.1, candidates=4),
        lambda: extra_heads(LESSON, 0.5, 65, 0.1),
        lambda: extra_heads(LESSON, 0.5, 2, 0.1, candidates=10**15, nodes=5),
        lambda: extra_heads(LESSON, 0.5, 8, 0.1, candidates=4, nodes=0),
        lambda: extra_heads(LESSON, 0.5, 8, 0.1, candidates=4, nodes=5_000),
        lambda: extra_heads(LESSON, 0.5, 4, 0.1, one_head_pass=1),
        lambda: best_tree([[0.1, 0.2]], 1),
    ],
)
def test_impossible_input_is_refused_in_one_sentence(call):
    with pytest.raises(ValueError, match=r"^[a-z_]+ (and [a-z_]+ )?must .*\.$"):
        call()
