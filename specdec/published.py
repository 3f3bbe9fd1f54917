"""How far real systems are from the best case: published measurements against this library.

Only what was printed is data; every tokens per round, best case and ratio is worked out here. The
rows, with where each was read and what had to be inferred, are ``catalogue/measurements.csv``.
"""

from functools import cache
from types import MappingProxyType

import numpy as np

from specdec.catalogue.rows import read_rows
from specdec.custom import CountedModel
from specdec.hardware import Chip
from specdec.measurement import Measurement, geometric_tokens
from specdec.roofline import Roofline
from specdec.vllm_heads import fitted_round

_LLAMA_8B_CACHE_BYTES_PER_TOKEN = 131_072
# Where a chip is not stated its rates cancel: any with arithmetic to spare gives the same ratios.
_SPARE_FLOPS_PER_SECOND = 1e18
_ANY_BYTES_PER_SECOND = 1e12


@cache
def published():
    """All measurements: a read-only dict from id to :class:`Measurement`."""
    return MappingProxyType({row["id"]: _measurement(row) for row in read_rows("measurements.csv")})


def shown():
    """The measurements for a page: varied, the telling ones."""
    return tuple(row for row in published().values() if row.shown)


def scored():
    """The measurements with a ratio, but for one whose acceptance is another run's."""
    return tuple(row for row in published().values() if row.ratio is not None and row.id != "G6")


@cache
def median_ratio():
    """The median of measured ÷ best case over :func:`scored`."""
    return float(np.median([row.ratio for row in scored()]))


@cache
def plain_fractions():
    """Plain decoding's measured speed as a share of its own best case: a dict by what ran."""
    return MappingProxyType(
        {
            row["what"]: float(row["measured_tokens_per_second"])
            / float(row["best_case_tokens_per_second"])
            for row in read_rows("plain_speeds.csv")
        }
    )


def experts_woken(experts, each, tokens):
    """Expected experts of a layer that ``tokens`` tokens wake, ``each`` experts a token.

    Every token chooses on its own and evenly, which real routing does not quite do.
    """
    return experts * (1 - (1 - each / experts) ** tokens)


def _measurement(row):
    guesses, tokens = _guesses_and_tokens(row)
    passes = guesses if row["draft_passes"] == "" else float(row["draft_passes"])
    users = int(row["users"])
    plain = _seconds(row["plain_speed"], row["speed_unit"])
    share, check = _best_case_shares(row, users, guesses)
    own_draft, own_check = _own_shares(row, users, guesses, plain)
    return Measurement(
        **{
            field: row[field]
            for field in (
                "id", "way", "source", "url", "date", "seen", "chip", "big", "draft",
                "k_printed", "acceptance_printed", "temperature", "inferred", "closes",
            )
        },
        shown=row["shown"] == "yes",
        users=users,
        guesses=guesses,
        draft_passes=passes,
        tokens_per_round=tokens,
        measured=_measured(row, plain),
        plain_seconds=plain,
        draft_share=share,
        check_passes=check,
        own_draft_share=own_draft,
        own_check_passes=own_check,
    )  # fmt: skip


def _guesses_and_tokens(row):
    """Guesses and tokens of a round, from acceptance as the row's kind of it is printed."""
    guesses, printed = _number(row["guesses"]), _number(row["acceptance"])
    match row["acceptance_kind"]:
        case "keep rate":
            return guesses, geometric_tokens(printed, guesses)
        case "kept of guessed":
            rounds = float(row["rounds"])
            return float(row["drafted"]) / rounds, 1 + float(row["accepted"]) / rounds
        case "share kept":
            return guesses, 1 + printed * guesses
        case "kept per round":
            return guesses, 1 + printed
        case "tokens per round":
            return guesses, printed
    return guesses, None


def _best_case_shares(row, users, guesses):
    """A draft pass, and the check, as shares of a plain step, from the weights and the chip."""
    if row["draft_passes"] == "0":
        return 0.0, 1.0
    if not row["big_weights"]:
        return None, None
    chips = float(row["chips"])
    chip = Chip(
        row["chip"],
        chips * (_number(row["flops_per_second"]) or _SPARE_FLOPS_PER_SECOND),
        chips * (_number(row["bytes_per_second"]) or _ANY_BYTES_PER_SECOND),
        row["source"],
    )
    context = int(row["context_tokens"] or 0)
    draft_context = int(row["draft_context_tokens"] or 0)
    big = Roofline(chip, _model(row, "big"), context)
    draft = Roofline(chip, _model(row, "draft"), draft_context)
    plain = big.seconds(users, users)
    # Heads whose tree is not stated are checked like one token: the roofline is flat there.
    check = big.seconds(users * ((guesses or 0) + 1), users)
    return float(draft.seconds(users, users) / plain), float(check / plain)


def _model(row, which):
    return CountedModel(
        row[which],
        int(row[f"{which}_weights"]),
        float(row[f"{which}_bytes_per_weight"]),
        _LLAMA_8B_CACHE_BYTES_PER_TOKEN,
    )


def _own_shares(row, users, guesses, plain):
    """A draft pass and a check as shares of a plain step, as the row itself measured them."""
    draft = _number(row["own_draft_ms"])
    share = None if draft is None else draft / 1e3 / plain
    kind, printed = row["own_check_kind"], _number(row["own_check"])
    if kind == "passes":
        return share, printed
    if kind == "speed of checked guesses":
        # One plain pass a round, and its guesses at the printed speed.
        return share, 1 + guesses / printed / plain
    if kind == "experts woken":
        return share, _mixture_bytes(users * (guesses + 1)) / _mixture_bytes(users)
    if kind.startswith("fit "):
        guess, check = fitted_round(kind.removeprefix("fit "))
        return guess / 1e3 / plain, check / 1e3 / plain
    return share, None


def _mixture_bytes(tokens):
    """Weights that Qwen3-30B-A3B reads for ``tokens`` tokens, by its published configuration."""
    layers, width, expert_width, experts, each = 48, 2048, 768, 128, 8
    attention = layers * 2 * width * (32 * 128 + 4 * 128)
    output_table, router = 151_936 * width, layers * width * experts
    woken = experts_woken(experts, each, tokens)
    return attention + output_table + router + woken * layers * 3 * width * expert_width


def _measured(row, plain):
    if row["printed_speedup"]:
        return float(row["printed_speedup"])
    return plain / _seconds(row["guessing_speed"], row["speed_unit"])


def _seconds(speed, unit):
    if not speed:
        return None
    return float(speed) / 1e3 if unit == "ms" else 1 / float(speed)


def _number(text):
    return float(text) if text else None
