"""What each figure gives to take away: its numbers as CSV, its picture as PNG and SVG."""

import io
import xml.etree.ElementTree as ElementTree

from PIL import Image

from specdec.answers.speedup import speedup
from specdec.setting import Setting
from specdec.ui.show import csv_text

SETTING = Setting(kept=85, k=5)
SLUG = "speed-up-by-keep-rate-kept85-k5-draft1.212ms-users1"


def saved(visit, click):
    """The name and the bytes of the file that a click saves."""
    with visit.tab.expect_download() as download:
        click()
    with open(download.value.path(), "rb") as file:
        return download.value.suggested_filename, file.read()


def ours(visit, kind):
    """The first figure's button of our own; Streamlit's menus have some of the same name."""
    return visit.main.locator("[data-testid=stDownloadButton] button", has_text=kind).first


def test_numbers_and_pictures_carry_the_setting_in_their_names(newcomer):
    visit = newcomer().open(f"/speedup?{SETTING.query()}")
    visit.main.locator("[data-testid=stExpander] summary").first.click()
    visit.settle()

    def save(kind):
        return saved(visit, ours(visit, kind).click)

    name, content = save("CSV")
    assert name == f"{SLUG}.csv"
    figure = speedup(SETTING).figures[0]
    assert content.decode() == csv_text(figure.rows[figure.data])
    # Full precision: what is read back is the very number, not the one printed on the page.
    last = content.decode().splitlines()[-1].split(",")
    assert float(last[1]) == figure.rows[figure.data][-1]["speedup"]

    name, content = save("SVG")
    assert name == f"{SLUG}.svg"
    assert ElementTree.fromstring(content).tag == "{http://www.w3.org/2000/svg}svg"

    name, content = save("PNG")
    assert name == f"{SLUG}.png"
    assert Image.open(io.BytesIO(content)).width > 2000
    assert visit.errors + visit.foreign == []


def test_streamlit_s_own_menu_saves_a_figure_as_it_is_on_the_screen(newcomer):
    visit = newcomer().open("/costs")
    chart = visit.main.locator("[data-testid=stFullScreenFrame]").first
    chart.hover()
    button = chart.locator("button[aria-label^='Download as PNG']")
    name, content = saved(visit, button.click)
    assert name.endswith(".png")
    assert Image.open(io.BytesIO(content)).width >= 1600


def test_a_download_works_on_a_phone(newcomer):
    visit = newcomer("phone").open("/users")
    visit.main.locator("[data-testid=stExpander] summary").first.tap()
    visit.settle()
    name, content = saved(visit, ours(visit, "SVG").tap)
    assert name == "speed-up-by-users-kept80-k4-draft1.212ms-users1.svg"
    assert content.startswith(b"<svg")
