"""The keep rate at each place of a round, of the guesses that were reached."""

import altair as alt

from specdec.charts import look


def keep_rate_by_place(rows, *, palette=look.LIGHT, scale=1.0, x_end=8):
    """``rows``: "curve" (place, kept_percent, label) and "average" (kept_percent), at most one."""
    x = alt.X(
        "place:Q",
        title="Place of the guess in the round",
        scale=alt.Scale(domain=[0.5, x_end + 0.5], nice=False),
        axis=look.whole_axis(x_end),
    )
    y = alt.Y("kept_percent:Q", title="Kept, percent", scale=alt.Scale(domain=[0, 110], nice=False))
    base = alt.Chart(look.named("curve")).encode(x=x, y=y)
    stems = base.mark_rule(color=palette.green, strokeWidth=3).encode(y2=alt.datum(0))
    heads = base.mark_point(
        filled=True, size=130, fill=palette.green, stroke=palette.ground, opacity=1
    )
    labels = [
        base.mark_text(dy=-15, **letters).encode(text=alt.Text("label:N"))
        for letters in (look.halo(palette, 4), {})
    ]
    average = (
        alt.Chart(look.named("average"))
        .mark_rule(color=palette.muted, strokeDash=[6, 4], strokeWidth=1.5)
        .encode(y=alt.Y("kept_percent:Q"))
    )
    name = (
        alt.Chart(look.named("average"))
        .mark_text(align="right", dx=-4, dy=12, color=palette.muted)
        .encode(y=alt.Y("kept_percent:Q"), x=alt.value("width"), text=alt.value("keep rate a"))
    )
    tooltip = [
        alt.Tooltip("place:Q", title="Place"),
        alt.Tooltip("kept_percent:Q", title="Kept, %", format=".1f"),
    ]
    reading = look.reading_layers("curve", x, y, tooltip, palette)
    return look.finished(
        [average, name, stems, heads, *labels, *reading],
        rows,
        "keep-rate-by-place",
        palette,
        height=280,
        scale=scale,
    )
