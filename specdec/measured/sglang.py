"""SGLang's log: the scheduler's decode lines, and the start-up line that says how it guesses.

``accept len`` is always tokens per big pass with its own token. ``accept rate`` has had several
formulas under one label (pull requests 11572 and 13212), so the numbers themselves must say which.
"""

import math
import re
from bisect import bisect_left
from dataclasses import replace

from specdec.measured.records import (
    PER_INTERVAL,
    Record,
    printed,
)

ENGINE = "SGLang"
LINE = "decode line"
_F = r"(-?\d+(?:\.\d{1,4})?|nan)"
_LENGTH = re.compile(rf"acceptlen:{_F}(?=\D|$)")
_RATE = re.compile(rf"acceptrate:{_F}(?=\D|$)")
_RUNNING = re.compile(r"#running-req:(\d{1,9})")
_RANK = re.compile(r"(DP|TP|PP)(\d{1,5})(?=[A-Z\]])")
_SETTING = re.compile(
    r"speculative[-_](num[-_]steps|eagle[-_]topk|num[-_]draft[-_]tokens)[\"']?[\s:=]{1,4}(\d{1,4})\b"
)
_SERVER = re.compile(r"server_args=ServerArgs\(")
_MOST_DRAFT_TOKENS = 128
_TREE_FROM = 18  # draft tokens; no chain of guesses is that long, trees often are
_PAIRS_TRIED = 200


def read(document):
    """(records, sentences about what is left out)."""
    settings = Settings(document)
    lines, left_out = _decode_lines(document, settings)
    records = _with_formula(lines, document.asked_k)
    return records, left_out


class Settings:
    """What the server's start-up line says, for the lines below it."""

    def __init__(self, document):
        starts = list(document.matches(_SERVER, "ServerArgs"))
        self._starts = [document.line_at(match.start()) for match in starts]
        self._lines, self._states, state = [], [], {}
        settings = [*starts, *document.matches(_SETTING, "speculative")]
        for match in sorted(settings, key=lambda found: found.start()):
            # Another server forgets what the one before was told.
            name, value = match.groups() if match.re is _SETTING else (None, None)
            state = {**state, name.replace("-", "_"): int(value)} if name else {}
            self._lines.append(document.line_at(match.start()))
            self._states.append(state)

    def at(self, line):
        """Fields of a record: its ``part``, and ``k`` and ``tree`` where the settings tell."""
        # A whole start-up line counts, and so does a JSON answer that ends below its own numbers.
        above = bisect_left(self._lines, line + 1)
        state = self._states[above - 1] if above else {}
        tree = state.get("eagle_topk", 1) > 1
        k = state.get("num_steps")
        if not tree and state.get("num_draft_tokens", 0) > 1:
            k = state["num_draft_tokens"] - 1
        return {"part": bisect_left(self._starts, line), "k": k, "tree": tree}


def _decode_lines(document, settings):
    found, ranks = [], set()
    for line, _, window in document.records("Decodebatch"):
        text = window.partition("Prefillbatch")[0]
        length = _LENGTH.search(text)
        if not length:
            continue
        running, rate = _RUNNING.search(text), _RATE.search(text)
        head = document.squeezed_line(line).partition("Decodebatch")[0]
        rank = {name: int(number) for name, number in _RANK.findall(head)}
        # Tensor- and pipeline-parallel ranks log the same events; data-parallel ones their own.
        copy = (rank.get("TP", 0), rank.get("PP", 0))
        ranks.add(copy)
        record = Record(
            ENGINE,
            LINE,
            PER_INTERVAL,
            line,
            length=printed(length[1]),
            rate=printed(rate[1]) if rate else None,
            rate_is_share=False,
            weight=max(int(running[1]), 1) if running else 1,
        )
        found.append((copy, replace(record, **settings.at(line))))
    first = min(ranks, default=None)
    kept = [record for copy, record in found if copy == first]
    left_out = []
    if len(kept) < len(found):
        left_out.append(
            f"{ENGINE} {LINE}: {len(found) - len(kept)} lines of other ranks repeat the same "
            "events."
        )
    return kept, left_out


def _with_formula(records, asked_k):
    """The records with k and with what their rate means, worked out for each server run."""
    groups = {}
    for record in records:
        groups.setdefault((record.part, record.k, record.tree), []).append(record)
    done = [record for group in groups.values() for record in _one_run(group, asked_k)]
    return sorted(done, key=lambda record: record.line)


def _one_run(group, asked_k):
    pairs = list(dict.fromkeys((r.length, r.rate) for r in group if r.rate is not None))
    told = [pair for pair in pairs[:_PAIRS_TRIED] if all(math.isfinite(x.value) for x in pair)]
    k, tree = group[0].k, group[0].tree
    if not told or tree:
        return group
    fits = formulas(told)
    wanted = k if k is not None else asked_k
    if wanted is not None:
        fits = [fit for fit in fits if fit[1] == wanted + 1] or fits
    draft_tokens = {n for _, n in fits}
    notes = ()
    share = False
    if len(draft_tokens) == 1:
        (n,) = draft_tokens
        share = all(name == "share" for name, _ in fits)
        if k is not None and n != k + 1:
            notes = (
                f"The accept rates fit {n} draft tokens, but the settings say {k + 1}: "
                "with steps that adapt, the rate cannot be trusted.",
            )
            return [replace(r, variable=True, notes=notes) for r in group]
        tree = n >= _TREE_FROM and k is None
        if tree:
            notes = (f"{n} draft tokens per round look like a tree of guesses.",)
        elif not share:
            notes = (
                f"The printed accept rate is length ÷ {n} draft tokens, which counts the big "
                "model's own token too; (length − 1) ÷ k is used instead.",
            )
        k = None if tree else n - 1
    elif k is None:
        notes = (
            "The accept rates fit no formula of a fixed k; give k to get a keep rate."
            if not fits
            else "The accept rates leave open which formula made them; give k to get a keep rate.",
        )
    return [replace(r, k=k, tree=tree, rate_is_share=share, notes=notes) for r in group]


def formulas(pairs):
    """The (name, draft tokens) that explain every (length, rate) pair to within rounding.

    "share" is (length − 1) ÷ (draft tokens − 1), accepted ÷ drafted for a chain; "root" is length ÷
    draft tokens, which counts the root on both sides. Empty where no fixed number does.
    """
    found = []
    longest, its_rate = max(pairs, key=lambda pair: pair[0].value)
    for name, own in (("share", 1), ("root", 0)):
        # The longest line leaves few numbers open; those are tried on every line.
        top = longest.value - own
        if top <= 0:
            continue
        least = (top - longest.half) / (its_rate.value + its_rate.half)
        most = (top + longest.half) / max(its_rate.value - its_rate.half, 1e-9)
        last = min(math.floor(most + 1e-6) + own, _MOST_DRAFT_TOKENS)
        # No round is longer than all its guesses and one more.
        fewest = max(math.ceil(least - 1e-6) + own, math.ceil(longest.value - longest.half), 2)
        options = range(fewest, last + 1)
        found += [(name, n) for n in options if _explains(pairs, own, n)]
    return found


def _explains(pairs, own, n):
    return all(
        rate.agrees((length.value - own) / (n - own), slack=length.half / (n - own))
        for length, rate in pairs
    )
