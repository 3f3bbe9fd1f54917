"""Start: what this is, what to drag first and what to look at."""

import streamlit as st

import specdec  # noqa: F401 (whole before its parts, see specdec.ui.frame)
from specdec.answers.speedup import speedup
from specdec.charts.speedup_by_keep_rate import speedup_by_keep_rate
from specdec.ui import frame, show

setting = frame.setting()
model = frame.model()
answer = speedup(setting, model)

show.heading("A small model guesses, a big one checks: how much faster?", setting, model)
st.markdown(
    "A language model writes one token per pass. A small draft model can guess the next few, and "
    "the big model **checks them all in one pass**, so the same text arrives sooner. "
    "**Drag “Chance a guess is kept”** (in the sidebar; on a phone tap **»** at the top left) and "
    "**watch the dot** climb the line: green is faster than plain decoding, orange slower."
)
show.figure(speedup_by_keep_rate, answer.figures[0], setting, model)
show.opening(answer)
show.contents()
