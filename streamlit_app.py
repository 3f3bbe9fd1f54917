"""The dashboard's entrypoint: a sidebar and a router. ``streamlit run streamlit_app.py``."""

import specdec  # noqa: F401 (whole before its parts, see specdec.ui.frame)
from specdec.ui.frame import frame

frame()
