"""A Streamlit server in a process of its own, and what it takes: memory and processor time."""

import contextlib
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parents[2]
BARE_APP = Path(__file__).parent / "bare" / "streamlit_app.py"
APP = ROOT / "streamlit_app.py"


def free_port():
    """A port that nothing listens on now."""
    with contextlib.closing(socket.socket()) as asked:
        asked.bind(("127.0.0.1", 0))
        return asked.getsockname()[1]


class Server:
    """``streamlit run script`` on this machine's own address, as a context manager.

    ``options`` are Streamlit's options by their full names; ``log`` is the file that its output
    goes to.
    """

    def __init__(self, script=APP, *, port=None, log=None, options=None):
        self.script, self.port, self.log = Path(script), port or free_port(), log
        self.options = options or {}

    @property
    def address(self):
        """``host:port``."""
        return f"127.0.0.1:{self.port}"

    def __enter__(self):
        options = {
            "server.port": self.port,
            "server.address": "127.0.0.1",
            "server.headless": "true",
            "server.fileWatcherType": "none",
            "browser.gatherUsageStats": "false",
            **self.options,
        }
        command = [sys.executable, "-m", "streamlit", "run", str(self.script)]
        command += [f"--{name}={value}" for name, value in options.items()]
        environment = dict(os.environ, PYTHONPATH=str(ROOT))
        with contextlib.ExitStack() as stack:
            out = stack.enter_context(open(self.log, "ab")) if self.log else subprocess.DEVNULL
            # From the project's folder, so that its .streamlit/config.toml counts for both apps.
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=environment, stdout=out, stderr=subprocess.STDOUT
            )
        self.wait()
        return self

    def __exit__(self, *error):
        self.stop()

    def healthy(self):
        """Whether ``/_stcore/health`` answers."""
        try:
            with urllib.request.urlopen(f"http://{self.address}/_stcore/health", timeout=5) as got:
                return got.status == 200
        except (urllib.error.URLError, OSError):
            return False

    def wait(self, seconds=30):
        """Wait until the server answers; ``RuntimeError`` where it does not."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise RuntimeError(f"the server ended with {self.process.returncode}")
            if self.healthy():
                return
            time.sleep(0.1)
        self.stop()
        raise RuntimeError(f"the server did not answer within {seconds} seconds")

    def stop(self):
        """End the process, and wait for it."""
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def memory_bytes(self):
        """Its resident set, and its proportional share of it (shared pages divided up)."""
        found = {}
        for line in Path(f"/proc/{self.process.pid}/smaps_rollup").read_text().splitlines():
            name, *rest = line.split()
            if name in ("Rss:", "Pss:"):
                found[name] = int(rest[0]) * 1024
        return found["Rss:"], found["Pss:"]

    def processor_seconds(self):
        """Processor time it has used so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
