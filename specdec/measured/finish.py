"""From one pooled record to a :class:`MeasuredRun`: counts, shares by place, the keep rate."""

from dataclasses import replace

from specdec.measured import estimate, judge
from specdec.measured.records import MeasuredRun

# Up to this share of missing guesses, drafts count as full length with a few last ones cut short.
_SHORT_SHARE = 0.02


def finish(record, *, used, records_used=1, lines=(), warnings=(), left_out=(), asked_k=None):
    """The run that ``record`` (all of the run, added up) stands for; see :class:`MeasuredRun`."""
    warnings = list(warnings)
    common = {
        "engine": record.engine,
        "format": record.format,
        "name": f"{record.engine} {record.format}",
        "used": used,
        "records_used": records_used,
        "lines": tuple(lines),
        "left_out": tuple(left_out),
        "tree": record.tree,
    }
    k = record.k if record.k is not None else asked_k
    if asked_k is not None and record.k not in (None, asked_k):
        warnings.append(f"The text says k = {record.k}, so the {asked_k} asked for is not used.")
    if judge.empty(record):
        warnings.append("Nothing was drafted, so there is no data: that is not a rate of 0%.")
        return MeasuredRun(
            k=k,
            rounds=record.rounds,
            drafted=0,
            accepted=0,
            warnings=tuple(warnings),
            **common,
        )
    rounds, drafted, accepted = record.rounds, record.drafted, record.accepted
    k, variable, short = _shape(record, k, rounds, drafted, warnings)
    if rounds is None and k and not variable and drafted and drafted % k == 0:
        rounds = drafted // k if drafted // k >= max(record.places or (0,)) else None
    rate = accepted / drafted if drafted and accepted is not None else None
    length = _length(record, rounds, accepted, rate, k, variable)
    too_long = length is not None and k is not None and length > k + 1 + 0.01
    if rate is None and length is not None and k and not (variable or record.tree or too_long):
        rate = (length - 1) / k
    if rate is None and record.rate and record.rate_is_share:
        rate = record.rate.value
    per_position, conditional = _places(record, rounds)
    if too_long:
        warnings.append(
            f"{length:.2f} tokens per big pass are more than k + 1 = {k + 1} allows, "
            "so no keep rate is worked out."
        )
    found = None
    if not (record.tree or too_long):
        found = _keep_rate(record, k, rounds, accepted, rate, length, variable, short, per_position)
    warnings += _remarks(record, k, length, variable, found, too_long, per_position)
    return MeasuredRun(
        k=k,
        rounds=rounds,
        drafted=drafted,
        accepted=accepted,
        acceptance_rate=rate,
        printed_acceptance_rate=record.rate.value if record.rate else None,
        tokens_per_pass=length,
        per_position=per_position,
        conditional_per_position=conditional,
        keep_rate=found and found.value,
        keep_rate_interval=found and found.interval,
        keep_rate_method=found and found.method,
        kept_guesses=found and found.kept,
        judged_guesses=found and found.judged,
        rounds_estimated=record.rounds_estimated,
        variable=variable,
        by_length=record.by_length,
        warnings=tuple(dict.fromkeys(warnings)),
        **common,
    )


def completed(record):
    """The record with its missing counts, as far as its histograms hold them."""
    rounds, drafted, accepted = record.rounds, record.drafted, record.accepted
    histogram = record.histogram
    if record.by_length:
        sizes = {length: sum(h) for length, h in record.by_length.items()}
        if drafted is None:
            drafted = sum(length * size for length, size in sizes.items())
        if histogram is None:
            width = max(len(h) for h in record.by_length.values())
            histogram = [
                sum(h[j] for h in record.by_length.values() if j < len(h)) for j in range(width)
            ]
    if histogram:
        rounds = sum(histogram) if rounds is None else rounds
        if accepted is None:
            accepted = sum(j * size for j, size in enumerate(histogram))
    return replace(record, rounds=rounds, drafted=drafted, accepted=accepted)


def _shape(record, k, rounds, drafted, warnings):
    """(k, whether drafts vary in length, how many may be shorter than k)."""
    lengths = [length for length, h in (record.by_length or {}).items() if any(h)]
    if len(lengths) == 1 and k is None:
        k = lengths[0]
    if record.variable or len(lengths) > 1:
        return k if k is not None else max(lengths, default=None), True, 0
    if record.tree or not rounds or not drafted or record.rounds_estimated:
        return k, False, 0
    if k is None:
        if drafted % rounds:
            return None, True, 0
        warnings.append(
            f"No k is printed; {drafted} guesses in {rounds} rounds are {drafted // rounds} each."
        )
        return drafted // rounds, False, 0
    missing = k * rounds - drafted
    if missing < 0:
        warnings.append(
            f"{drafted} guesses in {rounds} rounds are more than k = {k} each, "
            "so no keep rate is worked out."
        )
        return k, True, 0
    if missing > _SHORT_SHARE * k * rounds:
        return k, True, 0
    if missing:
        warnings.append(
            f"{missing} of {k * rounds} places had no guess (drafts cut short); "
            "the interval holds them."
        )
    return k, False, missing


def _length(record, rounds, accepted, rate, k, variable):
    if rounds and accepted is not None:
        return 1 + accepted / rounds
    if record.length is not None:
        return record.length.value
    if rate is not None and k and not (variable or record.tree):
        return 1 + k * rate
    return None


def _places(record, rounds):
    """(p, q): shares of all rounds by place, and of those that reached the place."""
    if record.by_length and any(map(any, record.by_length.values())):
        q, _ = estimate.conditional_by_length(record.by_length)
        total = sum(sum(h) for h in record.by_length.values())
        width = max(record.by_length, default=0)
        kept = [sum(sum(h[i:]) for h in record.by_length.values()) for i in range(1, width + 1)]
        return tuple(n / total for n in kept), q
    p = None
    if record.places and record.reached:
        p = [n / of if of else 0.0 for n, of in zip(record.places, record.reached, strict=False)]
    elif record.places and rounds:
        p = [n / rounds for n in record.places]
    elif record.histogram and any(record.histogram):
        total = sum(record.histogram)
        width = max(len(record.histogram), (record.k or 0) + 1)
        p = [sum(record.histogram[i:]) / total for i in range(1, width)]
    elif record.rates:
        p = [rate.value for rate in record.rates]
    if p is None:
        return None, None
    # The share at a place that no round reached is unknown, not 0.
    q = estimate.conditional(p)
    return tuple(p), tuple(None if x is None else min(x, 1.0) if x < 1.005 else x for x in q)


def _keep_rate(record, k, rounds, accepted, rate, length, variable, short, per_position):
    if record.by_length:
        return estimate.keep_rate_by_length(record.by_length)
    if record.reached and record.places:
        return estimate.keep_rate_by_place(record.places, record.reached)
    if variable or k is None:
        return None
    if rounds and accepted is not None and not record.rounds_estimated:
        full = _full(record, k, rounds, accepted, per_position)
        if full is not None and full >= 0 and accepted + rounds - full > 0:
            return estimate.keep_rate_from_counts(accepted, rounds, full, short)
    if not rounds and length is not None and per_position and len(per_position) == k:
        return estimate.keep_rate_from_shares(per_position, length)
    if length is not None and (record.length or rounds):
        counted = rounds if not record.rounds_estimated else None
        return estimate.keep_rate_from_length(length, k, counted)
    if rate is not None:
        return estimate.keep_rate_from_acceptance(rate, k)
    return None


def _full(record, k, rounds, accepted, per_position):
    """Rounds that kept all k, where the text tells."""
    if accepted == 0:
        return 0
    if accepted == k * rounds:
        return rounds
    if record.places and len(record.places) == k:
        return record.places[-1]
    if record.histogram and sum(record.histogram) == rounds:
        return sum(record.histogram[k:])
    if record.rates and len(record.rates) == k:
        return round(per_position[-1] * rounds)
    return accepted if k == 1 else None


def _remarks(record, k, length, variable, found, too_long, per_position):
    if record.tree:
        yield (
            "The guesses form a tree, so the rate is one per node of it: "
            "no keep rate and no best k follow from it."
        )
    elif variable and (record.by_length or record.reached):
        yield (
            "Drafts vary in length: the keep rate is counted by length, but the formula for "
            "tokens per big pass needs one k."
        )
    elif variable:
        yield (
            "Drafts vary in length, so k is a maximum and the formula does not apply: "
            "no keep rate is given"
            + (", and shares by place are lower bounds after the first." if per_position else ".")
        )
    elif found is None and not too_long:
        if k is None:
            yield "The text does not say k, the guesses per round; give it to get a keep rate."
        elif length is None:
            yield "The text says neither how long rounds were nor how many there were."
    if record.rounds_estimated:
        yield (
            "Big passes are not printed; they are estimated as tokens written − guesses kept, "
            "which counts passes without a draft too."
        )
