"""Figure 4: times as fast as plain decoding against guesses per round."""

import altair as alt

from specdec.charts import look

# Room at the right for the names of the lines, as a share of the axis.
LINE_NAMES = 1.3


def speedup_by_guesses(
    rows, *, palette=look.LIGHT, scale=1.0, x_end=12, y_end=3.5, plain="below left"
):
    """``rows``: "curve" (guesses, speedup, rate, present), "marks" (guesses, speedup, kind, label,
    side) and "ends" (guesses, speedup, label, label_at, present), one for each keep rate;
    ``plain`` is the corner of the dashed line's name.
    """
    x = alt.X(
        "guesses:Q",
        title="Guesses per round, k",
        scale=alt.Scale(domain=[0.4, x_end * LINE_NAMES], nice=False),
        axis=look.whole_axis(x_end),
    )
    y = alt.Y("speedup:Q", title="Times as fast", scale=alt.Scale(domain=[0, y_end]))
    line = (
        alt.Chart(look.named("curve"))
        .mark_line(strokeJoin="round")
        .encode(
            x=x,
            y=y,
            detail=alt.Detail("rate:N"),
            color=alt.condition(
                alt.datum.present, alt.value(palette.green), alt.value(palette.grey)
            ),
            strokeWidth=alt.condition(alt.datum.present, alt.value(4), alt.value(2)),
        )
    )
    rule, name = look.plain_decoding_layers(palette, where=plain)
    base = alt.Chart(look.named("marks")).encode(x=x, y=y)
    best = base.transform_filter(alt.datum.kind != "setting").mark_point(
        filled=True, size=90, fill=palette.ground, stroke=palette.ink, strokeWidth=2, opacity=1
    )
    setting = base.transform_filter(alt.datum.kind == "setting").mark_point(
        shape="diamond", filled=True, size=170, fill=palette.ink, stroke=palette.ground, opacity=1
    )
    labels = look.label_layers(
        "marks", x, y, palette, ("above", "below", "above right", "below right", "below left")
    )
    tooltip = [
        alt.Tooltip("rate:N", title="Line"),
        alt.Tooltip("guesses:Q", title="Guesses per round", format="d"),
        alt.Tooltip("speedup:Q", title="Times as fast", format=".2f"),
    ]
    reading = look.reading_layers("curve", x, y, tooltip, palette, both=True)
    return look.finished(
        [rule, name, line, *_names(x), best, setting, *labels, *reading],
        rows,
        "speed-up-by-guesses",
        palette,
        scale=scale,
    )


def _names(x):
    """The lines' names at their right ends; the present one in bold."""
    return [
        alt.Chart(look.named("ends"))
        .transform_filter(alt.datum.present == present)
        .mark_text(align="left", dx=8, fontWeight=weight)
        .encode(x=x, y=alt.Y("label_at:Q"), text=alt.Text("label:N"))
        for present, weight in ((True, "bold"), (False, "normal"))
    ]
