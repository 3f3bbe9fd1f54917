"""Pictures to take away: drawn for paper, without a browser and without another host."""

import io
import re
import socket
import xml.etree.ElementTree as ElementTree

import pytest
from PIL import Image

from specdec.answers.costs import costs
from specdec.answers.round import round_page
from specdec.answers.sampling import OPENING_P, OPENING_Q, sampling
from specdec.answers.speedup import speedup
from specdec.answers.users import users
from specdec.charts import look
from specdec.charts.kept_and_redrawn import kept_and_redrawn
from specdec.charts.one_round import one_round
from specdec.charts.pass_time import pass_time
from specdec.charts.picture import picture
from specdec.charts.round_time import round_time
from specdec.charts.speedup_by_guesses import speedup_by_guesses
from specdec.charts.speedup_by_keep_rate import speedup_by_keep_rate
from specdec.charts.speedup_by_users import speedup_by_users
from specdec.charts.tries_and_odds import tries_and_odds
from specdec.charts.words_per_pass import words_per_pass
from specdec.sampling import simulate_sampling
from specdec.setting import Setting

SETTING = Setting(kept=60, k=3)
SVG = "{http://www.w3.org/2000/svg}"


def drawn():
    """Every figure with its builder."""
    return list(_drawn())


def _drawn():
    builders = {
        "round": (one_round, words_per_pass),
        "costs": (pass_time, round_time),
        "speedup": (speedup_by_keep_rate, speedup_by_guesses),
        "users": (speedup_by_users,),
        "sampling": (kept_and_redrawn, tries_and_odds),
    }
    answers = {
        "round": round_page(SETTING),
        "costs": costs(SETTING),
        "speedup": speedup(SETTING),
        "users": users(SETTING),
        "sampling": sampling(OPENING_P, OPENING_Q, simulate_sampling),
    }
    for page, answer in answers.items():
        for builder, figure in zip(builders[page], answer.figures, strict=True):
            yield pytest.param(builder, figure, id=figure.name)


@pytest.fixture
def no_network(monkeypatch):
    def refuse(*_):
        raise AssertionError("A picture asked for another host.")

    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.mark.parametrize(("builder", "figure"), drawn())
def test_a_figure_is_drawn_as_svg_with_its_title_setting_and_marks(builder, figure, no_network):
    content = picture(builder, figure.rows, figure.options, figure.title, "60% kept", "svg")
    tree = ElementTree.fromstring(content)
    texts = {text.text for text in tree.iter(f"{SVG}text")}
    assert {figure.title, "60% kept"} <= texts
    # Every label of the figure's rows is written in it.
    labels = {row["label"] for rows in figure.rows.values() for row in rows if row.get("label")}
    assert labels <= texts
    assert not re.search(rb"(?:href|src)=\"http|url\(http", content)


@pytest.mark.parametrize(("builder", "figure"), drawn())
def test_a_figure_is_drawn_as_png_at_print_size_on_white(builder, figure, no_network):
    content = picture(builder, figure.rows, figure.options, figure.title, "60% kept", "png")
    with Image.open(io.BytesIO(content)) as image:
        assert image.format == "PNG"
        # 18 cm at 300 dots per inch.
        assert image.width >= 18 / 2.54 * 300
        page = image.convert("RGB")
    assert page.getpixel((0, 0)) == (255, 255, 255)
    colours = {colour for _, colour in page.getcolors(page.width * page.height)}
    assert tuple(bytes.fromhex(look.LIGHT.ink[1:])) in colours


def test_another_kind_is_refused():
    figure = speedup(SETTING).figures[0]
    with pytest.raises(ValueError, match=r"^kind must be one of png, svg, not 'gif'\.$"):
        picture(speedup_by_keep_rate, figure.rows, figure.options, "", "", "gif")
