"""Ways to guess: with a draft model, by look-up in the prompt, with heads on the big model."""

from collections.abc import Sequence
from dataclasses import dataclass

from specdec.answers.parts import Figure, Table, axis_top, count, percent
from specdec.other_ways import EXTRA_HEADS, PROMPT_LOOKUP, extra_heads, prompt_lookup
from specdec.time_model import LESSON

SPEEDUP_ENDS = (2.5, 3.5, 5, 7, 10, 15, 25, 35)
# What a tree of candidates is cut to: more nodes than servers check, and more places than pay.
NODES_MAX, PLACES_MAX = 64, 12


@dataclass(frozen=True)
class WaysAnswer:
    """``figure`` and ``table`` of the ways side by side, and for each other way (name,
    assumptions, papers)."""

    figure: Figure
    table: Table
    assumptions: Sequence[tuple[str, Sequence[str], Sequence[str]]]


def ways_to_guess(setting, model=LESSON, found=0.5, head_share=0.05, candidates=1):
    """The ways at a setting's keep rate, k and users.

    ``found`` is the chance that a look-up finds something, ``head_share`` the cost of a head pass
    as a share of a plain step, and ``candidates`` how many each place has.
    """
    ways = _ways(setting, model, found, head_share, candidates)
    return WaysAnswer(
        figure=_ways_figure(ways),
        table=_ways_table(ways, found, head_share, candidates),
        assumptions=[
            (way.name, way.assumptions, way.papers) for way in (PROMPT_LOOKUP, EXTRA_HEADS)
        ],
    )


def _ways(setting, model, found, head_share, candidates):
    """(name, tokens per round, tokens checked, speed-up) of each way at this setting."""
    a, k, users = setting.keep_rate, setting.k, setting.users
    draft = float(model.conditions.tokens_per_round(a, k))
    look_up = prompt_lookup(model, a, k, users=users, found=found)
    places = min(k, PLACES_MAX)
    nodes = min(NODES_MAX, sum(candidates**place for place in range(1, places + 1)))
    heads, one_by_one = (
        extra_heads(model, a, places, head_share, candidates, nodes, users, one_head_pass)
        for one_head_pass in (True, False)
    )
    gain = float(model.speedup(a, k, setting.draft_seconds, users))
    return [
        ("Draft model", draft, float(k + 1), gain),
        ("Prompt look-up", *_numbers(look_up)),
        ("Heads, Medusa style", *_numbers(heads)),
        ("Heads, EAGLE style", *_numbers(one_by_one)),
    ]


def _numbers(estimate):
    return (
        float(estimate.tokens_per_round),
        float(estimate.checked_tokens),
        float(estimate.speedup),
    )


def _ways_figure(ways):
    rows = [
        {"way": name, "speedup": gain, "label": f"{gain:.2f}", "tokens": tokens}
        for name, tokens, _, gain in ways
    ]
    says = "; ".join(f"{row['way']}: {row['label']}" for row in rows)
    return Figure(
        name="ways-to-guess",
        title="Times as fast as plain decoding, by the way to guess",
        rows={"curve": rows},
        caption=(
            f"{says}. Medusa style: one head pass guesses all places. EAGLE style: one head pass a "
            "place. All are taken at the same keep rate, which real ways do not share. The dashed "
            "line is plain decoding."
        ),
        alt=f"{says}.",
        options={"x_end": axis_top(max(row["speedup"] for row in rows) * 1.05, SPEEDUP_ENDS)},
    )


def _ways_table(ways, found, head_share, candidates):
    title = (
        f"Ways to guess: look-ups find something {percent(found)} of the time, a head pass costs "
        f"{percent(head_share)} of a plain step, {count(candidates, 'candidate')} a place"
    )
    return Table(
        title,
        [
            {
                "Way": name,
                "Tokens per round": f"{tokens:.2f}",
                "Tokens checked": f"{checked:.1f}",
                "Speed-up": f"{gain:.2f}",
            }
            for name, tokens, checked, gain in ways
        ],
    )
