"""LM Studio: the ``stats`` of an answer, from its server, its log or its SDK.

total = accepted + rejected + ignored; ignored guesses were never judged. The SDK's sample prints
accepted ÷ predicted, a share of the output, which is no acceptance rate. See lmstudio-js 210.
"""

from specdec.measured.records import PER_REQUEST, Record, count

ENGINE = "LM Studio"
# The server's name and the SDK's.
_NAMES = (
    ("total_draft_tokens_count", "totalDraftTokensCount"),
    ("accepted_draft_tokens_count", "acceptedDraftTokensCount"),
    ("rejected_draft_tokens_count", "rejectedDraftTokensCount"),
    ("ignored_draft_tokens_count", "ignoredDraftTokensCount"),
    ("predicted_tokens_count", "predictedTokensCount"),
)


def read(document):
    """(records, sentences about what is left out)."""
    records = []
    for fragment in document.fragments_with(*_NAMES[0], *_NAMES[1]):
        total, accepted, rejected, ignored, written = (_get(fragment, pair) for pair in _NAMES)
        if total is None and (accepted is None or rejected is None):
            continue
        records.append(_record(fragment.line, total, accepted, rejected, ignored, written))
    return records, []


def _get(fragment, pair):
    value = fragment.get(pair[0])
    return count(fragment.get(pair[1]) if value is None else value)


def _record(line, total, accepted, rejected, ignored, written):
    notes = []
    parts = (accepted, rejected, ignored)
    if total is None:
        total = accepted + rejected + (ignored or 0)
    if None not in parts and total != sum(parts) and min(parts) >= 0:
        notes.append(f"prints {total} drafted, but its parts add up to {sum(parts)}")
    if ignored and accepted is not None and rejected and ignored > 0:
        judged = accepted + rejected
        notes.append(
            f"{ignored} guesses were never judged; of the {judged} others "
            f"{accepted / judged:.1%} were kept."
            if judged > 0
            else f"{ignored} guesses were never judged."
        )
    known = None not in (written, accepted) and total
    rounds = written - accepted if known and written >= accepted >= 0 else None
    return Record(
        ENGINE,
        "stats of an answer",
        PER_REQUEST,
        line,
        unit="answer",
        rounds=rounds,
        rounds_estimated=True,
        drafted=total,
        accepted=accepted,
        output_tokens=written,
        variable=True,
        notes=tuple(notes),
    )
