"""What becomes of each token: guessed and kept, and redrawn after a rejection, stacked up to p."""

import altair as alt

from specdec.charts import look


def kept_and_redrawn(rows, *, palette=look.LIGHT, scale=1.0, y_end=1.1):
    """``rows``: "bars" (token, part, share, fraction, label) and "caps" (token, p, label)."""
    parts = ["kept", "redrawn"]
    x = alt.X("token:N", title="Token", axis=alt.Axis(labelAngle=0))
    share = alt.Y("share:Q", title="Chance", stack="zero", scale=alt.Scale(domain=[0, y_end]))
    base = alt.Chart(look.named("bars")).encode(
        x=x, y=share, order=alt.Order("part:N", sort="ascending")
    )
    # A part without a share is no part of its bar, so there is nothing to draw or to point at.
    seen = base.transform_filter(alt.datum.share > 0)
    bars = seen.mark_bar(width={"band": 0.5}).encode(
        fill=alt.Fill(
            "part:N",
            scale=alt.Scale(domain=parts, range=[palette.green, palette.ground]),
            legend=None,
        ),
        stroke=alt.Stroke(
            "part:N",
            scale=alt.Scale(domain=parts, range=[palette.green, palette.orange]),
            legend=None,
        ),
        strokeDash=alt.StrokeDash(
            "part:N", scale=alt.Scale(domain=parts, range=[[1, 0], [4, 3]]), legend=None
        ),
        strokeWidth=alt.value(2.5),
    )
    tooltip = [
        alt.Tooltip("token:N", title="Token"),
        alt.Tooltip("part:N", title="Part"),
        alt.Tooltip("fraction:N", title="Exact chance"),
        alt.Tooltip("share:Q", title="As a decimal", format=".4f"),
    ]
    # A sliver of a bar has no room for its name; its place in the stack stays.
    names = (
        seen.transform_calculate(name=f"datum.share < {0.07 * y_end} ? '' : datum.label")
        .mark_text()
        .encode(
            y=alt.Y("share:Q", stack="zero", bandPosition=0.5),
            text="name:N",
            color=alt.condition(
                alt.datum.part == "kept", alt.value(palette.ground), alt.value(palette.ink)
            ),
        )
    )
    *_, catcher, reading = look.nearest_layers(seen, tooltip, palette)
    caps = alt.Chart(look.named("caps"))
    tick = caps.mark_tick(thickness=4, opacity=1, color=palette.ink, width={"band": 0.7}).encode(
        x=x, y=alt.Y("p:Q")
    )
    name = caps.mark_text(dy=-14, fontWeight="bold").encode(
        x=x, y=alt.Y("p:Q"), text=alt.Text("label:N")
    )
    return look.finished(
        [bars, names, tick, name, *reading, catcher],
        rows,
        "kept-and-redrawn",
        palette,
        height=320,
        scale=scale,
    )
