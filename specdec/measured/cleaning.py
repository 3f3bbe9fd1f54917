"""Clean a pasted log of colour codes, prefixes and odd line ends, and find places in it.

Everything works on the whole text at once, so that a million-line log costs no more a megabyte
than a short one.
"""

import re
from bisect import bisect_right
from functools import cached_property
from itertools import accumulate

from specdec.measured.fragments import find_fragments
from specdec.measured.records import RECORDS_MAX, MeasuredError

BYTES_MAX = 5 * 1024 * 1024
_WINDOW = 2000  # no record of any engine is longer than this, spaces left out

# The escape as a byte, as a caret, and eaten by a copy: the three forms a paste comes in.
_ANSI = re.compile(r"(?:\x1b|\^\[)\[[0-9;?]{0,20}[A-Za-z]|\x1b\][^\x07\x1b\n]{0,200}\x07?")
_EATEN = re.compile(r"\[\d{1,3}(?:;\d{1,3}){0,4}m")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\ufffd]")
_PREFIX = re.compile(
    r"^[^\S\n]{0,40}(?:"
    r"[A-Za-z][\w.-]{0,60} {0,40}\| ?"  # docker compose: "server-1  | "
    r"|\[pod/[^\]\n]{1,200}\] ?"  # kubectl logs --prefix
    r"|\[\d{4,5}\] "  # llama.cpp's router: the port
    r"|\d{4}-\d\d-\d\dT[\d:.]{8,20}(?:Z|[+-]\d\d:\d\d) (?:std(?:out|err) [FP] )?"  # docker logs -t
    r"|[+>](?: |(?=[^\d+>\s]))|-(?: |(?=[A-Za-z(\[{\"']))"  # diffs and quotes
    r")+",
    re.M,
)


def decode(data):
    """The text in ``data`` (bytes of a file): UTF-8, or UTF-16 where its mark says so.

    Raises :class:`MeasuredError` for binary data and for more than 5 MB.
    """
    if len(data) > BYTES_MAX:
        raise MeasuredError(_too_large(len(data)))
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        text = data.decode("utf-16", errors="replace")
    else:
        text = data.decode("utf-8-sig", errors="replace")
    check_text(text)
    return text


def check_text(text):
    """Raise :class:`MeasuredError` unless ``text`` is text of at most 5 MB."""
    if not isinstance(text, str):
        raise MeasuredError(f"The reader takes text, not {type(text).__name__}.")
    if len(text) > BYTES_MAX:
        raise MeasuredError(_too_large(len(text)))
    if text.count("\0") or len(_CONTROL.findall(text[:100_000])) > max(
        4, len(text[:100_000]) // 50
    ):
        raise MeasuredError("This is a binary file; the reader takes text, JSON or CSV.")
    if not text.strip():
        raise MeasuredError("There is nothing to read: the text is empty.")


def _too_large(size):
    return f"The text has {size / 2**20:.1f} MB; the reader takes at most 5 MB, so cut out a part."


def clean(text):
    """``text`` with line ends as ``\\n`` and without byte-order mark, colours and prefixes."""
    text = text.replace("\ufeff", "").replace("\r\n", "\n").replace("\r", "\n")
    if "\x1b" in text or "^[" in text:
        text = _ANSI.sub("", text)
    return _PREFIX.sub("", _EATEN.sub("", text))


class Document:
    """A cleaned text, ready to be searched.

    ``text`` and ``lines`` keep the spaces. :meth:`records` finds the log lines behind a marker
    with every space left out, so that a line wrapped anywhere, inside a word or a number too, is
    whole again. ``fragments`` are the JSON objects (or Python dicts) with a known key.
    ``asked_k`` is the k that the user gives for texts that do not print it.
    """

    def __init__(self, text, asked_k=None):
        self.text = clean(text)
        self.asked_k = asked_k
        self.left_out = []

    @cached_property
    def lines(self):
        return self.text.split("\n")

    @cached_property
    def fragments(self):
        found, complete = find_fragments(self.text, self.line_at)
        if not complete:
            self.left_out.append("JSON objects after the first 50,000 are left out.")
        return found

    @cached_property
    def _by_key(self):
        found = {}
        for fragment in self.fragments:
            for key, value in fragment.values.items():
                if value is not None:
                    found.setdefault(key, []).append(fragment)
        return found

    def fragments_with(self, *keys):
        """The fragments that hold any of ``keys``, in the order of the text."""
        lists = [self._by_key[key] for key in keys if key in self._by_key]
        if len(lists) == 1:
            return lists[0]
        unique = {id(fragment): fragment for found in lists for fragment in found}
        return sorted(unique.values(), key=lambda fragment: fragment.order)

    @cached_property
    def _squeezed(self):
        bare = self.text.replace(" ", "").replace("\t", "").replace("\u00a0", "")
        lines = bare.split("\n")
        return lines, "".join(lines), [0, *accumulate(map(len, lines))]

    @cached_property
    def _line_starts(self):
        return [0, *accumulate(len(line) + 1 for line in self.lines)]

    def matches(self, pattern, *literals):
        """Matches of ``pattern`` in ``text``, which is searched only if a literal stands in it."""
        return pattern.finditer(self.text) if any(x in self.text for x in literals) else iter(())

    def line_at(self, offset):
        """The line number (from 1) of an offset in ``text``."""
        return bisect_right(self._line_starts, offset)

    def squeezed_line(self, number):
        """Line ``number`` (from 1) without its spaces; empty outside the text."""
        lines = self._squeezed[0]
        return lines[number - 1] if 1 <= number <= len(lines) else ""

    def records(self, marker):
        """Yield (line number, text to the line's end, text to the next record) per ``marker``.

        ``marker`` is a literal without spaces. Both texts start behind it and have no spaces; the
        second runs over line ends, at most 2,000 characters, and is there for wrapped lines.
        """
        _, joined, starts = self._squeezed
        at, hits = joined.find(marker), 0
        while at >= 0:
            hits += 1
            if hits > RECORDS_MAX:
                self.left_out.append(f"Log lines after the first {RECORDS_MAX:,} are left out.")
                return
            begin = at + len(marker)
            after = joined.find(marker, begin)
            end = min(begin + _WINDOW, after if after >= 0 else len(joined))
            row = bisect_right(starts, begin - 1) - 1
            yield (
                bisect_right(starts, at),
                joined[begin : min(starts[row + 1], end)],
                joined[begin:end],
            )
            at = after
