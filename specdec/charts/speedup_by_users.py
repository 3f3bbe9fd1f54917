"""Figure 5: times as fast as plain decoding against users sharing the chip."""

import altair as alt

from specdec.charts import look


def speedup_by_users(
    rows, *, palette=look.LIGHT, scale=1.0, x_end=256, y_end=2.5, plain="above right"
):
    """``rows``: "curve" (users, speedup, side, run) and "marks" (users, speedup, kind, label,
    side), and "lesson" (users, speedup), which is empty where the line is the lesson's own.

    ``plain`` is the corner of the dashed line's name.
    """
    x = alt.X(
        "users:Q",
        title="Users sharing the chip",
        scale=alt.Scale(domain=[0, x_end], nice=False),
    )
    y = alt.Y("speedup:Q", title="Times as fast", scale=alt.Scale(domain=[0, y_end]))
    line = look.sided_line(
        "curve",
        x,
        y,
        "side",
        {"slower": palette.orange, "faster": palette.green},
        {"slower": [2, 2], "faster": [1, 0]},
    )
    # Mostly empty, and then there is nothing to be read out.
    lesson = (
        alt.Chart(look.named("lesson"))
        .mark_line(color=palette.grey, strokeWidth=1.5, strokeDash=[1, 3], aria=False)
        .encode(x=x, y=y)
    )
    rule, name = look.plain_decoding_layers(palette, where=plain)
    tooltip = [
        alt.Tooltip("users:Q", title="Users", format="d"),
        alt.Tooltip("speedup:Q", title="Times as fast", format=".2f"),
        alt.Tooltip("side:N", title="Than plain decoding"),
    ]
    points = look.point_layers("marks", x, y, palette)
    labels = look.label_layers(
        "marks",
        x,
        y,
        palette,
        ("right", "above right", "above left", "below right", "far above right"),
    )
    reading = look.reading_layers("curve", x, y, tooltip, palette)
    return look.finished(
        [rule, name, lesson, line, *points, *labels, *reading],
        rows,
        "speed-up-by-users",
        palette,
        scale=scale,
    )
