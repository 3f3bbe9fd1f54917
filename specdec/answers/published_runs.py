"""Published: how far real systems are from the best case of this model."""

from dataclasses import dataclass

from specdec.answers.parts import Figure, Table
from specdec.opening_values import MEDIAN_OF_BEST_CASE, PLAIN_OF_BEST_CASE
from specdec.published import plain_fractions, scored, shown


@dataclass(frozen=True)
class PublishedAnswer:
    """``sentence`` over all scored runs, and ``figure`` and ``table`` of the shown ones."""

    sentence: str
    figure: Figure
    table: Table


def published_runs():
    """The answer; it does not depend on any setting."""
    return PublishedAnswer(_real_sentence(), _real_figure(), _real_table())


def _real_sentence():
    plain = sorted(plain_fractions().values())
    return (
        f"Of {len(scored())} published measurements held against this model (one more is left out, "
        "whose acceptance was another run's), the median reaches "
        f"**{MEDIAN_OF_BEST_CASE.value:.2f}** of its best case; plain decoding itself reaches "
        f"**{PLAIN_OF_BEST_CASE.value:.2f}** of its own ({plain[0]:.2f} to {plain[-1]:.2f}). "
        "Drafts "
        "cost more than their bytes, a check more than one pass, and guesses are kept less often "
        "the further on they are."
    )


def _real_rows():
    return [row for row in shown() if row.ratio is not None]


def _real_figure():
    rows = []
    for each in _real_rows():
        said = each.measured / each.ratio
        rows.append(
            {
                "row": f"{each.id} {each.big}",
                "what": f"{each.big} + {each.draft}",
                "measured": each.measured,
                "best_case": said,
                "ratio": each.ratio,
                "mark": _provenance(each),
            }
        )
    rows.sort(key=lambda row: row["ratio"])
    below = sum(row["ratio"] < 1 for row in rows)
    return Figure(
        name="how-far-from-real",
        title="Measured speed-up and what the best case says",
        rows={"curve": rows},
        caption=(
            "One line a published run, named as in the table, the farthest from its best case on "
            f"top. Ring: the best case of this model, with the row's own draft cost where no sizes "
            f"are printed; {below} of {len(rows)} stay below it. Dot: measured. Dashed: plain "
            "decoding."
        ),
        alt=(
            f"{below} of {len(rows)} published runs stay below the model's best case, by up to "
            f"{1 - rows[0]['ratio']:.0%}."
        ),
        options={},
    )


def _provenance(each):
    marks = []
    if each.seen == "transcription":
        marks.append("transcription")
    if each.inferred:
        marks.append(f"inferred: {each.inferred}")
    return "; ".join(marks) or "as printed"


def _real_table():
    def shown_number(value, form="{:.2f}"):
        return "" if value is None else form.format(value)

    rows = [
        {
            "Row": each.id,
            "Source": each.source,
            "Link": each.url,
            "Chip": each.chip,
            "Big + draft": f"{each.big} + {each.draft}",
            "k": each.k_printed,
            "Acceptance as printed": each.acceptance_printed,
            "Keep rate the model needs": shown_number(each.keep_rate),
            "Measured": shown_number(each.measured),
            "Best case": shown_number(each.best_case),
            "Ratio": shown_number(each.ratio),
            "With its own draft cost": shown_number(each.with_own_draft),
            "With its own check cost": shown_number(each.with_own_check),
            "What closes it": each.closes,
            "How it was read": _provenance(each),
        }
        for each in shown()
    ]
    return Table("Published measurements against this model", rows)
