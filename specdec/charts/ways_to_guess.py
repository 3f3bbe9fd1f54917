"""Speed-up by the way to guess."""

import altair as alt

from specdec.charts import look


def ways_to_guess(rows, *, palette=look.LIGHT, scale=1.0, x_end=3.5):
    """``rows``: "curve" (way, speedup, tokens, label), in the order to draw them."""
    base = alt.Chart(look.named("curve")).encode(
        y=alt.Y(
            "way:N",
            title=None,
            sort=None,
            axis=alt.Axis(
                ticks=False, domain=False, labelLimit=round(150 * scale), labelColor=palette.ink
            ),
        )
    )
    x = alt.X("speedup:Q", title="Times as fast", scale=alt.Scale(domain=[0, x_end], nice=False))
    bars = base.mark_bar(height={"band": 0.5}).encode(
        x=x,
        color=alt.condition(
            alt.datum.speedup >= 1, alt.value(palette.green), alt.value(palette.orange)
        ),
    )
    tooltip = [
        alt.Tooltip("way:N", title="Way"),
        alt.Tooltip("speedup:Q", title="Times as fast", format=".2f"),
        alt.Tooltip("tokens:Q", title="Tokens per round", format=".2f"),
    ]
    *_, catcher, reading = look.nearest_layers(base.encode(x=x), tooltip, palette)
    labels = base.mark_text(align="left", dx=6).encode(x=x, text=alt.Text("label:N"))
    one = (
        alt.Chart(alt.sequence(1, 2, as_="speedup"))
        .mark_rule(color=palette.muted, strokeDash=[6, 4], strokeWidth=1.5)
        .encode(x=alt.X("speedup:Q"))
    )
    return look.finished(
        [bars, one, labels, *reading, catcher],
        rows,
        "ways-to-guess",
        palette,
        height=220,
        scale=scale,
    )
