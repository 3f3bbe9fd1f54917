"""Sums and differences of records: counts are added, rates are weighed by what they count."""

from dataclasses import replace

from specdec.measured import judge
from specdec.measured.records import Printed


def _total(values):
    values = list(values)
    return None if any(value is None for value in values) else sum(values)


def _columns(rows):
    """Sums place by place of tuples of any length; ``None`` if one is missing."""
    rows = list(rows)
    if any(row is None for row in rows):
        return None
    totals = [0] * max(map(len, rows))
    for row in rows:
        for place, value in enumerate(row):
            totals[place] += value
    return tuple(totals)


def add(records):
    """One record with the sums of ``records``; rates are weighed, by rounds where known."""
    if len(records) == 1:
        return records[0]
    by_length = None
    if all(record.by_length is not None for record in records):
        lengths = sorted({length for record in records for length in record.by_length})
        by_length = {
            length: _columns(record.by_length.get(length, ()) for record in records)
            for length in lengths
        }
    by_rounds = [record.rounds or record.weight for record in records]
    by_drafted = [record.drafted or record.weight for record in records]
    rates = None
    if all(record.rates is not None for record in records):
        width = max(len(record.rates) for record in records)
        if all(len(record.rates) == width for record in records):
            rates = tuple(
                _weighed([record.rates[i] for record in records], by_rounds) for i in range(width)
            )
    return replace(
        records[0],
        rounds=_total(record.rounds for record in records),
        drafted=_total(record.drafted for record in records),
        accepted=_total(record.accepted for record in records),
        output_tokens=_total(record.output_tokens for record in records),
        places=_columns(record.places for record in records),
        reached=_columns(record.reached for record in records),
        histogram=_columns(record.histogram for record in records),
        by_length=by_length,
        length=_weighed([record.length for record in records], by_rounds),
        rate=_weighed([record.rate for record in records], by_drafted),
        rates=rates,
        rounds_estimated=any(record.rounds_estimated for record in records),
        variable=any(record.variable for record in records),
        weight=sum(record.weight for record in records),
        notes=(),
    )


def _weighed(values, weights):
    if any(value is None for value in values):
        return None
    total = sum(weights)
    if total <= 0:
        return values[-1]
    mean = sum(value.value * weight for value, weight in zip(values, weights, strict=True)) / total
    return Printed(mean, max(value.half for value in values))


def subtract(last, first):
    """The record of what happened between two totals since the start."""

    def less(name):
        after, before = getattr(last, name), getattr(first, name)
        return None if after is None or before is None else after - before

    places = last.places if judge.empty(first) else None
    if last.places is not None and first.places is not None:
        padded = first.places + (0,) * (len(last.places) - len(first.places))
        places = tuple(a - b for a, b in zip(last.places, padded, strict=False))
    return replace(
        last,
        rounds=less("rounds"),
        drafted=less("drafted"),
        accepted=less("accepted"),
        output_tokens=less("output_tokens"),
        places=places,
        length=None,
        rate=None,
        rates=None,
        notes=(),
    )
