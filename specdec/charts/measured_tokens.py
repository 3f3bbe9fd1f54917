"""Tokens per big pass against k: measured, by the formula, and by the rate that is not a."""

import altair as alt

from specdec.charts import look

KINDS = ("measured", "formula at a", "wrong: acceptance rate as a")


def measured_tokens(rows, *, palette=look.LIGHT, scale=1.0, x_end=8, y_end=5):
    """``rows``: "curve" (guesses, tokens, kind), ``kind`` one of :data:`KINDS`."""
    x = alt.X(
        "guesses:Q",
        title="Guesses per round, k",
        scale=alt.Scale(domain=[0.5, x_end + 0.5], nice=False),
        axis=look.whole_axis(x_end),
    )
    y = alt.Y("tokens:Q", title="Tokens per big pass", scale=alt.Scale(domain=[0, y_end]))
    base = alt.Chart(look.named("curve")).encode(x=x, y=y)
    looks = {KINDS[1]: (palette.green, [1, 0]), KINDS[2]: (palette.orange, [2, 2])}
    lines = [
        base.transform_filter(alt.datum.kind == kind).mark_line(
            color=colour, strokeDash=dash, strokeWidth=3
        )
        for kind, (colour, dash) in looks.items()
    ]
    # Above the rising line and below the lower one, where neither runs, and inside a phone's plot.
    names = [
        base.transform_filter((alt.datum.kind == kind) & (alt.datum.guesses == x_end))
        .mark_text(align="right", dy=dy)
        .encode(text=alt.Text("kind:N"))
        for kind, dy in zip(looks, (-16, 18), strict=True)
    ]
    dots = base.transform_filter(alt.datum.kind == KINDS[0])
    measured = dots.mark_point(
        filled=True, size=130, fill=palette.ink, stroke=palette.ground, opacity=1
    )
    values = dots.mark_text(dy=-15).encode(text=alt.Text("tokens:Q", format=".2f"))
    tooltip = [
        alt.Tooltip("kind:N", title="Value"),
        alt.Tooltip("guesses:Q", title="Guesses per round", format="d"),
        alt.Tooltip("tokens:Q", title="Tokens per big pass", format=".3f"),
    ]
    reading = look.reading_layers("curve", x, y, tooltip, palette, both=True)
    return look.finished(
        [*lines, *names, measured, values, *reading],
        rows,
        "measured-tokens",
        palette,
        scale=scale,
    )
