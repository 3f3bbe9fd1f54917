"""Whatever is pasted, the reader raises nothing but its own error, and what it says is possible."""

import math

from hypothesis import given, settings
from hypothesis import strategies as st

from specdec import LESSON
from specdec.measured import (
    MeasuredError,
    advise,
    as_dict,
    as_text,
    decode,
    examples,
    read_server_text,
    run_rounds,
)

LINES = [line for text in examples().values() for line in text.splitlines()]
TEXTS = list(examples().values())
NUMERALS = st.sampled_from(
    ["0", "1", "-1", "nan", "NaN", "inf", "1e999", "-0.0", "0.5", "100%", "9" * 20, "null", "None"]
)
SCRAPS = st.sampled_from(
    ["{", "}", "[", "]", '"', "'", ",", ":", "\n", "\r\n", "\x1b[0m", "  ", "(", ")", "=", "|", "%"]
)


@st.composite
def mutated(draw):
    text = draw(
        st.sampled_from(TEXTS) | st.lists(st.sampled_from(LINES), max_size=8).map("\n".join)
    )
    for _ in range(draw(st.integers(0, 6))):
        if not text:
            break
        at = draw(st.integers(0, len(text) - 1))
        kind = draw(st.integers(0, 4))
        if kind == 0:
            text = text[:at] + draw(SCRAPS | NUMERALS) + text[at:]
        elif kind == 1:
            text = text[:at] + text[at + draw(st.integers(1, 40)) :]
        elif kind == 2:
            end = at
            while end < len(text) and (text[end].isdigit() or text[end] == "."):
                end += 1
            text = text[:at] + draw(NUMERALS) + text[end:]
        elif kind == 3:
            text = text[:at] + draw(st.sampled_from(LINES)) + text[at:]
        else:
            text = text[:at]
    return text


def check(run):
    for share in (run.acceptance_rate, run.keep_rate):
        assert share is None or 0 <= share <= 1
    assert run.tokens_per_pass is None or 1 - 1e-9 <= run.tokens_per_pass < math.inf
    for value in (run.rounds, run.drafted, run.accepted):
        assert value is None or value >= 0
    for place in run.per_position or ():
        assert 0 <= place <= 1 + 1e-9
    if run.keep_rate_interval:
        low, high = run.keep_rate_interval
        assert 0 <= low <= run.keep_rate <= high <= 1
    assert as_text([run])
    assert as_dict(run)["name"] == run.name
    run_rounds(run)
    advise(run, LESSON)


@settings(max_examples=400, deadline=None)
@given(mutated(), st.none() | st.integers(1, 12))
def test_mutated_examples(text, k):
    try:
        runs = read_server_text(text, k)
    except MeasuredError:
        return
    assert runs
    for run in runs:
        check(run)


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=400) | mutated().map(lambda text: text.encode("utf-16")))
def test_any_bytes(data):
    try:
        for run in read_server_text(decode(data)):
            check(run)
    except MeasuredError:
        pass


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from([*'{}[]",:=\n ', "draft_n", "num_spec_steps", "1", "-2", "NaN"])))
def test_any_order_of_json_parts(parts):
    try:
        for run in read_server_text("".join(parts)):
            check(run)
    except MeasuredError:
        pass
