"""Made-up logs, one or more for each engine, to try the reader with. Every number is invented."""

from importlib.resources import files

_FILES = {
    "vLLM log": "vllm_log.txt",
    "vLLM /metrics, two scrapes": "vllm_metrics.txt",
    "vLLM answer (JSON)": "vllm_request.json",
    "vLLM bench serve": "vllm_bench_serve.txt",
    "vLLM offline example": "vllm_offline.txt",
    "vLLM log, old engine": "vllm_v0_log.txt",
    "SGLang log": "sglang_log.txt",
    "SGLang answer (JSON)": "sglang_request.json",
    "llama.cpp server log": "llama_cpp_log.txt",
    "llama.cpp answer (JSON)": "llama_cpp_timings.json",
    "llama-speculative": "llama_cpp_speculative.txt",
    "TensorRT-LLM /metrics": "tensorrt_llm_metrics.json",
    "LM Studio answer (JSON)": "lm_studio.json",
    "AIPerf console": "aiperf_console.txt",
    "AIPerf records (JSONL)": "aiperf_records.jsonl",
    "mlx-vlm answer (JSON)": "mlx_vlm.json",
    "MLC-LLM metrics (JSON)": "mlc_llm.json",
    "CSV of rounds": "rounds.csv",
}


def examples():
    """``{name: text}`` of the shipped examples, in the order to show them."""
    folder = files(__name__)
    return {name: (folder / file).read_text(encoding="utf-8") for name, file in _FILES.items()}


def example_files():
    """``{name: path}`` of the same, for the command line."""
    folder = files(__name__)
    return {name: str(folder / file) for name, file in _FILES.items()}
