"""Figure 1: the guesses in a row, the big model's row under it, and what becomes of each."""

import altair as alt

from specdec.charts import look

# Boxes in one line of the figure: five places fit a phone, and k = 4 has five.
PER_LINE = 5
STATES = ("kept", "agrees", "rejected", "own word", "thrown away")


def one_round(rows, *, palette=look.LIGHT, scale=1.0, places=5):
    """``rows``: "boxes" (place, row, word, state); ``places`` is k + 1.

    ``row`` is "guess" or "big model"; ``state`` one of :data:`STATES`. Places wrap into lines of
    five.
    """
    lines = -(-places // PER_LINE)
    base = (
        alt.Chart(look.named("boxes"))
        .transform_calculate(
            column=f"(datum.place - 1) % {PER_LINE}",
            top=f"floor((datum.place - 1) / {PER_LINE}) * 2.4 + (datum.row == 'guess' ? 0 : 1)",
        )
        .transform_calculate(
            left="datum.column + 0.02",
            right="datum.column + 0.98",
            bottom="datum.top + 0.84",
            centre="datum.column + 0.5",
            middle="datum.top + 0.36",
            below="datum.top + 0.68",
        )
    )
    x = alt.X("left:Q", axis=None, scale=alt.Scale(domain=[0, PER_LINE], nice=False))
    height = lines * 2.4 - 0.4
    y = alt.Y("top:Q", axis=None, scale=alt.Scale(domain=[0, height], reverse=True, nice=False))
    tooltip = [
        alt.Tooltip("row:N", title="Row"),
        alt.Tooltip("place:Q", title="Place"),
        alt.Tooltip("word:N", title="Word"),
        alt.Tooltip("state:N", title="What becomes of it"),
    ]
    strokes = {
        "kept": (palette.green, 3, [1, 0]),
        "agrees": (palette.grey, 1, [1, 0]),
        "rejected": (palette.orange, 3, [1, 0]),
        "own word": (palette.ink, 4, [1, 0]),
        "thrown away": (palette.grey, 1.5, [2, 3]),
    }
    boxes = [
        base.transform_filter(alt.datum.state == state)
        .mark_rect(
            fill=palette.ground,
            stroke=colour,
            strokeWidth=width,
            strokeDash=dash,
            cornerRadius=8,
        )
        .encode(x=x, x2=alt.X2("right"), y=y, y2=alt.Y2("bottom"))
        for state, (colour, width, dash) in strokes.items()
    ]
    centre = alt.X("centre:Q", scale=alt.Scale(domain=[0, PER_LINE], nice=False))
    words = [
        base.transform_filter(alt.FieldOneOfPredicate(field="state", oneOf=list(states)))
        .mark_text(fontSize=round(17 * scale), fontWeight=weight, color=colour)
        .encode(x=centre, y=alt.Y("middle:Q"), text=alt.Text("word:N"))
        for states, weight, colour in (
            (("kept", "agrees", "rejected"), "normal", palette.ink),
            (("own word",), "bold", palette.ink),
            (("thrown away",), "normal", palette.muted),
        )
    ]
    signs = base.mark_text(fontSize=round(12 * scale), color=palette.muted).encode(
        x=centre, y=alt.Y("below:Q"), text=alt.Text("state:N")
    )
    strike = (
        base.transform_filter(alt.datum.state == "rejected")
        .transform_calculate(
            from_="datum.centre - 0.055 * min(8, length(datum.word) + 1)",
            to="datum.centre + 0.055 * min(8, length(datum.word) + 1)",
        )
        .mark_rule(color=palette.orange, strokeWidth=3)
        .encode(
            x=alt.X("from_:Q", scale=alt.Scale(domain=[0, PER_LINE], nice=False)),
            x2=alt.X2("to"),
            y=alt.Y("middle:Q"),
        )
    )
    middles = base.encode(x=centre, y=alt.Y("middle:Q"))
    *_, catcher, reading = look.nearest_layers(middles, tooltip, palette)
    return look.finished(
        [*boxes, *words, strike, signs, *reading, catcher],
        rows,
        "one-round",
        palette,
        height=round(78 * height),
        scale=scale,
    )
