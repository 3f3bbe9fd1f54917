"""Round: what one round guesses, keeps and writes."""

import streamlit as st

from specdec.answers.round import OPENING_PLACE, prompt_before, round_page
from specdec.charts.one_round import one_round
from specdec.charts.words_per_pass import words_per_pass
from specdec.toy import SENTENCE
from specdec.ui import frame, show

setting = frame.setting()


def step(by):
    """Move to another round; a new start or k begins again at the first."""
    st.session_state.round_number = st.session_state.get("round_number", 1) + by


place = st.session_state.get("place", OPENING_PLACE)
answer = round_page(setting, place, st.session_state.get("round_number", 1))
st.session_state.round_number = answer.number
round_figure, words_figure = answer.figures
rounds, words = answer.tables

show.heading("What happens in one round?", setting)
show.opening(answer)
with st.container(horizontal=True, vertical_alignment="bottom"):
    st.selectbox(
        "The text so far ends with",
        range(len(SENTENCE)),
        OPENING_PLACE,
        format_func=lambda place: " ".join(prompt_before(place)),
        key="place",
    )
    st.button(
        "Previous round",
        icon=":material/skip_previous:",
        on_click=step,
        args=(-1,),
        disabled=answer.number == 1,
    )
    st.button(
        "Next round",
        icon=":material/skip_next:",
        on_click=step,
        args=(1,),
        disabled=answer.number == answer.rounds,
    )
show.figure(one_round, round_figure, setting)
show.table(rounds)
show.texts(answer)
show.figure(words_per_pass, words_figure, setting)
show.table(words)
show.ending(answer)
