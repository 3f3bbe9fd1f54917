"""The figures: what they are drawn from, that nothing is lost on the way, and their colours."""

import importlib
import json
import math
import pkgutil
import re
from functools import lru_cache

import altair as alt
import numpy as np
import pytest

from specdec import LESSON, OPENING, Setting, charts, read_server_text
from specdec.answers.beyond import beyond
from specdec.answers.costs import costs
from specdec.answers.measured import measured
from specdec.answers.published_runs import published_runs
from specdec.answers.race import race_page
from specdec.answers.round import round_page
from specdec.answers.sampling import sampling
from specdec.answers.speedup import speedup
from specdec.answers.users import users
from specdec.answers.ways import ways_to_guess
from specdec.charts import look
from specdec.machine import Machine
from specdec.measured import examples
from specdec.ui import show

SETTINGS = (OPENING, Setting(39, 32, 2.4, 85))


def every(answer, index):
    return [answer(setting).figures[index] for setting in SETTINGS]


MODELS = (LESSON, Machine(chip="l40s", context=8000, bigpeak=63, software=3.3).model())
MEASURED = [
    measured(run, OPENING) for text in examples().values() for run in read_server_text(text)
]

# Sets that may be empty: the lesson's own line for comparison, an average that is not known.
MAY_BE_EMPTY = {"lesson", "average"}

# One entry for each chart builder's module: the figures to draw it with. A module that is missing
# here fails below, so a new figure cannot come without its data.
DATA = {
    "one_round": every(round_page, 0),
    "words_per_pass": every(round_page, 1),
    "pass_time": every(costs, 0),
    "round_time": every(costs, 1),
    "speedup_by_keep_rate": every(speedup, 0),
    "speedup_by_guesses": every(speedup, 1),
    "speedup_by_users": every(users, 0),
    "kept_and_redrawn": [sampling(*odds).figures[0] for odds in ((), ("1 0", "0 1"))],
    "tries_and_odds": [sampling(*odds).figures[1] for odds in ((), ("1 0", "0 1"))],
    "race": [race_page(setting, moment=3).figure for setting in SETTINGS],
    "race_average": [race_page(setting).average for setting in SETTINGS],
    "measured_tokens": [page.figures["tokens"] for page in MEASURED if "tokens" in page.figures],
    "keep_rate_by_place": [page.figures["places"] for page in MEASURED if "places" in page.figures],
    "measured_speedup": [page.figures["speedup"] for page in MEASURED if "speedup" in page.figures],
    "waterfall": [beyond(setting, model).waterfall for setting in SETTINGS for model in MODELS],
    "ways_to_guess": [ways_to_guess(setting).figure for setting in SETTINGS],
    "how_far_from_real": [published_runs().figure],
}
MODULES = {module.name for module in pkgutil.iter_modules(charts.__path__)} - {"look", "picture"}
PALETTES = {"light": look.LIGHT, "dark": look.DARK}
CASES = [
    pytest.param(name, index, id=f"{name}-{index}")
    for name, figures in DATA.items()
    for index in range(len(figures))
]


def builder(name):
    return getattr(importlib.import_module(f"specdec.charts.{name}"), name)


def built(name, index=0, **options):
    figure = DATA[name][index]
    return builder(name)(figure.rows, **{**figure.options, **options})


@lru_cache
def drawn_as(name, index=0, palette="light", scale=1.0):
    """The whole specification; not to be changed, because the tests share it."""
    chart = built(name, index, palette=PALETTES[palette], scale=scale)
    assert isinstance(chart, alt.LayerChart)
    # Checking it against Vega-Lite's schema takes most of the time; once a figure is enough.
    return chart.to_dict(validate=(index, palette, scale) == (0, "light", 1.0))


def layers(drawn):
    """Each layer and the name of its data, which stands above them where all have the same."""
    for layer in drawn["layer"]:
        yield layer, layer.get("data", drawn.get("data")).get("name")


def walk(value, path=()):
    """Every (path, value) of a specification, the data's own rows left out."""
    yield path, value
    if isinstance(value, (dict, list)):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            if path or key != "datasets":
                yield from walk(inner, (*path, key))


def test_every_builder_has_data_to_be_tested_with():
    assert set(DATA) == MODULES


@pytest.mark.parametrize(("name", "index"), CASES)
class TestRows:
    def test_they_are_the_answers_own_and_few(self, name, index):
        figure, drawn = DATA[name][index], drawn_as(name, index)
        assert drawn["datasets"] == {key: list(rows) for key, rows in figure.rows.items()}
        for key, rows in drawn["datasets"].items():
            assert len(rows) < 500
            assert rows or key in MAY_BE_EMPTY
            for value in (value for row in rows for value in row.values()):
                assert value is not None
                assert not isinstance(value, float) or math.isfinite(value)

    def test_every_data_set_is_drawn_and_every_field_is_in_it(self, name, index):
        """A misspelt field draws an empty figure and says nothing."""
        figure, drawn = DATA[name][index], drawn_as(name, index)
        assert {data for _, data in layers(drawn)} - {None} == set(figure.rows)
        made = {"speedup"} | {
            step["as"] for _, step in walk(drawn) if isinstance(step, dict) and "calculate" in step
        }
        for layer, data in layers(drawn):
            if data in MAY_BE_EMPTY and not figure.rows[data]:
                continue
            known = made | {field for row in figure.rows.get(data, []) for field in row}
            fields = {v for p, v in walk(layer) if p[-1:] == ("field",) and isinstance(v, str)}
            assert fields <= known
            texts = " ".join(v for _, v in walk(layer) if isinstance(v, str))
            assert set(re.findall(r"datum\.(\w+)", texts)) <= known

    def test_the_kept_specification_lacks_nothing_but_them(self, name, index):
        """The page keeps one specification for many rows, so no row may shape it."""
        figure = DATA[name][index]
        options = tuple(sorted(figure.options.items()))
        kept = show.specification(builder(name), tuple(figure.rows), look.LIGHT, 1.0, options)
        rows = {key: list(rows) for key, rows in figure.rows.items()}
        assert {**json.loads(kept), "datasets": rows} == drawn_as(name, index)


@pytest.mark.parametrize("name", DATA)
class TestEveryFigure:
    def test_it_survives_the_way_through_json(self, name):
        drawn = drawn_as(name)
        assert json.loads(json.dumps(drawn, allow_nan=False)) == drawn

    def test_it_asks_no_host_for_anything(self, name):
        for path, value in walk(drawn_as(name)):
            assert not {"url", "href"} & set(path)
            if path != ("$schema",):
                assert not (isinstance(value, str) and "//" in value)

    @pytest.mark.parametrize("scale", [1.0, 1.5])
    def test_its_letters_are_large_enough_to_read(self, name, scale):
        drawn = drawn_as(name, scale=scale)
        config = drawn["config"]
        assert config["axis"]["labelFontSize"] >= 12 * scale
        assert config["axis"]["titleFontSize"] >= 12 * scale
        assert config["text"]["fontSize"] >= 12 * scale
        for path, value in walk(drawn):
            if str(path[-1:]).lower().endswith("fontsize',)"):
                assert value >= 12 * scale, path

    def test_it_has_no_legend_whose_letters_would_be_small(self, name):
        """What a colour or dash means is said beside the mark and in the caption."""
        for layer, _ in layers(drawn_as(name)):
            for channel, encoding in layer["encoding"].items():
                if channel in {"color", "fill", "stroke", "shape", "strokeDash", "strokeWidth"}:
                    assert "field" not in encoding or encoding["legend"] is None

    @pytest.mark.parametrize("palette", PALETTES)
    def test_its_colours_are_all_of_its_palette(self, name, palette):
        """A default of black, Vega's blue or the other theme's colours would be hard to see."""
        own = set(vars(PALETTES[palette]).values())
        drawn = drawn_as(name, palette=palette)
        found = {
            value
            for _, value in walk(drawn)
            if isinstance(value, str) and re.fullmatch(r"#[0-9a-fA-F]{3,8}|black|white", value)
        }
        assert found <= own
        assert drawn["config"]["background"] == PALETTES[palette].ground
        for layer, _ in layers(drawn):
            mark, encoding = layer["mark"], layer["encoding"]
            seen = {"color", "fill", "stroke"} & (set(mark) | set(encoding))
            assert seen or mark["type"] == "text" or mark.get("opacity") == 0


class TestMarkedValues:
    def test_figure_1(self):
        figure = DATA["one_round"][0]
        boxes = [tuple(row.values()) for row in figure.rows["boxes"]]
        assert boxes == [
            (1, "guess", "in", "kept"),
            (2, "guess", "the", "kept"),
            (3, "guess", "bag", "rejected"),
            (4, "guess", ".", "thrown away"),
            (1, "big model", "in", "agrees"),
            (2, "big model", "the", "agrees"),
            (3, "big model", "kettle", "own word"),
            (4, "big model", "out", "thrown away"),
            (5, "big model", "wait", "thrown away"),
        ]

    def test_every_state_of_a_box_is_drawn(self):
        from specdec.charts.one_round import STATES

        seen = {row["state"] for figure in DATA["one_round"] for row in figure.rows["boxes"]}
        assert seen <= set(STATES)
        drawn = drawn_as("one_round")
        filters = json.dumps([layer.get("transform") for layer in drawn["layer"]])
        assert all(f"datum.state === '{state}'" in filters for state in STATES)

    @pytest.mark.parametrize(
        ("name", "labels"),
        [
            ("pass_time", ["5 tokens: 7.88 ms", "153: 7.88 ms", "200: 10.3 ms", "300: 15.4 ms"]),
            ("speedup_by_keep_rate", ["80%: 2.08 times", "1.43", "2.53", "break-even 38.6%"]),
            (
                "speedup_by_users",
                ["1 user: 2.08", "free to 30: 2.08", "below 1 from 85", "from 154: 0.60"],
            ),
            ("speedup_by_guesses", ["best 2: 1.50", "best 5: 2.08", "best 8: 2.75", "k = 4: 2.08"]),
        ],
    )
    def test_the_lessons_figures(self, name, labels):
        assert {row["label"] for row in DATA[name][0].rows["marks"]} == set(labels)

    def test_every_label_stands_where_a_layer_draws_it(self):
        """A label on a side that no layer filters for would be left out without a word."""
        for name in ("pass_time", "speedup_by_keep_rate", "speedup_by_guesses", "speedup_by_users"):
            drawn = drawn_as(name)
            sides = set(re.findall(r"datum\.side === '([a-z ]+)'", json.dumps(drawn["layer"])))
            for figure in DATA[name]:
                assert {row["side"] for row in figure.rows["marks"]} <= sides

    def test_every_kind_of_row_has_its_colour(self):
        domains = {
            "pass_time": ("limited_by", {"memory", "arithmetic"}),
            "speedup_by_keep_rate": ("side", {"slower", "faster"}),
            "speedup_by_users": ("side", {"slower", "faster"}),
        }
        for name, (field, names) in domains.items():
            for figure in DATA[name]:
                assert {row[field] for row in figure.rows["curve"]} <= names
        line = drawn_as("pass_time")["layer"][0]["encoding"]["color"]
        colours = dict(zip(line["scale"]["domain"], line["scale"]["range"], strict=True))
        assert colours == {"memory": look.LIGHT.orange, "arithmetic": look.LIGHT.green}


# ── Colours ────────────────────────────────────────────────────────────────────────────────

# Machado, Oliveira and Fernandes (2009), "A Physiologically-based Model for Simulation of Color
# Vision Deficiency", table 1 at severity 1.0; on linear RGB.
DEUTERANOPIA = np.array(
    [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ]
)
PROTANOPIA = np.array(
    [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ]
)


def linear(colour):
    """#rrggbb as linear RGB, 0 to 1 (IEC 61966-2-1)."""
    s = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(s <= 0.04045, s / 12.92, ((s + 0.055) / 1.055) ** 2.4)


def contrast(one, other):
    """WCAG 2.2's contrast ratio, 1 to 21."""
    light, dark = sorted((linear(c) @ (0.2126, 0.7152, 0.0722) for c in (one, other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def lab(rgb):
    """Linear RGB as CIE L*a*b* (D65)."""
    xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    ) @ np.clip(rgb, 0, 1)
    f = np.cbrt(xyz / (0.9505, 1.0, 1.089))
    small = xyz / (0.9505, 1.0, 1.089) <= (6 / 29) ** 3
    f = np.where(small, xyz / (0.9505, 1.0, 1.089) / (3 * (6 / 29) ** 2) + 4 / 29, f)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def test_the_colour_measures_are_right():
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)
    assert lab(linear("#ffffff")) == pytest.approx([100, 0, 0], abs=0.02)
    assert lab(linear("#ff0000")) == pytest.approx([53.24, 80.09, 67.20], abs=0.05)
    assert DEUTERANOPIA.sum(axis=1) == pytest.approx(1, abs=1e-5)
    assert PROTANOPIA.sum(axis=1) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
class TestPalettes:
    @pytest.mark.parametrize("colour", ["orange", "green", "grey", "ink"])
    def test_marks_stand_out_from_the_ground(self, palette, colour):
        """WCAG 2.2, criterion 1.4.11: 3 to 1 for the parts of a graphic."""
        assert contrast(getattr(palette, colour), palette.ground) >= 3

    @pytest.mark.parametrize("colour", ["ink", "muted"])
    def test_letters_can_be_read(self, palette, colour):
        """WCAG 2.2, criterion 1.4.3: 4.5 to 1 for text."""
        assert contrast(getattr(palette, colour), palette.ground) >= 4.5

    @pytest.mark.parametrize("sight", [np.eye(3), DEUTERANOPIA, PROTANOPIA], ids=["all", "d", "p"])
    def test_orange_and_green_stay_apart(self, palette, sight):
        """30 units of CIE L*a*b*, over ten times what is just noticed (2.3)."""
        seen = [lab(sight @ linear(colour)) for colour in (palette.orange, palette.green)]
        assert np.linalg.norm(seen[0] - seen[1]) >= 30

    def test_the_theme_has_the_same_colours(self, palette):
        import tomllib
        from pathlib import Path

        config = tomllib.loads((Path(__file__).parents[1] / ".streamlit/config.toml").read_text())
        theme = config["theme"]["light" if palette is look.LIGHT else "dark"]
        assert theme["backgroundColor"] == palette.ground
        assert theme["textColor"] == palette.ink
        assert (theme["orangeColor"], theme["greenColor"]) == (palette.orange, palette.green)
