"""The dashboard's entrypoint: a sidebar and a router. ``streamlit run streamlit_app.py``."""

from specdec.ui.frame import frame

frame()
