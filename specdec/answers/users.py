"""Users: what a crowd that shares the chip does to the gain."""

import numpy as np

from specdec.answers.parts import (
    Answer,
    Figure,
    Metric,
    Table,
    axis_top,
    count,
    joined_runs,
    still_left_out,
    times,
)
from specdec.answers.room import Frame, label_box, plain_corner
from specdec.setting import USERS_MAX
from specdec.time_model import LESSON, TimeModel

TABLE_GUESSES = (2, 4, 6, 8)
LIMITS = (
    (
        "context_tokens",
        "Every user's stored notes about earlier tokens are left out; with long texts they are "
        "most of what a pass fetches.",
    ),
    ("", "All users are taken to step together, with the same keep rate."),
    (
        "",
        "A draft pass given by hand slows down with more users by the same factor as the model's "
        "own.",
    ),
)
SPEEDUP_ENDS = (2.5, 3.5, 5, 7, 10, 15, 25, 35)


def users(setting, model=LESSON):
    """The page's :class:`Answer` at a :class:`~specdec.setting.Setting`."""
    a, k, crowd, draft = setting.keep_rate, setting.k, setting.users, setting.draft_seconds
    gain = float(model.speedup(a, k, draft, crowd))
    first_paid = model.users_when_checking_stops_being_free(k)
    free_until = None if first_paid is None else first_paid - 1
    loses_from = model.users_when_guessing_stops_paying(a, k, draft)
    alone = float(model.speedup(a, k, draft, 1))

    free = {
        None: "the check is free however many they are",
        0: "the check is never free",
    }.get(free_until, f"the check is free up to **{_users(free_until)}**")
    pays = {
        None: "guessing pays at every number of users",
        1: "guessing does not pay even for one user",
    }.get(loses_from, f"guessing stops paying at **{loses_from} users**")
    sentence = (
        f"With {count(crowd, 'user')} sharing the chip, {count(k, 'guess', 'guesses')} a round "
        f"{'is' if k == 1 else 'are'} **{times(gain)} as fast** as plain decoding; {free}, and "
        f"{pays}."
    )
    metrics = (
        Metric("Speed-up", times(gain), f"for {count(crowd, 'user')}"),
        Metric("For one user", times(alone), "alone on the chip"),
        Metric("Check is free up to", _users(free_until), f"{k + 1} tokens each"),
        Metric(
            "No longer pays from",
            "never" if loses_from is None else count(loses_from, "user"),
            "speed-up below 1",
        ),
    )
    return Answer(
        sentence=sentence,
        metrics=metrics,
        figures=(_by_users(setting, model, gain, free_until, loses_from),),
        tables=(_guesses_table(setting, model),),
        formula=(
            r"\text{a check of } B \text{ users reads } B(k+1) \text{ tokens}",
            r"\text{free below } \frac{\text{operations/s}}{\text{bytes/s}} \times"
            r"\frac{\text{bytes a weight}}{2}",
        ),
        leaves_out=still_left_out(model, LIMITS),
        sources=(
            TimeModel.users_when_checking_stops_being_free,
            TimeModel.users_when_guessing_stops_paying,
            TimeModel.speedup,
        ),
    )


def _users(number):
    """A number of users in words; ``None`` is any number."""
    return "any number of users" if number is None else count(number, "user")


def _by_users(setting, model, gain, free_until, loses_from):
    """Figure 5: speed-up against the users who share the chip."""
    crowd = np.arange(1, USERS_MAX + 1)
    gains = model.speedup(setting.keep_rate, setting.k, setting.draft_seconds, crowd)
    curve = [
        {"users": int(n), "speedup": float(s), "side": "faster" if s >= 1 else "slower"}
        for n, s in zip(crowd, gains, strict=True)
    ]
    frame = Frame(0, USERS_MAX, axis_top(float(gains.max()), SPEEDUP_ENDS))
    label = f"{count(setting.users, 'user')}: {gain:.2f}"
    marks = [_mark(setting.users, gain, "setting", label, frame)]
    # From here on nothing changes any more, unless users bring notes of their own to fetch.
    steady = None if model.conditions.context_tokens else model.first_arithmetic_tokens(model.big)
    for n, kind in ((free_until, "free"), (loses_from, "break-even"), (steady, "reference")):
        clear = all(abs(n - row["users"]) > 12 for row in marks) if n else False
        if n and 1 <= n <= USERS_MAX and clear:
            s = float(gains[n - 1])
            words = {
                free_until: f"free to {n}: {s:.2f}",
                loses_from: f"below 1 from {n}",
                steady: f"from {n}: {s:.2f}",
            }[n]
            marks.append(_mark(n, s, kind, words, frame))
    boxes = [
        label_box(frame, row["users"], row["speedup"], row["label"], row["side"]) for row in marks
    ]
    free = {None: "free however many they are", 0: "never free"}.get(
        free_until, f"free up to {_users(free_until)}"
    )
    says = (
        f"{gains[0]:.2f} times as fast for one user, {gains[-1]:.2f} for {USERS_MAX}; the check is "
        f"{free}"
    )
    pays = {
        None: "the line never falls below plain decoding",
        1: "the line is below plain decoding throughout",
    }.get(loses_from, f"below plain decoding from {loses_from} users")
    return Figure(
        name="speed-up-by-users",
        title="Times as fast as plain decoding against users sharing the chip",
        rows={
            "curve": joined_runs(curve, "side"),
            "marks": marks,
            "lesson": _lesson_line(setting, model),
        },
        caption=(
            f"{says}; {pays}. Orange, dotted: slower than plain decoding. Green, solid: "
            "faster. The dashed "
            "line is plain decoding, the dot the present setting."
            + (
                " Thin grey: the lesson's chip and pair in the best case."
                if model != LESSON
                else ""
            )
        ),
        alt=(
            f"{says}; {pays}. The present setting, {count(setting.users, 'user')}, is "
            f"{times(gain)} as fast."
        ),
        options={
            "y_end": frame.top,
            "plain": plain_corner(
                frame,
                [[(row["users"], row["speedup"]) for row in curve]],
                boxes,
                ("above right", "below left", "above left", "below right"),
            ),
        },
    )


def _mark(n, gain, kind, label, frame):
    return {
        "users": int(n),
        "speedup": gain,
        "kind": kind,
        "label": label,
        "side": _label_side(n, gain, kind, frame),
    }


def _lesson_line(setting, model):
    """The lesson's own line for comparison, every fourth user; none where it is the same."""
    if model == LESSON:
        return []
    crowd = np.arange(1, USERS_MAX + 1, 4)
    gains = LESSON.speedup(setting.keep_rate, setting.k, setting.draft_seconds, crowd)
    return [{"users": int(n), "speedup": float(s)} for n, s in zip(crowd, gains, strict=True)]


def _label_side(n, gain, kind, frame):
    under = (1 - gain) / frame.top
    if n > 0.7 * USERS_MAX:
        return "above left"
    if kind == "reference" and gain / frame.top > 0.12:
        # The line runs flat from here on, so there is nothing under it.
        return "below right"
    if 0 < under < 0.09 and kind == "setting" and n < 30:
        return "far above right"
    return "right" if kind == "free" else "above right"


def _guesses_table(setting, model):
    a, draft, crowd = setting.keep_rate, setting.draft_seconds, setting.users
    rows = []
    for k in sorted({*TABLE_GUESSES, setting.k}):
        loses = model.users_when_guessing_stops_paying(a, k, draft)
        first = model.users_when_checking_stops_being_free(k)
        rows.append(
            {
                "Guesses per round": str(k),
                "Checking stops being free at": "never" if first is None else count(first, "user"),
                "Guessing stops paying at": "never" if loses is None else count(loses, "user"),
                f"Speed-up for {count(crowd, 'user')}": f"{model.speedup(a, k, draft, crowd):.2f}",
            }
        )
    return Table("The same for other numbers of guesses", rows)
