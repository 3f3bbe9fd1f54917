"""One server and one browser for the whole suite."""

from pathlib import Path

import pytest
from dashboard import ROOT, Visit, chromium_path, context_of, launched, required, serving

ARTIFACTS = ROOT / "artifacts"


def pytest_collection_modifyitems(items):
    """Put the browser suite last: Playwright's event loop runs on from its first test to its last,
    and a test of another suite that wants a loop of its own would be refused one."""
    items.sort(key=lambda item: Path(__file__).parent in item.path.parents)


@pytest.fixture(scope="session")
def browser():
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        required("Playwright for Python is not installed")
    if chromium_path() is None:
        required("No chromium, chromium-browser or google-chrome is installed")
    with sync_playwright() as playwright:
        chromium = launched(playwright)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def artifacts():
    """Where screenshots and the server's log are kept for people to look at."""
    ARTIFACTS.mkdir(exist_ok=True)
    return ARTIFACTS


@pytest.fixture(scope="session")
def server(browser, artifacts):
    """The server's URL. Nothing that the suite does may leave a traceback in its log."""
    log = artifacts / "server.log"
    with serving(log) as url:
        yield url
    assert "Traceback" not in log.read_text(), f"The server's log has a traceback: {log}"


@pytest.fixture(scope="session")
def visits(browser, server):
    """Tabs that are used again: one for each size and theme."""
    tabs = {}

    def visit(size="desk", theme="light"):
        if (size, theme) not in tabs:
            tabs[size, theme] = Visit(context_of(browser, size, theme), server)
        tab = tabs[size, theme]
        tab.errors.clear()
        tab.foreign.clear()
        return tab

    yield visit
    for tab in tabs.values():
        tab.tab.context.close()


@pytest.fixture
def newcomer(browser, server):
    """Visitors that nobody has been before; each is gone after the test."""
    contexts = []

    def visit(size="desk", theme="light", url=server):
        contexts.append(context_of(browser, size, theme))
        return Visit(contexts[-1], url)

    yield visit
    for context in contexts:
        context.close()
