"""Reading a server's text: time per megabyte, which should be flat from 0.1 to 5 MB.

Run with ``pytest benchmarks/test_measured_speed.py``; the ``ms_per_mb`` column of ``extra_info``
(``--benchmark-json`` or ``--benchmark-verbose``) is the mean time over the size.
"""

import random
import time

import pytest

from specdec.measured import MeasuredError, examples, read_server_text

MB = 2**20
SIZES_MB = (0.1, 0.5, 1, 5)


def server_log(size):
    """A vLLM server's log: a start-up line, requests, and one line about guesses in twelve."""
    lines = examples()["vLLM log"].splitlines()
    start, windows = lines[:2], [line for line in lines if "SpecDecoding" in line]
    others = [line for line in lines[2:] if "SpecDecoding" not in line]
    found, length, number = list(start), 0, 0
    while length < size:
        source, at = (others, number) if number % 12 else (windows, number // 12)
        line = source[at % len(source)]
        found.append(line)
        length += len(line) + 1
        number += 1
    return "\n".join(found)[:size]


def noise(size):
    """Lines of random words and punctuation, with nothing in them."""
    generator = random.Random(3)
    letters = "abcdefghij klmnop0123456789{}[]\"':,=|%()\n"
    return "".join(generator.choices(letters, k=size // 5)) * 5


# Processor time, so that other programs on the machine do not count.
@pytest.mark.benchmark(timer=time.process_time)
@pytest.mark.parametrize("size_mb", SIZES_MB)
@pytest.mark.parametrize("kind", [server_log, noise])
def test_read_server_text(benchmark, kind, size_mb):
    text = kind(int(size_mb * MB))

    def read():
        try:
            return read_server_text(text)
        except MeasuredError:
            return []

    runs = benchmark.pedantic(read, rounds=3, iterations=1, warmup_rounds=1)
    assert bool(runs) == (kind is server_log)
    if benchmark.stats:
        benchmark.extra_info["ms_per_mb"] = round(1000 * benchmark.stats.stats.min / size_mb, 1)
        print(f" {kind.__name__} {size_mb} MB: {benchmark.extra_info['ms_per_mb']} ms per MB")
