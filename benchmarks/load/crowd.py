"""A class at work: each learner moves one slider every two seconds, and all are timed."""

import asyncio
import random
import time
from dataclasses import dataclass, field

from benchmarks.load.learner import Learner

SECONDS_BETWEEN_CHANGES = 2.0


@dataclass
class Tally:
    """What a class saw: seconds and bytes of each change, and what went wrong."""

    seconds: list = field(default_factory=list)
    bytes: list = field(default_factory=list)
    errors: list = field(default_factory=list)
    elapsed_seconds: float = 0.0

    def add(self, other):
        """Add another spell of the same class."""
        self.seconds += other.seconds
        self.bytes += other.bytes
        self.errors += other.errors
        self.elapsed_seconds += other.elapsed_seconds


async def open_tabs(address, pages, number, at_once=8):
    """``number`` learners with their pages open, the ``pages`` in turn."""
    gate = asyncio.Semaphore(at_once)

    async def open_one(place):
        learner = Learner(address, pages[place % len(pages)])
        async with gate:
            await learner.connect()
            await learner.rerun()
        return learner

    return await asyncio.gather(*(open_one(place) for place in range(number)))


async def close_tabs(learners):
    """Close every tab."""
    await asyncio.gather(*(learner.close() for learner in learners), return_exceptions=True)


def pick(learner, dice):
    """A slider of the sidebar, and a place on it, both at random."""
    sliders = [s for s in learner.widgets.values() if s.query_param_key]
    slider = dice.choice(sliders)
    places = round((slider.max - slider.min) / slider.step)
    value = slider.min + slider.step * dice.randint(0, places)
    return slider.query_param_key, value


async def at_work(learners, seconds, dice):
    """Let the class work for ``seconds``; returns its :class:`Tally`.

    Changes are due at fixed times. A learner whose page is still being redrawn waits for it, and
    the wait counts: a change's time runs from when it was due, so a slow server cannot hide by
    slowing its callers down.
    """
    tally, began = Tally(), time.perf_counter()
    end = began + seconds

    async def work(learner, due):
        while due < end:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            try:
                run = await learner.move(*pick(learner, dice))
            except Exception as error:
                tally.errors.append(repr(error))
                return
            tally.errors += run.exceptions
            finished = time.perf_counter()
            tally.seconds.append(finished - due)
            tally.bytes.append(run.bytes)
            due += SECONDS_BETWEEN_CHANGES

    await asyncio.gather(
        *(work(learner, began + dice.uniform(0, SECONDS_BETWEEN_CHANGES)) for learner in learners)
    )
    tally.elapsed_seconds = time.perf_counter() - began
    return tally


async def warm_up(learners, changes, dice):
    """Let the class make ``changes`` changes without a pause: what comes after is its every day.

    The first minute also pays for imports and for each figure's specification, once a process.
    """

    async def work(learner):
        for _ in range(-(-changes // len(learners))):
            await learner.move(*pick(learner, dice))

    await asyncio.gather(*map(work, learners))


def seeded(number):
    """The dice of one class, the same in every run."""
    return random.Random(f"class of {number}")
