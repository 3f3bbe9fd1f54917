"""Words per big pass on the toy pair: measured, and by the formula."""

import altair as alt

from specdec.charts import look


def words_per_pass(rows, *, palette=look.LIGHT, scale=1.0):
    """``rows``: "curve" (guesses, words, kind), ``kind`` being "measured" or "formula"."""
    kinds = ["measured", "formula"]
    x = alt.X(
        "guesses:Q",
        title="Guesses per round, k",
        scale=alt.Scale(domain=[0.5, 11], nice=False),
        axis=alt.Axis(values=[1, 2, 4, 8], format="d"),
    )
    y = alt.Y("words:Q", title="Words per big pass", scale=alt.Scale(domain=[0, 4]))
    base = alt.Chart(look.named("curve")).encode(x=x, y=y)
    line = base.mark_line(strokeWidth=2.5).encode(
        color=alt.Color(
            "kind:N",
            scale=alt.Scale(domain=kinds, range=[palette.green, palette.grey]),
            legend=None,
        ),
        strokeDash=alt.StrokeDash(
            "kind:N", scale=alt.Scale(domain=kinds, range=[[1, 0], [5, 4]]), legend=None
        ),
    )
    points = base.mark_point(filled=True, size=90, opacity=1).encode(
        color=alt.Color("kind:N", legend=None),
        shape=alt.Shape(
            "kind:N", scale=alt.Scale(domain=kinds, range=["circle", "square"]), legend=None
        ),
    )
    values = [
        base.transform_filter(alt.datum.kind == kind)
        .mark_text(dy=dy * scale)
        .encode(text=alt.Text("words:Q", format=".2f"))
        for kind, dy in (("measured", -15), ("formula", 17))
    ]
    names = [
        base.transform_filter((alt.datum.kind == kind) & (alt.datum.guesses == 8))
        .mark_text(align="left", dx=18 * scale, dy=dy * scale)
        .encode(text=alt.Text("kind:N"))
        for kind, dy in (("measured", -5), ("formula", 9))
    ]
    tooltip = [
        alt.Tooltip("kind:N", title="Value"),
        alt.Tooltip("guesses:Q", title="Guesses per round", format="d"),
        alt.Tooltip("words:Q", title="Words per big pass", format=".2f"),
    ]
    reading = look.reading_layers("curve", x, y, tooltip, palette, both=True)
    return look.finished(
        [line, points, *values, *names, *reading],
        rows,
        "words-per-pass",
        palette,
        height=280,
        scale=scale,
    )
