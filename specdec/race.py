"""A race over one reply: plain decoding against rounds whose guesses a seeded coin keeps.

There is one coin, a uniform number from 0 to 1, for each *place* of the reply. The guess at a
place is right if its coin is below the keep rate a. The coins come from the seed alone, so every
setting is played with the same luck. A round that starts at place s ends with the big model's own
token at min(first place from s on with a wrong guess, s + k). Raising s, a or k never moves that
place back, so raising the keep rate, or the guesses per round, never takes a round more,
whatever the seed.

A round's own token needs no coin: the big model writes it, at the rejected guess's place (whose
coin is then used up) or at the place after the last guess (whose coin is never looked at).
"""

from dataclasses import dataclass

import numpy as np

from specdec import checks
from specdec.time_model import LESSON
from specdec.toy import SENTENCE, plain_greedy

# The first seed from 0 up that needs five rounds at a = 0.8 and k = 4. They write 2, 2, 3, 5 and 5
# words: rejected guesses and free words both, and none past the end.
RACE_SEED = 1
RACE_WORDS = 17
PROMPT = SENTENCE[:3]

KEPT, REJECTED, THROWN_AWAY = "kept", "rejected", "thrown away"


@dataclass(frozen=True)
class RaceGuess:
    """The draft's guess ``word`` at a ``place`` of the reply (0 for the first word).

    Its ``state`` is "kept", "rejected" (the first wrong one) or "thrown away": those after a
    rejected one, right or not, and those past the end of the reply.
    """

    place: int
    word: str
    state: str


@dataclass(frozen=True)
class RaceRound:
    """One round, numbered from 1: k draft passes, then one big pass.

    The draft passes last from ``start_seconds`` to ``check_seconds`` and the big pass from there
    to ``end_seconds``. ``own`` is the big model's own word, "" where it falls past the end of the
    reply; ``words`` are those that the round adds to the reply.
    """

    number: int
    start_seconds: float
    check_seconds: float
    end_seconds: float
    guesses: tuple[RaceGuess, ...]
    own: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class Race:
    """Both lanes for one reply: the ``text`` (after the ``prompt``) and the draft lane's rounds."""

    prompt: tuple[str, ...]
    text: tuple[str, ...]
    rounds: tuple[RaceRound, ...]
    plain_pass_seconds: float

    @property
    def plain_passes(self):
        """Big passes of the plain lane: one for each word."""
        return len(self.text)

    @property
    def draft_passes(self):
        """Big passes of the draft lane: one for each round."""
        return len(self.rounds)

    @property
    def plain_seconds(self):
        """When the plain lane is done."""
        return self.plain_passes * self.plain_pass_seconds

    @property
    def draft_seconds(self):
        """When the draft lane is done."""
        return self.rounds[-1].end_seconds


def race(a, k, seed=RACE_SEED, words=RACE_WORDS, draft_seconds=None, model=LESSON, users=1) -> Race:
    """Race plain decoding against rounds of ``k`` guesses, each kept with chance ``a``.

    The reply is what the big toy writes after "boil the water", the same in both lanes. It stops
    after ``words`` words: the last round still pays for all its passes, but what it would add past
    the end is not written. A wrong guess shows another word of the toy's text. ``draft_seconds``
    is one user's draft pass (left out, the model's own); with more ``users`` every pass reads
    tokens for all of them and the reply is that of one. Raises ``ValueError`` for values outside
    those of the time model, a seed below 0 or fewer than 1 word.
    """
    a, k = _one_chance(a), checks.one_whole(k, "k")
    words, users = checks.one_whole(words, "words"), checks.one_whole(users, "users")
    right = _coins(seed, words) < a
    # The draft may guess up to k - 1 words past the end of the reply.
    text = plain_greedy(PROMPT, words + k)
    draft = float(model.draft_seconds(users, draft_seconds))
    whole = float(model.round_seconds(k, draft_seconds, users))
    rounds, start = [], 0
    while start < words:
        number = len(rounds)
        guesses = _guesses(start, k, right, text)
        kept = sum(guess.state == KEPT for guess in guesses)
        # Past the end, or past the last guess, there is nothing to reject.
        end = start + kept
        own = text[end] if end < words else ""
        rounds.append(
            RaceRound(
                number=number + 1,
                start_seconds=number * whole,
                check_seconds=number * whole + k * draft,
                end_seconds=(number + 1) * whole,
                guesses=guesses,
                own=own,
                words=tuple(text[start : min(end + 1, words)]),
            )
        )
        start = end + 1
    return Race(PROMPT, tuple(text[:words]), tuple(rounds), float(model.plain_seconds(users)))


def _guesses(start, k, right, text):
    """The guesses of the round that starts at place ``start``."""
    guesses, open_still = [], True
    for place in range(start, start + k):
        inside = place < len(right)
        word = text[place] if not inside or right[place] else _wrong_word(place, text[place])
        if not (open_still and inside):
            state = THROWN_AWAY
        elif right[place]:
            state = KEPT
        else:
            state, open_still = REJECTED, False
        guesses.append(RaceGuess(place, word, state))
    return tuple(guesses)


def _wrong_word(place, right_word):
    """A word of the toy's text other than the right one: always the same one for a place."""
    others = [word for word in dict.fromkeys(SENTENCE) if word != right_word]
    return others[7 * place % len(others)]


def _coins(seed, *shape):
    """Uniform numbers from 0 to 1; those of the first places are the same whatever the length."""
    return np.random.default_rng(checks.one_whole(seed, "seed", least=0)).random(shape)


def _one_chance(a):
    a = checks.chance(a)
    if a.ndim:
        raise ValueError("a must be one chance from 0 to 1 for a race, not an array.")
    return float(a)
