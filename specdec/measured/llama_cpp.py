"""llama.cpp: the example's block, the server's lines of a request, statistics lines, ``timings``.

Drafts vary in length here (p-min, n-min, n-grams), so ``n_draft`` is a maximum. The lines of a
request and the statistics lines tell of the same events, and are counted once. See the
llama.cpp threads 3006, 12603, 22506, 24536 and 25682.
"""

import re
from dataclasses import replace
from itertools import islice

from specdec.measured.records import (
    BLOCKS_MAX,
    CUMULATIVE,
    PER_REQUEST,
    WHOLE_RUN,
    Record,
    count,
    percent,
    printed,
)
from specdec.measured.vllm import counts_by_place

ENGINE = "llama.cpp"
REQUEST, STATISTICS = "request line", "statistics line"
_F = r"(-?[\d.]+|nan|-nan)"
_N = r"(-?\d+)"
_SLOT = re.compile(rf"(?:rate)?={_F}\({_N}accepted/{_N}generated\)")
_MEAN = re.compile(r"mean(?:acceptance)?len(?:gth)?=(\d+\.\d\d)")
_ITEM = r"\d\.\d{3}"
_PLACES = re.compile(rf"(?:acceptancerateperposition|accperpos)=\(({_ITEM}(?:,{_ITEM})*)\)")
_CALLS = re.compile(r"^([A-Za-z][\w.-]{0,60}):#calls(?:\(b,g,a\))?=")
_STAT = {
    "rounds": re.compile(rf"#gendrafts={_N}"),
    "first": re.compile(rf"#accdrafts={_N}"),
    "drafted": re.compile(rf"#gentokens={_N}"),
    "accepted": re.compile(rf"#acctokens={_N}"),
}
_STAT_MEAN = re.compile(r"#meanacclen=(\d+\.\d\d)")
_STAT_PLACES = re.compile(rf"#accrate/pos=\(({_ITEM}(?:,{_ITEM})*)\)")
_EVAL = re.compile(r"(?<!prompt )\beval time\s*=\s*[\d.]+ ms\s*/\s*(\d{1,12}) (?:tokens|runs)")
_BLOCK = re.compile(rf"\bn_drafted\s*=\s*{_N}")
_ROW = re.compile(
    rf"^\s*(\S{{1,80}})\s+pred=\s*{_N}\s+draft=\s*{_N}\s+acc=\s*{_N}\s+rate=\s*{_F}", re.M
)


def read(document):
    """(records, sentences about what is left out)."""
    slots, broken = _slot_lines(document)
    statistics = _statistics(document)
    slots, statistics, left_out = _once(slots, statistics)
    if broken:
        left_out.append(f"{ENGINE} {REQUEST}, line {broken[0]}: cut off before its counts.")
    rows = list(_rows(document))
    return [*slots, *statistics, *_blocks(document), *_timings(document), *rows], left_out


def _written(document, line):
    """Tokens written, from the ``eval time`` line of the same request, up to 8 lines above."""
    for number in range(line, max(line - 9, 0), -1):
        text = document.lines[number - 1]
        if number < line and "draft acceptance" in text:
            return None
        found = _EVAL.search(text)
        if found:
            return count(found[1])
    return None


def _slot_lines(document):
    records, broken = [], []
    for line, here, window in document.records("draftacceptance"):
        found = _SLOT.match(window)
        if not found:
            broken += [line] if here.startswith(("=", "rate=")) else []
            continue
        # The numbers of the line end where the next line's record begins.
        text = window.partition("statistics")[0][:900]
        accepted, drafted = count(found[2]), count(found[3])
        mean, places = _MEAN.search(text), _PLACES.search(text)
        rate = printed(found[1]) if drafted else None
        mean = printed(mean[1]) if mean else None
        rates = tuple(printed(item) for item in places[1].split(",")) if places else None
        written = None if mean else _written(document, line)
        records.append(_with_rounds(line, rate, accepted, drafted, mean, rates, written))
    return records, broken


def _with_rounds(line, rate, accepted, drafted, mean, rates, written):
    rounds, estimated = None, False
    if mean and mean.value > 1 and accepted and accepted > 0:
        rounds = _rounds(accepted, drafted, mean, rates)
    elif written is not None and accepted is not None and drafted:
        rounds, estimated = written - accepted, True
    # The list is as long as the longest draft, unless it adds up to less than the mean says.
    k = len(rates) if rates else None
    if k and mean and sum(r.value + r.half for r in rates) < mean.value - mean.half - 1:
        k = None
    return Record(
        ENGINE,
        REQUEST,
        PER_REQUEST,
        line,
        unit="request",
        k=k,
        rounds=rounds,
        rounds_estimated=estimated,
        drafted=drafted,
        accepted=accepted,
        places=None if estimated else counts_by_place(rates, rounds, accepted),
        length=mean,
        rate=rate,
        rates=rates,
        output_tokens=written,
        variable=k is None,
    )


def _rounds(accepted, drafted, mean, rates):
    """The whole number of rounds that the mean allows and that fits the shares by place best."""
    kept = mean.value - 1
    best = max(round(accepted / kept), 1)
    low, high = accepted / (kept + mean.half), accepted / max(kept - mean.half, 1e-9)
    least = -(-drafted // len(rates)) if rates else 1
    options = range(max(int(low), least, 1), min(int(high) + 2, int(low) + 300))
    options = [n for n in options if low - 1e-9 <= n <= high + 1e-9]
    if not rates or not options:
        return best

    def misfit(n):
        return sum(abs(rate.value * n - round(rate.value * n)) for rate in rates)

    return min(options, key=lambda n: (round(misfit(n), 6), abs(n - best)))


def _statistics(document):
    records = []
    for line, here, window in document.records("statistics"):
        head = _CALLS.match(here) or _CALLS.match(window)
        if not head:
            continue
        text = here if "#acctokens=" in here and here.endswith(("ms", ")")) else window[:900]
        found = {name: pattern.search(text) for name, pattern in _STAT.items()}
        if not all(found.values()):
            continue
        rounds, first, drafted, accepted = (count(found[name][1]) for name in _STAT)
        mean, places = _STAT_MEAN.search(text), _STAT_PLACES.search(text)
        rates = tuple(printed(x) for x in places[1].split(",")) if places else None
        mean = printed(mean[1]) if mean else None
        k = len(rates) if rates else None
        if k and mean and sum(r.value + r.half for r in rates) < mean.value - mean.half - 1:
            k = None
        by_place = counts_by_place(rates, rounds, accepted) if k else None
        records.append(
            Record(
                ENGINE,
                STATISTICS,
                CUMULATIVE,
                line,
                source=head[1],
                k=k,
                rounds=rounds,
                drafted=drafted,
                accepted=accepted,
                places=by_place or ((first,) if first is not None else None),
                length=mean if drafted else None,
                rates=rates,
                variable=k is None,
            )
        )
    return records


def _once(slots, statistics):
    """The two kinds of lines tell of the same events: keep the one that tells more.

    Statistics run on since the server's start. Where they add up to the requests in the text they
    replace them, as they count rounds; where they reach further back, only the requests are in
    the text, unless a first and a last statistics line can be subtracted.
    """
    if not slots or not statistics:
        return slots, [replace(s, difference=False) for s in statistics], []
    last = {record.source: record for record in statistics}
    here = sum(slot.drafted or 0 for slot in slots)
    if sum(record.drafted or 0 for record in last.values()) == here:
        said = f"{ENGINE} {REQUEST}: {len(slots)} tell of the same guesses as the statistics lines."
        return [], statistics, [said]
    several = all(sum(r.source == name for r in statistics) > 1 for name in last)
    if several and any(slot.rounds is None or slot.rounds_estimated for slot in slots):
        said = (
            f"{ENGINE} {REQUEST}: {len(slots)} print no rounds; the first and last statistics "
            "lines are subtracted instead, which leaves out the first request."
        )
        return [], [replace(record, difference=True) for record in statistics], [said]
    said = (
        f"{ENGINE} {STATISTICS}: {len(statistics)} reach back beyond the requests in the text, "
        "which are used instead."
    )
    return slots, [], [said]


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
