"""What a server printed about its guesses, read and worked out: see :func:`read_server_text`.

One module an engine finds records in a text, ``combine`` puts them together into runs, and
``estimate`` is the one place that estimates. ``advise`` says what to set.
"""

from specdec.measured.advice import Advice, Choice, advise, draft_seconds_from_speeds, tokens_by_k
from specdec.measured.cleaning import BYTES_MAX, decode
from specdec.measured.examples import example_files, examples
from specdec.measured.form import run_from_counts
from specdec.measured.own_csv import run_rounds, write_csv
from specdec.measured.reader import Report, read_server_text, read_server_text_report
from specdec.measured.records import MeasuredError, MeasuredRun
from specdec.measured.table import as_dict, as_text

__all__ = [
    "BYTES_MAX",
    "Advice",
    "Choice",
    "MeasuredError",
    "MeasuredRun",
    "Report",
    "advise",
    "as_dict",
    "as_text",
    "decode",
    "draft_seconds_from_speeds",
    "example_files",
    "examples",
    "read_server_text",
    "read_server_text_report",
    "run_from_counts",
    "run_rounds",
    "tokens_by_k",
    "write_csv",
]
