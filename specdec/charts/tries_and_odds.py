"""A seeded run of the sampling rule beside the exact odds."""

import altair as alt

from specdec.charts import look


def tries_and_odds(rows, *, palette=look.LIGHT, scale=1.0, y_end=1.1):
    """``rows``: "curve" (token, exact, tried, low, high, label); ``low`` to ``high`` is the band
    that 99 in 100 runs stay inside."""
    x = alt.X("token:N", title="Token", axis=alt.Axis(labelAngle=0))
    base = alt.Chart(look.named("curve")).encode(x=x)
    band = base.mark_bar(width={"band": 0.3}, color=palette.grey, opacity=0.45).encode(
        y=alt.Y("low:Q", title="Share of tries", scale=alt.Scale(domain=[0, y_end])),
        y2=alt.Y2("high"),
    )
    exact = base.mark_tick(thickness=3, color=palette.ink, width={"band": 0.5}).encode(
        y=alt.Y("exact:Q")
    )
    tried = base.mark_point(
        filled=True, size=110, color=palette.green, stroke=palette.ground, opacity=1
    ).encode(y=alt.Y("tried:Q"))
    tooltip = [
        alt.Tooltip("token:N", title="Token"),
        alt.Tooltip("tried:Q", title="Share of tries", format=".4f"),
        alt.Tooltip("exact:Q", title="Exact chance", format=".4f"),
    ]
    *_, catcher, reading = look.nearest_layers(base.encode(y=alt.Y("tried:Q")), tooltip, palette)
    label = base.mark_text(align="left", dx=12, dy=-12).encode(
        y=alt.Y("tried:Q"), text=alt.Text("label:N")
    )
    return look.finished(
        [band, exact, tried, label, *reading, catcher],
        rows,
        "tries-and-odds",
        palette,
        height=280,
        scale=scale,
    )
