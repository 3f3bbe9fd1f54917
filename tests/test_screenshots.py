"""The screenshots in ``docs/images``: one of each page, and none too large."""

from pathlib import Path

import pytest
from PIL import Image

from specdec.ui.pages import PAGES

IMAGES = Path(__file__).parents[1] / "docs" / "images"


@pytest.mark.parametrize("name", [name for name, *_ in PAGES])
def test_every_page_has_a_screenshot_under_150_kb(name):
    file = IMAGES / f"{name}.png"
    assert file.stat().st_size < 150_000
    with Image.open(file) as picture:
        assert picture.format == "PNG"
        assert picture.width == 1280


def test_no_page_that_is_gone_has_a_screenshot():
    pages = {name for name, *_ in PAGES}
    assert {file.stem for file in IMAGES.glob("*.png")} == pages
