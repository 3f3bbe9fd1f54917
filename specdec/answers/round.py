"""Round: what one round of the toy pair guesses, keeps and writes; the text is unchanged."""

from dataclasses import dataclass
from functools import lru_cache

from specdec.answers.parts import Answer, Figure, Metric, Table, count, percent
from specdec.tokens import expected_tokens
from specdec.toy import (
    SENTENCE,
    Round,
    agreement,
    big_choice,
    one_round,
    plain_greedy,
    small_choice,
    speculative_greedy,
    words_per_pass,
)

REPLY_WORDS = 17
OPENING_PLACE = 3
PROMPT_WORDS = 3
TABLE_GUESSES = (1, 2, 4, 8)


@dataclass(frozen=True)
class RoundAnswer(Answer):
    """An :class:`Answer` with the reply written both ways and the round that is on show.

    ``number`` counts from 1 to ``rounds``; ``plain`` and ``speculative`` are the two texts,
    ``plain_passes`` the big passes of plain decoding, and ``check`` says how they were compared.
    """

    number: int
    rounds: int
    prompt: tuple[str, ...]
    plain: tuple[str, ...]
    speculative: tuple[str, ...]
    check: str


def prompt_before(place):
    """The three words of the ring that lead up to ``place`` (0 for its first word)."""
    return tuple(SENTENCE[(place - PROMPT_WORDS + i) % len(SENTENCE)] for i in range(PROMPT_WORDS))


# Every place of the ring by the words that lead up to it, which are different for each.
PLACES = {" ".join(prompt_before(place)): place for place in range(len(SENTENCE))}
OPENING_WORDS = " ".join(prompt_before(OPENING_PLACE))


@lru_cache(maxsize=64)
def _starts_that_agree(k):
    """From how many of the ring's places both ways write the same reply."""
    places = [prompt_before(place) for place in range(len(SENTENCE))]
    return sum(
        plain_greedy(text, REPLY_WORDS) == speculative_greedy(text, REPLY_WORDS, k)[0]
        for text in places
    )


@lru_cache(maxsize=64)
def _measured(k):
    return words_per_pass(k)


def round_page(setting, place=OPENING_PLACE, number=1):
    """The page's answer for the reply that starts at ``place``, showing round ``number``.

    ``setting`` gives k. A ``number`` past the reply's end shows its last round.
    """
    k = setting.k
    prompt = prompt_before(place)
    plain = tuple(plain_greedy(prompt, REPLY_WORDS))
    speculative, rounds = speculative_greedy(prompt, REPLY_WORDS, k)
    number = min(max(1, number), len(rounds))
    this = rounds[number - 1]
    before = [word for earlier in rounds[: number - 1] for word in earlier.new]
    same, places = agreement()

    rejected = (
        f"“{this.guesses[this.kept]}” becomes “{this.own[this.kept]}”"
        if this.kept < k
        else f"the big model's “{this.own[k]}” comes free"
    )
    sentence = (
        f"After “{' '.join([*prompt, *before][-PROMPT_WORDS:])}” the small model guesses "
        f"{count(k, 'word')}, the big one keeps **{this.kept}**, {rejected}: "
        f"**{count(len(this.new), 'word')}** from one big pass."
    )
    metrics = (
        Metric("Words from this round", str(len(this.new)), f"of at most {k + 1}"),
        Metric("Guesses kept", f"{this.kept} of {k}", f"round {number} of {len(rounds)}"),
        Metric("Big passes for the reply", str(len(rounds)), f"plain decoding: {REPLY_WORDS}"),
        Metric("The two toys agree", percent(same / places, 1), f"at {same} of {places} places"),
    )
    agreeing = _starts_that_agree(k)
    verdict = (
        "The two texts are the same, word for word"
        if plain == tuple(speculative)
        else "The two texts differ, which must not happen: please report it"
    )
    return RoundAnswer(
        sentence=sentence,
        metrics=metrics,
        figures=(_round_figure(this, k), _words_per_pass_figure(same / places)),
        tables=(_rounds_table(rounds), _words_per_pass_table(same / places)),
        formula=(
            r"\text{written} = \text{guesses up to the first difference}",
            r"+ \text{ one word of the big model's own}",
        ),
        leaves_out=(
            "A token is a whole word here, and both models are word tables made from one short "
            "text of ours; their figures are the lesson's.",
            "The big toy is asked at every place in turn; a real model answers all k + 1 places "
            "in one pass, and a round counts as one.",
            "Guesses are checked against the likeliest word. The Sampling page has the rule for "
            "words drawn at random.",
        ),
        sources=(one_round, speculative_greedy, small_choice, big_choice),
        number=number,
        rounds=len(rounds),
        prompt=prompt,
        plain=plain,
        speculative=tuple(speculative),
        check=(
            f"{verdict}. This server wrote both and compared them, and likewise the replies from "
            f"all {len(SENTENCE)} places of the text at k = {k}: "
            f"{agreeing} of {len(SENTENCE)} are the same."
        ),
    )


def _round_figure(this: Round, k):
    """Figure 1: the guesses, the big model's own choices under them, and what becomes of each."""
    boxes = []
    for i, word in enumerate(this.guesses):
        state = "kept" if i < this.kept else "rejected" if i == this.kept else "thrown away"
        boxes.append({"place": i + 1, "row": "guess", "word": word, "state": state})
    for i, word in enumerate(this.own):
        state = "agrees" if i < this.kept else "own word" if i == this.kept else "thrown away"
        boxes.append({"place": i + 1, "row": "big model", "word": word, "state": state})
    parts = [f"The small model guesses {', '.join(this.guesses)}"]
    parts.append(f"the big model would write {', '.join(this.own)}")
    outcome = (
        f"{this.kept} kept, {this.guesses[this.kept]} becomes {this.own[this.kept]}"
        if this.kept < k
        else f"all {k} kept and {this.own[k]} comes free"
    )
    thrown = k - this.kept - 1
    if thrown > 0:
        outcome += f", {count(thrown, 'guess', 'guesses')} thrown away"
    says = f"{'; '.join(parts)}: {outcome}. Written: {' '.join(this.new)}."
    return Figure(
        name="one-round",
        title="One round: guesses above, the big model's own choices below",
        rows={"boxes": boxes},
        caption=(
            "Green border: kept. Orange and struck through: rejected. Dotted grey: thrown away. "
            "Heavy black (white on dark): the big model's own word."
        ),
        alt=says,
        # Whole lines of five: the figure is the same, and one specification serves five settings.
        options={"places": -(-(k + 1) // 5) * 5},
        data="boxes",
    )


def _toy_rows(agreement_rate):
    return [
        {
            "guesses": k,
            "measured": _measured(k),
            "formula": float(expected_tokens(agreement_rate, k)),
        }
        for k in TABLE_GUESSES
    ]


def _words_per_pass_figure(agreement_rate):
    rows = _toy_rows(agreement_rate)
    points = "; ".join(
        f"k = {row['guesses']}: {row['measured']:.2f} against {row['formula']:.2f}" for row in rows
    )
    curve = [
        {"guesses": row["guesses"], "words": row[kind], "kind": kind}
        for kind in ("measured", "formula")
        for row in rows
    ]
    return Figure(
        name="words-per-pass",
        title="Words per big pass: measured on the toy pair, and by the formula",
        rows={"curve": curve},
        caption=(
            f"The toys agree at {percent(agreement_rate, 1)} of the places. The formula at that "
            "keep rate lies below the measurement at every k: in this text agreements come "
            "in runs, so "
            "the guesses are not independent chances. Another pair may differ the other way."
        ),
        alt=f"Measured words per big pass against the formula: {points}.",
        options={},
    )


def _words_per_pass_table(agreement_rate):
    return Table(
        "Words per big pass, measured and by the formula",
        [
            {
                "Guesses per round": str(row["guesses"]),
                "Measured": f"{row['measured']:.2f}",
                "Formula": f"{row['formula']:.2f}",
            }
            for row in _toy_rows(agreement_rate)
        ],
    )


def _rounds_table(rounds):
    return Table(
        "Every round of this reply",
        [
            {
                "Round": str(i + 1),
                "Guesses": " ".join(this.guesses),
                "Kept": str(this.kept),
                "Written": " ".join(this.new),
            }
            for i, this in enumerate(rounds)
        ],
    )
