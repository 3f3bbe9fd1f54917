"""A class that opens all pages at once on a server that has imported nothing yet.

Streamlit runs each visitor's page in a thread of its own, so the first imports race one another.
"""

import asyncio
from pathlib import Path

import pytest

from benchmarks.load.learner import Learner
from benchmarks.load.server import APP, Server
from specdec.ui.pages import PAGES

SCRIPTS = [APP, *sorted((APP.parent / "pages").glob("*.py"))]


def test_every_first_visitor_gets_a_page():
    async def arrive(name):
        tab = Learner(server.address, name)
        await tab.connect()
        run = await tab.rerun()
        await tab.close()
        return name, bool(tab.widgets), run.exceptions

    async def everybody():
        names = [name for name, *_ in PAGES]
        return await asyncio.gather(*(arrive(name) for name in names * 3))

    with Server() as server:
        seen = asyncio.run(everybody())
    assert not [each for each in seen if not each[1] or each[2]]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: Path(script).stem)
def test_the_package_is_imported_whole_before_its_parts(script):
    lines = [line for line in script.read_text().splitlines() if "specdec" in line.split("#")[0]]
    lines = [line for line in lines if line.startswith(("import ", "from "))]
    assert lines[0].startswith("import specdec ")
