"""``python -m specdec.measured FILE… | -``: what a server printed, as a table or as JSON."""

import argparse
import json
import sys

from specdec.measured.cleaning import BYTES_MAX, decode
from specdec.measured.reader import read_server_text_report
from specdec.measured.records import MeasuredError
from specdec.measured.table import as_dict, as_text


def main(arguments=None):
    """Run the command; returns its exit status: 0, or 1 with a sentence on standard error."""
    parser = argparse.ArgumentParser(
        prog="python -m specdec.measured",
        description="Read what a server printed about speculative decoding, and work out its "
        "keep rate, tokens per big pass and more.",
    )
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="a log, JSON or CSV file; - is standard input"
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--k", type=int, help="guesses per round, for texts that do not print it")
    options = parser.parse_args(arguments)
    # Output may go to a pipe whose encoding knows no "÷".
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    results, status = [], 0
    for name in options.files:
        try:
            results.append((name, read_server_text_report(decode(_bytes(name)), k=options.k)))
        except OSError as error:
            status = _complain(name, f"The file cannot be read: {error.strerror or error}.")
        except MeasuredError as error:
            status = _complain(name, str(error))
    if options.json:
        if results:
            print(json.dumps([_file(*result) for result in results], indent=2, ensure_ascii=False))
    else:
        print("\n\n".join(_text(*result, len(options.files) > 1) for result in results), end="")
        print("\n" if results else "", end="")
    return status


def _bytes(name):
    # One byte more than the limit is enough to see that a file is too large.
    if name == "-":
        return sys.stdin.buffer.read(BYTES_MAX + 1)
    with open(name, "rb") as file:
        return file.read(BYTES_MAX + 1)


def _complain(name, sentence):
    print(f"{'standard input' if name == '-' else name}: {sentence}", file=sys.stderr)
    return 1


def _file(name, report):
    return {
        "file": name,
        "runs": [as_dict(run) for run in report.runs],
        "recognised": list(report.recognised),
        "left_out": list(report.left_out),
    }


def _text(name, report, several):
    parts = [f"== {name} =="] if several else []
    parts.append(as_text(report.runs))
    of_runs = {f"{run.name}: {sentence}" for run in report.runs for sentence in run.left_out}
    other = [sentence for sentence in report.left_out if sentence not in of_runs]
    if other:
        parts.append("Left out:\n" + "\n".join(f"  {sentence}" for sentence in other))
    return "\n".join(parts[:1]) + ("\n\n" if len(parts) > 1 else "") + "\n\n".join(parts[1:])


if __name__ == "__main__":
    sys.exit(main())
