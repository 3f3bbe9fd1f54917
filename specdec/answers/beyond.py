"""Beyond: from the lesson's number to a realistic one, a switch at a time."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from specdec.answers.parts import Figure, Metric, Table, axis_top, times
from specdec.conditions import BEST_CASE
from specdec.opening_values import MEDIAN_OF_BEST_CASE
from specdec.time_model import LESSON
from specdec.waterfall import what_changed

SPEEDUP_ENDS = (2.5, 3.5, 5, 7, 10, 15, 25, 35)
# A long text for many: the crowd for which the lesson's figure says that guessing does not pay.
LONG_CONTEXT_TOKENS, LONG_CONTEXT_USERS = 3500, 100


@dataclass(frozen=True)
class BeyondAnswer:
    """What each switch changed, as ``sentence``, ``metrics``, ``waterfall`` and ``changes``, and
    what long texts do to a crowd, as ``long_context``."""

    sentence: str
    metrics: Sequence[Metric]
    waterfall: Figure
    changes: Table
    long_context: str


def beyond(setting, model=LESSON):
    """The answer at a :class:`~specdec.setting.Setting` under the conditions of ``model``."""
    bars, sentence, realistic, lesson = _waterfall_rows(setting, model)
    return BeyondAnswer(
        sentence=sentence,
        metrics=(
            Metric("The lesson", times(lesson), "at this setting"),
            Metric("With your switches", times(realistic), "as fast as plain decoding"),
            Metric(
                "Published runs",
                f"{MEDIAN_OF_BEST_CASE.value:.2f}",
                "of their best case, the median",
            ),
        ),
        waterfall=_waterfall(bars, sentence),
        changes=_changes(bars),
        long_context=_long_context(setting),
    )


def _waterfall_rows(setting, model):
    a, k, draft, users = setting.keep_rate, setting.k, setting.draft_seconds, setting.users
    lesson = float(LESSON.speedup(a, k, draft, users))
    changed = what_changed(model, setting)
    bars = [_bar("The lesson", 0, lesson, "total")]
    if replace(model, conditions=BEST_CASE) != LESSON:
        bars.append(_bar("Chip and pair", lesson, changed.best_case))
    bars += [_bar(step.name, step.before, step.after) for step in changed.steps]
    realistic = float(changed.realistic)
    if len(bars) == 1:
        return (
            bars,
            (
                f"Everything is off, so this is the lesson's best case: **{times(lesson)}** "
                "as fast. "
                "Turn on a switch under “Chip, pair and a less ideal world” in the sidebar."
            ),
            realistic,
            lesson,
        )
    bars.append(_bar("Realistic", 0, realistic, "total"))
    parts = "; ".join(
        f"{bar['name'][0].lower() + bar['name'][1:]} {bar['start']:.2f} → {bar['end']:.2f}"
        for bar in bars[1:-1]
    )
    return (
        bars,
        (
            f"From the lesson's **{times(lesson)}** to **{times(realistic)}** as fast. What "
            "changed: "
            f"{parts}."
        ),
        realistic,
        lesson,
    )


def _bar(name, start, end, kind=None):
    kind = kind or ("gain" if end >= start else "loss")
    change = f"{end:.2f}" if kind == "total" else f"{end - start:+.2f}"
    return {
        "name": name,
        "start": float(start),
        "end": float(end),
        "top": float(max(start, end)),
        "kind": kind,
        "label": change.replace("-", "−"),
    }


def _waterfall(bars, sentence):
    highest = max(bar["top"] for bar in bars)
    return Figure(
        name="waterfall",
        title="From the lesson's number to the realistic one",
        rows={"bars": bars},
        caption=(
            "The dashed line is plain decoding. Each step puts back one thing, in this "
            "order, and starts where the one before ended; "
            "another order would share the change out differently. With several on, some time is "
            "counted twice, because published figures for one include parts of another."
        ),
        alt=sentence.replace("**", ""),
        options={"y_end": axis_top(highest * 1.08, SPEEDUP_ENDS)},
        data="bars",
    )


def _changes(bars):
    return Table(
        "What changed",
        [
            {
                "Step": bar["name"],
                "Before": "" if bar["kind"] == "total" else f"{bar['start']:.2f}",
                "After": f"{bar['end']:.2f}",
                "Change": "" if bar["kind"] == "total" else bar["label"],
            }
            for bar in bars
        ],
    )


def _long_context(setting):
    """What long texts do to a crowd for which the lesson's figure says that guessing loses."""
    a, k, draft = setting.keep_rate, setting.k, setting.draft_seconds
    crowd, context = LONG_CONTEXT_USERS, LONG_CONTEXT_TOKENS
    model = replace(LESSON, conditions=replace(BEST_CASE, context_tokens=context))
    without = float(LESSON.speedup(a, k, draft, crowd))
    with_notes = float(model.speedup(a, k, draft, crowd))
    return (
        f"With {crowd} users the lesson's figure says {times(without)}. If each has {context:,} "
        "earlier tokens whose keys and values every pass must fetch, the check waits for memory "
        f"again and the same guesses are {times(with_notes)} as fast."
    )
