"""Measured: your own server's numbers, what they mean, and what to set."""

import streamlit as st

import specdec  # noqa: F401 (whole before its parts, see specdec.ui.frame)
from specdec.answers.measured import measured
from specdec.charts.keep_rate_by_place import keep_rate_by_place
from specdec.charts.measured_speedup import measured_speedup
from specdec.charts.measured_tokens import measured_tokens
from specdec.measured import MeasuredError
from specdec.ui import frame, measured_input, measured_parts, show

setting = frame.setting()
model = frame.model()
show.heading("What do your server's numbers mean?", setting, model)
try:
    readings = measured_input.readings()
except MeasuredError as error:
    show.refusal(error)
    st.stop()
measured_parts.recognised(readings)
run = measured_parts.chosen_run(readings)
if run is None:
    st.stop()
measured_parts.keep(run)

cost = measured_parts.draft_cost(run, setting, model)
answer = measured(run, setting, model, cost)
st.markdown(answer.sentence)
show.metrics(answer.metrics)
for warning in answer.warnings:
    st.warning(show.escaped(warning))
measured_parts.use_it(answer)
for name, builder in (("tokens", measured_tokens), ("places", keep_rate_by_place)):
    if name in answer.figures:
        show.figure(builder, answer.figures[name], setting, model)
measured_parts.what_to_set(answer)
if "speedup" in answer.figures:
    show.figure(measured_speedup, answer.figures["speedup"], setting, model)
for table in answer.tables:
    show.table(table)
measured_parts.export(run)
