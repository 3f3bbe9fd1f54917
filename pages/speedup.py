"""Speed-up: when guessing pays, and how many guesses are best."""

import specdec  # noqa: F401 (whole before its parts, see specdec.ui.frame)
from specdec.answers.speedup import speedup
from specdec.charts.speedup_by_guesses import speedup_by_guesses
from specdec.charts.speedup_by_keep_rate import speedup_by_keep_rate
from specdec.ui import frame, measured_parts, show

setting = frame.setting()
model = frame.model()
answer = speedup(setting, model, measured_parts.kept_run())
keep_rate_figure, guesses_figure = answer.figures
break_evens, bests = answer.tables

show.heading("When does guessing pay?", setting, model)
show.opening(answer)
show.figure(speedup_by_keep_rate, keep_rate_figure, setting, model)
show.table(break_evens)
show.figure(speedup_by_guesses, guesses_figure, setting, model)
show.table(bests)
show.ending(answer)
