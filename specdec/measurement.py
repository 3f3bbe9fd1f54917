"""One published measurement beside what the model says of it."""

from dataclasses import dataclass

from specdec import checks


@dataclass(frozen=True)
class Measurement:
    """One published measurement: what was printed, and what the model makes of it.

    ``seen`` is "primary" or "transcription" (another's copy of a table). ``inferred`` names the
    inputs that were not printed. ``guesses`` are those of a round as the model needs them, an
    average where it varied, ``draft_passes`` the passes that make them (1 for heads that guess
    all at once). ``None`` is not printed. ``closes`` says what accounts for the rest.
    """

    id: str
    shown: bool
    way: str
    source: str
    url: str
    date: str
    seen: str
    chip: str
    big: str
    draft: str
    k_printed: str
    acceptance_printed: str
    temperature: str
    users: int
    guesses: float | None
    draft_passes: float
    tokens_per_round: float | None
    measured: float
    plain_seconds: float | None
    draft_share: float | None
    check_passes: float | None
    own_draft_share: float | None
    own_check_passes: float | None
    inferred: str
    closes: str

    @property
    def best_case(self):
        """Speed-up in the best case: the draft at its share of bytes, the check by the roofline."""
        return self._speedup(self.draft_share, self.check_passes)

    @property
    def with_own_draft(self):
        """Speed-up with the draft's cost as measured in the row, and a check of one pass."""
        return self._speedup(self.own_draft_share, 1.0)

    @property
    def with_own_check(self):
        """Speed-up with the check's cost as measured, and the draft's where that was."""
        share = self.draft_share if self.own_draft_share is None else self.own_draft_share
        return self._speedup(share, self.own_check_passes)

    @property
    def ratio(self):
        """Measured ÷ best case, or ÷ that with its own draft where no sizes are printed."""
        said = self.with_own_draft if self.best_case is None else self.best_case
        return None if said is None else self.measured / said

    @property
    def keep_rate(self):
        """The chance per guess that gives the row's tokens per round: what the model needs.

        Accepted ÷ guessed, as most systems print it, is smaller: a guess after a rejected one
        counts as rejected too, whatever it was. ``None`` for trees, whose guesses are not a row.
        """
        if self.tokens_per_round is None or not self.guesses or self.way == "heads, tree":
            return None
        return keep_rate_for(self.tokens_per_round, self.guesses)

    @property
    def implied_tokens_per_round(self):
        """Tokens per round that the measured speed-up needs, with its own draft and one pass."""
        if self.own_draft_share is None:
            return None
        return self.measured * (1 + self.draft_passes * self.own_draft_share)

    def _speedup(self, draft_share, check_passes):
        # Leviathan, Kalman and Matias (2023), Theorem 3.8, with the check's cost put back.
        if None in (draft_share, check_passes, self.tokens_per_round):
            return None
        return self.tokens_per_round / (self.draft_passes * draft_share + check_passes)


def geometric_tokens(a, guesses):
    """Expected tokens of a round, (1 − a^(k+1)) / (1 − a), where k may be an average."""
    if a == 1:
        return guesses + 1
    return (1 - a ** (guesses + 1)) / (1 - a)


def keep_rate_for(tokens_per_round, guesses):
    """The keep rate with which ``guesses`` guesses give ``tokens_per_round`` tokens.

    By bisection; ``None`` outside 1 to guesses + 1 tokens, which no keep rate gives. Raises
    ``ValueError`` for numbers that are not above 0.
    """
    checks.positive(tokens_per_round, "tokens_per_round", "tokens")
    checks.positive(guesses, "guesses", "guesses")
    if not 1 <= tokens_per_round <= guesses + 1:
        return None
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        enough = geometric_tokens(middle, guesses) >= tokens_per_round
        low, high = (low, middle) if enough else (middle, high)
    return low
