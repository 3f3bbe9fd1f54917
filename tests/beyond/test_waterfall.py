"""The steps from the best case to the realistic speed-up."""

import math
from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdec.conditions import Conditions
from specdec.setting import Setting
from specdec.time_model import LESSON
from specdec.waterfall import SWITCHES, what_changed

EVERYTHING = Conditions(
    context_tokens=8_000,
    software_seconds=1e-3,
    big_fraction_of_peak=0.63,
    draft_fraction_of_peak=0.28,
    check_passes=1.1,
    keep_rates=(0.8, 0.7, 0.6),
)


def test_every_condition_belongs_to_one_switch():
    named = [field for _, names in SWITCHES for field in names]
    assert sorted(named) == sorted(field.name for field in fields(Conditions))


def test_with_everything_off_nothing_changes():
    changed = what_changed(LESSON, Setting())
    assert changed.steps == ()
    assert f"{changed.best_case:.2f}" == f"{changed.realistic:.2f}" == "2.08"


def test_one_switch_alone_is_one_step_by_hand():
    # 3.3616 x 7.8767 / (4 x 1.2122 + 7.8767 + 2) = 1.798, from 2.081.
    model = replace(LESSON, conditions=Conditions(software_seconds=2e-3))
    (step,) = what_changed(model, Setting()).steps
    assert step.name == "Software time"
    assert (round(step.before, 3), round(step.after, 3)) == (2.081, 1.798)
    assert round(step.factor, 3) == 0.864
    assert round(step.difference, 3) == -0.283


def test_all_switches_come_in_the_stated_order_and_end_at_the_models_own_speedup():
    model = replace(LESSON, conditions=EVERYTHING)
    setting = Setting(kept=70, k=6, draft_ms=2.4, users=20)
    changed = what_changed(model, setting)
    assert [step.name for step in changed.steps] == [name for name, _ in SWITCHES]
    assert changed.best_case == LESSON.speedup(0.7, 6, 2.4e-3, 20)
    assert changed.realistic == model.speedup(0.7, 6, 2.4e-3, 20)


@given(
    st.builds(
        Conditions,
        context_tokens=st.sampled_from([0, 100, 50_000]),
        software_seconds=st.sampled_from([0, 1e-4, 1e-2]),
        big_fraction_of_peak=st.sampled_from([1, 0.5]),
        draft_fraction_of_peak=st.sampled_from([1, 0.2]),
        check_passes=st.sampled_from([1, 3.1]),
        keep_rates=st.sampled_from([None, (0.9, 0.1)]),
    ),
    st.builds(Setting, kept=st.integers(0, 100), k=st.integers(1, 32), users=st.integers(1, 256)),
)
def test_the_steps_join_up(away, setting):
    model = replace(LESSON, conditions=away)
    changed = what_changed(model, setting)
    ends = [changed.best_case, *(step.after for step in changed.steps)]
    assert [step.before for step in changed.steps] == ends[:-1]
    factors = math.prod(step.factor for step in changed.steps)
    assert changed.best_case * factors == pytest.approx(changed.realistic, rel=1e-12)
    total = math.fsum(step.difference for step in changed.steps)
    assert changed.best_case + total == pytest.approx(changed.realistic, rel=1e-12)


def test_a_setting_is_needed():
    with pytest.raises(ValueError, match="Setting"):
        what_changed(LESSON, {"kept": 80})
