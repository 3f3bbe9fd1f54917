"""What is remembered is what would be worked out, and nothing else."""

from dataclasses import dataclass

import numpy as np
import pytest

from specdec import time_model
from specdec.hardware import Chip
from specdec.remembered import remembered
from specdec.time_model import LESSON


@dataclass(frozen=True)
class Sum:
    start: float
    calls: list

    def __hash__(self):
        return hash(self.start)

    @remembered
    def plus(self, a, b=0):
        """Adds."""
        self.calls.append((a, b))
        if a is True:
            raise ValueError("no")
        return self.start + a + b


def test_single_numbers_are_worked_out_once_and_arrays_every_time():
    one = Sum(1, [])
    assert one.plus(2, b=3) == one.plus(2, b=3) == 6
    assert len(one.calls) == 1
    for _ in range(2):
        assert one.plus(np.array([1.0, 2.0])).tolist() == [2, 3]
    assert len(one.calls) == 3


def test_objects_are_told_apart_and_so_are_equal_numbers_of_other_types():
    calls = []
    assert (Sum(1, calls).plus(2), Sum(5, calls).plus(2)) == (3, 7)
    Sum(1, calls).plus(1)
    for _ in range(2):
        with pytest.raises(ValueError, match="no"):
            Sum(1, calls).plus(True)


def test_the_source_shown_is_the_method_itself():
    import inspect

    assert "expected" not in inspect.getsource(inspect.unwrap(Sum.plus))
    assert 'Adds."""' in inspect.getsource(inspect.unwrap(Sum.plus))
    assert "tokens_per_round" in inspect.getsource(inspect.unwrap(time_model.TimeModel.speedup))


def test_two_machines_keep_their_own_times():
    other = time_model.TimeModel(
        Chip("twice", 2 * 312e12, 2 * 2.039e12, "made up"), LESSON.big, LESSON.draft
    )
    for _ in range(2):
        assert other.plain_seconds() == pytest.approx(LESSON.plain_seconds() / 2)
        # Half of every time leaves the ratio as it is, unless the draft pass is given in seconds.
        assert other.speedup(0.8, 4) == pytest.approx(LESSON.speedup(0.8, 4))
        assert other.speedup(0.8, 4, 0.002) < LESSON.speedup(0.8, 4, 0.002)
