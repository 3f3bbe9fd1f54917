"""Speculative decoding, worked out: toy models, the exact sampling rule and a time model.

Pure Python and NumPy. Nothing in this package but ``specdec.charts`` knows of charts, and
nothing but ``specdec.ui`` of the dashboard, so the models can be used without either.
"""

from specdec.catalogue import chip_rows, chip_with_key, model_rows, model_with_key
from specdec.conditions import BEST_CASE, Conditions
from specdec.custom import CountedModel, custom_chip
from specdec.generated_questions import Feedback, GeneratedQuestion, generated_question
from specdec.hardware import A100, Chip
from specdec.measured import MeasuredRun, read_server_text
from specdec.memory_fit import MemoryFit, memory_needed, users_that_fit
from specdec.model_config import model_from_config
from specdec.named_settings import (
    NAMED_SETTINGS,
    PAGES,
    TEACHING_ORDER,
    NamedSetting,
    TeachingStep,
    named_setting,
)
from specdec.opening_values import OPENING_VALUES
from specdec.other_ways import EXTRA_HEADS, PROMPT_LOOKUP, extra_heads, prompt_lookup
from specdec.pairs import PairCheck, check_pair, drafts_for
from specdec.published import published
from specdec.questions import LESSON_QUESTIONS, Question
from specdec.race import RACE_SEED, Race, RaceGuess, RaceRound, race
from specdec.race_average import RaceAverage, race_average
from specdec.race_rows import race_rows
from specdec.sampling import (
    SamplingRow,
    SamplingTable,
    keep_chance,
    parse_odds,
    parse_probability,
    residual,
    sampling_table,
    simulate_sampling,
)
from specdec.setting import DRAFT_MS, OPENING, OWN_DRAFT_MS, Setting
from specdec.time_model import LESSON, Pass, TimeModel
from specdec.tokens import (
    expected_tokens,
    simulate_rounds,
    simulate_tokens_per_pass,
    tokens_per_round_distribution,
)
from specdec.toy import (
    SENTENCE,
    Round,
    agreement,
    big_choice,
    one_round,
    plain_greedy,
    prompt_at,
    small_choice,
    speculative_greedy,
    words_per_pass,
)
from specdec.transformers import LLAMA_3_1_8B, LLAMA_3_2_1B, Transformer
from specdec.waterfall import WhatChanged, what_changed

__all__ = [
    "A100",
    "BEST_CASE",
    "DRAFT_MS",
    "EXTRA_HEADS",
    "LESSON",
    "LESSON_QUESTIONS",
    "LLAMA_3_1_8B",
    "LLAMA_3_2_1B",
    "NAMED_SETTINGS",
    "OPENING",
    "OPENING_VALUES",
    "OWN_DRAFT_MS",
    "PAGES",
    "PROMPT_LOOKUP",
    "RACE_SEED",
    "SENTENCE",
    "TEACHING_ORDER",
    "Chip",
    "Conditions",
    "CountedModel",
    "Feedback",
    "GeneratedQuestion",
    "MeasuredRun",
    "MemoryFit",
    "NamedSetting",
    "PairCheck",
    "Pass",
    "Question",
    "Race",
    "RaceAverage",
    "RaceGuess",
    "RaceRound",
    "Round",
    "SamplingRow",
    "SamplingTable",
    "Setting",
    "TeachingStep",
    "TimeModel",
    "Transformer",
    "WhatChanged",
    "agreement",
    "big_choice",
    "check_pair",
    "chip_rows",
    "chip_with_key",
    "custom_chip",
    "drafts_for",
    "expected_tokens",
    "extra_heads",
    "generated_question",
    "keep_chance",
    "memory_needed",
    "model_from_config",
    "model_rows",
    "model_with_key",
    "named_setting",
    "one_round",
    "parse_odds",
    "parse_probability",
    "plain_greedy",
    "prompt_at",
    "prompt_lookup",
    "published",
    "race",
    "race_average",
    "race_rows",
    "read_server_text",
    "residual",
    "sampling_table",
    "simulate_rounds",
    "simulate_sampling",
    "simulate_tokens_per_pass",
    "small_choice",
    "speculative_greedy",
    "tokens_per_round_distribution",
    "users_that_fit",
    "what_changed",
    "words_per_pass",
]
