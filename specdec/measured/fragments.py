"""Find JSON objects by their keys, in any text: logs around them, single quotes, a cut-off end.

A parser of whole documents fails at the first missing brace. Here the text is walked once; each
open brace is remembered, and the keys that some engine prints are collected on the way.
"""

import re
from dataclasses import dataclass

from specdec.measured.records import RECORDS_MAX

# Values that may hold a list or a small object; every other key takes a number or a word.
LIST_KEYS = tuple(
    """acceptance_histogram acceptance_histogram_by_draft_length spec_accept_histogram
    spec_correct_drafts_histogram per_step_accepted per_step_drafted accept_count draft_count
    pooled_spec_decode_acceptance_histogram
    spec_decode_per_position_acceptance_rates""".split()  # noqa: SIM905
)
PLAIN_KEYS = tuple(
    """mean_acceptance_length draft_acceptance_rate num_spec_steps
    num_accepted_draft_tokens num_draft_tokens num_spec_tokens
    spec_verify_ct spec_accept_rate spec_accept_length spec_accept_token_num spec_draft_token_num
    spec_num_correct_drafts spec_num_proposed_drafts completion_tokens avg_spec_accept_length
    draft_n draft_n_accepted predicted_n prompt_ms draft_rounds
    numDraftTokens numAcceptedTokens numRequestsWithDraftTokens acceptanceLength attentionDpRank
    acceptance_rate total_accepted_draft_tokens total_draft_tokens avg_decoded_tokens_per_iter
    total_draft_tokens_count accepted_draft_tokens_count rejected_draft_tokens_count
    ignored_draft_tokens_count predicted_tokens_count totalDraftTokensCount
    acceptedDraftTokensCount rejectedDraftTokensCount ignoredDraftTokensCount
    predictedTokensCount spec_decode_acceptance_rate spec_decode_acceptance_length
    spec_decode_num_drafts spec_decode_draft_tokens spec_decode_accepted_tokens
    accepted_prediction_tokens rejected_prediction_tokens
    total_spec_decode_steps""".split()  # noqa: SIM905
)

# An object is worth reading only if one of these stands somewhere in the text.
_TELLING = (
    "num_spec_steps",
    "num_draft_tokens",
    "num_accepted_draft_tokens",
    "acceptance_histogram",
    "spec_verify_ct",
    "avg_spec_accept",
    "draft_n",
    "draft_count",
    "draft_rounds",
    "numDraftTokens",
    "total_draft_tokens",
    "total_accepted_draft_tokens",
    "accepted_draft_tokens_count",
    "totalDraftTokens",
    "acceptedDraftTokens",
    "spec_decode_num_drafts",
    "rejected_prediction_tokens",
    "avg_decoded_tokens_per_iter",
)
_TOKENS_MAX = 600_000
# Text values go first: a reply with braces in it must not open or close an object.
_TEXT_VALUE = re.compile(
    r"([:,\[]\s{0,20})(\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+')(?=\s{0,20}[,\]}])"
)
_RISKY = re.compile(r"[{}\"'\\]")
_NUMBER = r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|-?(?:NaN|nan|Infinity|inf)\b"
_TOKEN = re.compile(
    r"(?P<brace>[{}])"
    r"|(?P<quote>[\"'])(?:"
    r"(?P<label>engine|id|draft_kind)(?P=quote)\s*:\s*[\"'](?P<word>[^\"'\n]{0,200})[\"']"
    rf"|(?P<key>{'|'.join(PLAIN_KEYS)})(?P=quote)\s*:\s*(?P<value>{_NUMBER}|null\b|None\b)"
    rf"|(?P<list>{'|'.join(LIST_KEYS)})(?P=quote)\s*:\s*"
    r"(?P<items>\[[^\[\]{}]*\]|\{[^{}]*\}|[^\s])"
    r"|(?P<name>[A-Za-z_]\w{0,60})(?P=quote)\s*:\s*\{)"
)
_PAIR = re.compile(rf"[\"']?(\d{{1,9}})[\"']?\s*:\s*({_NUMBER}|\[[^\]]*\])")
_ITEM = re.compile(_NUMBER)


@dataclass(frozen=True)
class Fragment:
    """The known keys of one object, its ``path`` (names of the objects around it) and ``line``.

    ``closed`` is false where the text ends before the object does; ``outer`` are the
    known keys of the objects around it, the nearest first.
    """

    values: dict
    path: tuple
    line: int
    closed: bool
    outer: tuple = ()
    order: int = 0

    def get(self, key):
        return self.values.get(key)

    def above(self, key):
        """The value of ``key`` in the nearest object around this one that has it."""
        return next((around[key] for around in self.outer if key in around), None)

    def has(self, *keys):
        return all(self.values.get(key) is not None for key in keys)


def find_fragments(text, line_at):
    """(objects in ``text`` with a known key, in the order of their opening braces; whether all
    were looked at)."""
    if not any(key in text for key in _TELLING):
        return [], True
    masked = _TEXT_VALUE.sub(_mask, text)
    found, stack = [], []

    def opened(name, offset):
        stack.append((name, {}, offset))

    def closed(whole):
        name, values, offset = stack.pop()
        if values:
            path = (*(outer[0] for outer in stack[-8:]), name)
            outer = tuple(around for _, around, _ in reversed(stack[-4:]))
            line = line_at(offset)
            found.append(Fragment(values, path, line, whole, outer, offset))

    complete = True
    for number, match in enumerate(_TOKEN.finditer(masked)):
        if len(found) >= RECORDS_MAX or number >= _TOKENS_MAX:
            complete = False
            break
        if match["brace"] == "{":
            opened("", match.start())
        elif match["brace"]:
            if stack:
                closed(True)
        elif match["name"]:
            opened(match["name"], match.start())
        else:
            key = match["key"] or match["list"] or match["label"]
            if not stack or key in stack[-1][1]:
                # Two objects run together, or a text that begins inside one: start another.
                if stack:
                    closed(False)
                opened("", match.start())
            stack[-1][1][key] = _value(match)
    while stack:
        closed(False)
    return sorted(found, key=lambda fragment: fragment.order), complete


def _mask(match):
    # Same length, so that offsets stay good. Plain short words stay: some are an engine's name.
    inside = match[2][1:-1]
    if len(inside) <= 200 and not _RISKY.search(inside):
        return match[0]
    return f'{match[1]}"{" " * len(inside)}"'


def _value(match):
    if match["label"]:
        return match["word"]
    return _scalar(match["value"]) if match["key"] else _items(match["items"])


def _scalar(raw):
    if raw in ("null", "None"):
        return None
    value = float(raw.replace("Infinity", "inf"))
    return int(value) if value == value and abs(value) < 1e15 and value == int(value) else value


def _items(raw):
    """A list as a tuple of numbers, an object as a dict of them; ``None`` where it is cut off."""
    if raw.startswith("["):
        return tuple(_scalar(item) for item in _ITEM.findall(raw))
    if raw.startswith("{"):
        return {
            int(key): _items(value) if value.startswith("[") else _scalar(value)
            for key, value in _PAIR.findall(raw)
        }
    return None
