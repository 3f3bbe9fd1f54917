"""Round: what one round guesses, keeps and writes, and the race that rounds win."""

import streamlit as st

import specdec  # noqa: F401 (whole before its parts, see specdec.ui.frame)
from specdec.answers.race import race_page
from specdec.answers.round import OPENING_WORDS, PLACES, round_page
from specdec.charts.one_round import one_round
from specdec.charts.race import race
from specdec.charts.race_average import race_average
from specdec.charts.words_per_pass import words_per_pass
from specdec.race import RACE_SEED
from specdec.ui import frame, kept, player, show

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
    player.advance("toy", lambda: round_page(setting, place).rounds)
    answer = round_page(setting, place, player.moment("toy", 1, (place, setting.k)))
    show.opening(answer)
    player.buttons("toy", answer.number, 1, answer.rounds)
    show.figure(one_round, answer.figures[0], setting, model)


@st.fragment(run_every=player.playing_every("race"))
def both_lanes():
    """The race, with its player."""
    seed = player.seed("try", RACE_SEED)

    def at(moment):
        return race_page(setting, seed, moment, model, kept.race_average)

    player.advance("race", lambda: at(None).moments)
    answer = at(player.moment("race"))
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
