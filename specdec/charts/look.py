"""What every figure shares: two palettes, named data, and the layers that recur.

The lesson's language: orange is limited by memory, slower than plain, rejected; green is limited
by arithmetic, faster, kept; ink is the big model's own token; dotted grey is thrown away; a dot
is the present setting. Every colour has a second sign (dash, shape or word) beside it.
"""

from dataclasses import dataclass

import altair as alt

FONT = "'Source Sans', 'Source Sans Pro', 'Helvetica Neue', Arial, sans-serif"
HEIGHT = 340
LABEL_PX, TITLE_PX, MARK_PX = 13, 14, 14


@dataclass(frozen=True)
class Palette:
    """Colours of one theme; ``ground`` is the page's own background.

    Orange and green are apart in lightness as well as hue, so that they stay apart for viewers
    with deuteranopia.
    """

    ground: str
    ink: str
    muted: str
    grid: str
    orange: str
    green: str
    grey: str


LIGHT = Palette(
    ground="#ffffff",
    ink="#0f141a",
    muted="#57606a",
    grid="#e4e7eb",
    orange="#d1570a",
    green="#00694a",
    grey="#7a828c",
)
DARK = Palette(
    ground="#11151b",
    ink="#eceff3",
    muted="#a9b2bd",
    grid="#2a313a",
    orange="#f2873c",
    green="#5fe0b4",
    grey="#8d97a3",
)


def whole_ticks(end):
    """Ticks at whole numbers from 1 to ``end``: all of them while there is room."""
    return [n for n in range(1, end + 1) if end <= 12 or n == 1 or n % 4 == 0]


def whole_axis(end):
    """An axis of whole numbers with all of :func:`whole_ticks`.

    Vega takes every other tick away where there are more than the count that it was told to aim
    for, even of ticks that were named.
    """
    ticks = whole_ticks(end)
    return alt.Axis(values=ticks, tickCount=len(ticks), format="d")


def named(name):
    """The data set ``name``, whose rows :func:`finished` puts beside the chart."""
    return alt.NamedData(name=name)


def finished(layers, rows, title, palette, height=HEIGHT, scale=1.0):
    """The layers as one chart with its ``rows``, fonts, colours and download settings.

    ``scale`` enlarges type for a projector. The background is painted, so that a saved picture
    can be read on any page.
    """
    # The chart is ours alone, so it is finished in place: each of Altair's own methods would copy
    # every layer first.
    chart = alt.layer(*layers) if isinstance(layers, (list, tuple)) else layers.copy()
    sizes = {name: round(px * scale) for name, px in (("label", LABEL_PX), ("title", TITLE_PX))}
    # A short figure needs room for its larger letters; the tall ones must fit the screen.
    height = max(height, min(round(height * scale), HEIGHT)) if height else height
    if height:
        chart.height, chart.width = height, "container"
    chart.config = alt.Config(
        background=palette.ground,
        font=FONT,
        padding={"left": 4, "right": 8, "top": 8, "bottom": 4},
        axis=alt.AxisConfig(
            labelColor=palette.muted,
            titleColor=palette.ink,
            labelFontSize=sizes["label"],
            titleFontSize=sizes["title"],
            titleFontWeight="normal",
            gridColor=palette.grid,
            domainColor=palette.grey,
            tickColor=palette.grey,
        ),
        axisX=alt.AxisConfig(tickCount=8),
        axisY=alt.AxisConfig(tickCount=6),
        view=alt.ViewConfig(stroke=None),
        text=alt.MarkConfig(
            color=palette.ink, fontSize=round(MARK_PX * scale), font=FONT, fontWeight="normal"
        ),
    )
    chart.datasets = {name: list(data) for name, data in rows.items()}
    chart.usermeta = {
        "embedOptions": {
            "renderer": "svg",
            # Streamlit keeps the renderer alone; the rest is for the specification that its menu
            # copies. The editor would need another host.
            "scaleFactor": {"png": 3, "svg": 1},
            "downloadFileName": title,
            "actions": {"export": True, "source": False, "compiled": False, "editor": False},
        }
    }
    return chart


# Where a mark's label stands, by the row's "side": (align, dx, dy) from the point, in pixels.
SIDES = {
    "right": ("left", 11, 0),
    "above right": ("left", 8, -14),
    "above left": ("right", -8, -12),
    "below right": ("left", 8, 15),
    "below left": ("right", -8, 15),
    "far above right": ("left", 8, -30),
    "far below right": ("left", 8, 30),
    "above": ("center", 0, -16),
    "below": ("center", 0, 18),
}


def label_layers(data, x, y, palette, sides):
    """The marks' labels, each beside its point where the row's ``side`` says (of :data:`SIDES`).

    Each is drawn twice, a halo of the page's colour and then the letters, so that a line behind
    it does not cross it out.
    """
    return [
        alt.Chart(named(data))
        .transform_filter(alt.datum.side == side)
        .mark_text(align=align, dx=dx, dy=dy, baseline="middle", **letters)
        .encode(x=x, y=y, text=alt.Text("label:N"))
        for side, (align, dx, dy) in ((side, SIDES[side]) for side in sides)
        for letters in (halo(palette, 4), {})
    ]


def halo(palette, width):
    """Letters' ground; not read out, for the letters themselves are."""
    return {
        "stroke": palette.ground,
        "strokeWidth": width,
        "strokeJoin": "round",
        "aria": False,
    }


def point_layers(data, x, y, palette):
    """The marks themselves: a filled dot for the setting, hollow ones for points of reference."""
    base = alt.Chart(named(data)).encode(x=x, y=y)
    reference = base.transform_filter(alt.datum.kind != "setting").mark_point(
        filled=True, size=60, fill=palette.ground, stroke=palette.ink, strokeWidth=1.5, opacity=1
    )
    setting = base.transform_filter(alt.datum.kind == "setting").mark_point(
        filled=True, size=150, fill=palette.ink, stroke=palette.ground, strokeWidth=1.5, opacity=1
    )
    return [reference, setting]


def reading_layers(data, x, y, tooltip, palette, both=False):
    """Reading a value off a line: the nearest point is ringed, its values shown.

    ``both`` looks for the nearest in both directions, for figures with several lines.
    """
    base = alt.Chart(named(data)).encode(x=x, y=y)
    near, touched, catcher, words = nearest_layers(base, tooltip, palette, both=both)
    shown = {"or": [_held(near), _held(touched)]}
    # Where nothing is pointed at these are empty, and an empty group has nothing to be read out.
    rule = base.transform_filter(shown).mark_rule(color=palette.grey, strokeWidth=1, aria=False)
    rule.encoding.y = alt.Undefined
    ring = base.transform_filter(shown).mark_point(
        size=110, filled=False, color=palette.ink, strokeWidth=2, opacity=1, aria=False
    )
    return [rule, ring, *words, catcher]


def nearest_layers(base, tooltip, palette, both=True):
    """What any figure needs to be read by pointing or touching anywhere in it.

    ``base`` places one unseen point for every row (x and y); the one nearest the pointer shows
    its ``tooltip``. A finger brings no tooltip, because Vega opens it when a pointer moves, so a
    touch writes the same lines into the figure. Returns the two selections, the unseen points and
    the written lines (a list); the points must be the last layer, or others would be in the way.
    """
    near, touched = (
        alt.selection_point(
            name=name,
            on=on,
            clear=clear,
            toggle=False,
            nearest=True,
            empty=False,
            encodings=["x", "y"] if both else ["x"],
        )
        for name, on, clear in (
            ("reading", "pointerover", "pointerout"),
            ("touched", "pointerdown[event.pointerType === 'touch']", "dblclick"),
        )
    )
    catcher = base.mark_point(size=80, opacity=0).encode(tooltip=tooltip).add_params(near, touched)
    at_x, at_y = (_position(base.encoding[channel], channel) for channel in ("x", "y"))
    below, left = f"{at_y} < 80", f"{at_x} > width / 2"
    words = [
        base.transform_filter(_held(touched))
        .transform_calculate(lines=_lines(tooltip))
        .mark_text(
            align=alt.ExprRef(f"{left} ? 'right' : 'left'"),
            baseline=alt.ExprRef(f"{below} ? 'top' : 'bottom'"),
            dx=alt.ExprRef(f"{left} ? -12 : 12"),
            dy=alt.ExprRef(f"{below} ? 12 : -12"),
            **letters,
        )
        .encode(text=alt.Text("lines:N"))
        for letters in (halo(palette, 12), {"aria": False})
    ]
    return near, touched, catcher, words


def _held(selection):
    return {"param": selection.name, "empty": False}


def _position(channel, name):
    """Where a row stands on an axis, in pixels, in Vega's expression language."""
    return f"scale('{name}', datum['{channel['shorthand'].partition(':')[0]}'])"


def _lines(tooltip):
    """The tooltip's lines in Vega's expression language: titles, and values in their formats."""
    lines = []
    for each in tooltip:
        value = f"datum['{each['shorthand'].partition(':')[0]}']"
        if each["format"] is not alt.Undefined:
            value = f"format({value}, '{each['format']}')"
        lines.append(f"'{each['title']}: ' + {value}")
    return f"[{', '.join(lines)}]"


def plain_decoding_layers(palette, where="above left"):
    """The dashed line at 1, with its name on it at ``where``: the corner no curve runs through."""
    side, dy, end, dx = {
        "above left": ("left", -10, 0, 6),
        "below left": ("left", 12, 0, 6),
        "above right": ("right", -10, "width", -6),
        "below right": ("right", 12, "width", -6),
    }[where]
    # Made by the specification itself, so that it needs no row of anybody's.
    at_one = alt.Chart(alt.sequence(1, 2, as_="speedup"))
    rule = at_one.mark_rule(color=palette.muted, strokeDash=[6, 4], strokeWidth=1.5).encode(
        y=alt.Y("speedup:Q")
    )
    name = at_one.mark_text(align=side, dy=dy, dx=dx, color=palette.muted).encode(
        y=alt.Y("speedup:Q"), x=alt.value(end), text=alt.value("plain decoding")
    )
    return rule, name


def sided_line(data, x, y, field, colours, dashes):
    """One line whose runs are coloured and dashed by ``field``; neighbouring runs share a point."""
    names = list(colours)
    return (
        alt.Chart(named(data))
        .mark_line(strokeWidth=3.5, strokeCap="butt", strokeJoin="round")
        .encode(
            x=x,
            y=y,
            detail=alt.Detail("run:N"),
            color=alt.Color(
                f"{field}:N",
                scale=alt.Scale(domain=names, range=[colours[name] for name in names]),
                legend=None,
            ),
            strokeDash=alt.StrokeDash(
                f"{field}:N",
                scale=alt.Scale(domain=names, range=[dashes[name] for name in names]),
                legend=None,
            ),
        )
    )
