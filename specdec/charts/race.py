"""The race: two lanes of passes over one time axis."""

import altair as alt

from specdec.charts import look

LANES = ["plain", "draft"]


def race(rows, *, palette=look.LIGHT, scale=1.0, x_end=140):
    """``rows``: "blocks" (lane, what, start_ms, end_ms, round, words, state, done, …) and "clock"
    (now, label), the moment up to which blocks are done."""
    x = alt.X("start_ms:Q", title="Milliseconds", scale=alt.Scale(domain=[0, x_end], nice=False))
    y = alt.Y(
        "lane:N",
        title=None,
        sort=LANES,
        scale=alt.Scale(domain=LANES, paddingInner=0.25, paddingOuter=0.2),
        axis=alt.Axis(ticks=False, domain=False, labelFontSize=round(14 * scale)),
    )
    tooltip = [
        alt.Tooltip("what:N", title="Pass"),
        alt.Tooltip("round:Q", title="Round"),
        alt.Tooltip("words:N", title="Word"),
        alt.Tooltip("state:N", title="What becomes of it"),
        alt.Tooltip("start_ms:Q", title="Starts at, ms", format=",.1f"),
        alt.Tooltip("end_ms:Q", title="Ends at, ms", format=",.1f"),
    ]
    # What becomes of a block: (fill, stroke, dash, share of the lane's height).
    looks = {
        "kept": (palette.green, palette.green, [1, 0], 0.55),
        "rejected": (palette.orange, palette.orange, [1, 0], 0.55),
        "thrown away": (palette.ground, palette.grey, [2, 2], 0.55),
        "written": (palette.ink, palette.ground, [1, 0], 1.0),
    }
    blocks = [
        alt.Chart(look.named("blocks"))
        .transform_filter(alt.datum.state == state)
        .mark_bar(
            fill=fill, stroke=stroke, strokeDash=dash, strokeWidth=1.2, height={"band": share}
        )
        .encode(
            x=x,
            x2=alt.X2("end_ms"),
            y=y,
            opacity=alt.condition(alt.datum.done, alt.value(1), alt.value(0.22)),
        )
        for state, (fill, stroke, dash, share) in looks.items()
    ]
    clock = alt.Chart(look.named("clock"))
    hand = clock.mark_rule(color=palette.orange, strokeWidth=2, strokeDash=[5, 3]).encode(
        x=alt.X("now:Q")
    )
    label = clock.mark_text(align="right", dx=-6, fontWeight="bold").encode(
        x=alt.X("now:Q"), y=alt.value(6), text=alt.Text("label:N")
    )
    middles = (
        alt.Chart(look.named("blocks"))
        .transform_calculate(middle="(datum.start_ms + datum.end_ms) / 2")
        .encode(x=alt.X("middle:Q"), y=y)
    )
    *_, catcher, reading = look.nearest_layers(middles, tooltip, palette)
    return look.finished(
        [*blocks, hand, label, *reading, catcher],
        rows,
        "race",
        palette,
        height=200,
        scale=scale,
    )
