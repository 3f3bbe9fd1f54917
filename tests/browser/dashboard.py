"""The dashboard in a real browser: its server, the browser, and what a visit finds on a page."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from specdec.ui.pages import PAGES

ROOT = Path(__file__).parents[2]
NAMES = [name for name, *_ in PAGES]
SIZES = {"desk": (1280, 800), "phone": (390, 844)}
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
# The frontend looks for its server under the page's own path before it looks at the root; on a
# deep link these two requests are answered with 404 by design.
PROBES = ("_stcore/health", "_stcore/host-config")


def chromium_path():
    """The system's Chromium, or ``None``."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next(filter(None, map(shutil.which, names)), None)


def path_of(name):
    """A page's path in the URL; the first page is the root."""
    return "/" if name == NAMES[0] else f"/{name}"


@contextmanager
def serving(log):
    """A server process of its own on a free port, writing to the file ``log``; gives its URL."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = {
        "server.port": port,
        "server.address": "127.0.0.1",
        "server.headless": "true",
        "server.fileWatcherType": "none",
        "browser.gatherUsageStats": "false",
    }
    command = [sys.executable, "-m", "streamlit", "run", str(ROOT / "streamlit_app.py")]
    command += [f"--{name}={value}" for name, value in options.items()]
    with open(log, "w") as out:
        process = subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT)
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_until_healthy(process, url, log)
        yield url
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_until_healthy(process, url, log, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=2) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise RuntimeError(f"The server did not start:\n{Path(log).read_text()}")


def launched(playwright):
    """The system's Chromium, started."""
    return playwright.chromium.launch(executable_path=chromium_path(), args=list(FLAGS))


def context_of(browser, size="desk", theme="light"):
    """A fresh visitor with an empty profile; a phone has a touch screen."""
    width, height = SIZES[size]
    phone = size == "phone"
    return browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=theme,
        has_touch=phone,
        is_mobile=phone,
        accept_downloads=True,
    )


class Visit:
    """One tab, which remembers console errors and requests to anybody but the server."""

    def __init__(self, context, url):
        self.url, self.host = url, urlsplit(url).netloc
        self.errors, self.foreign = [], []
        self.tab = context.new_page()
        self.tab.set_default_timeout(60_000)
        self.tab.on("console", self._console)
        self.tab.on("pageerror", lambda error: self.errors.append(str(error)))
        self.tab.on("request", lambda request: self._requested(request.url))
        self.tab.on("websocket", lambda socket: self._requested(socket.url))

    def _console(self, message):
        excused = {f"{self.url}/{name}/{probe}" for name in NAMES for probe in PROBES}
        if message.type == "error" and message.location.get("url") not in excused:
            self.errors.append(f"{message.text} ({message.location.get('url')})")

    def _requested(self, url):
        parts = urlsplit(url)
        if parts.scheme not in ("data", "blob") and parts.netloc != self.host:
            self.foreign.append(url)

    def open(self, path):
        """Go to ``path`` and wait until the page is there."""
        self.tab.goto(self.url + path)
        self.settle()
        return self

    def settle(self):
        """Wait until the script has run, nothing on the page is stale, and figures are drawn."""
        self.tab.wait_for_function(_SETTLED)
        # Widths are measured after the first drawing, so a figure is drawn twice.
        self.tab.wait_for_timeout(150)
        self.tab.wait_for_function(_SETTLED)

    def unfold(self):
        """Open every fold on the page."""
        folds = self.main.locator("[data-testid=stExpander] > details:not([open]) > summary")
        while folds.count():
            folds.evaluate_all("folds => folds.forEach(fold => fold.click())")
            self.settle()

    def wait_for_text(self, words):
        """Wait until ``words`` stand in the page's main part, and the page is settled."""
        self.tab.wait_for_function(
            "words => document.querySelector('[data-testid=stMain]').innerText.includes(words)",
            arg=words,
        )
        self.settle()

    @property
    def main(self):
        return self.tab.locator("[data-testid=stMain]")

    @property
    def figures(self):
        return self.tab.locator("[data-testid=stMain] .vega-embed svg.marks")

    def slider(self, label):
        return self.tab.locator(f"[data-testid=stSidebar] input[type=range][aria-label='{label}']")

    def query(self):
        return urlsplit(self.tab.url).query

    def whole_page(self, file=None):
        """A screenshot of the whole page, as bytes; the page itself scrolls inside the window."""
        size = self.tab.viewport_size
        height = self.main.evaluate("main => main.scrollHeight")
        self.tab.set_viewport_size({**size, "height": max(size["height"], height)})
        self.settle()
        picture = self.tab.screenshot(path=file)
        boxes = self.figures.evaluate_all(
            """figures => figures.map(figure => {
                const box = figure.getBoundingClientRect();
                return [box.left, box.top, box.right, box.bottom];
            })"""
        )
        self.tab.set_viewport_size(size)
        return picture, boxes


_SETTLED = """() => {
    const app = document.querySelector('[data-testid=stApp]');
    if (!app || app.dataset.testScriptState !== 'notRunning') return false;
    if (app.dataset.testConnectionState !== 'CONNECTED') return false;
    if (!document.querySelector('[data-testid=stMain] h1')) return false;
    if (document.querySelector('[data-stale=true], [data-testid=stSkeleton]')) return false;
    const figures = [...document.querySelectorAll('[data-testid=stVegaLiteChart]')];
    return figures.every(figure => figure.querySelector('svg.marks .role-mark path'));
}"""


def required(reason):
    """Skip with a ``reason``, except in CI, where a browser is required."""
    import pytest

    if os.environ.get("CI"):
        pytest.fail(f"{reason}, and CI requires the browser suite.", pytrace=False)
    pytest.skip(reason)
