"""Ten minutes of a class whose tabs open and close: does memory come back, is the log clean?

``python -m benchmarks.load.soak`` keeps fifty learners at work; every few seconds one of them
closes its tab and another opens one. Streamlit keeps a closed tab's session for two minutes, so
memory is compared when the class has worked longer than that, and again at the end. The last two
numbers say what is left two and a half minutes after everybody has gone.
"""

import argparse
import asyncio
import gc
import re
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.load import crowd
from benchmarks.load.learner import Learner
from benchmarks.load.server import Server
from specdec.ui.pages import PAGES

FAULTS = re.compile(r"Traceback|Error|Exception|WARNING", re.IGNORECASE)
SESSION_KEPT_SECONDS = 150


async def soak(server, learners, seconds, seconds_a_tab):
    """Run the class; returns the memory readings (seconds, bytes), changes and errors."""
    dice, readings, errors, changes = crowd.seeded(learners), [], [], [0]
    pages = [name for name, *_ in PAGES]
    began = time.monotonic()
    end = began + seconds

    async def seat():
        while time.monotonic() < end:
            leaves = min(end, time.monotonic() + dice.expovariate(1 / seconds_a_tab))
            try:
                async with Learner(server.address, dice.choice(pages)) as learner:
                    while time.monotonic() < leaves:
                        await asyncio.sleep(crowd.SECONDS_BETWEEN_CHANGES)
                        run = await learner.move(*crowd.pick(learner, dice))
                        changes[0] += 1
                        errors.extend(run.exceptions)
            except Exception as error:
                errors.append(repr(error))
                await asyncio.sleep(1)

    async def watch():
        while time.monotonic() < end:
            await asyncio.sleep(10)
            readings.append((time.monotonic() - began, server.memory_bytes()[0]))
            print(f"{readings[-1][0]:.0f} s: {readings[-1][1] / 1e6:.0f} MB", flush=True)

    await asyncio.gather(watch(), *(seat() for _ in range(learners)))
    return readings, changes[0], errors


def level(readings, begin, end):
    """The mean of the readings between two times, in bytes."""
    found = [size for seconds, size in readings if begin <= seconds <= end]
    return sum(found) / len(found)


def main():
    """Run it from the command line; fails where memory or the log says so."""
    ask = argparse.ArgumentParser(prog="python -m benchmarks.load.soak", description=__doc__)
    ask.add_argument("--learners", type=int, default=50)
    ask.add_argument("--seconds", type=float, default=600)
    ask.add_argument("--tab", type=float, default=60, help="mean seconds that a tab stays open")
    asked = ask.parse_args()
    gc.disable()
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        with Server(log=log) as server:
            readings, changes, errors = asyncio.run(
                soak(server, asked.learners, asked.seconds, asked.tab)
            )
            time.sleep(SESSION_KEPT_SECONDS)
            left = server.memory_bytes()[0]
            healthy = server.healthy()
        faults = [line for line in log.read_text().splitlines() if FAULTS.search(line)]
    third = asked.seconds / 3
    warm, late = level(readings, third, 1.5 * third), level(readings, 2.5 * third, 3.1 * third)
    print(f"{asked.learners} learners, {changes} changes, {len(errors)} errors, {len(faults)} ")
    print(f"lines of complaint in the log; memory {warm / 1e6:.0f} MB after warm-up, ")
    print(f"{late / 1e6:.0f} MB at the end ({late / warm - 1:+.1%}), {left / 1e6:.0f} MB when ")
    print(f"all had gone ({left / warm - 1:+.1%}).")
    for line in [*errors[:5], *faults[:5]]:
        print(line)
    sys.exit(bool(errors or faults or not healthy or late > 1.1 * warm or left > 1.1 * warm))


if __name__ == "__main__":
    main()
