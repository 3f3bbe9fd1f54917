"""Costs: why a check costs about one token, and what a round takes."""

import numpy as np

from specdec.answers.parts import (
    Answer,
    Figure,
    Metric,
    Table,
    axis_top,
    count,
    joined_runs,
    milliseconds,
    multiplied,
    percent,
    still_left_out,
    times,
)
from specdec.roofline import Pass, Roofline
from specdec.time_model import LESSON, TimeModel
from specdec.transformers import Transformer

# Figure 2 of the lesson ends at 300 tokens and 16 ms; a larger check moves both on.
TOKEN_ENDS = (300, 600, 1200, 2500, 5000, 10_000)
PASS_ENDS = (16, 32, 64, 128, 256, 512)
MARKED_TOKENS = (200, 300)
LIMITS = (
    (
        "big_fraction_of_peak",
        "Passes run at the chip's peak rates from its data sheet; a real pass is slower.",
    ),
    (
        "context_tokens",
        "The stored notes about earlier tokens (the key-value cache) are not fetched here.",
    ),
    ("", "The draft model takes memory of its own on the same chip."),
    ("software_seconds", "Software needs time to move between the two models."),
    ("check_passes", "A check is taken to cost what its tokens cost; measured ones cost more."),
)


def costs(setting, model=LESSON):
    """The page's :class:`Answer` at a :class:`~specdec.setting.Setting`."""
    k, users, draft = setting.k, setting.users, setting.draft_seconds
    read = users * (k + 1)
    limited_by = model.big_pass(read, users).limited_by
    # The software of a round is no part of its pass.
    check = Pass(
        float(model.check_seconds(read, users)) - model.conditions.software_seconds, limited_by
    )
    plain = model.plain_seconds(users)
    guess = float(model.draft_seconds(users, draft))
    whole = float(model.round_seconds(k, draft, users))
    tokens = float(model.conditions.tokens_per_round(setting.keep_rate, k))
    gain = model.speedup(setting.keep_rate, k, draft, users)
    each = whole / tokens

    extra = check.seconds / plain - 1
    free = "the same as" if extra < 0.005 else f"{percent(extra)} more than"
    sentence = (
        f"Checking {count(k, 'guess', 'guesses')} reads {count(read, 'token')} in one big pass of "
        f"**{milliseconds(check.seconds)}**, {free} a plain step; with "
        f"{count(k, 'draft pass', 'draft passes')} before it{_with_software(model)} a round takes "
        f"**{milliseconds(whole, 3)}**, so a token costs **{milliseconds(each)}** instead of "
        f"{milliseconds(plain)}."
    )
    metrics = (
        Metric("One big pass", milliseconds(check.seconds, 3), f"limited by {check.limited_by}"),
        Metric(
            "One draft pass", milliseconds(guess, 3), f"{percent(guess / plain, 1)} of a plain step"
        ),
        Metric("One round", milliseconds(whole, 3), count(k, "guess", "guesses")),
        Metric("Time per token", milliseconds(each), f"plain {milliseconds(plain)}"),
    )
    steps = Table(
        "One round, step by step",
        [
            {
                "Step": count(k, "draft pass", "draft passes").capitalize(),
                "Value": multiplied(k, guess),
            },
            {"Step": f"Big pass, {count(read, 'token')}", "Value": milliseconds(check.seconds, 3)},
            *_software_steps(model),
            {"Step": "One round", "Value": milliseconds(whole, 3)},
            {
                "Step": "Tokens per round" + (", each user" if users > 1 else ""),
                "Value": f"{tokens:.2f}",
            },
            {"Step": "Time per token", "Value": milliseconds(each)},
            {"Step": "Speed-up", "Value": times(gain)},
        ],
    )
    return Answer(
        sentence=sentence,
        metrics=metrics,
        figures=(_pass_time(model, read, users), _round_bar(setting, model, guess, check, whole)),
        tables=(steps, _weights_table(model)),
        formula=(
            r"t_{\text{memory}} = \frac{\text{weight bytes}}{\text{bytes per second}}",
            r"t_{\text{arithmetic}} = \frac{2 \times \text{weights} \times \text{tokens}}"
            r"{\text{operations per second}}",
            r"t_{\text{pass}} = \max(t_{\text{memory}},\, t_{\text{arithmetic}})",
            r"t_{\text{round}} = k\,t_{\text{draft}} + t_{\text{big}}(k+1)",
        ),
        leaves_out=still_left_out(model, LIMITS),
        sources=(
            Roofline.seconds,
            TimeModel.check_seconds,
            TimeModel.round_seconds,
            Transformer.weight_parts,
        ),
    )


def _with_software(model):
    seconds = model.conditions.software_seconds
    return f" and {milliseconds(seconds, 1)} of software" if seconds else ""


def _software_steps(model):
    seconds = model.conditions.software_seconds
    return [{"Step": "Software", "Value": milliseconds(seconds, 3)}] if seconds else []


def _pass_time(model, read, users):
    """Figure 2: time of one big pass against the tokens it reads."""
    end = axis_top(read, TOKEN_ENDS)
    last_memory = model.first_arithmetic_tokens(model.big, users) - 1
    near = np.arange(0, end + 1, max(1, end // 150))
    tokens = np.unique(np.concatenate([[1], near[near > 0], [read]]))
    if 1 <= last_memory <= end:
        tokens = np.unique(np.concatenate([tokens, [last_memory, last_memory + 1]]))
    passes = model.big_pass(tokens, users)
    curve = [
        {"tokens": int(n), "milliseconds": 1000 * float(s), "limited_by": str(by)}
        for n, s, by in zip(tokens, passes.seconds, passes.limited_by, strict=True)
    ]
    here = model.big_pass(read, users)
    dearer = (
        f" The check itself is set to cost {model.conditions.check_passes:g} such passes."
        if model.conditions.check_passes != 1
        else ""
    )
    label = f"{count(read, 'token')}: {milliseconds(here.seconds)}"
    # Left of a rising line there is room above it, on a flat one to the right.
    rising = read > last_memory and read > 0.3 * end
    side = "above left" if rising or read > 0.6 * end else "above right"
    marks = [_mark(read, here.seconds, "setting", label, side)]
    highest = 1000 * max(passes.seconds)
    top = axis_top(highest, PASS_ENDS)
    # Close to the axis a label under the point would cover the axis' own.
    low = 1000 * float(passes.seconds[0]) < 0.1 * top
    under = "above right" if low else "below right"
    references = [(last_memory, 2, under)] if 1 <= last_memory < end else []
    if end == TOKEN_ENDS[0]:
        references += [(n, 1, "above left") for n in MARKED_TOKENS]
    for n, digits, side in references:
        # A mark that the setting's own dot would cover is left to that dot.
        if abs(n - read) > end * 0.07:
            seconds = model.big_pass(n, users).seconds
            label = f"{n:,}: {milliseconds(seconds, digits)}"
            marks.append(_mark(n, seconds, "reference", label, side))
    flat = (
        f"Flat at {milliseconds(passes.seconds[0])} up to {last_memory:,} tokens, limited by "
        "memory; from there limited by arithmetic, rising with every token"
    )
    return Figure(
        name="pass-time",
        title="Time of one big pass against the tokens it reads",
        rows={"curve": joined_runs(curve, "limited_by"), "marks": marks},
        caption=(
            f"{flat}. Orange, solid: limited by memory. Green, dashed: limited by arithmetic. "
            "The dot is "
            f"this setting's check of {count(read, 'token')}.{dearer}"
        ),
        alt=(
            f"{flat}. This setting reads {count(read, 'token')} in {milliseconds(here.seconds)}, "
            f"limited by {here.limited_by}."
        ),
        options={"x_end": end, "y_end": top},
    )


def _mark(tokens, seconds, kind, label, side):
    return {
        "tokens": int(tokens),
        "milliseconds": 1000 * float(seconds),
        "kind": kind,
        "label": label,
        "side": side,
    }


def _round_bar(setting, model, guess, check, whole):
    """The round as a bar: k draft passes one after the other, then one big pass."""
    guess_pass = model.draft_pass(setting.users, setting.users)
    parts = [
        {
            "part": "draft pass",
            "limited_by": guess_pass.limited_by,
            "number": i + 1,
            "start": 1000 * i * guess,
            "end": 1000 * (i + 1) * guess,
        }
        for i in range(setting.k)
    ]
    start = setting.k * guess
    parts.append(
        {
            "part": "big pass",
            "limited_by": check.limited_by,
            "number": 1,
            "start": 1000 * start,
            "end": 1000 * (start + check.seconds),
        }
    )
    labels = [
        {
            "part": "draft pass",
            "at": 0.0,
            "label": f"{count(setting.k, 'draft pass', 'draft passes')}: "
            f"{multiplied(setting.k, guess)}",
        },
        {
            "part": "big pass",
            "at": 1000 * start,
            "label": f"big pass: {milliseconds(check.seconds, 3)}",
        },
    ]
    says = (
        f"{count(setting.k, 'draft pass', 'draft passes')} of {milliseconds(guess, 3)} one "
        "after the "
        f"other, then one big pass of {milliseconds(check.seconds, 3)}{_with_software(model)}: "
        f"{milliseconds(whole, 3)} in all"
    )
    return Figure(
        name="round-time",
        title="One round on the clock",
        rows={"parts": parts, "labels": labels},
        caption=f"{says}. Orange: limited by memory. Green: limited by arithmetic.",
        alt=f"{says}.",
        options={"x_end": axis_top(1000 * whole, PASS_ENDS)},
        data="parts",
    )


def _weights_table(model):
    pair = (model.big, model.draft)
    # Of a custom model only the count is known, not where its weights are.
    parts = [each.weight_parts() if isinstance(each, Transformer) else {} for each in pair]
    names = [each.name for each in pair]
    if names[0] == names[1]:
        names = [f"{each.name}, {8 * each.bytes_per_weight:g} bit" for each in pair]
    if names[0] == names[1]:
        names = [f"{name} ({role})" for name, role in zip(names, ("big", "draft"), strict=True)]
    lines = [
        (part, [f"{of[part]:,}" if part in of else "not known" for of in parts])
        for part in dict.fromkeys([*parts[0], *parts[1]])
    ]
    lines.append(("all", [f"{each.weights:,}" for each in pair]))
    lines.append(("bytes to fetch", [f"{each.weight_bytes / 1e9:.2f} GB" for each in pair]))
    rows = [{"Weights in": what, names[0]: big, names[1]: draft} for what, (big, draft) in lines]
    return Table("Where the weights come from", rows)
