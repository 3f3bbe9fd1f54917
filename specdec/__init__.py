"""Speculative decoding, worked out: toy models, the exact sampling rule and a time model.

Pure Python and NumPy. Nothing in this package but ``specdec.charts`` knows of charts, and
nothing but ``specdec.ui`` of the dashboard, so the models can be used without either.
"""

from specdec.generated_questions import Feedback, GeneratedQuestion, generated_question
from specdec.hardware import A100, Chip
from specdec.named_settings import (
    NAMED_SETTINGS,
    PAGES,
    TEACHING_ORDER,
    NamedSetting,
    TeachingStep,
    named_setting,
)
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

__all__ = [
    "A100",
    "DRAFT_MS",
    "LESSON",
    "LESSON_QUESTIONS",
    "LLAMA_3_1_8B",
    "LLAMA_3_2_1B",
    "NAMED_SETTINGS",
    "OPENING",
    "OWN_DRAFT_MS",
    "PAGES",
    "RACE_SEED",
    "SENTENCE",
    "TEACHING_ORDER",
    "Chip",
    "Feedback",
    "GeneratedQuestion",
    "NamedSetting",
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
    "agreement",
    "big_choice",
    "expected_tokens",
    "generated_question",
    "keep_chance",
    "named_setting",
    "one_round",
    "parse_odds",
    "parse_probability",
    "plain_greedy",
    "prompt_at",
    "race",
    "race_average",
    "race_rows",
    "residual",
    "sampling_table",
    "simulate_rounds",
    "simulate_sampling",
    "simulate_tokens_per_pass",
    "small_choice",
    "speculative_greedy",
    "tokens_per_round_distribution",
    "words_per_pass",
]
