"""mlx-vlm: the ``timings`` of an answer, and the summary line of its command.

The accepted count may hold guesses past the end of the reply (mlx-vlm 2324), so tokens delivered
per round, (predicted − 1) ÷ rounds, can be fewer than 1 + accepted ÷ rounds.
"""

import re
from itertools import islice

from specdec.measured.records import BLOCKS_MAX, PER_REQUEST, WHOLE_RUN, Record, count, printed

ENGINE = "mlx-vlm"
_LINE = re.compile(
    r"Speculative decoding:\s*(\d+(?:\.\d+)?)\s*accepted tokens over\s*(\d{1,12})\s*rounds"
)


def read(document):
    """(records, sentences about what is left out)."""
    records = [
        _timings(fragment)
        for fragment in document.fragments_with("draft_rounds")
        if fragment.has("draft_n_accepted")
    ]
    for match in islice(document.matches(_LINE, "Speculative decoding:"), BLOCKS_MAX):
        # The line prints an average of kept guesses, without the big model's own token.
        mean = printed(match[1])
        rounds = count(match[2])
        records.append(
            Record(
                ENGINE,
                "summary line",
                WHOLE_RUN,
                document.line_at(match.start()),
                rounds=rounds,
                length=type(mean)(mean.value + 1, mean.half),
            )
        )
    return records, []


def _timings(fragment):
    rounds, accepted = count(fragment.get("draft_rounds")), count(fragment.get("draft_n_accepted"))
    drafted, written = count(fragment.get("draft_n")), count(fragment.get("predicted_n"))
    notes = ()
    if rounds and written and accepted is not None and rounds > 0 < written:
        delivered = (written - 1) / rounds
        if delivered < 1 + accepted / rounds - 0.005:
            notes = (
                f"Delivered tokens per round are {delivered:.2f}; guesses kept past the end of a "
                "reply are counted as accepted.",
            )
    k = None
    if drafted and rounds and rounds > 0 and drafted % rounds == 0:
        k = drafted // rounds
    return Record(
        ENGINE,
        "timings JSON",
        PER_REQUEST,
        fragment.line,
        unit="answer",
        k=k,
        source=str(fragment.get("draft_kind") or ""),
        rounds=rounds,
        drafted=drafted,
        accepted=accepted,
        notes=notes,
    )
