"""The settings that have a name, each with its page, and the order in which to teach them.

Their ids, pages and settings are part of links, so they must not change; the sentences are
worked out from the models, so that no number in them can go stale.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from specdec.race import race
from specdec.sampling import sampling_table
from specdec.setting import OPENING, OWN_DRAFT_MS, Setting
from specdec.time_model import LESSON
from specdec.tokens import expected_tokens

PAGES = ("round", "costs", "speedup", "users", "sampling")


@dataclass(frozen=True)
class NamedSetting:
    """A setting with a name: its ``id`` for links, the ``page`` (one of :data:`PAGES`) that shows
    it best and, in one sentence, what to ``look_at`` there."""

    id: str
    title: str
    page: str
    setting: Setting
    look_at: str


@dataclass(frozen=True)
class TeachingStep:
    """One step of a lesson: a ``page`` at a ``named`` setting and what to ``look_at`` there."""

    page: str
    named: NamedSetting
    look_at: str


def named_setting(id):
    """The named setting with this ``id``; raises ``ValueError`` where there is none."""
    for named in NAMED_SETTINGS:
        if named.id == id:
            return named
    ids = ", ".join(named.id for named in NAMED_SETTINGS)
    raise ValueError(f"A named setting is one of {ids}.")


@cache
def _at(setting):
    """The model's figures at a setting, as the sentences print them."""
    each = LESSON.draft_seconds(setting.users, setting.draft_seconds)
    draft = (setting.draft_seconds, setting.users)
    raced = race(setting.keep_rate, setting.k, draft_seconds=draft[0], users=draft[1])
    return {
        "kept": setting.kept,
        "k": setting.k,
        "users": setting.users,
        "most": setting.k + 1,
        "read": setting.users * (setting.k + 1),
        "draft": f"{each * 1000:.3g}",
        "big": f"{LESSON.plain_seconds(setting.users) * 1000:.2f}",
        "check": f"{LESSON.big_pass(setting.users * (setting.k + 1)).seconds * 1000:.2f}",
        "round": f"{LESSON.round_seconds(setting.k, *draft) * 1000:.1f}",
        "tokens": f"{expected_tokens(setting.keep_rate, setting.k):.2f}",
        "gain": f"{LESSON.speedup(setting.keep_rate, setting.k, *draft):.2f}",
        "even": f"{LESSON.break_even(setting.k, *draft):.1%}",
        "plain_passes": raced.plain_passes,
        "draft_passes": raced.draft_passes,
    }


def _named(id, title, page, setting, look_at):
    # The opening setting's figures are there too, to compare with.
    opening = {f"opening_{name}": value for name, value in _at(OPENING).items()}
    return NamedSetting(id, title, page, setting, look_at.format(**_at(setting), **opening))


_ARITHMETIC = LESSON.first_arithmetic_tokens(LESSON.big)
_SLOW = Setting(draft_ms=2 * round(OWN_DRAFT_MS, 1))

NAMED_SETTINGS = (
    _named(
        "opening",
        "Opening",
        "round",
        OPENING,
        "Both lanes write the same {plain_passes} words, the plain one in {plain_passes} big "
        "passes and the draft one in {draft_passes}.",
    ),
    _named(
        "break-even",
        "Break-even",
        "speedup",
        Setting(kept=39),
        "With {k} guesses a round the pair draws level with plain decoding at {even} kept, so at "
        "{kept}% it is {gain} times as fast.",
    ),
    _named(
        "draft-twice-as-slow",
        "Draft twice as slow",
        "costs",
        _SLOW,
        "With draft passes of {draft} ms a round takes {round} ms, not {opening_round}, so the "
        "speed-up falls from {opening_gain} to {gain} and break-even rises to {even} kept.",
    ),
    _named(
        "31-users",
        "31 users",
        "users",
        Setting(users=31),
        "{users} users' checks read {users} × {most} = {read} tokens, "
        f"and from {_ARITHMETIC} on each token more takes more time: the free checks end here.",
    ),
    _named(
        "85-users",
        "85 users",
        "users",
        Setting(users=85),
        "The check of {read} tokens takes {check} ms against {big} ms for a plain step, and the "
        "speed-up is down to {gain}: guessing no longer pays.",
    ),
    _named(
        "every-guess-kept",
        "Every guess kept",
        "round",
        Setting(kept=100),
        "Every round gives its {k} guesses and one word of the big model's own, {most} words for "
        "one big pass: the draft lane is done in {draft_passes} rounds.",
    ),
)


def _sampling_look():
    p = {"A": Fraction(1, 2), "B": Fraction(3, 10), "C": Fraction(1, 5)}
    q = {"A": p["C"], "B": p["B"], "C": p["A"]}
    table = sampling_table(p, q)
    return (
        f"With odds of 1/2, 3/10 and 1/5 guessed as 1/5, 3/10 and 1/2, {table.keep_rate} of the "
        f"guesses are kept, and kept and redrawn add up to the big model's odds for every token."
    )


def _step(page, id, look_at=None):
    named = named_setting(id)
    text = named.look_at if look_at is None else look_at.format(**_at(named.setting))
    return TeachingStep(page, named, text)


TEACHING_ORDER = (
    _step("round", "opening"),
    _step("round", "every-guess-kept"),
    _step(
        "costs",
        "opening",
        "The check of {most} tokens takes {check} ms, no longer than a plain pass, so a round is "
        "{k} draft passes of {draft} ms and one big pass: {round} ms for {tokens} tokens on "
        "average.",
    ),
    _step("costs", "draft-twice-as-slow"),
    _step(
        "speedup",
        "opening",
        "At {kept}% kept and {k} guesses the pair is {gain} times as fast as plain decoding.",
    ),
    _step("speedup", "break-even"),
    _step("users", "31-users"),
    _step("users", "85-users"),
    _step("sampling", "opening", _sampling_look()),
)
