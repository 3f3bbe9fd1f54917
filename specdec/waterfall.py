"""From the best case to the realistic speed-up, one switch at a time."""

from dataclasses import dataclass, replace

from specdec.conditions import BEST_CASE
from specdec.setting import Setting

SWITCHES = (
    ("Notes about earlier tokens", ("context_tokens", "draft_context_tokens")),
    ("Software time", ("software_seconds",)),
    ("Big model below peak", ("big_fraction_of_peak",)),
    ("Draft below peak", ("draft_fraction_of_peak",)),
    ("Dearer check", ("check_passes",)),
    ("Keep rate by place", ("keep_rates",)),
)
"""The order in which switches are thrown, with the fields of ``Conditions`` that each sets."""


@dataclass(frozen=True)
class Step:
    """One switch: the speed-up ``before`` and ``after`` it, both times as fast as plain."""

    name: str
    before: float
    after: float

    @property
    def factor(self):
        """What the step multiplies the speed-up by."""
        return self.after / self.before

    @property
    def difference(self):
        """What the step adds to the speed-up."""
        return self.after - self.before


@dataclass(frozen=True)
class WhatChanged:
    """The best case's speed-up, the steps away from it in order, and where they end."""

    best_case: float
    steps: tuple[Step, ...]

    @property
    def realistic(self):
        """The speed-up under all conditions."""
        return self.steps[-1].after if self.steps else self.best_case


def what_changed(model, setting):
    """How the speed-up changes as a model's conditions are put back, a :class:`WhatChanged`.

    ``model`` is a ``TimeModel`` and ``setting`` a ``Setting``. Switches are thrown in the order of
    :data:`SWITCHES`, those that are off are left out, and each step starts where the one before
    ended: the factors multiply, and the differences add up, to the whole change. Another order
    shares the same change out differently, because a switch's effect depends on those before it.
    """
    if not isinstance(setting, Setting):
        raise ValueError("setting must be a Setting of the dashboard's controls.")
    reached = _speedup(model, BEST_CASE, setting)
    best_case, conditions, steps = reached, BEST_CASE, []
    for name, names in SWITCHES:
        thrown = replace(conditions, **{field: getattr(model.conditions, field) for field in names})
        if thrown == conditions:
            continue
        after = _speedup(model, thrown, setting)
        steps.append(Step(name, reached, after))
        conditions, reached = thrown, after
    return WhatChanged(best_case, tuple(steps))


def _speedup(model, conditions, setting):
    model = replace(model, conditions=conditions)
    return float(model.speedup(setting.keep_rate, setting.k, setting.draft_seconds, setting.users))
