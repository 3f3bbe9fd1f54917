"""Costs: why checking several guesses costs about one token."""

import specdec  # noqa: F401 (whole before its parts, see specdec.ui.frame)
from specdec.answers.costs import costs
from specdec.charts.pass_time import pass_time
from specdec.charts.round_time import round_time
from specdec.ui import frame, show

setting = frame.setting()
model = frame.model()
answer = costs(setting, model)
pass_figure, round_figure = answer.figures
steps, weights = answer.tables

show.heading("What does a round cost?", setting, model)
show.opening(answer)
show.figure(pass_time, pass_figure, setting, model)
show.figure(round_time, round_figure, setting, model)
show.table(steps)
show.table(weights)
show.ending(answer)
