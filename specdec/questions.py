"""Five questions to check yourself with; their numbers are worked out from the models."""

from dataclasses import dataclass

from specdec.race import race
from specdec.setting import OPENING, Setting
from specdec.time_model import LESSON
from specdec.tokens import expected_tokens


@dataclass(frozen=True)
class Question:
    """A question, its answer in words, and the ``page`` and ``setting`` that show it."""

    id: str
    prompt: str
    answer: str
    page: str
    setting: Setting


def _ms(seconds, digits):
    return f"{seconds * 1000:.{digits}f}"


def _lesson_questions():
    a, k = OPENING.keep_rate, OPENING.k
    draft, big = _ms(LESSON.draft_seconds(), 3), _ms(LESSON.plain_seconds(), 3)
    check = _ms(LESSON.big_pass(k + 1).seconds, 3)
    took, words = _ms(LESSON.round_seconds(k), 3), race(a, k).plain_passes
    tokens = expected_tokens(a, k)
    per_token = _ms(LESSON.round_seconds(k) / tokens, 2)
    free = LESSON.first_arithmetic_tokens(LESSON.big) - 1
    fetched = LESSON.big.weight_bytes / 1e9

    lower = Setting(kept=60)
    fewer = expected_tokens(lower.keep_rate, lower.k)
    slower_gain = LESSON.speedup(lower.keep_rate, lower.k)
    crowd = LESSON.users_when_checking_stops_being_free(k)
    losing = LESSON.users_when_guessing_stops_paying(a, k)
    return (
        Question(
            "same-words",
            "A small model takes part in writing the reply. Does that make the reply worse than "
            "one the big model writes alone?",
            "No. A guess stays only where the big model picks that very token, and at the first "
            "place where it picks another, its own is written. Both lanes of the race write the "
            f"same {words} words. Bad guesses cost time and nothing else: with none kept, a round "
            f"still brings one token, {LESSON.speedup(0, k):.2f} times as fast as plain decoding.",
            "round",
            OPENING,
        ),
        Question(
            "free-check",
            f"The big model needs {_ms(LESSON.plain_seconds(), 2)} ms to read 1 token. Why does it "
            f"need no longer for {k + 1} tokens, the last one of the text and {k} guesses?",
            f"Because fetching its {fetched:.0f} GB of weights takes that long, and they are "
            f"fetched once a pass however many tokens it reads. Up to {free} tokens the "
            "arithmetic is done sooner than the fetching, so more tokens add no time.",
            "costs",
            OPENING,
        ),
        Question(
            "token-time",
            f"One draft pass lasts {draft} ms and the big pass that checks {k} guesses {check} ms. "
            f"How long is the round, and how long does one token take at {tokens:.2f} tokens a "
            "round?",
            f"The round takes {k} × {draft} + {check} = {took} ms. A token takes "
            f"{took} ÷ {tokens:.2f} = {per_token} ms, where plain decoding takes {big} ms: "
            f"{LESSON.speedup(a, k):.2f} times as fast.",
            "costs",
            OPENING,
        ),
        Question(
            "lower-rate",
            f"{lower.kept}% of the guesses are kept, with {lower.k} guesses a round. How many "
            "tokens does a round bring on average, and how many times as fast is the pair?",
            f"(1 − {lower.keep_rate:g}^{lower.k + 1}) ÷ (1 − {lower.keep_rate:g}) = {fewer:.2f} "
            f"tokens. That is {fewer:.2f} × {big} ÷ {took} = {slower_gain:.2f} times as fast.",
            "speedup",
            lower,
        ),
        Question(
            "crowd",
            f"{crowd} users share the chip. Why is a check of {k} guesses no longer free?",
            f"The pass reads {k + 1} tokens for each of them, {crowd} × {k + 1} = "
            f"{crowd * (k + 1)}, and beyond {free} the arithmetic takes longer than the fetching. "
            f"Each token more then takes more time. At {OPENING.kept}% kept the speed-up is "
            f"{LESSON.speedup(a, k, users=crowd - 1):.2f} up to {crowd - 1} users, and from "
            f"{losing} users on the pair is slower than plain decoding.",
            "users",
            Setting(users=crowd),
        ),
    )


LESSON_QUESTIONS = _lesson_questions()
