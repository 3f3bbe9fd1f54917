"""Every page at a desk and on a phone, in light and dark."""

import findings
import pytest
from dashboard import NAMES, SIZES, path_of

from specdec.answers.parts import setting_line
from specdec.setting import OPENING

# At least this many figures; pages of other names may have none.
FIGURES = {"start": 1, "round": 2, "costs": 2, "speedup": 2, "users": 1, "sampling": 2}
# Pages whose figures follow the sidebar's setting, which then stands above them.
FOLLOWING = ("start", "round", "costs", "speedup", "users")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_a_page_is_whole_readable_and_asks_nobody_else(name, size, theme, visits, artifacts):
    visit = visits(size, theme).open(path_of(name))
    width, height = SIZES[size]
    picture, boxes = visit.whole_page(artifacts / f"{name}-{width}x{height}-{theme}.png")
    faults = [
        *(f"The console says: {error}" for error in visit.errors),
        *(f"Asked another host: {url}" for url in visit.foreign),
        *findings.blank(picture, boxes),
        *findings.sideways(visit.tab),
        *findings.cut_off(visit.tab),
        *(findings.small_text(visit.tab) if size == "desk" else ()),
    ]
    if name in FOLLOWING:
        faults += findings.setting_line(visit.tab, setting_line(OPENING))
    if size == "phone":
        faults += open_the_controls(visit)
    else:
        visit.unfold()
    faults += findings.accessibility(visit.tab)
    assert faults == []
    assert visit.errors == []
    assert len(boxes) >= FIGURES.get(name, 0)
    assert visit.tab.get_by_text("Page not found").count() == 0
    assert visit.tab.locator("[data-testid=stException]").count() == 0


def open_the_controls(visit):
    """Open the sidebar with one tap, see that its first slider is there whole, and close it."""
    sidebar = visit.tab.locator("[data-testid=stSidebar]")
    if sidebar.get_attribute("data-collapsed") != "true":
        return ["The sidebar covers the page from the start."]
    visit.tab.locator("[data-testid=stExpandSidebarButton]").tap()
    slid_in = "side => { const box = side.getBoundingClientRect(); return box.left >= 0 }"
    visit.tab.wait_for_function(slid_in, arg=sidebar.element_handle())
    slider = sidebar.locator("[data-testid=stSlider]").first.bounding_box()
    faults = findings.accessibility(visit.tab)
    if slider["x"] < 0 or slider["x"] + slider["width"] > 390 or slider["y"] > 600:
        faults.append(f"The first slider is at {slider}.")
    visit.tab.locator("[data-testid=stSidebarCollapseButton] button").tap()
    visit.tab.wait_for_function(f"side => !({slid_in})(side)", arg=sidebar.element_handle())
    return faults


@pytest.mark.parametrize(("size", "theme"), [("desk", "light"), ("phone", "dark")])
def test_measured_figures_are_whole_and_readable(size, theme, newcomer, artifacts):
    visit = newcomer(size, theme).open("/measured")
    visit.tab.get_by_role("radio", name="Try an example").click()
    visit.figures.first.wait_for()
    visit.settle()
    width, height = SIZES[size]
    picture, boxes = visit.whole_page(artifacts / f"example-{width}x{height}-{theme}.png")
    faults = [
        *visit.errors,
        *visit.foreign,
        *findings.blank(picture, boxes),
        *findings.sideways(visit.tab),
        *findings.cut_off(visit.tab),
        *findings.accessibility(visit.tab),
    ]
    assert faults == []
