"""vLLM's JSON for one request, with either shape of the histogram, and per-step lists.

Source: vLLM's page on per-request acceptance metrics. AIPerf keeps the same field names.
"""

from specdec.measured.records import PER_REQUEST, Record, as_printed, count
from specdec.measured.vllm import ENGINE

REQUEST = "per-request JSON"


def read(document):
    """(records, sentences about what is left out)."""
    return list(_requests(document)), []


def dense(histogram, k):
    """A histogram as a tuple, from a list or from a sparse ``{kept: rounds}``; or ``None``."""
    if histogram is None:
        return None
    if isinstance(histogram, dict):
        if not histogram or max(histogram) > 1000:
            return None
        histogram = [histogram.get(j, 0) for j in range(max(histogram) + 1)]
    whole = [count(value) for value in histogram]
    if any(value is None for value in whole):
        return None
    return tuple(whole) + (0,) * ((k or 0) + 1 - len(whole) if k and k <= 1000 else 0)


def lengths(by_length):
    """``{guesses: histogram}`` with whole counts, each as long as its guesses need; or ``None``."""
    if not isinstance(by_length, dict) or not by_length:
        return None
    if max(by_length) > 1000 or not all(isinstance(h, tuple) for h in by_length.values()):
        return None
    return {length: dense(h, length) for length, h in by_length.items() if length}


def steps_by_length(drafted, accepted):
    """``{guesses: histogram}`` from two lists with a number for each round; or ``None``."""
    if not drafted or not accepted or len(drafted) != len(accepted):
        return None
    found = {}
    for length, kept in zip(map(count, drafted), map(count, accepted), strict=True):
        if length is None or kept is None or not 0 <= kept <= length <= 1000:
            return None
        if length:
            found.setdefault(length, [0] * (length + 1))[kept] += 1
    return {length: tuple(h) for length, h in found.items()}


def request_record(engine, form, fragment, kind=PER_REQUEST, unit="request"):
    """The record of one object with vLLM's field names."""
    get = fragment.get
    k = count(get("num_spec_tokens"))
    by_length = lengths(get("acceptance_histogram_by_draft_length"))
    if by_length is None:
        by_length = steps_by_length(get("per_step_drafted"), get("per_step_accepted"))
    notes = () if fragment.closed else ("is cut off; what is left of it is used",)
    return Record(
        engine,
        form,
        kind,
        fragment.line,
        unit=unit,
        k=k,
        rounds=count(get("num_spec_steps")),
        drafted=count(get("num_draft_tokens")),
        accepted=count(get("num_accepted_draft_tokens")),
        histogram=dense(get("acceptance_histogram"), k),
        by_length=by_length,
        length=as_printed(get("mean_acceptance_length"), half=5e-3),
        rate=as_printed(get("draft_acceptance_rate"), half=5e-4),
        notes=notes,
    )


def _requests(document):
    keys = ("num_spec_steps", "num_accepted_draft_tokens", "acceptance_histogram")
    for fragment in document.fragments_with(*keys):
        theirs = "spec_decode_acceptance" in fragment.path or fragment.has("total_draft_tokens")
        if not theirs:
            yield request_record(ENGINE, REQUEST, fragment)
