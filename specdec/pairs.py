"""Whether a draft model can guess for a big model: they must share their tokens."""

from dataclasses import dataclass

from specdec.catalogue import model_rows


@dataclass(frozen=True)
class PairCheck:
    """What is known about a pair.

    ``verdict`` is "shared" (same tokenizer, same table), "padded" (same tokenizer, a table with
    unused rows), "unknown" (a custom model does not say its tokenizer) or "refused".
    ``sentence`` is the reason, in one sentence.
    """

    verdict: str
    sentence: str

    @property
    def allowed(self):
        """Whether the pair can be used at all."""
        return self.verdict != "refused"


def check_pair(big, draft):
    """Whether ``draft`` can guess for ``big``, a :class:`PairCheck`; any two models are accepted.

    Both need the same tokenizer, because the big model checks the draft's tokens one for one.
    Tables of the same size are not enough (Phi-4 and OLMo 2 both have 100,352 rows, of different
    tokens), and of different sizes can still hold the same tokens: the larger is padded.
    """
    if big.tokenizer and draft.tokenizer and big.tokenizer != draft.tokenizer:
        if big.vocabulary == draft.vocabulary:
            return PairCheck(
                "refused",
                f"{draft.name} cannot guess for {big.name}: both tables have {big.vocabulary:,} "
                "rows, but nothing shows that they are the same tokens.",
            )
        return PairCheck(
            "refused",
            f"{draft.name} cannot guess for {big.name}: it has another vocabulary "
            f"({_rows(draft)} against {_rows(big)}), so its tokens cannot be checked one for one.",
        )
    known = big.tokenizer and draft.tokenizer
    sizes = big.vocabulary, draft.vocabulary
    if not known:
        if None not in sizes and sizes[0] != sizes[1]:
            return PairCheck(
                "refused",
                f"{draft.name} cannot guess for {big.name}: its table has {_rows(draft)} and "
                f"the big model's {_rows(big)}, and nothing shows that they share a tokenizer.",
            )
        return PairCheck(
            "unknown",
            f"Whether {draft.name} and {big.name} share a tokenizer is not known here: check it, "
            "because without that guesses cannot be checked.",
        )
    if sizes[0] != sizes[1]:
        return PairCheck(
            "padded",
            f"{draft.name} and {big.name} share a tokenizer, but one table is padded "
            f"({_rows(draft)} against {_rows(big)}): some engines refuse that.",
        )
    return PairCheck("shared", f"{draft.name} and {big.name} share a tokenizer of {_rows(big)}.")


def drafts_for(big):
    """Keys of the catalogue's models that can guess for ``big`` and are smaller, smallest first."""
    rows = sorted(model_rows().values(), key=lambda row: row.model.weights)
    return tuple(
        row.key
        for row in rows
        if row.model.weights < big.weights
        and check_pair(big, row.model).verdict in ("shared", "padded")
    )


def _rows(model):
    return "an unknown number of rows" if model.vocabulary is None else f"{model.vocabulary:,} rows"
