"""Published speed-ups beside the best case of this model, one line a run."""

import altair as alt

from specdec.charts import look


def how_far_from_real(rows, *, palette=look.LIGHT, scale=1.0):
    """``rows``: "curve" (row, what, measured, best_case, ratio, mark), in the order to draw."""
    base = alt.Chart(look.named("curve")).encode(
        y=alt.Y(
            "row:N",
            title=None,
            sort=None,
            axis=alt.Axis(ticks=False, domain=False, grid=True, labelLimit=170),
        ),
    )
    tooltip = [
        alt.Tooltip("row:N", title="Row"),
        alt.Tooltip("what:N", title="Pair"),
        alt.Tooltip("measured:Q", title="Measured", format=".2f"),
        alt.Tooltip("best_case:Q", title="Best case", format=".2f"),
        alt.Tooltip("ratio:Q", title="Measured ÷ best case", format=".2f"),
        alt.Tooltip("mark:N", title="How it was read"),
    ]
    x = alt.X(
        "best_case:Q", title="Times as fast as plain decoding", scale=alt.Scale(domain=[0, 5.5])
    )
    link = base.mark_rule(strokeWidth=3).encode(
        x=x,
        x2=alt.X2("measured"),
        color=alt.condition(
            alt.datum.ratio >= 1, alt.value(palette.green), alt.value(palette.orange)
        ),
    )
    ring = base.mark_point(
        size=90, filled=True, fill=palette.ground, stroke=palette.ink, strokeWidth=1.5, opacity=1
    ).encode(x=x)
    dot = base.mark_point(size=90, filled=True, color=palette.ink, opacity=1).encode(
        x=alt.X("measured:Q")
    )
    rule = (
        alt.Chart(alt.sequence(1, 2, as_="speedup"))
        .mark_rule(color=palette.muted, strokeDash=[6, 4], strokeWidth=1.5)
        .encode(x=alt.X("speedup:Q"))
    )
    measured = base.encode(x=alt.X("measured:Q"))
    *_, catcher, reading = look.nearest_layers(measured, tooltip, palette)
    return look.finished(
        [rule, link, ring, dot, *reading, catcher],
        rows,
        "how-far-from-real",
        palette,
        height=560,
        scale=scale,
    )
