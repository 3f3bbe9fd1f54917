"""Labels have room: none covers another, and the dashed line's name stands where nothing runs."""

import itertools

import pytest

from specdec import Setting
from specdec.answers.room import Frame, label_box, overlap, plain_corner
from specdec.answers.speedup import speedup
from specdec.answers.users import users

CORNERS = ("above left", "above right", "below right")
SETTINGS = [
    Setting(kept, k, draft, crowd)
    for kept, k, draft, crowd in itertools.product(
        (0, 33, 39, 60, 66, 80, 100), (1, 4, 32), (1.212, 10), (1, 85)
    )
]


def test_a_label_stands_beside_its_point():
    frame = Frame(0, 100, 2)
    left, right, bottom, top = label_box(frame, 50, 1, "1.43", "above right")
    assert left == 0.5 < right
    assert 0.5 < bottom < top
    left, right, bottom, top = label_box(frame, 50, 1, "1.43", "below left")
    assert left < right == 0.5
    assert bottom < top < 0.5


def test_boxes_that_touch_do_not_overlap():
    assert overlap((0, 1, 0, 1), (0.9, 2, 0.9, 2))
    assert not overlap((0, 1, 0, 1), (1, 2, 0, 1))


@pytest.mark.parametrize(
    ("line", "corner"),
    [
        ([(0, 0.5), (100, 0.9)], "above left"),
        ([(0, 1.1), (40, 1.1), (50, 2.9)], "above right"),
        ([(0, 1.1), (100, 1.1)], "below right"),
        # Every corner is taken: the first one it is.
        ([(0, 0.8), (10, 1.2), (90, 1.2), (100, 0.8)], "above left"),
    ],
)
def test_the_name_goes_where_no_line_runs(line, corner):
    assert plain_corner(Frame(0, 100, 3.5), [line], [], CORNERS) == corner


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.query() or "opening")
def test_no_label_covers_another(setting):
    by_rate, by_guesses = speedup(setting).figures
    frames = (
        (by_rate, "kept_percent", Frame(0, 100, by_rate.options["y_end"])),
        (
            by_guesses,
            "guesses",
            Frame(0.4, 1.3 * by_guesses.options["x_end"], by_guesses.options["y_end"]),
        ),
    )
    for figure, x, frame in frames:
        boxes = [
            label_box(frame, row[x], row["speedup"], row["label"], row["side"])
            for row in figure.rows["marks"]
            if row["label"]
        ]
        assert not any(overlap(one, other) for one, other in itertools.combinations(boxes, 2))
        (own,) = [row for row in figure.rows["marks"] if row["kind"] == "setting"]
        assert own["label"]


def test_the_users_labels_are_apart_where_the_line_ends_just_below_plain_decoding():
    """At 100% kept the crossing and the last bend lie close together."""
    (figure,) = users(Setting(kept=100)).figures
    sides = {row["kind"]: row["side"] for row in figure.rows["marks"]}
    assert sides["break-even"] == "above right"
    assert sides["reference"] == "below right"
    assert figure.options["plain"] == "below left"
