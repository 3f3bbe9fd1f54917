"""What to set: the best k from the measured places, whether guessing pays, and the engine's flag.

No log prints what a draft pass costs. It comes from a time model of the chip, from a measured
draft pass, or from two measured speeds (:func:`draft_seconds_from_speeds`).
"""

from dataclasses import dataclass

import numpy as np

from specdec import checks
from specdec.measured import flags
from specdec.measured.records import MeasuredError
from specdec.tokens import expected_tokens

K_MAX = 32

FROM_PLACES = "the measured places"
FROM_FORMULA = "the formula at the keep rate"


@dataclass(frozen=True)
class Choice:
    """One k: its tokens per big pass, its speed-up over plain decoding, and whether k lies beyond
    what was measured."""

    k: int
    tokens_per_pass: float
    speedup: float
    extrapolated: bool


@dataclass(frozen=True)
class Advice:
    """What to set for a run at one cost.

    ``k`` is the best number of guesses, 0 for none, and ``None`` where the run does not tell (a
    tree, or no keep rate); ``speedup`` is its gain (1 at k = 0), ``runner_up`` the next best
    :class:`Choice` and ``choices`` all of them by k. ``break_even`` is the keep rate with a
    speed-up of 1 at that k (at k = 1 for none), ``None`` if even 1 is too low. ``users`` is the
    first number of users at which that k stops paying, ``None`` if no crowd is that large or k is
    0. ``flag`` is the engine's setting as text, ``basis`` where lengths come from, ``extrapolated``
    whether the best k lies beyond them, ``approximate`` whether drafts vary in length.
    """

    k: int | None
    speedup: float | None
    runner_up: Choice | None
    choices: tuple
    break_even: float | None
    users: int | None
    flag: str | None
    basis: str | None
    extrapolated: bool
    approximate: bool
    sentences: tuple


def tokens_by_k(run, k_max=K_MAX):
    """[(tokens per big pass, extrapolated)] at k = 1, 2, …, ``k_max``; ``None`` without a basis.

    Up to the measured k the length is 1 + p_1 + … + p_k, p being the product of the measured
    shares of guesses that were reached and kept, and no formula. Beyond, the last such share
    that is known goes on. Without places it is the formula at the keep rate, extrapolated
    beyond the run's own k.
    """
    if run.tree:
        return None
    known = []
    for share in run.conditional_per_position or ():
        if share is None:
            break
        known.append(min(share, 1.0))
    if known:
        length, chance, lengths = 1.0, 1.0, []
        for place in range(k_max):
            chance *= known[min(place, len(known) - 1)]
            length += chance
            lengths.append((length, place >= len(known)))
        return lengths
    if run.keep_rate is None:
        return None
    lengths = expected_tokens(run.keep_rate, np.arange(1, k_max + 1))
    return [(float(x), run.k is None or i > run.k) for i, x in enumerate(lengths, start=1)]


def advise(run, time_model, draft_seconds=None, users=1, k_max=K_MAX):
    """The :class:`Advice` for ``run`` at the costs of ``time_model``.

    ``draft_seconds`` is one user's draft pass, in seconds (left out: the model's own);
    ``users`` the number of users that share a step. Raises ``ValueError`` for a cost or a number
    of users that cannot be.
    """
    users = checks.one_whole(users, "users")
    k_max = checks.one_whole(k_max, "k_max")
    lengths = tokens_by_k(run, k_max)
    if lengths is None:
        return _no_advice(run)
    plain = float(time_model.plain_seconds(users))
    ks = np.arange(1, k_max + 1)
    seconds = time_model.round_seconds(ks, draft_seconds, users)
    choices = tuple(
        Choice(int(k), length, length * plain / float(round_), beyond)
        for k, (length, beyond), round_ in zip(ks, lengths, seconds, strict=True)
    )
    ranked = sorted(choices, key=lambda choice: (-choice.speedup, choice.k))
    best = ranked[0] if ranked[0].speedup > 1 else None
    k = best.k if best else 0
    runner_up = (ranked[1] if len(ranked) > 1 else None) if best else ranked[0]
    stops = None
    if best:
        stops = time_model.users_when_tokens_stop_paying(
            best.tokens_per_pass, best.k, draft_seconds
        )
    places = any(share is not None for share in (run.conditional_per_position or ())[:1])
    advice = {
        "k": k,
        "speedup": best.speedup if best else 1.0,
        "runner_up": runner_up,
        "choices": choices,
        "break_even": time_model.break_even(max(k, 1), draft_seconds, users),
        "users": stops,
        "flag": flags.setting(run.engine, run.format, k),
        "basis": FROM_PLACES if places else FROM_FORMULA,
        "extrapolated": bool(best and best.extrapolated),
        "approximate": run.variable,
    }
    return Advice(**advice, sentences=tuple(_sentences(run, advice, users)))


def _no_advice(run):
    if run.tree:
        why = "The guesses form a tree, so no number of guesses in a row follows from the numbers."
    elif run.drafted == 0:
        why = "Nothing was drafted, so there is nothing to choose from."
    else:
        why = "The numbers give neither shares by place nor a keep rate, so no k can be advised."
    return Advice(None, None, None, (), None, None, None, None, False, run.variable, (why,))


def _sentences(run, advice, users):
    crowd = "one user" if users == 1 else f"{users} users"
    if advice["k"]:
        gain = f"{advice['speedup']:.2f} times as fast as plain decoding for {crowd}"
        yield f"Set {advice['k']} guesses per round: {gain}."
    else:
        best = advice["runner_up"]
        yield (
            f"Turn it off: for {crowd} the best k = {best.k} reaches only {best.speedup:.2f} times "
            "plain decoding."
        )
    if advice["extrapolated"]:
        measured = [choice for choice in advice["choices"] if not choice.extrapolated]
        known = len(measured)
        yield (
            f"This is extrapolated: measured up to k = {known}, and from there on "
            + (
                "every guess is kept as often as the last measured one."
                if advice["basis"] == FROM_PLACES
                else "the formula at the keep rate goes on."
            )
        )
        if measured:
            inside = max(measured, key=lambda choice: choice.speedup)
            yield f"Of the measured ones the best is k = {inside.k}, {inside.speedup:.2f} times."
    if run.variable:
        yield "Drafts varied in length, so this is approximate and k is a maximum."


def draft_seconds_from_speeds(
    plain_tokens_per_second, guessing_tokens_per_second, tokens_per_pass, k, check_share=1.0
):
    """(one draft pass in seconds, as a share of a big pass), from two measured speeds of one user.

    A plain step takes 1 ÷ plain speed; a round takes ``tokens_per_pass`` ÷ guessing speed, and is k
    draft passes and one check, which costs ``check_share`` plain steps (1 while checking is
    free). Whatever the software adds is in it. Raises :class:`MeasuredError` where the two speeds
    leave no time for drafting.
    """
    try:
        plain = float(checks.positive(plain_tokens_per_second, "plain speed", "tokens a second"))
        guessing = float(
            checks.positive(guessing_tokens_per_second, "guessing speed", "tokens a second")
        )
        length = float(checks.positive(tokens_per_pass, "tokens_per_pass", "tokens"))
        check = float(checks.positive(check_share, "check_share", "plain steps"))
        k = checks.one_whole(k, "k")
    except ValueError as error:
        raise MeasuredError(str(error)) from None
    if not 1 <= length <= k + 1:
        raise MeasuredError(f"tokens_per_pass must be from 1 to k + 1 = {k + 1}, not {length:g}.")
    seconds = (length / guessing - check / plain) / k
    if not 0 < seconds < float("inf"):
        raise MeasuredError(
            f"With {length:g} tokens per big pass, guessing cannot be faster than "
            f"{length / check:.2f} times plain decoding, even with drafts that cost nothing; "
            f"the speeds say {guessing / plain:.2f} times."
        )
    return seconds, seconds * plain
