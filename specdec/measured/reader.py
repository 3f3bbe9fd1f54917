"""Read what a server printed: from any text to runs with their numbers."""

from dataclasses import dataclass

from specdec import checks
from specdec.measured import (
    aiperf,
    llama_cpp,
    llama_cpp_summaries,
    lm_studio,
    mlx_vlm,
    others,
    own_csv,
    sglang,
    sglang_requests,
    tensorrt_llm,
    vllm,
    vllm_benchmarks,
    vllm_prometheus,
    vllm_requests,
)
from specdec.measured.cleaning import Document, check_text
from specdec.measured.combine import combine
from specdec.measured.records import MeasuredError, MeasuredRun

READERS = (
    vllm.read,
    vllm_prometheus.read,
    vllm_requests.read,
    vllm_benchmarks.read,
    sglang.read,
    sglang_requests.read,
    llama_cpp.read,
    llama_cpp_summaries.read,
    tensorrt_llm.read,
    lm_studio.read,
    aiperf.read,
    mlx_vlm.read,
    others.read,
    own_csv.read,
)


@dataclass(frozen=True)
class Report:
    """``runs`` found, what was ``recognised`` (engine, format and records, a sentence each), and
    what was ``left_out`` and why."""

    runs: tuple[MeasuredRun, ...]
    recognised: tuple[str, ...]
    left_out: tuple[str, ...]


def read_server_text_report(text, k=None):
    """As :func:`read_server_text`, with what was recognised and what was left out: a ``Report``."""
    check_text(text)
    if k is not None:
        try:
            k = checks.one_whole(k, "k")
        except ValueError as error:
            raise MeasuredError(str(error)) from None
        if k > 1000:
            raise MeasuredError("k must be at most 1000.")
    document = Document(text, asked_k=k)
    records, left_out = [], []
    for read in READERS:
        found, sentences = read(document)
        records += found
        left_out += sentences
    left_out += document.left_out
    if not records:
        reason = (
            left_out[0]
            if left_out
            else (
                "It knows logs, metrics and JSON of vLLM, SGLang, llama.cpp, TensorRT-LLM, "
                "LM Studio, AIPerf and mlx-vlm, and a CSV with the columns round, drafted, kept."
            )
        )
        raise MeasuredError(f"The reader recognises nothing about guesses in the text. {reason}")
    runs, sentences = combine(records, left_out, asked_k=k)
    recognised = tuple(f"{run.name}: {run.used}." for run in runs)
    left_out = list(dict.fromkeys(sentences))
    left_out += [f"{run.name}: {sentence}" for run in runs for sentence in run.left_out]
    return Report(tuple(runs), recognised, tuple(left_out))


def read_server_text(text, k=None):
    """The runs that ``text`` tells of, as a list of :class:`MeasuredRun`.

    ``text`` is what a server, a client or a benchmark printed, at most 5 MB. ``k`` is the number
    of guesses per round, for texts that do not print it. Runs with another k, engine or source
    are kept apart, in the order of the text. Raises :class:`MeasuredError` (a ``ValueError``) in
    one sentence or two where nothing is recognised, where the text is binary or too large, and
    where all that is recognised is impossible; nothing else is raised.
    """
    return list(read_server_text_report(text, k).runs)
