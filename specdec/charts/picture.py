"""A figure as a picture to take away: PNG or SVG at print size, drawn without a browser."""

import vl_convert

from specdec.charts import look

# With three dots to a pixel, a PNG is 2,160 dots of figure wide: 18 cm at 300 dots per inch.
WIDTH, DOTS = 720, 3
KINDS = {"png": "image/png", "svg": "image/svg+xml"}


def picture(builder, rows, options, title, under, kind):
    """A figure drawn by its chart ``builder`` for white paper, as bytes.

    ``rows`` and ``options`` are those of the builder, ``title`` stands above the figure with
    ``under`` (the setting) beneath it, and ``kind`` is one of :data:`KINDS`. Raises ``ValueError``
    for another kind. Nothing is fetched from anywhere.
    """
    if kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}, not {kind!r}.")
    drawn = builder(rows, palette=look.LIGHT, **options).to_dict()
    drawn["width"] = WIDTH
    drawn["title"] = {
        "text": title,
        "subtitle": under,
        "anchor": "start",
        "frame": "group",
        "offset": 14,
        "color": look.LIGHT.ink,
        "subtitleColor": look.LIGHT.muted,
        "fontSize": 17,
        "subtitleFontSize": 14,
        "subtitlePadding": 6,
    }
    if kind == "svg":
        return vl_convert.vegalite_to_svg(drawn, allowed_base_urls=[]).encode()
    return vl_convert.vegalite_to_png(drawn, scale=DOTS, allowed_base_urls=[])
