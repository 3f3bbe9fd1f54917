"""What vLLM's printed rounds with EAGLE heads say about the cost and the keep rate of a guess.

Source: vLLM issue 20780 (2025-07-10), one user, Llama 3.1 8B: tokens per round and milliseconds
per token at 2 to 7 guesses, in ``catalogue/vllm_heads.csv``.
"""

from functools import cache

import numpy as np

from specdec import checks
from specdec.catalogue.rows import read_rows
from specdec.measurement import keep_rate_for


@cache
def fitted_round(head):
    """Milliseconds of a guess and of a check, from rounds of vLLM with "EAGLE-1" or "EAGLE-3".

    A round is tokens per round × time per token; against k it is a straight line, whose slope is
    one guess and whose start is the check (with sampling).
    """
    k, tokens, milliseconds = _printed(head)
    guess, check = np.polyfit(k, tokens * milliseconds, 1)
    return float(guess), float(check)


@cache
def fading_keep_rates(head="EAGLE-3"):
    """Keep rates by place, from tokens per round at k = 2 to 7 in vLLM.

    One guess more adds the chance that it is kept with all before it. The first two places,
    which only their sum is printed of, are taken as equal.
    """
    _, tokens, _ = _printed(head)
    first = keep_rate_for(float(tokens[0]), 2)
    rates, reached = [first, first], first * first
    for added in np.diff(tokens):
        rates.append(min(1.0, float(added) / reached))
        reached = float(added)
    return tuple(rates)


def _printed(head):
    """Guesses, tokens per round and milliseconds per token, three arrays of equal length."""
    checks.one_of(head, "head", ("EAGLE-1", "EAGLE-3"))
    columns = ("k", "tokens_per_round", "milliseconds_per_token")
    rows = [row for row in read_rows("vllm_heads.csv") if row["head"] == head]
    return np.array([[float(row[column]) for row in rows] for column in columns])
