"""Speed-up against guesses per round, from the measured places and by the formula."""

import altair as alt

from specdec.charts import look

KINDS = ("measured places", "extrapolated", "formula at a")


def measured_speedup(rows, *, palette=look.LIGHT, scale=1.0, x_end=12, y_end=3.5):
    """``rows``: "curve" (guesses, speedup, kind), ``kind`` one of :data:`KINDS`, and "marks"
    (guesses, speedup, kind, label, side)."""
    x = alt.X(
        "guesses:Q",
        title="Guesses per round, k",
        scale=alt.Scale(domain=[0.4, x_end + 0.6], nice=False),
        axis=look.whole_axis(x_end),
    )
    y = alt.Y("speedup:Q", title="Times as fast", scale=alt.Scale(domain=[0, y_end]))
    base = alt.Chart(look.named("curve")).encode(x=x, y=y)
    looks = {
        KINDS[2]: (palette.grey, [1, 0], 2),
        KINDS[1]: (palette.green, [4, 3], 3),
        KINDS[0]: (palette.green, [1, 0], 4),
    }
    lines = [
        base.transform_filter(alt.datum.kind == kind).mark_line(
            color=colour,
            strokeDash=dash,
            strokeWidth=width,
            # A point of its own colour; Vega would give it one of no palette of ours.
            point=alt.OverlayMarkDef(color=colour, size=60) if kind == KINDS[0] else False,
        )
        for kind, (colour, dash, width) in looks.items()
    ]
    rule, name = look.plain_decoding_layers(palette, where="below left")
    points = look.point_layers("marks", x, y, palette)
    labels = look.label_layers("marks", x, y, palette, ("above", "below"))
    tooltip = [
        alt.Tooltip("kind:N", title="From"),
        alt.Tooltip("guesses:Q", title="Guesses per round", format="d"),
        alt.Tooltip("speedup:Q", title="Times as fast", format=".2f"),
    ]
    reading = look.reading_layers("curve", x, y, tooltip, palette, both=True)
    return look.finished(
        [rule, name, *lines, *points, *labels, *reading],
        rows,
        "measured-speed-up",
        palette,
        scale=scale,
    )
