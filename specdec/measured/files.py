"""Several files in one go: each read for itself, and two scrapes of one server set against each
other."""

from dataclasses import dataclass

from specdec.measured.cleaning import BYTES_MAX, decode
from specdec.measured.reader import Report, read_server_text_report
from specdec.measured.records import MeasuredError

_COUNTERS = "vLLM Prometheus counters"


@dataclass(frozen=True)
class FileReading:
    """One file: its ``name`` and its ``report``, or else the sentence why it gave none."""

    name: str
    report: Report | None
    refusal: str | None = None


def read_files(files, k=None):
    """A :class:`FileReading` for each of ``files``, pairs of a name and bytes.

    Runs of different files are kept apart. Where every file holds lifetime counters of one server
    they are scrapes, of which only the difference tells of the time between: they are read
    together, in the order given. Raises :class:`MeasuredError` where the files are together
    larger than 5 MB.
    """
    total = sum(len(data) for _, data in files)
    if total > BYTES_MAX:
        raise MeasuredError(
            f"The files may have 5 MB in all; these have {total / 1e6:.1f} MB. Cut out the part "
            "that tells of the guesses."
        )
    readings = [_reading(name, data, k) for name, data in files]
    if len(files) > 1 and all(_only_counters(reading.report) for reading in readings):
        together = b"\n".join(data for _, data in files)
        return [_reading(" and ".join(name for name, _ in files), together, k)]
    return readings


def _reading(name, data, k):
    try:
        return FileReading(name, read_server_text_report(decode(data), k=k))
    except MeasuredError as error:
        return FileReading(name, None, str(error))


def _only_counters(report):
    return report is not None and all(_COUNTERS in run.name for run in report.runs)
