"""Figure 3: times as fast as plain decoding against how often a guess is kept."""

import altair as alt

from specdec.charts import look


def speedup_by_keep_rate(rows, *, palette=look.LIGHT, scale=1.0, y_end=3.5, plain="above left"):
    """``rows``: "curve" (kept_percent, speedup, side, run) and "marks" (kept_percent, speedup,
    kind, label, side); ``plain`` is the corner of the dashed line's name."""
    x = alt.X("kept_percent:Q", title="Guesses kept, percent", scale=alt.Scale(domain=[0, 100]))
    y = alt.Y("speedup:Q", title="Times as fast", scale=alt.Scale(domain=[0, y_end]))
    line = look.sided_line(
        "curve",
        x,
        y,
        "side",
        {"slower": palette.orange, "faster": palette.green},
        {"slower": [2, 2], "faster": [1, 0]},
    )
    rule, name = look.plain_decoding_layers(palette, where=plain)
    tooltip = [
        alt.Tooltip("kept_percent:Q", title="Guesses kept, %", format=".1f"),
        alt.Tooltip("speedup:Q", title="Times as fast", format=".2f"),
        alt.Tooltip("side:N", title="Than plain decoding"),
    ]
    points = look.point_layers("marks", x, y, palette)
    labels = look.label_layers(
        "marks", x, y, palette, ("above right", "above left", "below right", "far below right")
    )
    reading = look.reading_layers("curve", x, y, tooltip, palette)
    return look.finished(
        [rule, name, line, *points, *labels, *reading],
        rows,
        "speed-up-by-keep-rate",
        palette,
        scale=scale,
    )
