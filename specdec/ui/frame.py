"""The frame around every page: page settings, navigation, sidebar, and one page run inside it.

Streamlit can be asked for a page's file without its entrypoint: on a fresh server a deep link
such as ``/costs?kept=90`` runs ``pages/costs.py`` alone. So a page's first line asks
:func:`setting` for the sidebar's setting; where no frame is up, the frame is put up there and
then, and it runs the page again inside itself.
"""

import gc
from pathlib import Path

import streamlit as st

from specdec.time_model import LESSON
from specdec.ui import controls, presenting, share

ROOT = Path(__file__).parents[2]
# A file of our own: a named icon would be fetched from another host.
ICON = Path(__file__).parent / "images" / "icon.svg"
TITLE = "Speculative decoding"
_FRAMED = "_frame_setting"

# Each page's URL is its file's name, so that a link opens the same page with or without a frame.
PAGES = (
    ("start", "Start", ":material/home:", "What this is, what to drag first, what to look at."),
    ("round", "Round", ":material/replay:", "One round: what is guessed, kept and written."),
    ("costs", "Costs", ":material/timer:", "Why checking several guesses costs about one token."),
    (
        "speedup",
        "Speed-up",
        ":material/speed:",
        "When guessing pays, and how many guesses are best.",
    ),
    ("users", "Users", ":material/group:", "What a crowd sharing the chip does to the gain."),
    ("sampling", "Sampling", ":material/casino:", "Why random picks keep the big model's odds."),
    (
        "measured",
        "Measured",
        ":material/monitoring:",
        "Your own server's numbers, and what to set.",
    ),
    ("check", "Check yourself", ":material/quiz:", "Questions with their working, old and new."),
)


@st.cache_resource
def _freeze_imports():
    """Take the imported modules out of the garbage collector's sight, once a process.

    Streamlit collects all garbage after every rerun; going over altair's and pandas' objects each
    time took longer than the rerun itself.
    """
    gc.collect()
    gc.freeze()


def frame():
    """Draw the frame and run the page that the URL names."""
    _freeze_imports()
    st.set_page_config(page_title=TITLE, page_icon=ICON, layout="wide")
    pages = [
        st.Page(
            ROOT / "pages" / f"{name}.py",
            title=title,
            icon=icon,
            help=says,
            url_path=name,
            default=name == PAGES[0][0],
        )
        for name, title, icon, says in PAGES
    ]
    page = st.navigation(pages, position="top")
    presenting.follow({each.url_path or "start": each for each in pages})
    name = page.url_path or "start"
    setting = controls.sidebar()
    with st.sidebar:
        presenting.menu()
        presenting.switch()
        share.copy_link(name, setting)
    st.set_page_config(initial_sidebar_state=presenting.sidebar_state())
    presenting.larger_type()
    presenting.bar(name, setting)
    st.session_state[_FRAMED] = setting
    try:
        page.run()
    finally:
        # The mark must not outlive the page, or a page run alone later would believe in it.
        st.session_state.pop(_FRAMED, None)


def setting():
    """The sidebar's setting; a page's first line. Puts up the frame where it is missing."""
    if _FRAMED not in st.session_state:
        frame()
        st.stop()
    return st.session_state[_FRAMED]


def model():
    """The time model that the sidebar's chip and pair make: the lesson's, unless changed."""
    return LESSON
