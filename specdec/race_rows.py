"""A race as flat rows, one for each block of a chart over time."""

from specdec.race import THROWN_AWAY

ROWS_MAX = 499


def race_rows(race):
    """Both lanes of a :class:`specdec.race.Race` as a list of dicts, each lane in order of time.

    ``lane`` is "plain" or "draft", ``what`` "draft pass" or "big pass", ``start_ms`` and
    ``end_ms`` its time in milliseconds, ``passes`` how many passes the row stands for, ``round``
    the round (in the plain lane: the pass) from 1, ``words`` the guess or the big model's own
    word, ``state`` that of the guess ("written" for a big pass), and ``written`` the words of the
    reply there are at ``end_ms``. One row is one pass, except that where this would take more
    than :data:`ROWS_MAX` rows the thrown-away guesses of a round share one.
    """
    rows, each = [], race.plain_pass_seconds
    for number, word in enumerate(race.text, start=1):
        times = ((number - 1) * each, number * each)
        rows.append(_row("plain", "big pass", times, 1, number, word, "written", number))
    passes = len(rows) + sum(len(this.guesses) + 1 for this in race.rounds)
    written = 0
    for this in race.rounds:
        rows.extend(_draft_rows(this, written, join=passes > ROWS_MAX))
        written += len(this.words)
        times = (this.check_seconds, this.end_seconds)
        rows.append(_row("draft", "big pass", times, 1, this.number, this.own, "written", written))
    return rows


def _draft_rows(this, written, join):
    """The draft passes of one round, a row each; ``join`` puts the thrown-away in one row."""
    runs = []
    for guess in this.guesses:
        if join and runs and guess.state == THROWN_AWAY == runs[-1][0].state:
            runs[-1].append(guess)
        else:
            runs.append([guess])
    each = (this.check_seconds - this.start_seconds) / len(this.guesses)
    done = 0
    for run in runs:
        first, done = done, done + len(run)
        times = (this.start_seconds + first * each, this.start_seconds + done * each)
        words = " ".join(guess.word for guess in run)
        state = run[0].state
        yield _row("draft", "draft pass", times, len(run), this.number, words, state, written)


def _row(lane, what, seconds, passes, number, words, state, written):
    return {
        "lane": lane,
        "what": what,
        "start_ms": seconds[0] * 1000,
        "end_ms": seconds[1] * 1000,
        "passes": passes,
        "round": number,
        "words": words,
        "state": state,
        "written": written,
    }
