"""Measured: what a server's own numbers mean, and what to set."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from specdec.answers.parts import (
    Figure,
    Metric,
    Table,
    axis_top,
    count,
    escaped,
    percent,
    times,
)
from specdec.measured import MeasuredRun, advise
from specdec.measured.advice import FROM_PLACES
from specdec.time_model import LESSON
from specdec.tokens import expected_tokens

TOKEN_ENDS = (3, 5, 9, 17, 33)
SPEEDUP_ENDS = (2.5, 3.5, 5, 7, 10, 15, 25, 35)
K_SHOWN_LEAST = 8
# A line of this many points looks whole, and three of them are few enough to send.
POINTS_MOST = 100


@dataclass(frozen=True)
class MeasuredAnswer:
    """What a run means: ``sentence`` and ``metrics``, ``figures`` by name (only those that the
    run allows), ``tables``, ``warnings`` of the reader, the ``advice`` in sentences with the
    engine's ``flag``, and the ``use`` to put into the sidebar: keep rate in percent and k."""

    sentence: str
    metrics: Sequence[Metric]
    figures: dict[str, Figure]
    tables: Sequence[Table]
    warnings: Sequence[str]
    advice: Sequence[str]
    flag: str | None
    use: tuple[int, int] | None


def measured(run: MeasuredRun, setting, model=LESSON, draft_seconds=None):
    """The page's answer for one run at the costs of ``model``.

    ``draft_seconds`` is one user's draft pass; left out, the sidebar's.
    """
    draft = setting.draft_seconds if draft_seconds is None else draft_seconds
    advice = advise(run, model, draft, setting.users)
    figures = {}
    if run.drafted != 0 and not run.tree and run.tokens_per_pass is not None:
        if run.k and not run.variable and run.keep_rate is not None:
            figures["tokens"] = _tokens(run)
        if run.conditional_per_position:
            figures["places"] = _places(run)
        if advice.choices:
            figures["speedup"] = _speedup(run, advice, setting, model, draft)
    return MeasuredAnswer(
        sentence=_sentence(run),
        metrics=_metrics(run, advice),
        figures=figures,
        tables=(_numbers(run), *([_choices(run, advice)] if advice.choices else [])),
        warnings=run.warnings,
        advice=(
            *advice.sentences,
            *_more_advice(advice),
            *_as_it_ran(run, setting, model, draft),
        ),
        flag=advice.flag,
        use=_use(run),
    )


def _sentence(run):
    # A run's name may hold a model's name, as the pasted text has it.
    name = escaped(run.name)
    if run.drafted == 0:
        return f"{name}: **no data**, for nothing was drafted in these lines."
    length = (
        f"a big pass brings **{run.tokens_per_pass:.2f} tokens**"
        if run.tokens_per_pass is not None
        else "the text does not say how many tokens a big pass brings"
    )
    if run.tree:
        return (
            f"{name}: {length}. The guesses form a **tree**, so its rate is one of tokens in "
            "the tree, not of guesses in a row, and the formula does not apply."
        )
    if run.keep_rate is None:
        why = (
            "the drafts vary in length and the text does not count them by length"
            if run.variable
            else "the text does not say enough"
        )
        return f"{name}: {length}; a keep rate cannot be worked out, because {why}."
    interval = (
        f" (95% interval {percent(run.keep_rate_interval[0], 1)} to "
        f"{percent(run.keep_rate_interval[1], 1)})"
        if run.keep_rate_interval
        else ""
    )
    rate = (
        f", not the {percent(run.acceptance_rate, 1)} that the server calls its acceptance rate"
        if run.acceptance_rate is not None and abs(run.acceptance_rate - run.keep_rate) > 0.005
        else ""
    )
    return (
        f"{name}: a guess that is reached is kept **{percent(run.keep_rate, 1)}** of the "
        f"time{interval}{rate}; {length}{_independence(run)}."
    )


def _independence(run):
    """How far the real guesses are from independent chances, in words."""
    if run.k is None or run.variable or run.tokens_per_pass is None:
        return ""
    places = run.conditional_per_position
    if _solved_from_length(run):
        if not places or places[0] is None:
            return ""
        rate, whose = min(places[0], 1.0), "the first guess's rate"
    else:
        rate, whose = run.keep_rate, "that rate"
    gap = run.tokens_per_pass - float(expected_tokens(rate, run.k))
    if abs(gap) < 0.005:
        return f", just what the formula gives at {whose}"
    return f", {abs(gap):.2f} {'more' if gap > 0 else 'fewer'} than the formula gives at {whose}"


def _solved_from_length(run):
    """Whether the keep rate was solved from the length itself, so that they agree by design."""
    return "bisection" in (run.keep_rate_method or "")


def _metrics(run, advice):
    none = "not said"
    interval = run.keep_rate_interval
    return (
        Metric(
            "Keep rate a",
            none if run.keep_rate is None else percent(run.keep_rate, 1),
            f"95%: {percent(interval[0], 1)} to {percent(interval[1], 1)}" if interval else "",
        ),
        Metric(
            "Accepted ÷ drafted",
            "no data" if run.acceptance_rate is None else percent(run.acceptance_rate, 1),
            "per node of the tree" if run.tree else "the server's “acceptance rate”",
        ),
        Metric(
            "Tokens per big pass",
            none if run.tokens_per_pass is None else f"{run.tokens_per_pass:.2f}",
            "with the big model's own",
        ),
        Metric(
            "Guesses per round, k",
            none if run.k is None else f"up to {run.k}" if run.variable else str(run.k),
            "" if run.rounds is None else count(run.rounds, "round"),
        ),
        _best(advice),
    )


def _best(advice):
    if advice.k is None:
        return Metric("Best k at these costs", "not known")
    if advice.k == 0:
        return Metric("Best k at these costs", "none", "turn it off")
    return Metric("Best k at these costs", str(advice.k), f"{times(advice.speedup)} as fast")


def _tokens(run):
    """Tokens per big pass against k: measured, by the formula, and by the rate used wrongly."""
    ks = _thinned(max(run.k, K_SHOWN_LEAST))
    curve = []
    if run.per_position:
        lengths = 1 + np.cumsum(run.per_position[: run.k])
        curve += [
            {"guesses": int(k), "tokens": float(lengths[k - 1]), "kind": "measured"}
            for k in ks[ks <= len(lengths)]
        ]
    else:
        curve.append({"guesses": run.k, "tokens": run.tokens_per_pass, "kind": "measured"})
    lines = [("formula at a", run.keep_rate)]
    if run.acceptance_rate is not None and abs(run.acceptance_rate - run.keep_rate) > 0.005:
        lines.append(("wrong: acceptance rate as a", run.acceptance_rate))
    for kind, rate in lines:
        curve += [
            {"guesses": int(k), "tokens": float(t), "kind": kind}
            for k, t in zip(ks, expected_tokens(min(rate, 1.0), ks), strict=True)
        ]
    at = {kind: float(expected_tokens(min(rate, 1.0), run.k)) for kind, rate in lines}
    says = f"At k = {run.k}: measured {run.tokens_per_pass:.2f}, " + ", ".join(
        f"{kind} {value:.2f}" for kind, value in at.items()
    )
    return Figure(
        name="measured-tokens",
        title="Tokens per big pass against guesses per round",
        rows={"curve": curve},
        caption=(
            f"{says}. Dots: measured. Solid: the formula at the keep rate a. Dotted: the "
            "formula fed "
            "with accepted ÷ drafted, which is not a and comes out too low."
            if len(lines) > 1
            else f"{says}. Dots: measured. Solid: the formula at the keep rate a."
        ),
        alt=f"{says}.",
        options={
            "x_end": int(ks[-1]),
            "y_end": axis_top(max(row["tokens"] for row in curve), TOKEN_ENDS),
        },
    )


def _thinned(last):
    """Whole numbers from 1 to ``last``, at most :data:`POINTS_MOST` of them."""
    return np.unique(np.linspace(1, last, min(last, POINTS_MOST)).round().astype(int))


def _places(run):
    """The keep rate at each place, of the guesses that were reached."""
    given = run.conditional_per_position
    rates = [(int(place), given[place - 1]) for place in _thinned(len(given))]
    rows = [
        {"place": place, "kept_percent": 100 * min(rate, 1.0), "label": percent(min(rate, 1.0))}
        for place, rate in rates
        if rate is not None
    ]
    average = [] if run.keep_rate is None else [{"kept_percent": 100 * run.keep_rate}]
    says = "Place " + ", ".join(f"{row['place']}: {row['label']}" for row in rows)
    against = (
        f" The dashed line is the keep rate a, {percent(run.keep_rate, 1)}: independent guesses "
        "would all lie on it."
        if average
        else ""
    )
    return Figure(
        name="keep-rate-by-place",
        title="Keep rate at each place, of the guesses that were reached",
        rows={"curve": rows, "average": average},
        caption=f"{says}.{against}",
        alt=f"{says}.{against}",
        options={"x_end": max(K_SHOWN_LEAST, rows[-1]["place"] if rows else 1)},
    )


def _speedup(run, advice, setting, model, draft):
    """Figure 4 of the lesson with the measured places on it."""
    shown = max(12, run.k or 0, advice.k or 0)
    places = advice.basis == FROM_PLACES
    # Without measured places the line is the formula's, and that one is drawn anyway.
    choices = [choice for choice in advice.choices if choice.k <= shown] if places else []
    known = [choice for choice in choices if not choice.extrapolated]
    # The dashed line begins where the solid one ends.
    beyond = [*known[-1:], *(choice for choice in choices if choice.extrapolated)]
    curve = [
        {"guesses": choice.k, "speedup": choice.speedup, "kind": kind}
        for kind, line in (("measured places", known), ("extrapolated", beyond))
        for choice in line
    ]
    if run.keep_rate is not None:
        ks = _thinned(shown)
        gains = model.speedup(run.keep_rate, ks, draft, setting.users)
        curve += [
            {"guesses": int(k), "speedup": float(s), "kind": "formula at a"}
            for k, s in zip(ks, gains, strict=True)
        ]
    marks = []
    if run.k and run.k <= shown and run.tokens_per_pass is not None:
        plain = float(model.plain_seconds(setting.users))
        gain = run.tokens_per_pass * plain / float(model.round_seconds(run.k, draft, setting.users))
        marks.append(_mark(run.k, gain, "setting", f"k = {run.k} now: {gain:.2f}", "below"))
    if advice.k:
        label = f"best {advice.k}: {advice.speedup:.2f}"
        marks.append(_mark(advice.k, advice.speedup, "best", label, "above"))
    says = "; ".join(row["label"] for row in marks)
    return Figure(
        name="measured-speed-up",
        title="Speed-up against guesses per round, at these costs",
        rows={"curve": curve, "marks": marks},
        caption=(
            f"{says}. Solid green: from the measured places. Dashed green: beyond them, "
            "extrapolated. Grey: the formula at a."
            if places
            else f"{says}. Grey: the formula at a, for the text gives no shares by place."
        ),
        alt=f"Speed-up at these costs: {says}.",
        options={
            "x_end": shown,
            "y_end": axis_top(max(row["speedup"] for row in curve), SPEEDUP_ENDS),
        },
    )


def _mark(k, gain, kind, label, side):
    return {"guesses": k, "speedup": gain, "kind": kind, "label": label, "side": side}


def _numbers(run):
    def shown(value, form="{:,}"):
        return "not said" if value is None else form.format(value)

    rows = [
        ("Big passes with a draft (rounds)", shown(run.rounds) + _estimated(run)),
        ("Guesses drafted", shown(run.drafted)),
        ("Guesses accepted", shown(run.accepted)),
        (
            "Accepted ÷ drafted, what your server calls acceptance rate",
            "no data" if run.acceptance_rate is None else percent(run.acceptance_rate, 1),
        ),
        (
            "Printed acceptance rate",
            "not said"
            if run.printed_acceptance_rate is None
            else percent(run.printed_acceptance_rate, 1),
        ),
        (
            "Tokens per big pass, with the big model's own token",
            shown(run.tokens_per_pass, "{:.3f}"),
        ),
        ("Keep rate a", "not said" if run.keep_rate is None else percent(run.keep_rate, 1)),
        ("How a was worked out", run.keep_rate_method or "not worked out"),
    ]
    return Table("The numbers, and what each is", [{"What": a, "Value": b} for a, b in rows])


def _estimated(run):
    return " (estimated)" if run.rounds_estimated and run.rounds else ""


def _choices(run, advice):
    rows = [
        {
            "Guesses per round": str(choice.k),
            "Tokens per big pass": f"{choice.tokens_per_pass:.2f}",
            "Speed-up": f"{choice.speedup:.2f}",
            "From": _source(run, advice, choice),
        }
        for choice in advice.choices[:12]
    ]
    return Table("Every number of guesses up to 12", rows)


def _source(run, advice, choice):
    """Where a choice's tokens per big pass come from, in a word or two."""
    if choice.extrapolated:
        return "extrapolated"
    if advice.basis == FROM_PLACES or choice.k == run.k:
        return "measured"
    return "formula at a"


def _as_it_ran(run, setting, model, draft):
    """Whether guessing pays as it is, where no k can be advised but the counts give an average."""
    known = run.rounds and run.drafted and run.tokens_per_pass is not None
    if not known or run.tree or run.keep_rate is not None:
        return
    average = run.drafted / run.rounds
    users = setting.users
    # The speed-up is a straight line between whole numbers of guesses while checks are free.
    around = [max(1, int(average)), max(1, int(average)) + 1]
    seconds = model.round_seconds(np.array(around), draft, users)
    round_seconds = float(np.interp(average, around, seconds))
    gain = run.tokens_per_pass * float(model.plain_seconds(users)) / round_seconds
    yield (
        f"As it ran, with {average:.1f} guesses a round on average, it is about {times(gain)} as "
        "fast as plain decoding at these costs" + ("." if gain >= 1 else ", so turn it off.")
    )


def _more_advice(advice):
    if advice.k is None:
        return
    # The best of the measured ones has been named beside an extrapolated best.
    named = advice.extrapolated and advice.runner_up and not advice.runner_up.extrapolated
    if advice.k and advice.runner_up is not None and not named:
        yield (
            f"The runner-up is {count(advice.runner_up.k, 'guess', 'guesses')}, "
            f"{times(advice.runner_up.speedup)} as fast."
        )
    k = max(advice.k, 1)
    if advice.break_even is None:
        yield f"At these costs {count(k, 'guess', 'guesses')} would not pay at any keep rate."
    else:
        yield (
            f"{count(k, 'guess', 'guesses').capitalize()} a round would break even at "
            f"{percent(advice.break_even, 1)} kept."
        )
    if advice.k and advice.users is not None:
        yield f"It stops paying at {count(advice.users, 'user')} sharing the chip."


def _use(run):
    """Keep rate in percent and k for the sidebar, where the run has both."""
    if run.keep_rate is None or run.tree:
        return None
    return round(100 * run.keep_rate), min(max(run.k or 4, 1), 32)
