"""vLLM's counters and summaries: Prometheus text, JSON for one request, benchmark blocks.

Source: vLLM's pages on metrics and on per-request acceptance metrics, and ``vllm bench serve``.
The newer llama.cpp server exports the same counters under its own prefix.
"""

import re

from specdec.measured.records import (
    CUMULATIVE,
    GAUGE,
    PER_REQUEST,
    WHOLE_RUN,
    Record,
    as_printed,
    count,
    percent,
    printed,
)
from specdec.measured.vllm import ENGINE, counts_by_place, with_own_token

PROMETHEUS = "Prometheus counters"
REQUEST = "per-request JSON"
BENCH = "bench serve summary"
OFFLINE = "offline example summary"

_SERIES = re.compile(
    r"\b(?P<engine>vllm|llamacpp):spec_decode_(?P<name>num_drafts|num_draft_tokens"
    r"|num_accepted_tokens_per_pos|num_accepted_tokens|num_emitted_tokens"
    r"|draft_acceptance_rate|efficiency)(?:_total)?"
    r"(?:\{(?P<labels>[^}\n]*)\})?[ \t]+(?P<value>[-+]?(?:[\d.]+(?:[eE][-+]?\d+)?|NaN|Inf))"
)
_IN_PROCESS = re.compile(
    r"name='vllm:spec_decode_(?P<name>num_\w+)', labels=\{(?P<labels>[^}\n]*)\}, "
    r"values?=(?P<value>\[[^\]\n]*\]|[-\d.]+)"
)
_LABEL = re.compile(r"['\"]?(\w+)['\"]?\s*[=:]\s*['\"]([^'\"]*)['\"]")
_F = r"(-?[\d.]+|nan)"
_BENCH = re.compile(rf"Acceptance rate \(%\):\s+{_F}|Acceptance length:\s+{_F}")
_OFFLINE = re.compile(rf"\bnum_drafts:\s*{_F}|\bmean acceptance length:\s*{_F}")
_AT = re.compile(r"acceptance at token (\d{1,4}):\s*(-?[\d.]+|nan)")
_POSITION = re.compile(r"Position (\d{1,4}):\s+(-?[\d.]+|nan)")


def read(document):
    """(records, sentences about what is left out)."""
    records = [*_prometheus(document), *_requests(document), *_bench_json(document)]
    records += _blocks(document, BENCH, _BENCH, _bench_record)
    records += _blocks(document, OFFLINE, _OFFLINE, _offline_record)
    return records, []


def _prometheus(document):
    scrapes, current, seen = [], {}, set()
    matches = [*_SERIES.finditer(document.text), *_IN_PROCESS.finditer(document.text)]
    for match in matches:
        engine = "llama.cpp" if match.groupdict().get("engine") == "llamacpp" else ENGINE
        labels = dict(_LABEL.findall(match["labels"] or ""))
        series = (engine, match["name"], tuple(sorted(labels.items())))
        if series in seen:  # the same series again: another scrape begins
            scrapes.append(current)
            current, seen = {}, set()
        seen.add(series)
        line = document.line_at(match.start())
        key = (engine, labels.get("model_name", ""))
        totals = current.setdefault(key, {"line": line, "places": {}})
        name, value = match["name"], match["value"]
        if value.startswith("["):
            for place, item in enumerate(value[1:-1].split(",")):
                totals["places"][place] = totals["places"].get(place, 0) + (count(item) or 0)
        elif name == "num_accepted_tokens_per_pos":
            place = count(labels.get("position"))
            if place is not None and 0 <= place < 1000:
                totals["places"][place] = _sum(totals["places"].get(place), count(value))
        elif name.startswith("num_"):
            totals[name] = _sum(totals.get(name), count(value))
        else:
            totals[name] = printed(value)
    models = {model for scrape in [*scrapes, current] for _, model in scrape}
    for scrape in [*scrapes, current]:
        for (engine, model), totals in scrape.items():
            source = model if len(models) > 1 else ""
            yield _scrape(engine, source, totals, document.asked_k)


def _sum(before, value):
    # −1 stands for no count at all, and must not vanish in a sum.
    if value is None or value < 0 or (before is not None and before < 0):
        return -1
    return value + (before or 0)


def _scrape(engine, source, totals, asked_k):
    drafted, rounds = totals.get("num_draft_tokens"), totals.get("num_drafts")
    common = {"unit": "scrape", "source": source}
    emitted = totals.get("num_emitted_tokens")
    if drafted is None and rounds is None:
        rate = totals.get("draft_acceptance_rate")
        return Record(
            engine,
            "Prometheus gauges",
            GAUGE,
            totals["line"],
            rate=rate,
            rate_is_share=False,
            **common,
        )
    if rounds is None and emitted is not None:
        kept = None
        if asked_k and drafted > 0:
            rounds = drafted // asked_k
            kept = emitted - rounds
        note = (
            "The old engine's accepted counter also counts guesses after a rejection; "
            "kept guesses are emitted tokens − rounds, which takes k."
        )
        return Record(
            engine,
            "old Prometheus counters",
            CUMULATIVE,
            totals["line"],
            k=asked_k,
            rounds=rounds,
            drafted=drafted,
            accepted=kept,
            rate=totals.get("draft_acceptance_rate"),
            rate_is_share=False,
            difference=True,
            notes=(note,),
            **common,
        )
    places = None
    if totals["places"]:
        places = tuple(totals["places"].get(i, 0) for i in range(max(totals["places"]) + 1))
    return Record(
        engine,
        PROMETHEUS,
        CUMULATIVE,
        totals["line"],
        k=len(places) if places else None,
        rounds=rounds,
        drafted=drafted,
        accepted=totals.get("num_accepted_tokens"),
        places=places,
        difference=True,
        **common,
    )


def dense(histogram, k):
    """A histogram as a tuple, from a list or from a sparse ``{kept: rounds}``; or ``None``."""
    if histogram is None:
        return None
    if isinstance(histogram, dict):
        if not histogram or max(histogram) > 1000:
            return None
        histogram = [histogram.get(j, 0) for j in range(max(histogram) + 1)]
    whole = [count(value) for value in histogram]
    if any(value is None for value in whole):
        return None
    return tuple(whole) + (0,) * ((k or 0) + 1 - len(whole) if k and k <= 1000 else 0)


def lengths(by_length):
    """``{guesses: histogram}`` with whole counts, each as long as its guesses need; or ``None``."""
    if not isinstance(by_length, dict) or not by_length:
        return None
    if max(by_length) > 1000 or not all(isinstance(h, tuple) for h in by_length.values()):
        return None
    return {length: dense(h, length) for length, h in by_length.items() if length}


def steps_by_length(drafted, accepted):
    """``{guesses: histogram}`` from two lists with a number for each round; or ``None``."""
    if not drafted or not accepted or len(drafted) != len(accepted):
        return None
    found = {}
    for length, kept in zip(map(count, drafted), map(count, accepted), strict=True):
        if length is None or kept is None or not 0 <= kept <= length <= 1000:
            return None
        if length:
            found.setdefault(length, [0] * (length + 1))[kept] += 1
    return {length: tuple(h) for length, h in found.items()}


def request_record(engine, form, fragment, kind=PER_REQUEST, unit="request"):
    """The record of one object with vLLM's field names."""
    get = fragment.get
    k = count(get("num_spec_tokens"))
    by_length = lengths(get("acceptance_histogram_by_draft_length"))
    if by_length is None:
        by_length = steps_by_length(get("per_step_drafted"), get("per_step_accepted"))
    notes = () if fragment.closed else ("is cut off; what is left of it is used",)
    return Record(
        engine,
        form,
        kind,
        fragment.line,
        unit=unit,
        k=k,
        rounds=count(get("num_spec_steps")),
        drafted=count(get("num_draft_tokens")),
        accepted=count(get("num_accepted_draft_tokens")),
        histogram=dense(get("acceptance_histogram"), k),
        by_length=by_length,
        length=as_printed(get("mean_acceptance_length"), half=5e-3),
        rate=as_printed(get("draft_acceptance_rate"), half=5e-4),
        notes=notes,
    )


def _requests(document):
    for fragment in document.fragments:
        ours = fragment.has("num_spec_steps") or fragment.has("num_accepted_draft_tokens")
        ours = ours or fragment.has("acceptance_histogram")
        theirs = "spec_decode_acceptance" in fragment.path or fragment.has("total_draft_tokens")
        if ours and not theirs:
            yield request_record(ENGINE, REQUEST, fragment)


def _bench_json(document):
    for fragment in document.fragments:
        if not fragment.has("spec_decode_num_drafts"):
            continue
        rates = fragment.get("spec_decode_per_position_acceptance_rates") or ()
        rates = tuple(as_printed(rate, 5e-4) for rate in rates) or None
        rounds = count(fragment.get("spec_decode_num_drafts"))
        accepted = count(fragment.get("spec_decode_accepted_tokens"))
        rate = as_printed(fragment.get("spec_decode_acceptance_rate"), 5e-3)
        yield Record(
            ENGINE,
            "bench serve JSON",
            WHOLE_RUN,
            fragment.line,
            k=len(rates) if rates else None,
            rounds=rounds,
            drafted=count(fragment.get("spec_decode_draft_tokens")),
            accepted=accepted,
            places=counts_by_place(rates, rounds, accepted),
            rates=rates,
            length=as_printed(fragment.get("spec_decode_acceptance_length"), 5e-3),
            rate=rate and type(rate)(rate.value / 100, rate.half / 100),
        )


def _blocks(document, form, anchor, build):
    """Blocks that begin at ``anchor``: an alternative met again begins another block."""
    begins, seen = [], set()
    for match in anchor.finditer(document.text):
        first = match[1] is not None
        # The second wording opens a block only where the first has not opened it already.
        if (
            first
            or (begins and False in seen)
            or not begins
            or document.text.find("=====", begins[-1], match.start()) >= 0
        ):
            begins.append(match.start())
            seen = set()
        seen.add(first)
    for begin, after in zip(begins, [*begins[1:], len(document.text)][: len(begins)], strict=True):
        end = document.text.find("=====", begin, min(after, begin + 20_000))
        block = document.text[begin : end if end >= 0 else min(after, begin + 20_000)]
        record = build(block, document.line_at(begin), form)
        if record:
            yield record


def _field(label, block):
    found = re.search(rf"(?<![\w-]){label}:?\s+{_F}", block)
    return found and found[1]


def _places(pattern, block, read):
    found = [read(rate) for _, rate in pattern.findall(block)]
    return tuple(found) or None


def _bench_record(block, line, form):
    rates = _places(_POSITION, block, percent)
    mean = printed(_field("Acceptance length", block))
    rounds, accepted = count(_field("Drafts", block)), count(_field("Accepted tokens", block))
    if rounds is None and mean is None:
        return None
    return Record(
        ENGINE,
        form,
        WHOLE_RUN,
        line,
        unit="block",
        k=len(rates) if rates else None,
        rounds=rounds,
        drafted=count(_field("Draft tokens", block)),
        accepted=accepted,
        places=counts_by_place(rates, rounds, accepted),
        rates=rates,
        length=mean,
        rate=percent(_field(r"Acceptance rate \(%\)", block)),
    )


def _offline_record(block, line, form):
    rates = _places(_AT, block, printed)
    rounds, accepted = (
        count(_field("num_drafts", block)),
        count(_field("num_accepted_tokens", block)),
    )
    mean = printed(_field("mean acceptance length", block))
    mean, notes = with_own_token(mean, rates)
    if rounds == 0:
        mean = rates = None  # the script prints a length of 1.00 where nothing ran
    return Record(
        ENGINE,
        form,
        WHOLE_RUN,
        line,
        unit="block",
        k=len(rates) if rates else None,
        rounds=rounds,
        drafted=count(_field("num_draft_tokens", block)),
        accepted=accepted,
        places=counts_by_place(rates, rounds, accepted),
        rates=rates,
        length=mean,
        notes=notes,
    )
