"""NVIDIA AIPerf: its Spec Decode console table, its pooled histogram and its records per request.

The console's "Acceptance Length" is a mean over requests and "Accepted per Verified" no keep rate;
the token-weighted length and the overall rate are the run's. Source: AIPerf's guide to
per-request speculative-decoding metrics.
"""

import re

from specdec.measured.records import (
    BLOCKS_MAX,
    PER_REQUEST,
    WHOLE_RUN,
    Printed,
    Record,
    count,
    percent,
    printed,
)
from specdec.measured.vllm_requests import dense, request_record

ENGINE = "AIPerf"
_N = r"(-?[\d,]+(?:\.\d+)?|N/A)"
_ROW = r"{}\s*(?:\([a-z%]+\))?\s*[│┃|]\s*" + _N
_WEIGHTED = re.compile(_ROW.format(r"Token-Weighted Acceptance Length"))
_OVERALL = re.compile(_ROW.format(r"Overall Draft Acceptance Rate"))
_TABLE = re.compile(r"NVIDIA AIPerf: Spec Decode|Token-Weighted Acceptance Length")
_SHARES = re.compile(
    r"Accepted drafts per step[^:\n]{0,30}:"
    r"((?:\s{0,8}(?:≥|>=)?\s?\d{1,3}: ?\d{1,3}(?:\.\d+)?%)+)"
)
_SHARE = re.compile(r"(≥|>=)?\s?(\d{1,3}): ?(\d{1,3}(?:\.\d+)?)%")


def read(document):
    """(records, sentences about what is left out)."""
    records = list(_requests(document))
    pooled = list(_pooled(document))
    left_out = []
    if records and pooled:
        left_out.append(f"{ENGINE} pooled histogram: the same events as its request records.")
        pooled = []
    elif pooled and _TABLE.search(document.text):
        left_out.append(f"{ENGINE} console table: the same run as its pooled histogram.")
    records += pooled
    if not records:
        records = list(_console(document))
    return records, left_out


def _requests(document):
    for fragment in document.fragments_with("num_spec_steps"):
        if "spec_decode_acceptance" in fragment.path:
            engine = fragment.get("engine")
            form = "request record" + (f" of {engine}" if engine else "")
            yield request_record(ENGINE, form, fragment, kind=PER_REQUEST)


def _pooled(document):
    for fragment in document.fragments_with("pooled_spec_decode_acceptance_histogram"):
        histogram = dense(fragment.get("pooled_spec_decode_acceptance_histogram"), None)
        if histogram:
            yield Record(
                ENGINE,
                "pooled histogram",
                WHOLE_RUN,
                fragment.line,
                unit="histogram",
                rounds=count(fragment.get("total_spec_decode_steps")),
                histogram=histogram,
            )


def _console(document):
    begins = []
    for match in document.matches(_TABLE, "AIPerf: Spec Decode", "Token-Weighted"):
        if len(begins) > BLOCKS_MAX:
            break
        # The heading and the row below it are one table.
        if not begins or match[0].startswith("NVIDIA") or match.start() - begins[-1] > 4000:
            begins.append(match.start())
    for begin, after in zip(begins, [*begins[1:], len(document.text)][: len(begins)], strict=True):
        block = document.text[begin : min(after, begin + 8000)]
        length, rate, shares = (p.search(block) for p in (_WEIGHTED, _OVERALL, _SHARES))
        if not length and not shares:
            continue
        length = printed(length[1].replace(",", "")) if length else None
        rate = percent(rate[1].replace(",", "")) if rate else None
        k, rates, notes = None, None, []
        if shares:
            rates, folded = _from_shares(shares[1])
            notes.append("Shares by place come from whole per cents of the console.")
            if rates and not folded:
                length = _agreed(length, rates, notes)
                k = len(rates)
                # As many guesses as the longest kept draft, unless the rate says there were more.
                if rate and not rate.agrees((length.value - 1) / k, slack=length.half / k):
                    k = None
        yield Record(
            ENGINE,
            "console table",
            WHOLE_RUN,
            document.line_at(begin),
            unit="table",
            k=k,
            length=length,
            rate=rate,
            rates=rates,
            notes=tuple(notes),
        )


def _agreed(length, rates, notes):
    """The printed length where the histogram agrees with it, and else the histogram's own."""
    total = 1 + sum(rate.value for rate in rates)
    slack = sum(rate.half for rate in rates)
    if length is None:
        return Printed(total, slack)
    if not length.agrees(total, slack=slack):
        notes.append(
            f"The table prints {length.value:g} tokens per big pass, its histogram adds up to "
            f"{total:.2f}; the histogram is used."
        )
        return Printed(total, slack)
    return length


def _from_shares(text):
    """(shares of rounds that kept each place, whether the last is folded) from exact shares."""
    exact, folded = {}, False
    for fold, place, share in _SHARE.findall(text):
        exact[int(place)] = percent(share)
        folded = folded or bool(fold)
    places = max(exact, default=0)
    if not places or places > 64:
        return None, folded
    tail, rates = 0.0, []
    for j in range(places, 0, -1):
        tail += exact[j].value if j in exact else 0.0
        rates.append(Printed(min(tail, 1.0), 5e-3))
    return tuple(reversed(rates)), folded
