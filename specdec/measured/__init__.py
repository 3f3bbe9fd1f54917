"""What a server printed about its guesses, read and worked out: see :func:`read_server_text`."""

from specdec.measured.reader import Report, read_server_text, read_server_text_report
from specdec.measured.records import MeasuredError, MeasuredRun

__all__ = ["MeasuredError", "MeasuredRun", "Report", "read_server_text", "read_server_text_report"]
