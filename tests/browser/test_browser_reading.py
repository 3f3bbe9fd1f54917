"""Pointing or touching anywhere in a figure shows the nearest point's values."""

import re

import pytest
from dashboard import NAMES, path_of

from specdec.time_model import LESSON

TOOLTIP = "#vg-tooltip-element.visible"
# A grid over the plot, in parts of its width and height.
ACROSS, DOWN = (0.05, 0.35, 0.65, 0.95), (0.05, 0.5, 0.95)


def places(visit, figure):
    """The grid's points on the screen, inside the axes, with the figure scrolled into view."""
    figure.evaluate("figure => figure.scrollIntoView({block: 'center'})")
    visit.tab.wait_for_timeout(100)
    box = figure.locator(".role-frame path.background").first.bounding_box()
    return [
        (box["x"] + box["width"] * across, box["y"] + box["height"] * down)
        for down in DOWN
        for across in ACROSS
    ]


def shown_at(visit, x, y):
    """The tooltip's text where the pointer stands; empty if none comes."""
    # A hand moves the pointer in steps.
    visit.tab.mouse.move(x, y, steps=3)
    visit.tab.wait_for_timeout(40)
    tooltip = visit.tab.locator(TOOLTIP)
    for _ in range(20):
        if tooltip.count():
            return tooltip.inner_text()
        visit.tab.wait_for_timeout(50)
    return ""


@pytest.mark.parametrize("name", NAMES)
def test_pointing_anywhere_in_a_figure_shows_values(name, visits):
    visit = visits().open(path_of(name))
    missed = []
    for number, figure in enumerate(visit.figures.all(), 1):
        for x, y in places(visit, figure):
            if not re.search(r"\d", shown_at(visit, x, y)):
                missed.append((number, round(x), round(y)))
        visit.tab.mouse.move(1, 1)
    assert missed == []
    assert visit.errors == []


@pytest.mark.parametrize("name", NAMES)
def test_touching_a_figure_writes_the_values_into_it(name, visits):
    visit = visits("phone").open(path_of(name))
    missed = []
    for number, figure in enumerate(visit.figures.all(), 1):
        lines = figure.locator("text tspan")
        before = lines.count()
        for x, y in places(visit, figure)[1::5]:
            visit.tab.touchscreen.tap(x, y)
            visit.tab.wait_for_timeout(150)
            if lines.count() < before + 2:
                missed.append((number, round(x), round(y)))
    assert missed == []
    assert visit.errors == []


def test_the_values_shown_are_the_model_s(visits):
    visit = visits().open("/speedup")
    figure = visit.figures.first
    for x, y in places(visit, figure):
        kept, gain = re.findall(r"\d+\.\d+", shown_at(visit, x, y))[:2]
        expected = float(LESSON.speedup(float(kept) / 100, 4))
        assert float(gain) == pytest.approx(expected, abs=0.006)
    # From left to right the nearest point is another one.
    (left, y), *_, (right, _) = places(visit, figure)[:4]
    shown = [float(re.search(r"[\d.]+", shown_at(visit, x, y))[0]) for x in (left, right)]
    assert shown[0] < 20
    assert shown[1] > 80
