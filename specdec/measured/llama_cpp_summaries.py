"""llama.cpp's other tellings: the example's block, ``timings`` JSON, rows of ``mtp-bench.py``.

None prints the number of big passes; it is tokens written − guesses kept. See the llama.cpp threads
3006 and 12603.
"""

import re
from itertools import islice

from specdec.measured.llama_cpp import ENGINE
from specdec.measured.records import (
    BLOCKS_MAX,
    PER_REQUEST,
    WHOLE_RUN,
    Record,
    count,
    percent,
    printed,
)

_F = r"(-?[\d.]+|nan|-nan)"
_N = r"(-?\d+)"
_BLOCK = re.compile(rf"\bn_drafted\s*=\s*{_N}")
_ROW = re.compile(
    rf"^\s*(\S{{1,80}})\s+pred=\s*{_N}\s+draft=\s*{_N}\s+acc=\s*{_N}\s+rate=\s*{_F}", re.M
)


def read(document):
    """(records, sentences about what is left out)."""
    return [*_blocks(document), *_timings(document), *_rows(document)], []


def _blocks(document):
    """The summary of ``llama-speculative``: n_draft, n_predict, n_drafted, n_accept, accept."""
    found = islice(document.matches(_BLOCK, "n_drafted"), BLOCKS_MAX)
    begins = [match.start() for match in found]
    for index, begin in enumerate(begins):
        above = max(begin - 200, begins[index - 1] + 1 if index else 0)
        head = document.text[above:begin]
        tail = document.text[begin : begins[index + 1] if index + 1 < len(begins) else begin + 400]

        def field(name, text, number=_N):
            found = re.findall(rf"\b{name}\s*=\s*{number}", text)
            return found[-1] if found else None

        accepted = count(field("n_accept", tail[:400]))
        drafted = count(field("n_drafted", tail[:400]))
        written = count(field("n_predict", head))
        rate = re.search(rf"\baccept\s*=\s*{_F}%", tail[:400])
        if accepted is None:
            continue
        rounds = written - accepted if written is not None and accepted >= 0 else None
        yield Record(
            ENGINE,
            "llama-speculative summary",
            WHOLE_RUN,
            document.line_at(begin),
            unit="block",
            k=count(field("n_draft", head)),
            rounds=rounds,
            rounds_estimated=True,
            drafted=drafted,
            accepted=accepted,
            rate=percent(rate[1]) if rate and drafted else None,
            output_tokens=written,
            variable=True,
        )


def _timings(document):
    records, before = [], None
    for fragment in document.fragments_with("draft_n"):
        if fragment.has("draft_rounds"):
            continue
        drafted, accepted = count(fragment.get("draft_n")), count(fragment.get("draft_n_accepted"))
        written = count(fragment.get("predicted_n"))
        rounds = None
        if written is not None and accepted is not None and drafted:
            rounds = written - accepted if written >= accepted else None
        record = Record(
            ENGINE,
            "timings JSON",
            PER_REQUEST,
            fragment.line,
            unit="request",
            rounds=rounds,
            rounds_estimated=True,
            drafted=drafted,
            accepted=accepted,
            output_tokens=written,
            variable=True,
        )
        # A stream with timings in every piece repeats them as they grow: the last one counts.
        prompt = fragment.get("prompt_ms")
        grows = prompt is not None and before == prompt and records
        if grows and (drafted or 0) >= (records[-1].drafted or 0):
            records[-1] = record
        else:
            records.append(record)
        before = prompt
    return records


def _rows(document):
    """The rows of ``mtp-bench.py``, one a request; their JSON aggregate holds the same."""
    for match in document.matches(_ROW, "draft="):
        _, written, drafted, accepted, rate = match.groups()
        written, drafted, accepted = count(written), count(drafted), count(accepted)
        yield Record(
            ENGINE,
            "mtp-bench rows",
            PER_REQUEST,
            document.line_at(match.start(1)),
            unit="row",
            rounds=written - accepted - 1 if written > accepted else None,
            rounds_estimated=True,
            drafted=drafted,
            accepted=accepted,
            rate=printed(rate),
            output_tokens=written,
            variable=True,
        )
