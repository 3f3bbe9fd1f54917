"""One setting of the dashboard's four controls, their bounds, and its form in a link.

The names and the opening values are part of every link ever shared, so they must not change.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from specdec import checks
from specdec.time_model import K_MAX

KEPT_MIN, KEPT_MAX, KEPT_STEP = 0, 100, 1
K_MIN = 1
USERS_MIN, USERS_MAX = 1, 256
OWN_DRAFT_MS = 1.212
# Steps of a tenth of a millisecond, with the draft model's own time standing in for 1.2.
DRAFT_MS = tuple(OWN_DRAFT_MS if tenth == 12 else tenth / 10 for tenth in range(1, 101))


@dataclass(frozen=True)
class Setting:
    """What the four controls are set to; left out, a value is that of the opening setting.

    ``kept`` is the keep rate in whole percent (0 to 100), ``k`` the guesses per round (1 to 32),
    ``draft_ms`` one of :data:`DRAFT_MS`, milliseconds of one draft pass for one user (1.212 is
    the draft model's own), and ``users`` the people who share the chip (1 to 256). Raises
    ``ValueError`` for anything else.
    """

    kept: int = 80
    k: int = 4
    draft_ms: float = OWN_DRAFT_MS
    users: int = 1

    def __post_init__(self):
        bounds = {
            "kept": (KEPT_MIN, KEPT_MAX),
            "k": (K_MIN, K_MAX),
            "users": (USERS_MIN, USERS_MAX),
        }
        for name, (least, most) in bounds.items():
            object.__setattr__(self, name, _whole_between(getattr(self, name), name, least, most))
        object.__setattr__(self, "draft_ms", _draft_option(self.draft_ms))

    @property
    def keep_rate(self):
        """The keep rate a, from 0 to 1."""
        return self.kept / 100

    @property
    def draft_seconds(self):
        """Seconds of one draft pass for one user, or ``None`` for the draft model's own."""
        return None if self.draft_ms == OWN_DRAFT_MS else self.draft_ms / 1000

    def query_params(self):
        """The link's names and values (texts), only where they differ from the opening setting."""
        return {
            name: f"{getattr(self, field):g}"
            for name, field in _FIELDS.items()
            if getattr(self, field) != getattr(OPENING, field)
        }

    def query(self):
        """The link's query, such as ``kept=39&users=31``; empty for the opening setting.

        Letters, digits, dots, ``=`` and ``&`` only, so that a link survives being pasted.
        """
        return "&".join(f"{name}={value}" for name, value in self.query_params().items())

    @classmethod
    def from_query(cls, query):
        """The setting that a link's names and values (a mapping of texts) ask for.

        A value that is missing or impossible becomes the opening value; other names are ignored.
        Nothing that a link can hold raises.
        """
        setting = OPENING
        given = query if isinstance(query, Mapping) else {}
        for name, field in _FIELDS.items():
            number = _typed_number(given.get(name))
            try:
                setting = replace(setting, **{field: number})
            except ValueError:
                continue
        return setting


def _whole_between(value, name, least, most):
    accepted = f"{name} must be one whole number from {least} to {most}"
    try:
        number = checks.one_whole(value, name, least)
    except ValueError:
        number = None
    if number is None or number > most:
        raise ValueError(f"{accepted}, not {checks._short(value)}.")
    return number


def _draft_option(value):
    try:
        number = float(checks.positive(value, "draft_ms", "milliseconds"))
    except (TypeError, ValueError):
        number = 0.0
    for option in DRAFT_MS:
        # A control's own arithmetic may miss the tenth by a rounding error.
        if abs(number - option) < 1e-9:
            return option
    raise ValueError(
        f"draft_ms must be {OWN_DRAFT_MS} or a tenth from {DRAFT_MS[0]} to {DRAFT_MS[-1]:g} "
        f"milliseconds, not {checks._short(value)}."
    )


def _typed_number(text):
    """The number in a link's text, or ``None``: plain digits, with a dot at most."""
    if isinstance(text, str) and re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,4})?", text):
        return float(text)
    return None


_FIELDS = {"kept": "kept", "k": "k", "draft": "draft_ms", "users": "users"}
OPENING = Setting()
