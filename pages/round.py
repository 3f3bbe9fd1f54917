"""Round: what one round guesses, keeps and writes, and the race that rounds win."""

import streamlit as st

import specdec  # noqa: F401 (whole before its parts, see specdec.ui.frame)
from specdec.answers.round import OPENING_WORDS, PLACES
from specdec.charts.one_round import one_round
from specdec.charts.race import race
from specdec.charts.race_average import race_average
from specdec.charts.words_per_pass import words_per_pass
from specdec.race import RACE_SEED
from specdec.ui import frame, player, show
from specdec.ui.kept import race_page, round_page

setting = frame.setting()
model = frame.model()
show.heading("What happens in one round?", setting, model)


words_so_far = st.selectbox(
    "The text so far ends with",
    list(PLACES),
    list(PLACES).index(OPENING_WORDS),
    key="place",
    bind="query-params",
    width=320,
)
place = PLACES[words_so_far]


@st.fragment(run_every=player.playing_every("toy"))
def toy():
    """One round of the toy pair, with its player."""
    player.advance("toy", 1, round_page(setting, place).rounds)
    answer = round_page(setting, place, player.moment("toy", 1, (place, setting.k)))
    show.opening(answer)
    player.buttons("toy", answer.number, 1, answer.rounds)
    show.figure(one_round, answer.figures[0], setting, model)


@st.fragment(run_every=player.playing_every("race"))
def both_lanes():
    """The race, with its player."""
    seed = player.seed("try", RACE_SEED)
    player.advance(
        "race", 0, race_page(setting, seed, model=model, average=show.race_average).moments
    )
    answer = race_page(setting, seed, player.moment("race"), model, show.race_average)
    st.markdown(answer.sentence)
    player.buttons("race", answer.moment, 0, answer.moments)
    show.race_lanes(answer)
    show.figure(race, answer.figure, setting, model)
    player.another_try("try")
    show.metrics(answer.metrics)
    show.figure(race_average, answer.average, setting, model)


toy()
answer = round_page(setting, place)
rounds, words = answer.tables
show.table(rounds)
show.texts(answer)
st.header("The race")
both_lanes()
st.header("Are guesses independent?")
show.figure(words_per_pass, answer.figures[1], setting, model)
show.table(words)
show.ending(answer)
