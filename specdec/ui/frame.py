"""The frame around every page: page settings, navigation, sidebar, and one page run inside it.

Streamlit can be asked for a page's file without its entrypoint: on a fresh server a deep link
such as ``/costs?kept=90`` runs ``pages/costs.py`` alone. So a page's first line asks
:func:`setting` for the sidebar's setting; where no frame is up, the frame is put up there and
then, and it runs the page again inside itself.

Each visitor's page runs in a thread of its own. Where two threads began with different parts of
:mod:`specdec`, each would wait for the other's (a part waits for the package, the package for its
parts), and Python would give one of them a module half imported. So every script imports the
package whole before anything in it.
"""

import gc
from contextvars import ContextVar

import streamlit as st

from specdec.machine import LESSON_MACHINE, fit
from specdec.pairs import check_pair
from specdec.time_model import LESSON
from specdec.ui import controls, machine_controls, presenting, share, show
from specdec.ui.pages import ICON, PAGES, ROOT, TITLE

# Not in the session state: once a page stops or is asked to run again, touching that raises, so
# the mark could not be taken away.
_framed = ContextVar("setting and time model of the page that runs inside a frame")


@st.cache_resource(show_spinner=False)
def freeze_imports():
    """Take the imported modules out of the garbage collector's sight, once a process.

    Streamlit collects all garbage after every rerun; going over altair's and pandas' objects each
    time took longer than the rerun itself. It must come after their import: with :mod:`show`.
    """
    gc.collect()
    gc.freeze()


def script(name):
    """The file of a page."""
    return ROOT / "pages" / f"{name}.py"


def frame(script_of=script):
    """Draw the frame and run the page that the URL names; ``script_of`` gives a page's script."""
    freeze_imports()
    st.set_page_config(page_title=TITLE, page_icon=ICON, layout="wide")
    # Without icons, so that the names of all pages fit into the bar of a laptop.
    pages = [
        st.Page(
            script_of(name),
            title=title,
            help=says,
            url_path=name,
            default=name == PAGES[0][0],
        )
        for name, title, _, says in PAGES
    ]
    page = st.navigation(pages, position="top")
    presenting.follow({each.url_path or "start": each for each in pages}, page)
    name = page.url_path or "start"
    setting = controls.sidebar()
    with st.sidebar:
        presenting.menu()
        machine = machine_controls.sidebar()
        presenting.switch()
        share.copy_link(name, setting, machine)
    st.set_page_config(initial_sidebar_state=presenting.sidebar_state())
    presenting.larger_type()
    presenting.bar(name, setting, machine)
    mark = _framed.set((setting, _model(machine, setting)))
    try:
        page.run()
    finally:
        # The mark must not outlive the page, or a page run alone later would believe in it.
        _framed.reset(mark)


def setting():
    """The sidebar's setting; a page's first line. Puts up the frame where it is missing."""
    framed = _framed.get(None)
    if framed is None:
        frame()
        st.stop()
    return framed[0]


def model():
    """The time model that the sidebar's chip and pair make: the lesson's, unless changed."""
    return _framed.get()[1]


def _model(machine, setting):
    """The machine's time model; a machine that cannot be ends the page with the reason."""
    if machine == LESSON_MACHINE:
        return LESSON
    try:
        model = machine.model()
        memory = fit(model, setting.users)
    except ValueError as error:
        show.refusal(error)
        st.caption("Change it in the sidebar, under “Chip, pair and a less ideal world”.")
        st.stop()
    pair = check_pair(model.big, model.draft)
    if pair.verdict != "shared":
        st.info(show.escaped(pair.sentence), icon=":material/info:")
    if memory.fits is False:
        st.warning(show.escaped(memory.reason), icon=":material/memory:")
    return model
