"""Put records together into runs: what belongs together is added up, the rest kept apart.

Lines that reset and replies of one request are summed, totals since the start are not. Nothing is
averaged that can be counted, and records with a different k never meet.
"""

from collections import Counter
from dataclasses import replace

from specdec.measured import judge
from specdec.measured.finish import completed, finish
from specdec.measured.pool import add, subtract
from specdec.measured.records import CUMULATIVE, GAUGE, WHOLE_RUN, MeasuredError

RUNS_MAX = 200
_LINES_KEPT = 1000


def combine(records, left_out=(), asked_k=None):
    """The runs in ``records``, a list of :class:`~specdec.measured.records.Record`.

    ``left_out`` are sentences of the readers. Returns (runs, sentences about what belongs to no
    run). Raises :class:`MeasuredError` where every record is impossible.
    """
    good, refused = [], Counter()
    first_line = {}
    for record in records:
        reason = judge.impossible(record)
        if reason is None:
            good.append(record)
        else:
            key = (record.format, reason)
            refused[key] += 1
            first_line.setdefault(key, record.line)
    left_out = list(left_out)
    for (form, reason), times in refused.most_common(20):
        where = f"line {first_line[form, reason]}" + (f" and {times - 1} more" if times > 1 else "")
        left_out.append(f"{form}, {where}: {reason}.")
    if records and not good:
        raise MeasuredError(f"Nothing in the text can be used. {left_out[-min(len(refused), 20)]}")
    pooled = []
    for group in _groups(good).values():
        for record, notes in _pool(group):
            # Records that are possible one by one may not be so together.
            record = completed(record)
            reason = judge.impossible(record)
            if reason is None:
                pooled.append((record, notes))
            else:
                left_out.append(f"{record.format}, {notes['used']}: {reason}.")
    if records and not pooled:
        raise MeasuredError(f"Nothing in the text can be used. {left_out[-1]}")
    pooled, repeats = _without_repeats(pooled)
    left_out += repeats
    pooled.sort(key=lambda item: item[0].line)
    if len(pooled) > RUNS_MAX:
        left_out.append(f"{len(pooled) - RUNS_MAX} runs after the first {RUNS_MAX} are left out.")
        pooled = pooled[:RUNS_MAX]
    runs = [finish(record, asked_k=asked_k, **notes) for record, notes in pooled]
    return _named(runs, [record.source for record, _ in pooled]), left_out


def _groups(records):
    groups, latest, waiting = {}, {}, []
    for record in records:
        kind = (record.engine, record.format, record.kind, record.source, record.part)
        key = (*kind, record.k, record.tree)
        if judge.empty(record) and key not in groups:
            # What holds no draft tells no k: it belongs to the run around it.
            if kind not in latest:
                waiting.append((kind, key, record))
                continue
            key = latest[kind]
        else:
            latest[kind] = key
        groups.setdefault(key, []).append(record)
    early = {}
    for kind, key, record in waiting:
        early.setdefault(latest.get(kind, key), []).append(record)
    for key, found in early.items():
        groups[key] = found + groups.get(key, [])
    return groups


def _pool(group):
    """(record, notes) pairs of one group, by the group's kind."""
    kind = group[0].kind
    if kind == WHOLE_RUN:
        return [(record, _notes([record], _many(1, record.unit))) for record in group]
    if kind == GAUGE:
        last = group[-1]
        notes = _notes(
            [last], "1 reading" if len(group) == 1 else f"the last of {len(group)} readings"
        )
        return [(last, notes)]
    if kind == CUMULATIVE:
        return [_since_start(stretch) for stretch in _stretches(group)]
    full = [record for record in group if not judge.empty(record)]
    none = len(group) - len(full)
    used = full or group[:1]
    unit = group[0].unit
    said = _many(len(used), unit)
    if len(used) > 1:
        said += ", averaged" if used[0].drafted is None and used[0].rounds is None else ", summed"
    notes = _notes(used, said)
    if none and full:
        notes["left_out"].append(f"{_many(none, unit)} without a draft: no data.")
    return [(add(used), notes)]


def _many(number, unit):
    return f"{number} {unit}{'' if number == 1 else 's'}"


def _notes(records, used):
    return {
        "used": used,
        "records_used": len(records),
        "lines": tuple(record.line for record in records[:_LINES_KEPT]),
        "warnings": _printed_warnings(records),
        "left_out": [],
    }


def _printed_warnings(records):
    found, lines = Counter(), {}
    for record in records:
        for sentence in (*judge.contradictions(record), *record.notes):
            # Numbers differ from line to line; the kind of disagreement is what to count.
            key = sentence.split(" of ")[0].rstrip("0123456789. ") if len(records) > 1 else sentence
            found[key] += 1
            lines.setdefault(key, (record.line, sentence))
    warnings = []
    for key, times in found.most_common(20):
        line, sentence = lines[key]
        if not sentence[0].islower():
            warnings.append(sentence)
        else:
            more = f" (and {times - 1} more like it)" if times > 1 else ""
            warnings.append(f"Line {line} {sentence}{more}.")
    return warnings


def _stretches(group):
    """Totals cut where one falls: a restarted server counts from zero again."""
    stretches = [[group[0]]]
    for record in group[1:]:
        earlier = stretches[-1][-1]
        pairs = [
            (getattr(earlier, name), getattr(record, name))
            for name in ("rounds", "drafted", "accepted")
        ]
        pairs += zip(earlier.places or (), record.places or (), strict=False)
        if any(a is not None and b is not None and b < a for a, b in pairs):
            stretches.append([record])
        else:
            stretches[-1].append(record)
    return stretches


def _since_start(stretch):
    last, first = stretch[-1], stretch[0]
    if last.difference and len(stretch) > 1:
        return subtract(last, first), _notes(
            [first, last], f"the difference of the first and last of {len(stretch)} readings"
        )
    said = "1 total since the server's start"
    if len(stretch) > 1:
        said = f"the last of {len(stretch)} totals since the server's start"
    return last, _notes([last], said)


def _without_repeats(pooled):
    """One of several runs of an engine that hold the very same events told in different ways."""
    best, order = {}, []
    for index, (record, notes) in enumerate(pooled):
        same = record.drafted and record.accepted is not None
        key = (record.engine, record.drafted, record.accepted) if same else index
        order.append(key)
        best.setdefault(key, []).append((record, notes))
    kept, sentences = [], []
    for key in dict.fromkeys(order):
        candidates = best[key]
        forms = {(record.format, record.kind) for record, _ in candidates}
        if len(candidates) == 1 or len(forms) < len(candidates):
            kept += candidates
            continue
        candidates.sort(key=lambda item: -_detail(item[0]))
        kept.append(candidates[0])
        for record, _ in candidates[1:]:
            sentences.append(
                f"{record.format} (line {record.line}) tells of the same {record.drafted} guesses "
                f"as {candidates[0][0].format}; they are counted once."
            )
    return kept, sentences


def _detail(record):
    known = [record.rounds is not None and not record.rounds_estimated, record.places is not None]
    known += [record.histogram is not None, record.by_length is not None, record.k is not None]
    return sum(known)


def _named(runs, sources):
    """The runs with a name each that no other one has."""
    names = []
    for run, source in zip(runs, sources, strict=True):
        name = f"{run.engine} {run.format}" + (f", {source}" if source else "")
        if run.k is not None:
            name += f", {'up to ' if run.variable else ''}k = {run.k}"
        names.append(name)
    totals, seen, named = Counter(names), Counter(), []
    for run, name in zip(runs, names, strict=True):
        seen[name] += 1
        more = f" (run {seen[name]})" if totals[name] > 1 else ""
        named.append(replace(run, name=name + more))
    return named
