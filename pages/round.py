"""Round: what one round guesses, keeps and writes, and the race that rounds win."""

import streamlit as st

from specdec.answers.round import OPENING_PLACE, prompt_before
from specdec.charts.one_round import one_round
from specdec.charts.race import race
from specdec.charts.race_average import race_average
from specdec.charts.words_per_pass import words_per_pass
from specdec.race import RACE_SEED
from specdec.toy import SENTENCE
from specdec.ui import frame, player, show
from specdec.ui.kept import race_page, round_page

setting = frame.setting()
model = frame.model()
show.heading("What happens in one round?", setting, model)


place = st.selectbox(
    "The text so far ends with",
    range(len(SENTENCE)),
    OPENING_PLACE,
    format_func=lambda place: " ".join(prompt_before(place)),
    key="place",
    width=320,
)


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
    seed = st.session_state.get("race_seed", RACE_SEED)
    player.advance(
        "race", 0, race_page(setting, seed, model=model, average=show.race_average).moments
    )
    answer = race_page(setting, seed, player.moment("race"), model, show.race_average)
    st.markdown(answer.sentence)
    player.buttons("race", answer.moment, 0, answer.moments)
    show.race_lanes(answer)
    show.figure(race, answer.figure, setting, model)
    st.button("Another try", icon=":material/casino:", key="another", on_click=show.next_seed)
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
