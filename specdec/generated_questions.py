"""Questions with one number to type, drawn from a seed, and what to say to what was typed.

Each kind draws a setting, works the answer out from the time model, and works it out again from
the rounded numbers in the prompt. A setting where the two print differently is drawn again, so
that a reader with pen and paper never misses by a rounding.
"""

from dataclasses import dataclass

import numpy as np

from specdec import checks
from specdec.question_kinds import KINDS
from specdec.setting import Setting
from specdec.typed_answers import Answer, typed_number


@dataclass(frozen=True)
class Feedback:
    """What to say to a typed answer.

    ``correct`` is ``None`` where what was typed is no number: the ``message`` then says what to
    type, it is not to be counted, and nothing else is told. Otherwise ``working`` holds the
    steps, one text each, and ``page`` and ``setting`` show them.
    """

    correct: bool | None
    message: str
    working: tuple[str, ...] = ()
    page: str | None = None
    setting: Setting | None = None

    @property
    def counted(self):
        """Whether this was an answer at all."""
        return self.correct is not None


@dataclass(frozen=True)
class GeneratedQuestion:
    """A question of a ``kind`` with one number to type; the answer and the way to it are there
    too, for :meth:`check` to tell."""

    kind: str
    prompt: str
    answer: Answer
    working: tuple[str, ...]
    page: str
    setting: Setting

    def check(self, text):
        """The :class:`Feedback` to what was typed; no text raises."""
        try:
            typed = typed_number(text, self.answer.unit)
        except ValueError as error:
            return Feedback(None, str(error))
        correct = self.answer.accepts(typed)
        message = f"{'Right' if correct else 'Not quite'}: it is {self.answer.printed}."
        return Feedback(correct, message, self.working, self.page, self.setting)


def generated_question(seed, number):
    """Question ``number`` (from 1) of the series that ``seed`` (0 or more) starts.

    Any run of questions 1 to 7, 8 to 14 and so on holds each kind once, in an order of its own.
    Raises ``ValueError`` for a number below 1 or a seed below 0.
    """
    seed = checks.one_whole(seed, "seed", least=0)
    series, place = divmod(checks.one_whole(number, "number") - 1, len(KINDS))
    order = np.random.default_rng([seed, series]).permutation(len(KINDS))
    kind = list(KINDS)[order[place]]
    rng = np.random.default_rng([seed, series, place])
    while (drawn := KINDS[kind](rng)) is None:
        pass
    prompt, answer, working, page, setting = drawn
    return GeneratedQuestion(kind, prompt, answer, working, page, setting)
