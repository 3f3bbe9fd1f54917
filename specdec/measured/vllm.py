"""vLLM's log lines: the old engine's running totals, and the V1 engine's ten-second windows.

Old (about 0.4 to 0.8): one line of totals since the start, whose "accepted" also counts guesses
after a rejection. V1: a line per window, in four wordings since March 2025; see the vLLM pull
requests 15151, 15902, 16665, 17908 and 24127.
"""

import math
import re
from bisect import bisect_left

from specdec.measured.records import (
    CUMULATIVE,
    PER_INTERVAL,
    Record,
    count,
    percent,
    printed,
)
from specdec.measured.vllm_rounds import counts_by_place, window_rounds, with_own_token

ENGINE = "vLLM"
V0, V1 = "V0 log line", "V1 log line"
_N = r"(-?\d+|nan)"
_F = r"(-?[\d.]+|nan)"
_OLD = re.compile(
    rf"Draftacceptancerate:{_F},Systemefficiency:{_F},Numberofspeculativetokens:{_N},"
    rf"Numberofacceptedtokens:{_N},Numberofdrafttokens(?:tokens)?:{_N},Numberofemittedtokens:{_N}"
)
_OLD_WHOLE = re.compile(_OLD.pattern + r"\.")
_FIRST_V1 = re.compile(
    rf"Draftacceptancerate:{_F},Numberofacceptedtokens:{_N},Numberofdrafttokens:{_N}"
)
_MEAN = re.compile(rf"Meanacceptancelength:{_F}")
_ACCEPTED = re.compile(rf"Accepted:{_N}tokens")
_DRAFTED = re.compile(rf"Drafted:{_N}tokens")
_RATE = re.compile(rf"Draftacceptancerate:{_F}%")
_ITEM = r"(?:nan|-?\d\.\d{3})"
_PLACES = re.compile(rf"Per-positionacceptance[a-z]{{4,13}}:({_ITEM}(?:,{_ITEM})*)")
_NEW_ENGINE = re.compile(r"Initializing an? (?:V\d )?LLM engine")
_CONFIG = re.compile(
    r"num_speculative_tokens[\"']?\s*[=:]\s*(\d{1,4})\b|num_spec_tokens=(\d{1,4})\b"
)


def read(document):
    """(records, sentences about what is left out) of the log lines in ``document``."""
    records, left_out, broken = [], [], []
    context = _Context(document)
    for line, here, window in document.records("Speculativemetrics:"):
        # The full stop tells a whole last number from one that a wrap has cut.
        old = _OLD_WHOLE.match(here) or _OLD_WHOLE.match(window) or _OLD.match(here)
        new = None if old else _FIRST_V1.match(window)
        if old:
            records.append(_old_record(line, *old.groups(), context))
        elif new:
            rate, accepted, drafted = new.groups()
            part, k = context.at(line)
            records.append(
                _window(line, part, k, count(accepted), count(drafted), None, printed(rate), None)
            )
        else:
            broken.append(line)
    for line, here, window in document.records("SpecDecodingmetrics:"):
        record = _v1_record(line, here, context) or _v1_record(
            line, window[:900], context, whole=True
        )
        if record:
            records.append(record)
        else:
            broken.append(line)
    if broken:
        more = f" and {len(broken) - 1} more" if len(broken) > 1 else ""
        left_out.append(f"{ENGINE} log line, line {broken[0]}{more}: cut off before its counts.")
    return records, left_out


class _Context:
    """Which server run a line belongs to, and the k that its start-up lines name."""

    def __init__(self, document):
        self._starts = [
            document.line_at(m.start()) for m in document.matches(_NEW_ENGINE, "LLM engine")
        ]
        settings = document.matches(_CONFIG, "num_spec")
        found = [(document.line_at(m.start()), int(m[1] or m[2])) for m in settings]
        self._config_lines = [line for line, _ in found]
        self._ks = [k for _, k in found]

    def at(self, line):
        """(number of engine starts above the line, k named last above it or ``None``)."""
        above = bisect_left(self._config_lines, line)
        return bisect_left(self._starts, line), self._ks[above - 1] if above else None


def _old_record(line, rate, efficiency, k, accepted, drafted, emitted, context):
    k, drafted, emitted = count(k), count(drafted), count(emitted)
    notes = []
    rounds = None
    if k and k > 0 and drafted is not None and drafted >= 0:
        rounds = drafted // k
        if drafted % k:
            notes.append(f"has {drafted} drafted guesses, which k = {k} does not divide")
    kept = None if rounds is None or emitted is None else emitted - rounds
    shown = printed(efficiency)
    if rounds and shown and math.isfinite(shown.value) and shown.value >= 0:
        exact = emitted / (rounds * (k + 1))
        if not shown.agrees(exact):
            notes.append(f"prints a system efficiency of {shown.value:g}, not {exact:.3f}")
    if count(accepted) != kept:
        notes.append(
            f"The log's acceptance rate ({rate}) also counts guesses after a rejection; "
            "kept guesses are emitted tokens − rounds here."
        )
    return Record(
        ENGINE,
        V0,
        CUMULATIVE,
        line,
        part=context.at(line)[0],
        k=k,
        rounds=rounds,
        drafted=drafted,
        accepted=kept,
        rate=_finite(printed(rate)),
        rate_is_share=False,
        notes=tuple(notes),
    )


def _v1_record(line, text, context, whole=False):
    """The record of a V1 line; ``None`` where ``text`` breaks off before the line is complete."""
    accepted, drafted = _ACCEPTED.search(text), _DRAFTED.search(text)
    rate, mean, places = _RATE.search(text), _MEAN.search(text), _PLACES.search(text)
    complete = accepted and drafted and rate
    if not whole:
        # A line that stops at a comma, or lacks what its wording has, goes on below.
        if mean and not places:
            complete = False
        if places and places.end() == len(text) and text[-4:-3] != "." and text[-3:] != "nan":
            complete = False
        if text.endswith((",", ":")):
            complete = False
    if not complete and not (whole and accepted and drafted):
        return None
    part, k = context.at(line)
    rates = [printed(item) for item in places[1].split(",")] if places else None
    return _window(
        line,
        part,
        k,
        count(accepted[1]),
        count(drafted[1]),
        printed(mean[1]) if mean else None,
        percent(rate[1]) if rate else None,
        rates,
    )


def _window(line, part, k, accepted, drafted, mean, rate, rates):
    if drafted == 0:
        mean = rate = rates = None
    if rates and any(not math.isfinite(item.value) for item in rates):
        rates = None
    mean, notes = with_own_token(_finite(mean), rates)
    if rates:
        k = None if _cut(rates, mean) else len(rates)
    rounds, variable = window_rounds(accepted, drafted, mean, rates, k)
    return Record(
        ENGINE,
        V1,
        PER_INTERVAL,
        line,
        unit="window",
        part=part,
        k=k,
        rounds=rounds,
        drafted=drafted,
        accepted=accepted,
        places=counts_by_place(rates, rounds, accepted),
        length=mean,
        rate=rate,
        rates=tuple(rates) if rates else None,
        variable=variable,
        notes=notes,
    )


def _finite(value):
    return value if value is not None and math.isfinite(value.value) else None


def _cut(rates, mean):
    """Whether the list of shares stops before the drafts do: it adds up to too little."""
    short = sum(rate.value + rate.half for rate in rates)
    return mean is not None and short < mean.value - mean.half - 1 - 1e-9
