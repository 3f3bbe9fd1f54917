"""Time a class of learners on the dashboard and, in the same run, on a bare app.

``python -m benchmarks.load`` prints a Markdown table; ``--json FILE`` keeps the numbers. The two
servers take turns, a spell each, so that whatever else the machine does falls on both.
"""

import argparse
import asyncio
import gc
import json
import os
import statistics
import time

from benchmarks.load import crowd
from benchmarks.load.server import APP, BARE_APP, Server
from specdec.ui.pages import PAGES

APPS = {"bare": BARE_APP, "dashboard": APP}
PAGE_NAMES = [name for name, *_ in PAGES]


def quantile(values, share):
    """The smallest value that at least ``share`` of ``values`` do not exceed."""
    ordered = sorted(values)
    return ordered[
        min(len(ordered) - 1, max(0, -(-round(share * len(ordered) * 1e6) // 10**6) - 1))
    ]


async def one_class(number, seconds, spells, warm_changes, options, pages):
    """Measure ``number`` learners on both apps; returns a row for each."""
    servers = {name: Server(script, options=options) for name, script in APPS.items()}
    tallies = {name: crowd.Tally() for name in APPS}
    used, memory, classes = dict.fromkeys(APPS, 0.0), {}, {}
    dice = crowd.seeded(number)
    try:
        for name, server in servers.items():
            server.__enter__()
            await crowd.close_tabs(await crowd.open_tabs(server.address, pages, len(pages)))
            before = server.memory_bytes()
            classes[name] = await crowd.open_tabs(server.address, pages, number)
            await crowd.warm_up(classes[name], warm_changes, dice)
            memory[name] = before
        # The client's own garbage would stop its clock.
        gc.collect()
        gc.disable()
        own = time.process_time()
        began = time.perf_counter()
        for _ in range(spells):
            for name, server in servers.items():
                cpu = server.processor_seconds()
                tallies[name].add(await crowd.at_work(classes[name], seconds / spells, dice))
                used[name] += server.processor_seconds() - cpu
        client = (time.process_time() - own) / (time.perf_counter() - began)
        gc.enable()
        rows = {}
        for name, server in servers.items():
            rss, pss = server.memory_bytes()
            row = summary(tallies[name], used[name])
            row["client_busy"] = client
            row["rss_mb"] = rss / 1e6
            row["mb_a_learner"] = (pss - memory[name][1]) / number / 1e6
            row["healthy"] = server.healthy()
            rows[name] = row
            await crowd.close_tabs(classes[name])
        return rows
    finally:
        for server in servers.values():
            if hasattr(server, "process"):
                server.stop()


def summary(tally, processor_seconds):
    """One row of the table from a tally."""
    changes = len(tally.seconds)
    if not changes:
        return {"changes": 0, "errors": len(tally.errors), "error": tally.errors[:1]}
    return {
        "changes": changes,
        "p50_ms": quantile(tally.seconds, 0.50) * 1e3,
        "p95_ms": quantile(tally.seconds, 0.95) * 1e3,
        "p99_ms": quantile(tally.seconds, 0.99) * 1e3,
        "changes_a_second": changes / tally.elapsed_seconds,
        "kb_a_change": statistics.fmean(tally.bytes) / 1e3,
        "processor_ms_a_change": processor_seconds / changes * 1e3,
        "errors": len(tally.errors),
        "error": tally.errors[:1],
    }


HEAD = (
    "| Learners | App | p50, ms | p95, ms | p99, ms | p50 ratio | Changes/s | kB a change "
    "| Processor ms a change | MB a learner | Errors |"
)


def table(results):
    """The rows as Markdown."""
    lines = [HEAD, "|" + " ---: | :--- |" + " ---: |" * 9]
    for number, rows in results.items():
        for name, row in rows.items():
            ratio = row["p50_ms"] / rows["bare"]["p50_ms"]
            cells = [
                number,
                name,
                f"{row['p50_ms']:.1f}",
                f"{row['p95_ms']:.0f}",
                f"{row['p99_ms']:.0f}",
                f"{ratio:.2f}" if name != "bare" else "1",
                f"{row['changes_a_second']:.1f}",
                f"{row['kb_a_change']:.1f}",
                f"{row['processor_ms_a_change']:.1f}",
                f"{row['mb_a_learner']:.2f}",
                row["errors"],
            ]
            lines.append("| " + " | ".join(str(cell) for cell in cells) + " |")
    return "\n".join(lines)


def main():
    """Run the benchmark from the command line."""
    ask = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    ask.add_argument("--learners", type=int, nargs="+", default=[1, 10, 50, 100])
    ask.add_argument("--seconds", type=float, default=40, help="measured time on each app")
    ask.add_argument("--spells", type=int, default=4, help="turns that the time is split into")
    ask.add_argument("--warm-up", type=int, default=800, help="changes before measuring")
    ask.add_argument("--pages", nargs="+", choices=PAGE_NAMES, default=PAGE_NAMES)
    ask.add_argument("--option", action="append", default=[], help="a server option, name=value")
    ask.add_argument("--json", help="write the numbers to this file")
    asked = ask.parse_args()
    options = dict(option.split("=", 1) for option in asked.option)
    results = {}
    for number in asked.learners:
        results[number] = asyncio.run(
            one_class(number, asked.seconds, asked.spells, asked.warm_up, options, asked.pages)
        )
    print(table(results))
    busiest = max(row["client_busy"] for rows in results.values() for row in rows.values())
    load = os.getloadavg()[0]
    print(
        f"\n{os.cpu_count()} cores; the learners' own process used {busiest:.0%} of one; ", end=""
    )
    print(f"load average at the end {load:.1f}.")
    for number, rows in results.items():
        for name, row in rows.items():
            if row["errors"]:
                print(f"{number} learners on {name}: {row['errors']} errors, first {row['error']}")
    if asked.json:
        with open(asked.json, "w", encoding="utf-8") as out:
            json.dump(results, out, indent=1)


if __name__ == "__main__":
    main()
