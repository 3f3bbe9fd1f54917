"""Figure 2: time of one big pass against the tokens it reads."""

import altair as alt

from specdec.charts import look


def pass_time(rows, *, palette=look.LIGHT, scale=1.0, x_end=300, y_end=16):
    """``rows``: "curve" (tokens, milliseconds, limited_by, run) and "marks" (tokens, milliseconds,
    kind, label, side). The axes run from 0 to ``x_end`` tokens and ``y_end`` milliseconds.
    """
    x = alt.X("tokens:Q", title="Tokens read in one big pass", scale=alt.Scale(domain=[0, x_end]))
    y = alt.Y("milliseconds:Q", title="Milliseconds", scale=alt.Scale(domain=[0, y_end]))
    line = look.sided_line(
        "curve",
        x,
        y,
        "limited_by",
        {"memory": palette.orange, "arithmetic": palette.green},
        {"memory": [1, 0], "arithmetic": [7, 3]},
    )
    tooltip = [
        alt.Tooltip("tokens:Q", title="Tokens read", format=","),
        alt.Tooltip("milliseconds:Q", title="Milliseconds", format=",.2f"),
        alt.Tooltip("limited_by:N", title="Limited by"),
    ]
    points = look.point_layers("marks", x, y, palette)
    labels = look.label_layers("marks", x, y, palette, ("above right", "above left", "below right"))
    reading = look.reading_layers("curve", x, y, tooltip, palette)
    return look.finished(
        [line, *points, *labels, *reading], rows, "pass-time", palette, scale=scale
    )
