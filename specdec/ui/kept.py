"""Answers that a page asks for several times in one rerun, kept for all visitors."""

from functools import lru_cache

from specdec.answers import race, round

round_page = lru_cache(maxsize=256)(round.round_page)
race_page = lru_cache(maxsize=64)(race.race_page)
