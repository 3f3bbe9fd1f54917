"""Many races at once: what the average of the tries is, beside the formula's value."""

from dataclasses import dataclass

import numpy as np

from specdec import checks
from specdec.race import RACE_SEED, RACE_WORDS, _coins, _one_chance
from specdec.tokens import expected_tokens


@dataclass(frozen=True)
class RaceAverage:
    """Averages over ``tries`` races, each with its standard error (NaN for a single try).

    ``passes`` is the mean number of big passes for a reply and ``reply_words_per_pass`` the words
    of the replies over the big passes. That is below the formula, because the last round's words
    past the end of the reply are cut off. ``words_per_pass`` counts these words too, as if every
    last round could finish: this is what to draw beside ``expected``, the formula's value. By
    Wald's identity (a race stops at a round that its own past decides) the mean words so counted
    are exactly the formula's tokens per round times the mean rounds, for every length of reply.
    """

    tries: int
    passes: float
    passes_error: float
    words_per_pass: float
    words_per_pass_error: float
    reply_words_per_pass: float
    reply_words_per_pass_error: float
    expected: float


def race_average(a, k, tries=1000, seed=RACE_SEED, words=RACE_WORDS) -> RaceAverage:
    """Play ``tries`` races of ``words`` words with ``k`` guesses kept with chance ``a``.

    One coin for each try and place, from the seed alone, as in :func:`specdec.race.race` (but the
    tries are not the races of the seeds that follow). The same coins serve every setting, so the
    mean number of big passes never rises with a or with k. Raises ``ValueError`` as the race does.
    """
    a, k = _one_chance(a), checks.one_whole(k, "k")
    tries, words = checks.one_whole(tries, "tries"), checks.one_whole(words, "words")
    passes, written = _play(_coins(seed, words + k, tries) < a, k, words)
    full, full_error = _ratio(written, passes)
    cut, cut_error = _ratio(np.full(tries, float(words)), passes)
    return RaceAverage(
        tries=tries,
        passes=float(passes.mean()),
        passes_error=_standard_error(passes),
        words_per_pass=full,
        words_per_pass_error=full_error,
        reply_words_per_pass=cut,
        reply_words_per_pass_error=cut_error,
        expected=float(expected_tokens(a, k)),
    )


def _play(right, k, words):
    """Rounds, and words written with the last round uncut, of each try.

    ``right`` says which guesses are right, shape (places, tries); the last rounds look at up to
    ``words + k - 1`` places.
    """
    places, tries = right.shape
    # The first place from here on whose guess is wrong, filled in from the back.
    index = np.where(right, places, np.arange(places)[:, np.newaxis])
    first_wrong = np.minimum.accumulate(index[::-1], axis=0)[::-1]
    start, rounds, every = np.zeros(tries, dtype=int), np.zeros(tries, dtype=int), np.arange(tries)
    while (going := start < words).any():
        at = start[going]
        start[going] = np.minimum(first_wrong[at, every[going]], at + k) + 1
        rounds += going
    return rounds, start


def _ratio(top, bottom):
    """The ratio of two means over the same tries, and its standard error to first order."""
    ratio = top.mean() / bottom.mean()
    return float(ratio), _standard_error(top - ratio * bottom) / float(bottom.mean())


def _standard_error(values):
    if len(values) < 2:
        return float("nan")
    return float(values.std(ddof=1) / np.sqrt(len(values)))
