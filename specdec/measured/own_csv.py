"""The project's own CSV: one row per round, with the columns round, drafted, kept.

It is read and written: what the dashboard and the library export, they read again. A fourth column
``run`` may hold a name; rounds with different names are different runs.
"""

import csv
import io

from specdec.measured.records import WHOLE_RUN, MeasuredError, Record, count

ENGINE = "CSV"
FORMAT = "of rounds"
COLUMNS = ("round", "drafted", "kept")
_SEPARATORS = (",", ";", "\t")


def read(document):
    """(records, sentences about what is left out): one record for each run in each table."""
    if "drafted" not in document.text.lower() or "kept" not in document.text.lower():
        return [], []
    records, left_out = [], []
    lines = document.lines
    number = 0
    while number < len(lines):
        header = _header(lines[number])
        number += 1
        if header is None:
            continue
        start = number
        runs, refused, number = _rows(lines, start, *header)
        for name, lengths in runs.items():
            records.append(_record(name, lengths, start, document.asked_k))
        for reason, (line, times) in refused.items():
            more = f" and {times - 1} more" if times > 1 else ""
            left_out.append(f"{ENGINE} {FORMAT}, line {line}{more}: {reason}.")
    return records, left_out


def _header(line):
    """(separator, indices of drafted and kept, index of run or ``None``) of a header line."""
    lowered = line.lower()
    if "drafted" not in lowered or "kept" not in lowered or len(line) > 2000:
        return None
    for separator in _SEPARATORS:
        names = [name.strip().strip("\"'") for name in lowered.split(separator)]
        if set(COLUMNS[1:]) <= set(names):
            run = names.index("run") if "run" in names else None
            return separator, names.index("drafted"), names.index("kept"), run
    return None


def _rows(lines, number, separator, drafted_at, kept_at, run_at):
    """({run: {drafted: {kept: rounds}}}, {reason: (line, times)}, index after the table)."""
    counts, first = {}, {}
    width = max(drafted_at, kept_at, run_at or 0) + 1
    while number < len(lines):
        line = lines[number]
        cells = line.split(separator)
        if len(cells) < width:
            if line.strip():
                break  # another engine's text
        elif _header(line) if "drafted" in line else False:
            break  # another table
        else:
            key = (cells[drafted_at], cells[kept_at], cells[run_at] if run_at is not None else "")
            if key in counts:
                counts[key] += 1
            else:
                counts[key], first[key] = 1, number + 1
        number += 1
    runs, refused = {}, {}
    for key, times in counts.items():
        drafted, kept = _cell(key[0]), _cell(key[1])
        reason = _wrong(drafted, kept)
        if reason:
            line, before = refused.get(reason, (first[key], 0))
            refused[reason] = (line, before + times)
            continue
        lengths = runs.setdefault(key[2].strip().strip("\"'"), {}).setdefault(drafted, {})
        lengths[kept] = lengths.get(kept, 0) + times
    return runs, refused, number


def _cell(text):
    return count(text.strip().strip("\"'") or None)


def _wrong(drafted, kept):
    if drafted is None or kept is None:
        return "a cell is empty"
    if drafted < 0 or kept < 0:
        return "a count is negative, not a number, or not whole"
    if kept > drafted:
        return "more guesses kept than drafted"
    if drafted > 1000:
        return "more than 1000 guesses in a round"
    return None


def _record(name, lengths, line, asked_k):
    by_length = {
        drafted: tuple(kept.get(j, 0) for j in range(drafted + 1))
        for drafted, kept in sorted(lengths.items())
        if drafted
    }
    idle = sum(lengths.get(0, {}).values())
    notes = (f"{idle} rounds had no guess; they are not in the numbers.",) if idle else ()
    rounds = sum(sum(h) for h in by_length.values())
    return Record(
        ENGINE,
        FORMAT,
        WHOLE_RUN,
        line,
        unit="table",
        source=name,
        k=max(by_length, default=asked_k),
        rounds=rounds,
        drafted=sum(length * sum(h) for length, h in by_length.items()),
        accepted=sum(j * n for h in by_length.values() for j, n in enumerate(h)),
        by_length=by_length or None,
        variable=len(by_length) > 1,
        notes=notes,
    )


def write_csv(rounds):
    """The CSV of ``rounds``, pairs (drafted, kept) in order, as text with ``\\n`` line ends.

    Raises :class:`MeasuredError` for a pair that is no two whole numbers with kept ≤ drafted.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for number, pair in enumerate(rounds, start=1):
        try:
            drafted, kept = (int(value) for value in pair)
        except (TypeError, ValueError):
            drafted, kept = 0, -1
        if not 0 <= kept <= drafted <= 1000:
            raise MeasuredError(
                f"Round {number} must be two whole numbers, 0 ≤ kept ≤ drafted ≤ 1000."
            )
        writer.writerow((number, drafted, kept))
    return out.getvalue()


def run_rounds(run):
    """The rounds of a run as pairs (drafted, kept), for :func:`write_csv`.

    They are sorted, as counts do not tell the order: the same numbers come out when they are read
    again. ``None`` where the run holds no counts by place.
    """
    by_length = run.by_length
    if not by_length:
        exact = run.rounds and run.k and not (run.variable or run.tree or run.rounds_estimated)
        full = exact and run.per_position and len(run.per_position) == run.k
        if not full or run.drafted != run.k * run.rounds:
            return None
        reached = [run.rounds, *(round(p * run.rounds) for p in run.per_position), 0]
        by_length = {run.k: [reached[j] - reached[j + 1] for j in range(run.k + 1)]}
        if any(n < 0 for n in by_length[run.k]):
            return None
    return [
        (length, j)
        for length, histogram in sorted(by_length.items())
        for j, rounds in enumerate(histogram)
        for _ in range(rounds)
    ]
