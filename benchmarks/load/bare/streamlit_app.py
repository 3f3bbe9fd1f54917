"""The app to compare with: the dashboard's frame and sidebar, its pages empty."""

import streamlit as st

from specdec.ui import controls, frame

frame.freeze_imports()
st.set_page_config(page_title=frame.TITLE, page_icon=frame.ICON, layout="wide")


def _page(name, title, icon, says):
    def empty():
        pass

    return st.Page(empty, title=title, icon=icon, url_path=name, default=name == frame.PAGES[0][0])


page = st.navigation([_page(*page) for page in frame.PAGES], position="top")
controls.sidebar()
page.run()
