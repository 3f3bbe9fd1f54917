"""How a server's numbers reach the Measured page: pasted, uploaded, typed, or an example.

What is read stays in this session's memory; it is not cached for others, logged, or put in the
URL.
"""

import streamlit as st

from specdec.measured import MeasuredError, examples, run_from_counts
from specdec.measured.files import FileReading, read_files
from specdec.measured.reader import Report

PASTE, UPLOAD, NUMBERS, EXAMPLE = "Paste", "Upload files", "Three numbers", "Try an example"
TYPES = ["txt", "log", "json", "jsonl", "csv", "md", "out", "prom"]
_READ = "_measured_read"


def readings():
    """Draw the input and return what was read: a list of :class:`FileReading`, maybe empty.

    Raises :class:`MeasuredError` with one sentence where the input as a whole is refused.
    """
    source = st.segmented_control(
        "Where are your numbers?",
        [PASTE, UPLOAD, NUMBERS, EXAMPLE],
        default=PASTE,
        key="measured_source",
        required=True,
    )
    st.caption("What you give stays in this visit: not stored, not logged, not in the link.")
    if source == NUMBERS:
        return _typed_numbers()
    files = {PASTE: _pasted, UPLOAD: _uploaded, EXAMPLE: _example}[source]()
    return _read(files, _asked_k()) if files else []


def _pasted():
    text = st.text_area(
        "Log lines, metrics, JSON or CSV that your server printed",
        height=180,
        key="measured_text",
        persist_state="session",
        placeholder="SpecDecoding metrics: Mean acceptance length: 3.16, …",
    )
    return [("The paste", text.encode("utf-8", "replace"))] if text.strip() else []


def _uploaded():
    files = st.file_uploader(
        "Text, log, JSON, JSONL or CSV files, 5 MB in all",
        TYPES,
        accept_multiple_files=True,
        max_upload_size=5,
        key="measured_files",
    )
    return [(file.name, file.getvalue()) for file in files or []]


def _example():
    shipped = examples()
    name = st.selectbox(
        "Made-up output of", list(shipped), key="measured_example", persist_state="session"
    )
    with st.expander("Show it"):
        st.code(shipped[name], language=None, wrap_lines=True, height=240)
    return [(name, shipped[name].encode())]


def _asked_k():
    return st.number_input(
        "Guesses per round your server was set to (only if the text does not say)",
        min_value=1,
        max_value=1000,
        value=None,
        key="measured_k",
        persist_state="session",
        placeholder="k",
        width=420,
    )


def _typed_numbers():
    with st.container(horizontal=True):
        boxes = {
            name: st.number_input(
                label,
                min_value=0,
                value=None,
                step=1,
                key=f"measured_{name}",
                persist_state="session",
                placeholder=example,
            )
            for name, label, example in (
                ("drafted", "Guesses drafted", "200"),
                ("accepted", "Guesses accepted", "108"),
                ("rounds", "Rounds (if known)", "50"),
                ("guesses", "k, guesses per round (if known)", "4"),
            )
        }
    if boxes["drafted"] is None or boxes["accepted"] is None:
        return []
    # An empty box and a 0 both mean: not known.
    rounds, k = boxes["rounds"] or None, boxes["guesses"] or None
    run = run_from_counts(boxes["drafted"], boxes["accepted"], rounds, k)
    return [FileReading("The numbers", Report((run,), (f"{run.name}: {run.used}.",), ()))]


def _read(files, k):
    """Read ``files`` once for each change of them; sliders move without reading them again."""
    kept = st.session_state.get(_READ)
    if kept is None or kept[0] != (files, k):
        try:
            kept = ((files, k), read_files(files, k), None)
        except MeasuredError as error:
            kept = ((files, k), [], str(error))
        st.session_state[_READ] = kept
    if kept[2]:
        raise MeasuredError(kept[2])
    return kept[1]
