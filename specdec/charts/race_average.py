"""Words per big pass: one try of the race, the average of many, and the formula."""

import altair as alt

from specdec.charts import look


def race_average(rows, *, palette=look.LIGHT, scale=1.0, x_end=5):
    """``rows``: "curve" (what, words, low, high), one row a value, in the order to draw them."""
    base = alt.Chart(look.named("curve")).encode(
        y=alt.Y(
            "what:N",
            title=None,
            sort=None,
            axis=alt.Axis(ticks=False, domain=False, labelLimit=260, labelColor=palette.ink),
        )
    )
    x = alt.X("words:Q", title="Words per big pass", scale=alt.Scale(domain=[0, x_end], nice=False))
    band = base.mark_bar(height=14, color=palette.grey, opacity=0.5).encode(
        x=alt.X("low:Q", title="Words per big pass"), x2=alt.X2("high")
    )
    point = base.mark_point(
        filled=True, size=120, color=palette.green, stroke=palette.ground, opacity=1
    ).encode(x=x)
    tooltip = [
        alt.Tooltip("what:N", title="Value"),
        alt.Tooltip("words:Q", title="Words per big pass", format=".3f"),
    ]
    *_, catcher, reading = look.nearest_layers(base.encode(x=x), tooltip, palette)
    label = base.mark_text(dy=-15).encode(x=x, text=alt.Text("words:Q", format=".2f"))
    return look.finished(
        [band, point, label, *reading, catcher],
        rows,
        "race-average",
        palette,
        height=170,
        scale=scale,
    )
