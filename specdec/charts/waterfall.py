"""A waterfall from the lesson's speed-up to the realistic one."""

import altair as alt

from specdec.charts import look

NARROW = "width < 480"


def waterfall(rows, *, palette=look.LIGHT, scale=1.0, y_end=2.5):
    """``rows``: "bars" (name, start, end, top, kind, label), in order; ``kind`` is "total", "gain"
    or "loss"."""
    x = alt.X(
        "name:N",
        title=None,
        sort=None,
        # On a phone the steps' words are wider than their bars, so the names stand upright.
        axis=alt.Axis(
            labelAngle=alt.ExprRef(f"{NARROW} ? -90 : 0"),
            labelAlign=alt.ExprRef(f"{NARROW} ? 'right' : 'center'"),
            labelBaseline=alt.ExprRef(f"{NARROW} ? 'middle' : 'top'"),
            labelLimit=200,
            labelExpr=f"{NARROW} ? datum.label : split(datum.label, ' ')",
        ),
    )
    y = alt.Y("start:Q", title="Times as fast", scale=alt.Scale(domain=[0, y_end]))
    kinds = ["total", "gain", "loss"]
    base = alt.Chart(look.named("bars"))
    bars = base.mark_bar(width={"band": 0.62}, cornerRadius=2).encode(
        x=x,
        y=y,
        y2=alt.Y2("end"),
        color=alt.Color(
            "kind:N",
            scale=alt.Scale(domain=kinds, range=[palette.grey, palette.green, palette.orange]),
            legend=None,
        ),
    )
    tooltip = [
        alt.Tooltip("name:N", title="Step"),
        alt.Tooltip("start:Q", title="Before", format=".2f"),
        alt.Tooltip("end:Q", title="After", format=".2f"),
    ]
    tops = base.encode(x=x, y=alt.Y("top:Q"))
    *_, catcher, reading = look.nearest_layers(tops, tooltip, palette)
    labels = base.mark_text(dy=-10, fontWeight="bold").encode(
        x=x, y=alt.Y("top:Q"), text=alt.Text("label:N")
    )
    rule, _ = look.plain_decoding_layers(palette)
    return look.finished(
        [bars, rule, labels, *reading, catcher], rows, "waterfall", palette, height=320, scale=scale
    )
