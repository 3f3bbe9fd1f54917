"""Kill one of two servers behind nginx in mid-class and watch what its learners see.

``python -m deploy.kill_test`` starts two server processes and nginx with this folder's own
configuration (ports changed, nothing else), lets a class work, kills one process, and fails
unless

- every learner of the killed process is back within five seconds, on the same page with the same
  setting, with nothing but the page's address and the cookie to go by, and
- no other learner lost a connection, saw an error, or waited five seconds.

It needs nginx in the path, or in /usr/sbin.
"""

import asyncio
import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path

from websockets.exceptions import ConnectionClosed, InvalidHandshake

from benchmarks.load import crowd
from benchmarks.load.learner import Learner
from benchmarks.load.server import Server, free_port
from specdec.ui.pages import PAGES

CONFIGURATION = Path(__file__).parent / "nginx" / "specdec.conf"
BACK_WITHIN_SECONDS = 5.0
LEARNERS = 16
LESSON_SECONDS = 12.0
NGINX = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def configuration(folder, port, upstreams):
    """A whole nginx configuration around :data:`CONFIGURATION`, for an unprivileged process."""
    site = CONFIGURATION.read_text()
    site = site.replace("listen 80;", f"listen 127.0.0.1:{port};")
    for stated, real in zip(("127.0.0.1:8501", "127.0.0.1:8502"), upstreams, strict=True):
        if stated not in site:
            raise RuntimeError(f"{CONFIGURATION.name} no longer names {stated}")
        site = site.replace(stated, real)
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    return (
        f"daemon off;\npid {folder}/pid;\nerror_log {folder}/error.log warn;\n"
        f"worker_processes 1;\nevents {{ worker_connections 1024; }}\n"
        f"http {{\naccess_log off;\n{temporary}{site}\n}}\n"
    )


@contextlib.contextmanager
def nginx(folder, upstreams):
    """nginx in front of ``upstreams``; gives its address."""
    port = free_port()
    file = Path(folder) / "nginx.conf"
    file.write_text(configuration(folder, port, upstreams))
    process = subprocess.Popen([NGINX, "-p", folder, "-c", str(file)], stderr=subprocess.DEVNULL)
    try:
        for _ in range(50):
            with contextlib.suppress(urllib.error.URLError):
                urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=5)
                break
            time.sleep(0.1)
        yield f"127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(10)


class Tab(Learner):
    """A learner behind nginx: keeps its cookie, and comes back as a browser does."""

    async def open(self):
        """Fetch the page for its cookie, as a browser does first, and open the websocket."""
        cookies = await asyncio.to_thread(self._fetch, f"/{self.page}")
        self.headers = {"Cookie": "; ".join(cookies)}
        await self.connect()
        await self.rerun()

    def _fetch(self, path):
        asked = urllib.request.Request(f"http://{self.address}{path}", headers=self.headers)
        with urllib.request.urlopen(asked, timeout=5) as answer:
            given = answer.headers.get_all("Set-Cookie") or []
            return [re.match(r"[^;]*", cookie).group() for cookie in given]

    async def come_back(self):
        """Ask for the server's health until it answers, then open the address again."""
        self.forget()
        while True:
            with contextlib.suppress(OSError, InvalidHandshake, ConnectionClosed):
                await asyncio.to_thread(self._fetch, "/_stcore/health")
                await self.connect()
                await self.rerun()
                return
            await asyncio.sleep(0.25)

    def shown(self):
        """The page's title and where its sliders stand."""
        return self.title, {s.query_param_key: list(s.value) for s in self.widgets.values()}


@dataclass
class Seen:
    """What the class saw: complaints, and how long each learner took that had to move."""

    wrong: list = field(default_factory=list)
    moved_seconds: list = field(default_factory=list)
    slowest_seconds: float = 0.0


async def lesson(address, victim):
    """Run the class and kill ``victim`` in the middle of it; returns :class:`Seen`."""
    dice, seen = crowd.seeded(LEARNERS), Seen()
    names = [name for name, *_ in PAGES]
    tabs = [Tab(address, names[place % len(names)]) for place in range(LEARNERS)]
    for tab in tabs:
        await tab.open()
        # A setting of its own for each, so that a mix-up could not go unseen.
        for key in ("kept", "k", "users"):
            slider = tab.slider(key)
            await tab.move(key, dice.randint(int(slider.min), int(slider.max)))
    its_own = sessions(victim)
    if not 0 < its_own < LEARNERS:
        seen.wrong.append(f"{its_own} of {LEARNERS} learners were at one server")
    killed = asyncio.Event()
    end = time.monotonic() + LESSON_SECONDS

    async def work(tab):
        while time.monotonic() < end:
            try:
                if not await tab.lost_within(dice.uniform(0.5, 1.5)):
                    run = await tab.move("kept", dice.randint(0, 100))
                    seen.wrong += [f"{tab.page}: {words}" for words in run.exceptions]
                    seen.slowest_seconds = max(seen.slowest_seconds, run.seconds)
                    continue
            except ConnectionClosed:
                pass
            if not killed.is_set():
                seen.wrong.append(f"{tab.page}: lost its server before the kill")
            lost, before = time.monotonic(), tab.shown()
            await tab.come_back()
            seen.moved_seconds.append(time.monotonic() - lost)
            if tab.shown() != before:
                seen.wrong.append(f"{tab.page}: was {before}, came back as {tab.shown()}")

    async def kill():
        await asyncio.sleep(LESSON_SECONDS / 3)
        killed.set()
        victim.process.kill()

    await asyncio.gather(kill(), *(work(tab) for tab in tabs))
    await crowd.close_tabs(tabs)
    if len(seen.moved_seconds) != its_own:
        seen.wrong.append(f"{len(seen.moved_seconds)} learners moved, {its_own} had to")
    if max(seen.moved_seconds, default=0) > BACK_WITHIN_SECONDS:
        seen.wrong.append(f"a learner was back after {max(seen.moved_seconds):.1f} s")
    if seen.slowest_seconds > BACK_WITHIN_SECONDS:
        seen.wrong.append(f"a learner at the other server waited {seen.slowest_seconds:.1f} s")
    return seen


def sessions(server):
    """How many tabs a server has open, by its own count."""
    where = f"http://{server.address}/_stcore/metrics?families=active_sessions"
    with urllib.request.urlopen(where, timeout=5) as answer:
        found = re.findall(r"^active_sessions\S* (\d+)", answer.read().decode(), re.MULTILINE)
    return sum(map(int, found))


def run():
    """The whole test; returns what the class saw."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Server() as first,
        Server() as second,
        nginx(folder, (first.address, second.address)) as address,
    ):
        for server in (first, second):
            # Imports are not what is being tested.
            asyncio.run(_warm(server.address))
        return asyncio.run(lesson(address, first))


async def _warm(address):
    await crowd.close_tabs(await crowd.open_tabs(address, [page[0] for page in PAGES], len(PAGES)))


def main():
    """Run it from the command line."""
    if NGINX is None:
        sys.exit("nginx was not found")
    seen = run()
    print(f"{len(seen.moved_seconds)} of {LEARNERS} learners lost their server; they were back ")
    print("after " + ", ".join(f"{seconds:.2f}" for seconds in sorted(seen.moved_seconds)) + " s.")
    print(f"The slowest change at the other server took {seen.slowest_seconds:.2f} s.")
    for complaint in seen.wrong:
        print(complaint)
    sys.exit(bool(seen.wrong))


if __name__ == "__main__":
    main()
