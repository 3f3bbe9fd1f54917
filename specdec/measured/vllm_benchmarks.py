"""vLLM's benchmarks: block and JSON of ``vllm bench serve``, and the offline example's block.

Each is a whole run of its own, so two in one text are two runs.
"""

import re

from specdec.measured.records import (
    BLOCKS_MAX,
    WHOLE_RUN,
    Record,
    as_printed,
    count,
    percent,
    printed,
)
from specdec.measured.vllm import ENGINE
from specdec.measured.vllm_rounds import counts_by_place, with_own_token

BENCH = "bench serve summary"
OFFLINE = "offline example summary"

_F = r"(-?[\d.]+|nan)"
_BENCH = re.compile(rf"Acceptance rate \(%\):\s+{_F}|Acceptance length:\s+{_F}")
_OFFLINE = re.compile(rf"\bnum_drafts:\s*{_F}|\bmean acceptance length:\s*{_F}")
_AT = re.compile(r"acceptance at token (\d{1,4}):\s*(-?[\d.]+|nan)")
_POSITION = re.compile(r"Position (\d{1,4}):\s+(-?[\d.]+|nan)")


def read(document):
    """(records, sentences about what is left out)."""
    records = list(_bench_json(document))
    records += _blocks(document, BENCH, _BENCH, _bench_record, ("Acceptance ",))
    records += _blocks(
        document, OFFLINE, _OFFLINE, _offline_record, ("num_drafts", "mean acceptance")
    )
    return records, []


def _bench_json(document):
    for fragment in document.fragments_with("spec_decode_num_drafts"):
        rates = fragment.get("spec_decode_per_position_acceptance_rates") or ()
        rates = tuple(as_printed(rate, 5e-4) for rate in rates)
        rates = None if None in rates else rates or None
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


def _blocks(document, form, anchor, build, literals):
    """Blocks that begin at ``anchor``: an alternative met again begins another block."""
    begins, seen = [], set()
    for match in document.matches(anchor, *literals):
        if len(begins) > BLOCKS_MAX:
            break
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
    return None if None in found else tuple(found) or None


def _bench_record(block, line, form):
    rates = _places(_POSITION, block, percent)
    mean = printed(_field("Acceptance length", block))
    rounds, accepted = count(_field("Drafts", block)), count(_field("Accepted tokens", block))
    rate = percent(_field(r"Acceptance rate \(%\)", block))
    if rounds is None and mean is None:
        return None
    if rounds == 0:
        mean = rate = rates = None
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
        rate=rate,
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
