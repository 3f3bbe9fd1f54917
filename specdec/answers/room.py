"""Where a figure has room for its words, reckoned for the narrowest screen.

Lengths are shares of the figure's width and height, so that nothing here depends on a screen; on
a wide one there is more room than this says.
"""

from dataclasses import dataclass
from itertools import pairwise

# A letter and a line of text on a phone of 390 pixels, where a figure is about 300 by 280.
LETTER, LINE = 0.025, 0.062
PLAIN_NAME = "plain decoding"
# How far a label's middle stands above its point, and whether it goes right (1) or left (-1).
_SIDES = {
    "right": (0.0, 1),
    "above right": (0.05, 1),
    "above left": (0.045, -1),
    "below right": (-0.055, 1),
    "below left": (-0.055, -1),
    "above": (0.06, 0),
    "below": (-0.065, 0),
    "far above right": (0.11, 1),
    "far below right": (-0.11, 1),
}


@dataclass(frozen=True)
class Frame:
    """A figure's axes: x from ``left`` to ``right``, y from 0 to ``top``."""

    left: float
    right: float
    top: float

    def share(self, x, y):
        """A point as shares of the width and height."""
        return (x - self.left) / (self.right - self.left), y / self.top


def label_box(frame, x, y, text, side):
    """The box (left, right, bottom, top) that a label beside the point (x, y) covers."""
    across, up = frame.share(x, y)
    lift, way = _SIDES[side]
    width = LETTER * len(text) + 0.03
    left = across - width * (1 - way) / 2
    return left, left + width, up + lift - LINE / 2, up + lift + LINE / 2


def overlap(one, other):
    """Whether two boxes cover a point together."""
    return one[0] < other[1] and other[0] < one[1] and one[2] < other[3] and other[2] < one[3]


def plain_corner(frame, lines, boxes, corners):
    """The first of ``corners`` where the name of the line at 1 covers neither a line nor a box.

    ``lines`` are lists of points (x, y), ``boxes`` those of :func:`label_box`. Where every corner
    is taken it is the first.
    """
    taken = list(boxes)
    for line in lines:
        points = [frame.share(x, y) for x, y in line]
        for (x1, y1), (x2, y2) in pairwise(points):
            taken.append((x1, x2, min(y1, y2), max(y1, y2)))
    for corner in corners:
        box = _corner_box(frame, corner)
        if not any(overlap(box, other) for other in taken):
            return corner
    return corners[0]


def _corner_box(frame, corner):
    height, side = corner.split()
    width = LETTER * len(PLAIN_NAME)
    left = 0.0 if side == "left" else 1 - width
    line = 1 / frame.top
    bottom = line + 0.01 if height == "above" else line - 0.01 - LINE
    return left, left + width, bottom, bottom + LINE
