"""Whether a pair, its key-value caches and its users fit a chip's memory."""

from dataclasses import dataclass

from specdec import checks


@dataclass(frozen=True)
class MemoryFit:
    """Bytes that a pair needs on a chip, by what needs them.

    ``available_bytes`` is the chip's memory, ``None`` where it is not known. ``reason`` says in
    one sentence what fits or by how much it does not.
    """

    big_weight_bytes: float
    draft_weight_bytes: float
    big_cache_bytes: float
    draft_cache_bytes: float
    available_bytes: float | None
    reason: str

    @property
    def needed_bytes(self):
        """All four together."""
        return (
            self.big_weight_bytes
            + self.draft_weight_bytes
            + self.big_cache_bytes
            + self.draft_cache_bytes
        )

    @property
    def missing_bytes(self):
        """Bytes needed beyond the chip's memory; 0 where everything fits or it is not known."""
        if self.available_bytes is None:
            return 0.0
        return max(0.0, self.needed_bytes - self.available_bytes)

    @property
    def fits(self):
        """Whether everything fits; ``None`` where the chip's memory is not known."""
        return None if self.available_bytes is None else self.missing_bytes == 0


def memory_needed(model, context_tokens=None, users=1):
    """What a ``TimeModel``'s pair needs for ``users`` users, a :class:`MemoryFit`.

    Each user's keys and values of ``context_tokens`` earlier tokens are kept for both models;
    left out, those of the model's conditions are. Working memory is not counted, so a pair that
    just fits here is too large in practice. Raises ``ValueError`` for a number that is not whole.
    """
    users = checks.one_whole(users, "users")
    if context_tokens is None:
        big_context, draft_context = model.conditions.context_tokens, model.conditions.draft_context
    else:
        big_context = draft_context = checks.one_whole(context_tokens, "context_tokens", least=0)
    parts = (
        model.big.weight_bytes,
        model.draft.weight_bytes,
        users * model.big.cache_bytes(big_context),
        users * model.draft.cache_bytes(draft_context),
    )
    available = model.chip.memory_bytes
    return MemoryFit(*parts, available, _reason(model, parts, available, users))


def users_that_fit(model, context_tokens=None):
    """The most users that fit beside the pair's weights.

    0 where the weights alone do not fit, ``None`` where there is no limit: the chip's memory is
    not known, or no context is kept.
    """
    one = memory_needed(model, context_tokens)
    each = one.big_cache_bytes + one.draft_cache_bytes
    if one.available_bytes is None:
        return None
    left = one.available_bytes - one.big_weight_bytes - one.draft_weight_bytes
    if left < 0:
        return 0
    return int(left // each) if each else None


def _reason(model, parts, available, users):
    big, draft = parts[:2]
    if available is None:
        return f"The memory of {model.chip.name} is not known, so nothing is said about fitting."
    of_chip = f"the {_gb(available)} of {model.chip.name}"
    if big > available:
        what, needed = f"{model.big.name} alone needs", big
    elif big + draft > available:
        what, needed = f"{model.big.name} and {model.draft.name} together need", big + draft
    else:
        whom = "1 user" if users == 1 else f"{users:,} users"
        what, needed = f"Both models and the keys and values of {whom} need", sum(parts)
    if needed > available:
        return f"{what} {_gb(needed)}, {_gb(needed - available)} more than {of_chip}."
    return f"{what} {_gb(needed)} of {of_chip}."


def _gb(number):
    return f"{number / 1e9:,.1f} GB"
