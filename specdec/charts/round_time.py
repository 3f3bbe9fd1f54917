"""The round as a bar: k draft passes, then one big pass."""

import altair as alt

from specdec.charts import look


def round_time(rows, *, palette=look.LIGHT, scale=1.0, x_end=16):
    """``rows``: "parts" (part, number, limited_by, start, end; milliseconds) and "labels" (part,
    at, label)."""
    x = alt.X("start:Q", title="Milliseconds", scale=alt.Scale(domain=[0, x_end]))
    parts = ["draft pass", "big pass"]
    y = alt.Y("part:N", title=None, sort=parts, axis=alt.Axis(ticks=False, domain=False))
    bars = (
        alt.Chart(look.named("parts"))
        .mark_bar(
            height={"band": 0.5},
            stroke=palette.ground,
            # The gap between bars must not swallow thin ones.
            strokeWidth=alt.ExprRef(
                "min(1.5, (scale('x', datum.end) - scale('x', datum.start)) / 3)"
            ),
        )
        .encode(
            x=x,
            x2=alt.X2("end"),
            y=y,
            color=alt.Color(
                "limited_by:N",
                scale=alt.Scale(
                    domain=["memory", "arithmetic"], range=[palette.orange, palette.green]
                ),
                legend=None,
            ),
        )
    )
    tooltip = [
        alt.Tooltip("part:N", title="Part"),
        alt.Tooltip("number:Q", title="Number"),
        alt.Tooltip("limited_by:N", title="Limited by"),
        alt.Tooltip("start:Q", title="Starts at, ms", format=",.3f"),
        alt.Tooltip("end:Q", title="Ends at, ms", format=",.3f"),
    ]
    middles = (
        alt.Chart(look.named("parts"))
        .transform_calculate(middle="(datum.start + datum.end) / 2")
        .encode(x=alt.X("middle:Q"), y=y)
    )
    *_, catcher, reading = look.nearest_layers(middles, tooltip, palette)
    labels = (
        alt.Chart(look.named("labels"))
        .mark_text(
            # From the bar's start, or where that is far to the right, back from its place.
            align=alt.ExprRef("scale('x', datum.at) > width / 2 ? 'right' : 'left'"),
            dx=alt.ExprRef("scale('x', datum.at) > width / 2 ? 40 : 2"),
            baseline="bottom",
            dy=-22,
        )
        .encode(x=alt.X("at:Q"), y=y, text=alt.Text("label:N"))
    )
    return look.finished(
        [bars, labels, *reading, catcher],
        rows,
        "round-time",
        palette,
        height=190,
        scale=scale,
    )
