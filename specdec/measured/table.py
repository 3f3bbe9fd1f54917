"""Runs as a text table and as plain values for JSON."""

from dataclasses import asdict

_MISSING = "-"


def as_dict(run):
    """The fields of a run as plain values, for :func:`json.dumps`."""
    values = asdict(run)
    if values["by_length"] is not None:
        values["by_length"] = {str(length): list(h) for length, h in run.by_length.items()}
    return values


def _number(value, form="{}"):
    return _MISSING if value is None else form.format(value)


def _keep_rate(run):
    if run.keep_rate is None:
        return _MISSING
    text = f"{run.keep_rate:.3f}"
    if run.keep_rate_interval:
        text += " ({:.3f} to {:.3f})".format(*run.keep_rate_interval)
    return text


def _places(values):
    if not values:
        return _MISSING
    shown = " ".join(_MISSING if value is None else f"{value:.3f}" for value in values[:16])
    return shown + (" …" if len(values) > 16 else "")


def rows(run):
    """The (label, text) pairs of a run, in the order of the printed table."""
    rounds = _number(run.rounds) + (" (estimated)" if run.rounds_estimated and run.rounds else "")
    k = ("up to " if run.variable and run.k else "") + _number(run.k)
    return (
        ("used", run.used),
        ("guesses per round (k)", k),
        ("rounds", rounds),
        ("drafted", _number(run.drafted)),
        ("accepted", _number(run.accepted)),
        ("accepted ÷ drafted", _number(run.acceptance_rate, "{:.3f}")),
        ("tokens per big pass", _number(run.tokens_per_pass, "{:.3f}")),
        ("kept at place 1, 2, …", _places(run.per_position)),
        ("… of those reached", _places(run.conditional_per_position)),
        ("keep rate a", _keep_rate(run)),
        ("method", run.keep_rate_method or _MISSING),
    )


def as_text(runs):
    """A table of ``runs`` to print, with the warnings and what was left out below each run."""
    blocks = []
    for run in runs:
        lines = [run.name]
        lines += [f"  {label:<24}{text}" for label, text in rows(run)]
        lines += [f"  note: {warning}" for warning in run.warnings]
        lines += [f"  left out: {sentence}" for sentence in run.left_out]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)
