"""TensorRT-LLM: statistics of an iteration, of a request, and of a choice in an answer.

trtllm-bench's "acceptance rate" is a length, output tokens ÷ decode iterations. See the
TensorRT-LLM threads 14724, 17082 and 19311.
"""

import re
from itertools import islice

from specdec.measured.records import (
    BLOCKS_MAX,
    PER_INTERVAL,
    PER_REQUEST,
    WHOLE_RUN,
    Record,
    as_printed,
    count,
    printed,
)
from specdec.measured.vllm_requests import dense

ENGINE = "TensorRT-LLM"
# Its benchmark prints "Acceptance Rate"-like labels in some builds with a length behind them.
_BENCH = re.compile(r"\b[Aa]cceptance [Rr]ate[^\n:\d%]{0,30}:\s*(\d+\.\d+)(?!\d*\s*%)")
_IS_BENCH = re.compile(r"trtllm-bench|PyTorch backend|TensorRT-LLM|TRT-?LLM", re.I)


def read(document):
    """(records, sentences about what is left out)."""
    records, left_out = [], []
    copies = 0
    keys = ("numDraftTokens", "total_draft_tokens", "total_accepted_draft_tokens")
    for fragment in document.fragments_with(*keys):
        if fragment.has("numDraftTokens"):
            rank = count(fragment.above("attentionDpRank"))
            if rank not in (None, 0):
                copies += 1
                continue
            records.append(_iteration(fragment))
        else:
            record = _request(fragment)
            if record is None:
                left_out.append(
                    f"{ENGINE} request, line {fragment.line}: its counts are 0 though rounds gave "
                    "more than one token, so they were not recorded."
                )
            else:
                records.append(record)
    if copies:
        left_out.append(f"{ENGINE}: {copies} rows of other ranks repeat the numbers of rank 0.")
    if not records and not left_out:
        records += _lengths(document)
    if not records and next(document.matches(_BENCH, "cceptance"), None):
        records += _bench(document)
    return records, left_out


def _iteration(fragment):
    rounds = count(fragment.get("numRequestsWithDraftTokens"))
    return Record(
        ENGINE,
        "iteration statistics",
        PER_INTERVAL,
        fragment.line,
        unit="iteration",
        rounds=rounds,
        drafted=count(fragment.get("numDraftTokens")),
        accepted=count(fragment.get("numAcceptedTokens")),
        length=as_printed(fragment.get("acceptanceLength"), half=5e-3) if rounds else None,
    )


def _request(fragment):
    drafted = count(fragment.get("total_draft_tokens"))
    accepted = count(fragment.get("total_accepted_draft_tokens"))
    length = fragment.get("avg_decoded_tokens_per_iter")
    if length is None:
        length = fragment.above("avg_decoded_tokens_per_iter")
    length = as_printed(length, half=5e-3)
    if not drafted and not accepted and length and length.value > 1.001:
        return None
    k = count(fragment.get("num_spec_tokens"))
    return Record(
        ENGINE,
        "request statistics",
        PER_REQUEST,
        fragment.line,
        unit="request",
        k=k,
        rounds=count(fragment.get("num_spec_steps")),
        drafted=drafted,
        accepted=accepted,
        histogram=dense(fragment.get("acceptance_histogram"), k),
        length=length if drafted else None,
        rate=as_printed(fragment.get("acceptance_rate"), half=5e-3) if drafted else None,
    )


def _lengths(document):
    """Answers that give their tokens per iteration and nothing else."""
    for fragment in document.fragments_with("avg_decoded_tokens_per_iter"):
        length = as_printed(fragment.get("avg_decoded_tokens_per_iter"), half=5e-3)
        if length:
            yield Record(
                ENGINE,
                "tokens per iteration of an answer",
                PER_REQUEST,
                fragment.line,
                unit="answer",
                length=length,
                notes=("Answers weigh alike here, as their numbers of rounds are not printed.",),
            )


def _bench(document):
    if not _IS_BENCH.search(document.text):
        return
    for match in islice(document.matches(_BENCH, "cceptance"), BLOCKS_MAX):
        length = printed(match[1])
        if length.value < 1:
            continue
        yield Record(
            ENGINE,
            "trtllm-bench summary",
            WHOLE_RUN,
            document.line_at(match.start()),
            unit="block",
            length=length,
            notes=(
                "trtllm-bench calls this an acceptance rate, but it is a length: tokens written ÷ "
                "iterations, with the big model's own token.",
            ),
        )
