"""Sampling: why random picks keep the big model's odds."""

import streamlit as st

import specdec  # noqa: F401 (whole before its parts, see specdec.ui.frame)
from specdec.answers.sampling import OPENING_P, OPENING_Q, sampling
from specdec.charts.kept_and_redrawn import kept_and_redrawn
from specdec.charts.tries_and_odds import tries_and_odds
from specdec.ui import frame, kept, show

setting = frame.setting()

st.title("Do random picks keep their odds?")
st.caption("Change the odds here: the sidebar's controls play no part on this page.")
with st.container(horizontal=True):
    accepted = "2 to 6 fractions, decimals or percentages that add up to 1, with commas between."
    p = st.text_input("Big model's odds p", OPENING_P, key="p", bind="query-params", help=accepted)
    q = st.text_input(
        "Draft model's odds q", OPENING_Q, key="q", bind="query-params", help=accepted
    )
try:
    answer = sampling(p, q, kept.simulate_sampling)
except ValueError as error:
    show.refusal(error)
    st.stop()
exact_figure, tries_figure = answer.figures
exact, tries = answer.tables

show.opening(answer)
show.figure(kept_and_redrawn, exact_figure, setting)
show.table(exact)
show.figure(tries_and_odds, tries_figure, setting)
show.table(tries)
show.ending(answer)
