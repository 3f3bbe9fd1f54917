"""Beyond: what the best case leaves out, other ways to guess, and how far real runs are from it."""

import streamlit as st

import specdec  # noqa: F401 (whole before its parts, see specdec.ui.frame)
from specdec.answers.beyond import beyond
from specdec.answers.published_runs import published_runs
from specdec.answers.ways import ways_to_guess
from specdec.charts import how_far_from_real
from specdec.charts import ways_to_guess as ways_chart
from specdec.charts.waterfall import waterfall
from specdec.ui import beyond_controls, frame, show

setting = frame.setting()
model = frame.model()
show.heading("How far is this from a real server?", setting, model)
answer = beyond(setting, model)
st.markdown(answer.sentence)
show.metrics(answer.metrics)
show.figure(waterfall, answer.waterfall, setting, model)
show.table(answer.changes)
st.markdown(answer.long_context)
beyond_controls.show_long_context()

st.header("Other ways to guess")
ways = ways_to_guess(setting, model, *beyond_controls.ways())
show.figure(ways_chart.ways_to_guess, ways.figure, setting, model)
show.table(ways.table)
for name, assumptions, papers in ways.assumptions:
    show.assumptions(name, assumptions, papers)

st.header("How far from real?")
real = published_runs()
st.markdown(real.sentence)
show.figure(how_far_from_real.how_far_from_real, real.figure, setting, model)
show.wide_table(real.table)
