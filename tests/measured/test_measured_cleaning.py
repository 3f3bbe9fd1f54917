"""A paste is never clean: colours, prefixes, wrapped lines, odd line ends, marks, cut-off ends."""

import json

import pytest

from specdec.measured import MeasuredError, decode, read_server_text
from specdec.measured.cleaning import clean

LINE = (
    "INFO 10-05 09:15:04 [metrics.py:96] SpecDecoding metrics: Mean acceptance length: 3.16, "
    "Accepted throughput: 10.80 tokens/s, Drafted throughput: 20.00 tokens/s, "
    "Accepted: 108 tokens, Drafted: 200 tokens, "
    "Per-position acceptance rate: 0.820, 0.600, 0.440, 0.300, Avg Draft acceptance rate: 54.0%"
)
OLD = (
    "INFO 08-08 Speculative metrics: Draft acceptance rate: 0.575, System efficiency: 0.560, "
    "Number of speculative tokens: 4, Number of accepted tokens: 1150, "
    "Number of draft tokens: 2000, Number of emitted tokens: 1400."
)
DECODE = (
    "[2026-01-02 10:00:00 TP0] Decode batch, #running-req: 1, #token: 900, token usage: 0.01, "
    "accept len: 3.10, accept rate: 0.42, cuda graph: True, gen throughput (token/s): 150.00, "
    "#queue-req: 0"
)
SLOT = (
    "slot print_timing: id  3 | task 0 | draft acceptance = 0.50000 (   30 accepted /    60 "
    "generated), mean acceptance length =  2.00, acceptance rate per position = (0.700, 0.300)"
)
EXPECTED = {LINE: (4, 50, 108), OLD: (4, 500, 900), DECODE: (5, None, None), SLOT: (2, 30, 30)}
NEXT = "\nINFO 10-05 09:15:05 127.0.0.1 GET /health 200\n0.123 more text 7\n"


def numbers(text):
    (run,) = read_server_text(text)
    return run.k, run.rounds, run.accepted


@pytest.mark.parametrize("line", EXPECTED)
@pytest.mark.parametrize(
    "dirty",
    [
        lambda line: "\x1b[0;36m(EngineCore_DP0 pid=7)\x1b[0;0m " + line.replace(": ", ":\x1b[1m "),
        lambda line: "^[[0;36m(APIServer pid=7)^[[0;0m " + line,
        lambda line: "[0;36m(APIServer pid=7)[0;0m " + line + "[0m",
        lambda line: "server-1  | " + line,
        lambda line: "[pod/server-0/main] " + line,
        lambda line: "[54321] " + line,
        lambda line: "2026-10-05T09:15:04.123456789Z " + line,
        lambda line: "2026-10-05T09:15:04.123456789Z stdout F " + line,
        lambda line: "+" + line,
        lambda line: "- " + line,
        lambda line: "> " + line,
        lambda line: "\ufeff" + line,
        lambda line: line.replace(", ", ",   "),
        lambda line: line.replace(" ", "\u00a0"),
        lambda line: json.dumps({"log": line + "\n", "stream": "stdout"}),
    ],
)
def test_dirt_around_and_in_a_line(line, dirty):
    assert numbers(dirty(line)) == EXPECTED[line]
    assert numbers((dirty(line) + NEXT).replace("\n", "\r\n")) == EXPECTED[line]


@pytest.mark.parametrize("line", EXPECTED)
def test_wrapped_anywhere(line):
    # At every column, so in the middle of words and numbers too, and with an indent.
    for column in range(1, len(line)):
        for indent in ("", "    "):
            text = line[:column] + "\n" + indent + line[column:] + NEXT
            assert numbers(text) == EXPECTED[line], (column, text)


@pytest.mark.parametrize("width", [40, 80, 120])
@pytest.mark.parametrize("line", EXPECTED)
def test_wrapped_by_a_terminal(line, width):
    pieces = [line[at : at + width] for at in range(0, len(line), width)]
    assert numbers("\n".join(pieces) + NEXT) == EXPECTED[line]


def test_engines_in_turn():
    text = "\n".join([LINE, DECODE, SLOT, LINE, DECODE, OLD])
    runs = {run.format: run for run in read_server_text(text)}
    assert len(runs) == 4
    assert runs["V1 log line"].rounds == 100
    assert runs["decode line"].records_used == 2


JSON = json.dumps(
    {"timings": {"draft_rounds": 50, "draft_n": 100, "draft_n_accepted": 80}}, indent=2
)


@pytest.mark.parametrize(
    "prefix", ["server-1  | ", "[pod/a/b] ", "+ ", "2026-10-05T09:15:04.1234567Z "]
)
def test_json_over_several_prefixed_lines(prefix):
    text = "\n".join(prefix + line for line in JSON.splitlines())
    assert numbers("log line before\n" + text + "\nafter") == (2, 50, 80)


def test_json_cut_at_every_place_never_makes_numbers_up():
    whole = numbers(JSON)
    for end in range(len(JSON)):
        try:
            found = numbers(JSON[:end])
        except MeasuredError:
            continue
        # A numeral cut in half is not seen to be cut: it may only be a beginning of the true one.
        assert found[1] == whole[1]
        assert str(whole[2]).startswith(str(found[2]))


def test_text_values_with_braces_and_keys_are_not_read():
    answer = {"content": 'x } { "draft_n": 9, "draft_rounds": 1', "a": "}}", "b": ["{", "}"]}
    text = json.dumps({**answer, **json.loads(JSON)})
    assert numbers(text) == (2, 50, 80)


def test_files_as_bytes():
    assert numbers(decode(b"\xef\xbb\xbf" + LINE.encode())) == (4, 50, 108)
    assert numbers(decode(("\ufeff" + LINE).encode("utf-16-le"))) == (4, 50, 108)
    assert numbers(decode(LINE.encode() + b"\n\xff\xfe broken")) == (4, 50, 108)


@pytest.mark.parametrize(
    "data",
    [bytes(range(256)) * 10, b"\x00" * 100, b"\x7fELF\x02\x01\x01\x00", b"\x89PNG\r\n\x1a\n\x00"],
)
def test_binary_files(data):
    with pytest.raises(MeasuredError, match="binary"):
        decode(data)


def test_too_large():
    with pytest.raises(MeasuredError, match="at most 5 MB"):
        decode(b"x" * (5 * 2**20 + 1))
    with pytest.raises(MeasuredError, match="at most 5 MB"):
        read_server_text("x" * 50_000_000)


def test_clean_leaves_lists_and_negative_numbers_alone():
    assert clean("[1, 2]\n-5,3\n[12] x") == "[1, 2]\n-5,3\n[12] x"
