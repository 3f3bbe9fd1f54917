"""SGLang beside its log: ``meta_info`` of a request, gauges, averages and benchmark lines.

``meta_info`` has had three namings; see the SGLang pull requests 3152, 11441, 13754 and 33518.
"""

import re
from dataclasses import replace
from itertools import islice

from specdec.measured.records import (
    BLOCKS_MAX,
    GAUGE,
    PER_REQUEST,
    WHOLE_RUN,
    Record,
    as_printed,
    count,
    printed,
)
from specdec.measured.sglang import ENGINE, Settings
from specdec.measured.vllm_requests import dense

_F = r"(-?\d+(?:\.\d{1,4})?|nan)"
_GAUGE = re.compile(
    r"\bsglang:spec_accept_(length|rate)(?:\{[^}\n]*\})?[ \t]+"
    r"([-+]?(?:[\d.]+(?:[eE][-+]?\d+)?|NaN))"
)
_BENCH = re.compile(rf"^Accept length:\s+{_F}|\bacc_length\s*=\s*{_F}", re.M)


def read(document):
    """(records, sentences about what is left out)."""
    settings = Settings(document)
    records = [*_requests(document, settings), *_gauges(document, settings)]
    for match in islice(document.matches(_BENCH, "Accept length:", "acc_length"), BLOCKS_MAX):
        value, form = match[1] or match[2], "bench_serving summary" if match[1] else "send_one line"
        line = document.line_at(match.start())
        record = Record(ENGINE, form, WHOLE_RUN, line, length=printed(value))
        records.append(replace(record, **settings.at(line)))
    return records, []


def _requests(document, settings):
    by_id, records = {}, []
    for fragment in document.fragments_with("spec_verify_ct"):
        record = _request(fragment, settings.at(fragment.line))
        request = fragment.get("id")
        if request and request in by_id:  # a stream repeats the object; the last one is whole
            records[by_id[request]] = record
            continue
        if request:
            by_id[request] = len(records)
        records.append(record)
    return records


def _request(fragment, settings):
    def first(*keys):
        return next((fragment.get(key) for key in keys if fragment.get(key) is not None), None)

    rounds = count(first("spec_verify_ct"))
    accepted = count(first("spec_num_correct_drafts", "spec_accept_token_num"))
    drafted = count(first("spec_num_proposed_drafts", "spec_draft_token_num"))
    written = count(first("completion_tokens"))
    notes = []
    if accepted is None and written is not None and rounds:
        # The first token comes from reading the prompt, and each round writes one of its own.
        accepted = max(written - 1 - rounds, 0) if written >= rounds else -1
        notes.append("Kept guesses are tokens written − 1 − rounds here; the text prints none.")
    k, tree = settings["k"], settings["tree"]
    if not tree and rounds and drafted and drafted > 0 and rounds > 0:
        k = drafted // rounds if drafted % rounds == 0 else k
    histogram = dense(
        first("spec_correct_drafts_histogram", "spec_accept_histogram"), None if tree else k
    )
    if histogram and accepted is not None and rounds:
        told = sum(j * size for j, size in enumerate(histogram))
        if told == accepted + rounds and accepted != told and not histogram[0]:
            histogram = histogram[1:]
            notes.append("The histogram counts the big model's own token; it is shifted by one.")
    length = as_printed(first("spec_accept_length"), half=5e-3)
    if length and written and rounds and length.agrees(written / rounds):
        length = None  # the prompt's token is in it; the counts say it better
    return Record(
        ENGINE,
        "request meta_info",
        PER_REQUEST,
        fragment.line,
        unit="request",
        part=settings["part"],
        k=k,
        tree=tree,
        rounds=rounds,
        drafted=drafted,
        accepted=accepted,
        histogram=histogram,
        length=length,
        rate=as_printed(first("spec_accept_rate"), half=5e-3),
        output_tokens=written,
        rate_is_share=not tree,
        notes=tuple(notes),
    )


def _gauges(document, settings):
    found = {}
    for match in document.matches(_GAUGE, "sglang:spec_accept_"):
        line = document.line_at(match.start())
        record = found.get("gauge") or Record(ENGINE, "Prometheus gauge", GAUGE, line)
        found["gauge"] = replace(record, rate_is_share=False, **{match[1]: printed(match[2])})
    for fragment in document.fragments_with("avg_spec_accept_length"):
        length = as_printed(fragment.get("avg_spec_accept_length"), half=5e-3)
        found["average"] = Record(
            ENGINE, "server_info average", GAUGE, fragment.line, length=length
        )
    return [
        replace(record, **settings.at(record.line), notes=(_NO_ARITHMETIC,))
        for record in found.values()
    ]


_NO_ARITHMETIC = (
    "This is a last value or a running mean, not a count: it has no interval, "
    "and two of them cannot be subtracted."
)
