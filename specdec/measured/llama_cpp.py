"""llama.cpp: the example's block, the server's lines of a request, statistics lines, ``timings``.

Drafts vary in length here (p-min, n-min, n-grams), so ``n_draft`` is a maximum. The lines of a
request and the statistics lines tell of the same events, and are counted once. See the
llama.cpp threads 3006, 12603, 22506, 24536 and 25682.
"""

import re
from dataclasses import replace

from specdec.measured.records import (
    CUMULATIVE,
    PER_REQUEST,
    Record,
    count,
    printed,
)
from specdec.measured.vllm_rounds import counts_by_place

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


def read(document):
    """(records, sentences about what is left out)."""
    slots, broken = _slot_lines(document)
    statistics = _statistics(document)
    slots, statistics, left_out = _once(slots, statistics)
    if broken:
        left_out.append(f"{ENGINE} {REQUEST}, line {broken[0]}: cut off before its counts.")
    return [*slots, *statistics], left_out


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
