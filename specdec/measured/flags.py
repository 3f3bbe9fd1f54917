"""The setting for the number of guesses per round, in the words of each engine."""

_SETTINGS = {
    "vLLM": (
        "--speculative-config '{{\"num_speculative_tokens\": {k}, …}}'",
        "leave out --speculative-config",
    ),
    "SGLang": (
        "--speculative-num-steps {k} --speculative-eagle-topk 1 "
        "--speculative-num-draft-tokens {next}",
        "leave out --speculative-algorithm",
    ),
    "llama.cpp": (
        "--draft-max {k} (newer builds: --spec-draft-n-max {k})",
        "leave out --model-draft (newer builds: --spec-type none)",
    ),
    "TensorRT-LLM": (
        "max_draft_len: {k} in speculative_config",
        "leave out speculative_config",
    ),
    "LM Studio": (
        "speculativeDecodingNumDraftTokensExact: {k}",
        "leave out draftModel",
    ),
    "mlx-vlm": (
        "--draft-block-size {next} (a block is the guesses and one more token)",
        "leave out --draft-model",
    ),
    "MLC-LLM": (
        "spec_draft_length={k} in --overrides",
        "--speculative-mode disable",
    ),
}
_BEHIND_AIPERF = {"vllm": "vLLM", "sglang": "SGLang", "tensorrt_llm": "TensorRT-LLM"}


def setting(engine, form, k):
    """The text to set for ``k`` guesses per round in ``engine``, or for none at 0.

    ``None`` for an engine whose setting is not known. AIPerf measures another server, which
    its records (``form``) name.
    """
    if engine == "AIPerf":
        engine = _BEHIND_AIPERF.get(form.rpartition(" of ")[2], engine)
    if engine not in _SETTINGS:
        return None
    on, off = _SETTINGS[engine]
    return on.format(k=k, next=k + 1) if k else off
