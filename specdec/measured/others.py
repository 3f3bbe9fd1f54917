"""Formats of other servers: MLC-LLM's counts by place, and OpenAI-like prediction tokens.

MLC counts how often a draft reached i + 1 guesses and how often all of them were kept
(mlc-llm 2789), so each share has the right denominator. Some gateways fill the fields of OpenAI's
Predicted Outputs with accepted and rejected guesses (smg 2481, vLLM 42690).
"""

from specdec.measured.records import CUMULATIVE, PER_REQUEST, Record, count
from specdec.measured.vllm_requests import dense


def read(document):
    """(records, sentences about what is left out)."""
    records = []
    for fragment in document.fragments_with("draft_count", "rejected_prediction_tokens"):
        if fragment.has("draft_count", "accept_count"):
            records += _mlc(fragment)
        elif fragment.has("accepted_prediction_tokens", "rejected_prediction_tokens"):
            record = _prediction(fragment)
            if record.drafted:  # zeros stand in every answer, whether there are guesses or not
                records.append(record)
    return records, []


def _mlc(fragment):
    reached, kept = (
        dense(fragment.get("draft_count"), None),
        dense(fragment.get("accept_count"), None),
    )
    if not reached or not kept or len(reached) != len(kept):
        return
    k = max((i + 1 for i, n in enumerate(reached) if n), default=0)
    if min(*reached, *kept) < 0:
        k = k or 1
    rounds, drafted = reached[0], sum(reached)
    yield Record(
        "MLC-LLM",
        "counts by place",
        CUMULATIVE,
        fragment.line,
        unit="reading",
        k=k or None,
        rounds=rounds,
        drafted=drafted,
        accepted=sum(kept),
        places=kept[:k] if k else None,
        reached=reached[:k] if k else None,
    )


def _prediction(fragment):
    accepted = count(fragment.get("accepted_prediction_tokens"))
    rejected = count(fragment.get("rejected_prediction_tokens"))
    bad = min(accepted, rejected) < 0
    return Record(
        "OpenAI-like server",
        "prediction tokens",
        PER_REQUEST,
        fragment.line,
        unit="answer",
        drafted=-1 if bad else accepted + rejected,
        accepted=accepted,
        variable=True,
        notes=(
            "These fields are meant for Predicted Outputs; some servers fill them with kept and "
            "rejected guesses, which is how they are read here.",
        ),
    )
