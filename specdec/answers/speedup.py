"""Speed-up: when guessing pays, and how many guesses are best."""

from dataclasses import replace

import numpy as np

from specdec.answers.parts import (
    Answer,
    Figure,
    Metric,
    Table,
    axis_top,
    count,
    joined_runs,
    percent,
    still_left_out,
    times,
)
from specdec.answers.room import Frame, label_box, overlap, plain_corner
from specdec.time_model import K_MAX, LESSON, TimeModel
from specdec.tokens import expected_tokens

MARKED_RATES = (0.6, 0.8, 0.9)
# In the table alone: the highest rate of which the lesson prints the best number.
HIGH_RATE = 0.95
K_ENDS = (12, 16, 24, 32)
LIMITS = (
    (
        "keep_rates",
        "Each guess is taken to be kept with the same chance whatever came before it; real "
        "guesses are kept in runs.",
    ),
    ("", "How often guesses are kept depends on the text and on the pair of models."),
    (
        "draft_fraction_of_peak",
        "A small model runs further below its peak than a big one, so its pass costs more than "
        "its share of the weights; the draft pass control shows what that does.",
    ),
)
SPEEDUP_ENDS = (3.5, 5, 7, 10, 15, 25, 35)


def speedup(setting, model=LESSON, run=None):
    """The page's :class:`Answer` at a :class:`~specdec.setting.Setting`.

    ``run`` is a :class:`~specdec.measured.MeasuredRun` to mark on the figures, if there is one.
    """
    a, k, users, draft = setting.keep_rate, setting.k, setting.users, setting.draft_seconds
    gain = float(model.speedup(a, k, draft, users))
    edge = model.break_even(k, draft, users)
    bests = _bests(setting, model)
    best, best_gain = bests[a]
    tokens = float(model.conditions.tokens_per_round(a, k))
    measured = _measured(run, setting, model)

    verdict = (
        f"**{times(gain)} as fast** as plain decoding"
        if gain >= 1
        else (f"only **{times(gain)} as fast**, so slower than plain decoding")
    )
    needs = (
        f"it pays from **{percent(edge, 1)}** kept"
        if edge is not None
        else "it would not pay even if every guess were kept"
    )
    advice = (
        f"the best number of guesses is **{best}**, {times(best_gain)} as fast"
        if best
        else "no number of guesses from 1 to 32 beats plain decoding here, so switch guessing off"
    )
    sentence = (
        f"With {count(k, 'guess', 'guesses')} a round, each kept with a chance of "
        f"{setting.kept}%, the pair is "
        f"{verdict}; {needs}, and at {setting.kept}% kept {advice}."
    )
    metrics = (
        Metric("Speed-up", times(gain), "against plain decoding"),
        Metric("Tokens per big pass", f"{tokens:.2f}", f"of at most {k + 1}"),
        Metric("Break-even", "never" if edge is None else percent(edge, 1), f"kept, at k = {k}"),
        Metric(
            "Best number of guesses",
            str(best) if best else "none",
            times(best_gain) + " as fast" if best else "plain decoding is faster",
        ),
    )
    return Answer(
        sentence=sentence,
        metrics=metrics,
        figures=(
            _by_keep_rate(setting, model, gain, edge, measured),
            _by_guesses(setting, model, gain, bests, measured),
        ),
        tables=(_break_even_table(setting, model), _best_k_table(bests)),
        formula=(
            r"\text{tokens per round} = \frac{1 - a^{k+1}}{1 - a}",
            r"\text{speed-up} = \frac{\text{tokens per round} \times t_{\text{plain}}}"
            r"{k\,t_{\text{draft}} + t_{\text{big}}(k+1)}",
        ),
        leaves_out=still_left_out(model, LIMITS),
        sources=(expected_tokens, TimeModel.speedup, TimeModel.break_even, TimeModel.best_k),
    )


def _one_rate(model):
    """``model`` with one keep rate for all places: lines over keep rates are about those."""
    return replace(model, conditions=replace(model.conditions, keep_rates=None))


def _bests(setting, model):
    """The best number of guesses and its speed-up for each keep rate that the page speaks of.

    0 and 1.0 where plain decoding is best. The present rate is the model's own, by place if so.
    """
    draft, users = setting.draft_seconds, setting.users
    rates = np.array(sorted({*MARKED_RATES, HIGH_RATE, setting.keep_rate}))
    one_rate = _one_rate(model)
    best = one_rate.best_k(rates, draft, users)
    gains = one_rate.speedup(rates, np.maximum(best, 1), draft, users)
    found = {
        a: (k, s if k else 1.0)
        for a, k, s in zip(rates.tolist(), best.tolist(), gains.tolist(), strict=True)
    }
    if model.conditions.keep_rates is not None:
        k = model.best_k(setting.keep_rate, draft, users)
        gain = float(model.speedup(setting.keep_rate, k, draft, users)) if k else 1.0
        found[setting.keep_rate] = k, gain
    return found


def _measured(run, setting, model):
    """The measured run as (keep rate, k, speed-up at these costs), where it tells all three."""
    if run is None or run.tree or None in (run.k, run.keep_rate, run.tokens_per_pass):
        return None
    plain = float(model.plain_seconds(setting.users))
    round_seconds = float(model.round_seconds(run.k, setting.draft_seconds, setting.users))
    return run.keep_rate, run.k, run.tokens_per_pass * plain / round_seconds


def _measured_words(measured):
    """What the figures' captions say of the measured point; nothing where there is none."""
    if measured is None:
        return ""
    rate, k, gain = measured
    return (
        f" Your server's measured point: {percent(rate, 1)} kept at k = {k}, {times(gain)} as fast "
        "at these costs."
    )


def _side(gain):
    return "faster" if gain >= 1 else "slower"


def _by_keep_rate(setting, model, gain, edge, measured):
    """Figure 3: speed-up against how often a guess is kept."""
    k, users, draft = setting.k, setting.users, setting.draft_seconds
    rates = np.arange(101) / 100
    if edge is not None:
        rates = np.unique(np.append(rates, edge))
    one_rate = _one_rate(model)
    gains = one_rate.speedup(rates, k, draft, users)
    curve = [
        {"kept_percent": 100 * a, "speedup": s, "side": _side(s)}
        for a, s in zip(rates.tolist(), gains.tolist(), strict=True)
    ]
    frame = Frame(0, 100, axis_top(float(gains.max()), SPEEDUP_ENDS))
    side = _setting_side(setting.keep_rate, gain, frame.top)
    marks = [
        _rate_mark(setting.keep_rate, gain, "setting", f"{setting.kept}%: {times(gain)}", side)
    ]
    if edge is not None and abs(edge - setting.keep_rate) > 0.045:
        side = "below right" if edge < 0.62 else "above left"
        marks.append(_rate_mark(edge, 1.0, "break-even", f"break-even {percent(edge, 1)}", side))
    for a in MARKED_RATES:
        if abs(a - setting.keep_rate) > 0.045:
            s = float(one_rate.speedup(a, k, draft, users))
            marks.append(_rate_mark(a, s, "reference", f"{s:.2f}", "above left"))
    # The line is for the present k, so a run with another k is marked on figure 4 alone.
    if measured and measured[1] == k:
        side = "above left" if measured[0] > 0.3 else "above right"
        label = f"measured {measured[2]:.2f}"
        marks.append(_rate_mark(measured[0], measured[2], "measured", label, side))
    marks, boxes = _readable(frame, marks, "kept_percent")
    says = (
        f"Below 1 until {percent(edge, 1)} kept"
        if edge is not None
        else "Below 1 at every keep rate"
    )
    points = ", ".join(
        f"{one_rate.speedup(a, k, draft, users):.2f} at {percent(a)}" for a in MARKED_RATES
    )
    return Figure(
        name="speed-up-by-keep-rate",
        title="Times as fast as plain decoding against how often a guess is kept",
        rows={"curve": joined_runs(curve, "side"), "marks": marks},
        caption=(
            f"{says}, with {count(k, 'guess', 'guesses')} a round. Orange, dotted: slower "
            "than plain decoding. "
            "Green, solid: faster. The dot is the present setting."
            f"{_measured_words(measured)}"
        ),
        alt=(
            f"{says}; {points}. The present setting, {setting.kept}% kept, is "
            f"{times(gain)} as fast."
        ),
        options={
            "y_end": frame.top,
            "plain": plain_corner(
                frame,
                [[(row["kept_percent"], row["speedup"]) for row in curve]],
                boxes,
                ("above left", "above right", "below right"),
            ),
        },
    )


def _rate_mark(a, gain, kind, label, side):
    return {
        "kept_percent": 100 * a,
        "speedup": gain,
        "kind": kind,
        "label": label,
        "side": side,
    }


def _setting_side(a, gain, top):
    """Where there is room beside the rising line: over it where it is steep, else under it."""
    if a > 0.62 or (gain >= 1 and a > 0.3):
        return "above left"
    if gain / top < 0.16:
        return "above right"
    # Close under the line at 1 the label of the break-even comes first.
    return "below right" if gain >= 1 or (1 - gain) / top > 0.07 else "far below right"


def _readable(frame, marks, x):
    """The ``marks``, the labels of the later ones emptied where they would cover an earlier one's;
    and the boxes of those that stand. The caption has the emptied ones' numbers too."""
    boxes, out = [], []
    for row in marks:
        box = label_box(frame, row[x], row["speedup"], row["label"], row["side"])
        if any(overlap(box, other) for other in boxes):
            out.append({**row, "label": ""})
        else:
            boxes.append(box)
            out.append(row)
    return out, boxes


def _by_guesses(setting, model, gain, bests, measured):
    """Figure 4: speed-up against guesses per round, for a few keep rates and the present one."""
    users, draft = setting.users, setting.draft_seconds
    rates = sorted({*MARKED_RATES, setting.keep_rate})
    farthest = max(setting.k, bests[setting.keep_rate][0], measured[1] if measured else 0)
    end = axis_top(min(K_MAX, farthest), K_ENDS)
    ks = np.arange(1, end + 1)
    gains = _one_rate(model).speedup(np.array(rates)[:, None], ks, draft, users)
    # Keep rates by place, where they are on, are the present line's alone.
    gains[rates.index(setting.keep_rate)] = model.speedup(setting.keep_rate, ks, draft, users)
    top = axis_top(float(gains.max()), SPEEDUP_ENDS)
    frame = Frame(0.4, 1.3 * end, top)
    label = f"k = {setting.k}: {gain:.2f}"
    marks = [_guess_mark(setting.k, gain, "setting", label, _guess_side(setting.k, end, "below"))]
    curve, bests_at, ends = [], [], []
    for a, line in zip(rates, gains, strict=True):
        name = f"{percent(a)} kept"
        present = a == setting.keep_rate
        curve += [
            {"guesses": int(n), "speedup": float(s), "rate": name, "present": present}
            for n, s in zip(ks, line, strict=True)
        ]
        ends.append(
            {"guesses": int(ks[-1]), "speedup": float(line[-1]), "label": name, "present": present}
        )
        best_here = int(line.argmax()) + 1
        s = float(line[best_here - 1])
        if s > 1:
            side = _guess_side(best_here, end, "above" if a >= setting.keep_rate else "below")
            label = f"best {best_here}: {s:.2f}"
            mark = _guess_mark(best_here, s, "best", label, side)
            # Where labels are in each other's way, the present line's stays.
            bests_at.insert(0 if present else len(bests_at), mark)
    marks += bests_at
    if measured and measured[1] <= end:
        label = f"measured {measured[2]:.2f}"
        side = _guess_side(measured[1], end, "above")
        marks.append(_guess_mark(measured[1], measured[2], "measured", label, side))
    marks, boxes = _readable(frame, marks, "guesses")
    ends = _spread(ends)
    boxes += [
        label_box(frame, row["guesses"], row["label_at"], row["label"], "right") for row in ends
    ]
    lines = [
        [(row["guesses"], row["speedup"]) for row in curve if row["rate"] == end_["label"]]
        for end_ in ends
    ]
    words = "; ".join(f"{percent(a)} kept: best {bests[a][0] or 'none'}" for a in rates)
    return Figure(
        name="speed-up-by-guesses",
        title="Times as fast as plain decoding against guesses per round",
        rows={"curve": curve, "marks": marks, "ends": ends},
        caption=(
            f"{words}. Dots mark the best number for each keep rate; the diamond is the "
            "present setting, "
            f"k = {setting.k} at {setting.kept}% kept.{_measured_words(measured)}"
        ),
        alt=(
            f"Best number of guesses at {words}. The present setting, k = {setting.k} at "
            f"{setting.kept}% kept, is {times(gain)} as fast."
        ),
        options={
            "x_end": end,
            "y_end": top,
            "plain": plain_corner(
                frame, lines, boxes, ("below left", "above left", "above right", "below right")
            ),
        },
    )


def _guess_side(k, end, where):
    """``where``, "above" or "below" the point, and to the side that keeps clear of the axis."""
    if k <= 0.17 * end:
        return f"{where} right"
    return "below left" if k > 0.85 * end and where == "below" else where


def _guess_mark(k, gain, kind, label, side):
    return {"guesses": int(k), "speedup": gain, "kind": kind, "label": label, "side": side}


def _spread(ends):
    """The labels at the curves' ends, moved apart where they would cover one another."""
    gap = axis_top(max(row["speedup"] for row in ends), SPEEDUP_ENDS) * 0.06
    placed, floor = [], float("-inf")
    for row in sorted(ends, key=lambda row: row["speedup"]):
        at = max(row["speedup"], floor)
        placed.append({**row, "label_at": at})
        floor = at + gap
    return placed


def _break_even_table(setting, model):
    draft, users = setting.draft_seconds, setting.users
    rows, guesses = [], sorted({1, 2, 4, 8, setting.k})
    for k, edge in zip(guesses, model.break_even(guesses, draft, users), strict=True):
        gain = model.speedup(setting.keep_rate, k, draft, users)
        rows.append(
            {
                "Guesses per round": str(k),
                "Break-even": "never" if np.isnan(edge) else percent(edge, 1),
                f"Speed-up at {setting.kept}% kept": f"{gain:.2f}",
            }
        )
    return Table("How often guesses must be kept before they pay", rows)


def _best_k_table(bests):
    rows = [
        {
            "Kept": percent(a),
            "Best number of guesses": str(best) if best else "none: plain decoding",
            "Speed-up": f"{gain:.2f}",
        }
        for a, (best, gain) in bests.items()
    ]
    return Table("The best number of guesses for each keep rate", rows)
