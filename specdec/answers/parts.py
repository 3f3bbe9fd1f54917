"""The parts that every answer is made of, and how its numbers are printed."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from specdec.conditions import BEST_CASE
from specdec.time_model import LESSON

Row = dict[str, object]


@dataclass(frozen=True)
class Metric:
    """One number of the metric row; ``note`` says in a few words what it is measured against."""

    label: str
    value: str
    note: str = ""


@dataclass(frozen=True)
class Table:
    """A small table of printed values; ``title`` names it for those who cannot see it."""

    title: str
    rows: Sequence[Row]


@dataclass(frozen=True)
class Figure:
    """A figure's rows and words.

    ``name`` is a slug for file names; ``rows`` maps each data set that the chart builder asks for
    to its rows, at full precision; ``options`` are the builder's own, few in number (axis ends);
    ``alt`` says what the figure shows at this setting. ``data`` names the set that is handed out
    as CSV.
    """

    name: str
    title: str
    rows: Mapping[str, Sequence[Row]]
    caption: str
    alt: str
    options: Mapping[str, object] = field(default_factory=dict)
    data: str = "curve"


@dataclass(frozen=True)
class Answer:
    """A page: the one ``sentence`` that answers its question, and what stands under it.

    ``formula`` is LaTeX, a line each, ``leaves_out`` the limits of this best case, and ``sources``
    the functions whose code the page shows.
    """

    sentence: str
    metrics: Sequence[Metric]
    figures: Sequence[Figure]
    tables: Sequence[Table]
    formula: Sequence[str]
    leaves_out: Sequence[str]
    sources: Sequence[Callable]


def milliseconds(seconds, digits=2):
    """Seconds, printed as milliseconds: ``7.88 ms``."""
    return f"{1000 * seconds:,.{digits}f} ms"


def multiplied(k, seconds, digits=3):
    """k times ``seconds``, multiplied as by hand: from the milliseconds already printed.

    The lesson's worked example multiplies the 1.212 ms that it has just shown, which gives
    4.848 ms; at full precision four passes are 4.8487 ms.
    """
    return f"{k * round(1000 * seconds, digits):,.{digits}f} ms"


def times(ratio, digits=2):
    """A speed-up, printed as ``2.08 times``."""
    return f"{ratio:,.{digits}f} times"


def percent(share, digits=0):
    """A share, printed as ``80%``."""
    return f"{float(100 * share):.{digits}f}%"


def count(number, one, many=None):
    """A counted noun: ``1 guess``, ``4 guesses``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def escaped(text):
    """``text`` with Markdown's own characters made plain, for words that came from outside."""
    return "".join(f"\\{c}" if c in r"\`*_{}[]()<>#+-.!|~$:&^=" else c for c in text)


def axis_top(highest, ladder):
    """The first rung of ``ladder`` that ``highest`` fits under.

    An axis that moves in rungs stays put while a slider is dragged, until the curve would leave
    it; beyond the last rung it doubles.
    """
    for rung in ladder:
        if highest <= rung:
            return rung
    rung = ladder[-1]
    while rung < highest:
        rung *= 2
    return rung


def joined_runs(rows, key):
    """``rows`` in runs of equal ``row[key]``, each run beginning where the one before it ended.

    Adds ``run``, a number, to every row. A line drawn run by run then has no gap at a change of
    colour.
    """
    out, run = [], 0
    for row in rows:
        if out and row[key] != out[-1][key]:
            run += 1
            out.append({**out[-1], key: row[key], "run": run})
        out.append({**row, "run": run})
    return out


def still_left_out(model, limits):
    """The ``limits`` that hold for ``model``: pairs of a field of its conditions, or "", and a
    sentence. A sentence goes once its field has been put back."""
    return tuple(
        sentence
        for field_name, sentence in limits
        if not field_name or getattr(model.conditions, field_name) == getattr(BEST_CASE, field_name)
    )


def setting_line(setting, model=LESSON):
    """The present setting in one line, as it stands above a figure."""
    own = setting.draft_seconds is None
    draft = 1000 * float(model.draft_seconds()) if own else setting.draft_ms
    parts = [
        f"{setting.kept}% kept",
        count(setting.k, "guess", "guesses"),
        f"draft pass {draft:.4g} ms",
        count(setting.users, "user"),
    ]
    if model != LESSON:
        parts.append(f"{model.big.name} and {model.draft.name} on {model.chip.name}")
    if model.conditions != BEST_CASE:
        parts.append("not the best case")
    return " · ".join(parts)


def setting_slug(setting, model=LESSON):
    """The present setting as a part of a file name; another machine than the lesson's is named."""
    slug = f"kept{setting.kept}-k{setting.k}-draft{setting.draft_ms:g}ms-users{setting.users}"
    if model != LESSON:
        named = f"{model.big.name} {model.draft.name} {model.chip.name}"
        slug += "-" + re.sub(r"[^a-z0-9.]+", "-", named.lower()).strip("-")
    if model.conditions != BEST_CASE:
        slug += "-not-best-case"
    return slug
