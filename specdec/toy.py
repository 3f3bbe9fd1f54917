"""A toy pair of models: two word tables from one short text, and both ways of writing with them.

The text is a ring: its last words lead back to its first. The big toy looks back two words and
picks the word that most often followed them; the small toy looks back one. Where two words
followed equally often, the one that stands earliest in the text wins.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from specdec import checks

TEXT = (
    "boil the water in the kettle . pour it over a tea bag . wait , then lift the bag out gently . "
    "add milk to the cup . bin the bag . slowly sip the drink . sip . tomorrow"
)
SENTENCE = tuple(TEXT.split())


@dataclass(frozen=True)
class Round:
    """One round: the ``guesses``, the big model's ``own`` choices at all k + 1 places, how many
    guesses were ``kept``, and the ``new`` words written (kept guesses and one word of its own)."""

    guesses: tuple[str, ...]
    own: tuple[str, ...]
    kept: int
    new: tuple[str, ...]


def _followers(look_back):
    """Maps each run of ``look_back`` words of the ring to the word that most often follows."""
    size = len(SENTENCE)
    counts = {}
    for place in range(size):
        context = tuple(SENTENCE[(place + i) % size] for i in range(look_back))
        # A Counter keeps the order of arrival, and max() takes the first of equals.
        counts.setdefault(context, Counter())[SENTENCE[(place + look_back) % size]] += 1
    return {context: max(words, key=words.get) for context, words in counts.items()}


_TABLES = {look_back: _followers(look_back) for look_back in (0, 1, 2)}


def _words(text, name):
    """``text`` as a list of words; one string, whose letters would pass for words, is refused."""
    if isinstance(text, str) or not isinstance(text, Iterable):
        raise ValueError(
            f"{name} must be a sequence of words, such as a tuple of texts, "
            f"not {checks._short(text)}."
        )
    return list(text)


def _choice(text, look_back):
    """The next word by the longest run of last words, up to ``look_back``, that the table knows."""
    text = _words(text, "text")
    for words in range(min(look_back, len(text)), -1, -1):
        context = tuple(text[len(text) - words :])
        if context in _TABLES[words]:
            return _TABLES[words][context]
    raise AssertionError("the table of no context always answers")


def big_choice(text):
    """The big toy's next word after ``text``, a sequence of words: it looks back two words.

    Where it has never seen the two, it makes do with the last one (and then with none), so that
    it answers after any text.
    """
    return _choice(text, 2)


def small_choice(text):
    """The small toy's next word after ``text``, a sequence of words: it looks back one word."""
    return _choice(text, 1)


def plain_greedy(prompt, count, model=big_choice):
    """Write ``count`` words after ``prompt`` with one pass for each word; a list of words.

    ``model`` takes the words so far and gives the next. Raises ``ValueError`` for a count below 0.
    """
    count = checks.one_whole(count, "count", least=0)
    text = _words(prompt, "prompt")
    start = len(text)
    for _ in range(count):
        text.append(model(text))
    return text[start:]


def speculative_greedy(prompt, count, k, draft=small_choice, target=big_choice):
    """Write ``count`` words after ``prompt`` in rounds of ``k`` guesses and one big pass.

    Returns the words and the list of :class:`Round`; the last round may write past ``count``,
    and the words returned stop there. A pass over all k + 1 places is here k + 1 calls of
    ``target``. Raises ``ValueError`` for a count below 0 or a k below 1.
    """
    count, k = checks.one_whole(count, "count", least=0), checks.one_whole(k, "k")
    prompt, written, rounds = _words(prompt, "prompt"), [], []
    while len(written) < count:
        this = one_round([*prompt, *written], k, draft, target)
        rounds.append(this)
        written.extend(this.new)
    return written[:count], rounds


def one_round(text, k, draft=small_choice, target=big_choice):
    """One :class:`Round` after ``text``: k guesses, checked at every place by the big model."""
    k = checks.one_whole(k, "k")
    ahead = _words(text, "text")
    start = len(ahead)
    for _ in range(k):
        ahead.append(draft(ahead))
    guesses = tuple(ahead[start:])
    own = tuple(target(ahead[: start + place]) for place in range(k + 1))
    mismatch = (place for place in range(k) if guesses[place] != own[place])
    kept = next(mismatch, k)
    return Round(guesses, own, kept, guesses[:kept] + own[kept : kept + 1])


@lru_cache(maxsize=1)
def agreement():
    """Places of the ring at which the two toys pick the same word, and the number of places."""
    starts = [prompt_at(place) for place in range(len(SENTENCE))]
    return sum(big_choice(text) == small_choice(text) for text in starts), len(starts)


def prompt_at(place):
    """The two words of the ring that begin at ``place`` (0 for the first), a tuple."""
    size = len(SENTENCE)
    place = checks.one_whole(place, "place", least=0)
    return tuple(SENTENCE[(place + i) % size] for i in range(2))


def words_per_pass(k, words=41):
    """Words per big pass, measured: ``words`` words from every place of the ring, over the rounds.

    The two words at the place are the prompt.
    """
    words = checks.one_whole(words, "words")
    runs = [speculative_greedy(prompt_at(place), words, k)[1] for place in range(len(SENTENCE))]
    return words * len(SENTENCE) / sum(map(len, runs))
