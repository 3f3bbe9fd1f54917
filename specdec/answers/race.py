"""The race: a reply of 17 words written plainly and with guesses, on one clock."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from specdec.answers.parts import Figure, Metric, axis_top, count, milliseconds, times
from specdec.race import KEPT, RACE_SEED, REJECTED, race
from specdec.race_average import race_average
from specdec.race_rows import race_rows
from specdec.time_model import LESSON

CLOCK_ENDS = (140, 200, 300, 450, 700, 1000, 1500, 2500, 4000, 6500, 10_000, 20_000)
WORDS_ENDS = (5, 9, 17, 33)
TRIES = 1000


@dataclass(frozen=True)
class RaceAnswer:
    """The race at one moment: ``moment`` counts from 0 (the start) to ``moments`` (both done).

    ``plain`` and ``draft`` are the words written by then; ``round_words`` the present round's
    guesses as (word, state), and ``own`` the word that the big model added, empty before the
    first round.
    """

    sentence: str
    metrics: Sequence[Metric]
    figure: Figure
    average: Figure
    moment: int
    moments: int
    clock: str
    prompt: tuple[str, ...]
    plain: tuple[str, ...]
    draft: tuple[str, ...]
    round_number: int
    round_words: Sequence[tuple[str, str]]
    own: str


def race_page(setting, seed=RACE_SEED, moment=None, model=LESSON, average=race_average):
    """The race at a :class:`~specdec.setting.Setting` with the coins of ``seed``.

    A moment is the length of one round; ``None`` is the end. ``average`` runs the 1,000 tries;
    the page hands in a cached one.
    """
    a, k, draft, users = setting.keep_rate, setting.k, setting.draft_seconds, setting.users
    run = race(a, k, seed=seed, draft_seconds=draft, model=model, users=users)
    each = run.rounds[0].end_seconds
    longest = max(run.plain_seconds, run.draft_seconds)
    # The last moment is the end of the slower lane, whatever the rounding of its sums.
    moments = ceil(longest / each - 1e-9)
    moment = moments if moment is None else min(max(0, moment), moments)
    now = longest if moment == moments else moment * each
    mean = average(a, k, TRIES, seed)

    faster = run.plain_seconds / run.draft_seconds
    verdict = "faster" if faster >= 1 else "slower"
    sentence = (
        f"For {count(len(run.text), 'word')} the plain lane takes "
        f"**{count(run.plain_passes, 'big pass', 'big passes')}** and "
        f"{milliseconds(run.plain_seconds, 1)}, the draft lane "
        f"**{count(run.draft_passes, 'big pass', 'big passes')}** and "
        f"{milliseconds(run.draft_seconds, 1)}: **{times(faster)}** as fast, so {verdict}, with "
        "the same words."
    )
    rows = [{**row, "done": row["end_ms"] <= 1000 * now + 1e-6} for row in race_rows(run)]
    over = [this for this in run.rounds if this.end_seconds <= now + 1e-9]
    last = over[-1] if over else None
    return RaceAnswer(
        sentence=sentence,
        metrics=(
            Metric(
                "Plain lane", milliseconds(run.plain_seconds, 1), f"{run.plain_passes} big passes"
            ),
            Metric(
                "Draft lane", milliseconds(run.draft_seconds, 1), f"{run.draft_passes} big passes"
            ),
            Metric("This try", times(faster), "as fast"),
            Metric(
                f"Average of {TRIES:,} tries",
                f"{mean.words_per_pass:.2f}",
                f"words per big pass; formula {mean.expected:.2f}",
            ),
        ),
        figure=_lanes(run, rows, now, longest),
        average=_averages(run, mean, k),
        moment=moment,
        moments=moments,
        clock=milliseconds(now, 1),
        prompt=run.prompt,
        plain=run.text[: int((now + 1e-9) / run.plain_pass_seconds)],
        draft=tuple(word for this in over for word in this.words),
        round_number=len(over),
        round_words=[(guess.word, guess.state) for guess in last.guesses] if last else [],
        own=last.own if last else "",
    )


def _lanes(run, rows, now, longest):
    guesses = [guess for this in run.rounds for guess in this.guesses]
    states = {state: sum(guess.state == state for guess in guesses) for state in (KEPT, REJECTED)}
    says = (
        f"Plain lane: {run.plain_passes} big passes, done at {milliseconds(run.plain_seconds, 1)}. "
        f"Draft lane: {run.draft_passes} rounds, done at {milliseconds(run.draft_seconds, 1)}; of "
        f"{len(guesses)} guesses {states[KEPT]} kept, {states[REJECTED]} rejected, "
        f"{len(guesses) - states[KEPT] - states[REJECTED]} thrown away"
    )
    return Figure(
        name="race",
        title="The race: both lanes on one clock",
        rows={"blocks": rows, "clock": [{"now": 1000 * now, "label": milliseconds(now, 1)}]},
        caption=(
            f"{says}. Short blocks are draft passes: green kept, orange rejected, dotted grey "
            "thrown "
            "away. Tall blocks are big passes. Faint: still to come."
        ),
        alt=f"{says}. The clock stands at {milliseconds(now, 1)}.",
        options={"x_end": axis_top(1000 * longest, CLOCK_ENDS)},
        data="blocks",
    )


def _averages(run, mean, k):
    this = sum(len(each.words) for each in run.rounds) / run.draft_passes
    rows = [
        {"what": "this try", "words": this, "low": this, "high": this},
        {
            "what": f"average of {TRIES:,} tries",
            "words": mean.words_per_pass,
            # Two-sided 99% of a normal distribution.
            "low": mean.words_per_pass - 2.576 * mean.words_per_pass_error,
            "high": mean.words_per_pass + 2.576 * mean.words_per_pass_error,
        },
        {
            "what": "formula",
            "words": mean.expected,
            "low": mean.expected,
            "high": mean.expected,
        },
    ]
    says = "; ".join(f"{row['what']}: {row['words']:.2f}" for row in rows).capitalize()
    return Figure(
        name="race-average",
        title="Words per big pass: this try, many tries, the formula",
        rows={"curve": rows},
        caption=(
            f"{says}. The bar is where 99 in 100 such averages lie. The average and the formula "
            "count every round in full; this try counts the reply's 17 words, so a last round cut "
            "short lowers it."
        ),
        alt=f"Words per big pass. {says}.",
        options={"x_end": axis_top(k + 1, WORDS_ENDS)},
    )
