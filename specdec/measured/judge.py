"""Check a record: is it possible, and do its printed numbers agree with its counts?"""

import math
from itertools import pairwise

from specdec.measured.records import GAUGE

K_MAX = 1000


def empty(record):
    """Whether the record says that nothing was drafted: no data, which is not 0%."""
    if record.drafted is not None:
        return record.drafted == 0 and not record.accepted
    if record.rounds is not None:
        return record.rounds == 0
    if record.length is None and record.rate is None:
        return not any(_histograms(record))
    return False


def impossible(record):
    """What cannot be about this record, as the end of a sentence; ``None`` where all can be."""
    counts = [record.rounds, record.drafted, record.accepted, record.output_tokens]
    for histogram in _histograms(record):
        counts += histogram
    counts += [*(record.places or ()), *(record.reached or ())]
    if any(value is not None and value < 0 for value in counts):
        return "a count is negative, not a number, or not whole"
    values = [record.length, record.rate, *(record.rates or ())]
    if any(value is not None and not math.isfinite(value.value) for value in values):
        return "a printed rate or length is not a number"
    if record.k is not None and not 1 <= record.k <= K_MAX:
        return f"k = {record.k} is not from 1 to {K_MAX}"
    for shorter, longer in (("accepted", "drafted"), ("accepted", "output_tokens")):
        less, more = getattr(record, shorter), getattr(record, longer)
        if less is not None and more is not None and less > more:
            what = "guesses drafted" if longer == "drafted" else "tokens written"
            return f"{less} guesses kept are more than the {more} {what}"
    return _impossible_shape(record)


def _impossible_shape(record):
    if record.drafted == 0 and record.accepted:
        return "guesses were kept but none drafted"
    exact = record.rounds is not None and not record.rounds_estimated
    if exact and record.drafted and record.rounds > record.drafted:
        return f"{record.rounds} rounds with a draft need more than {record.drafted} guesses"
    if record.rounds == 0 and (record.drafted or record.accepted):
        return "there are guesses but no rounds"
    if record.length is not None and record.length.value < 1 - record.length.half - 1e-9:
        return f"{record.length.value:g} tokens per big pass are fewer than its own one"
    if any(not -1e-9 <= rate.value <= 1 + 1e-9 for rate in record.rates or ()):
        return "a share of kept guesses is not from 0 to 1"
    if record.rate_is_share and record.rate and not -1e-9 <= record.rate.value <= 1 + 1e-9:
        return f"an acceptance rate of {record.rate.value:g} is not from 0 to 1"
    if record.rounds is not None and record.places and max(record.places) > record.rounds:
        return f"a place was kept in {max(record.places)} of {record.rounds} rounds"
    for kept, reached in zip(record.places or (), record.reached or (), strict=False):
        if kept > reached:
            return f"a place was kept in {kept} rounds but reached in {reached}"
    for length, histogram in (record.by_length or {}).items():
        if any(histogram[length + 1 :]):
            return f"a round kept more than its {length} guesses"
    if record.length is None and record.kind == GAUGE and record.rate is None:
        return "it holds no length and no rate"
    return None


def contradictions(record):
    """Sentences: where printed numbers differ from the record's own counts beyond rounding."""
    found = []
    a, d, n = record.accepted, record.drafted, record.rounds
    if record.rate and record.rate_is_share and d and a is not None:
        exact = a / d
        if not record.rate.agrees(exact):
            found.append(
                f"prints an acceptance rate of {record.rate.value:.4g}, "
                f"but {a} of {d} guesses are {exact:.4g}"
            )
    if record.length and n and a is not None and not record.rounds_estimated:
        exact = 1 + a / n
        if not record.length.agrees(exact):
            found.append(
                f"prints {record.length.value:.4g} tokens per big pass, "
                f"but {a} kept guesses in {n} rounds are {exact:.4g}"
            )
    for histogram in [record.histogram] if record.histogram else []:
        if n is not None and sum(histogram) != n:
            found.append(f"has a histogram of {sum(histogram)} rounds beside a count of {n}")
        kept = sum(j * rounds for j, rounds in enumerate(histogram))
        if a is not None and kept != a:
            found.append(f"has a histogram of {kept} kept guesses beside a count of {a}")
    return found + _place_contradictions(record)


def _place_contradictions(record):
    found = []
    shares = [rate.value for rate in record.rates or ()]
    if record.places:
        shares = list(record.places)
    if any(later > earlier + 1e-9 for earlier, later in pairwise(shares)):
        found.append("has shares by place that rise, as shares of all rounds cannot")
    if record.places and record.rates and record.rounds:
        for place, (kept, rate) in enumerate(
            zip(record.places, record.rates, strict=False), start=1
        ):
            if not rate.agrees(kept / record.rounds, slack=0.5 / record.rounds):
                found.append(f"prints {rate.value:.4g} at place {place}, not its counts' share")
    exact = record.places and record.rates is None and len(record.places) == record.k
    if exact and record.accepted is not None and sum(record.places) != record.accepted:
        found.append(
            f"has {sum(record.places)} kept guesses by place beside a count of {record.accepted}"
        )
    if record.by_length and record.drafted is not None:
        drafted = sum(length * sum(h) for length, h in record.by_length.items())
        if drafted != record.drafted:
            found.append(
                f"has {drafted} guesses by draft length beside a count of {record.drafted}"
            )
    return found


def _histograms(record):
    whole = [] if record.histogram is None else [list(record.histogram)]
    return whole + [list(h) for h in (record.by_length or {}).values()]
