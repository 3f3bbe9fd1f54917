"""vLLM's counters as Prometheus text, or as the Python objects of ``llm.get_metrics()``.

Lifetime counters: one scrape is everything since the start, two are told apart and subtracted.
Source: vLLM's pages on metrics. The newer llama.cpp server has the same counters under its prefix.
"""

import re

from specdec.measured.records import CUMULATIVE, GAUGE, Record, count, printed
from specdec.measured.vllm import ENGINE

PROMETHEUS = "Prometheus counters"
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


def read(document):
    """(records, sentences about what is left out)."""
    return list(_prometheus(document)), []


def _prometheus(document):
    scrapes, current, seen = [], {}, set()
    matches = [
        *document.matches(_SERIES, ":spec_decode_"),
        *document.matches(_IN_PROCESS, "name='vllm:spec_decode_"),
    ]
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
