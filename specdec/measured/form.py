"""For people who have only three numbers: drafted, accepted, and rounds or k."""

from specdec import checks
from specdec.measured.combine import combine
from specdec.measured.records import WHOLE_RUN, MeasuredError, Record

_LARGEST = 10**12


def run_from_counts(drafted, accepted, rounds=None, k=None):
    """The :class:`MeasuredRun` of ``drafted`` guesses, ``accepted`` of them kept.

    At least one of ``rounds`` (big passes that had a draft) and ``k`` (guesses per round, all of
    full length) is needed; both may be given. Raises :class:`MeasuredError` in one sentence for
    numbers that cannot be.
    """
    try:
        drafted = checks.one_whole(drafted, "drafted", least=0)
        accepted = checks.one_whole(accepted, "accepted", least=0)
        rounds = None if rounds is None else checks.one_whole(rounds, "rounds")
        k = None if k is None else checks.one_whole(k, "k")
    except ValueError as error:
        raise MeasuredError(str(error)) from None
    if max(drafted, rounds or 0) > _LARGEST:
        raise MeasuredError("Counts must be at most 1,000,000,000,000.")
    if rounds is None and k is None:
        raise MeasuredError("Give the number of rounds, or k, the guesses per round.")
    if k is not None and rounds is not None and drafted > k * rounds:
        raise MeasuredError(f"{rounds} rounds of k = {k} have at most {k * rounds} guesses.")
    if k is not None and rounds is None and drafted % k:
        raise MeasuredError(
            f"{drafted} guesses are no whole number of rounds of {k}; give the rounds instead."
        )
    if rounds is not None and not drafted:
        rounds = None
    record = Record(
        "Typed in",
        "numbers",
        WHOLE_RUN,
        1,
        unit="entry",
        k=k,
        rounds=rounds,
        drafted=drafted,
        accepted=accepted,
    )
    runs, _ = combine([record])
    return runs[0]
