"""Users: what a crowd sharing the chip does to the gain."""

import specdec  # noqa: F401 (whole before its parts, see specdec.ui.frame)
from specdec.answers.users import users
from specdec.charts.speedup_by_users import speedup_by_users
from specdec.ui import frame, show

setting = frame.setting()
model = frame.model()
answer = users(setting, model)
(users_figure,) = answer.figures
(other_guesses,) = answer.tables

show.heading("What happens when many people share the chip?", setting, model)
show.opening(answer)
show.figure(speedup_by_users, users_figure, setting, model)
show.table(other_guesses)
show.ending(answer)
