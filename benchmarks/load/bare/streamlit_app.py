"""The app to compare with: the dashboard's frame and sidebar, its pages empty."""

from specdec.ui.frame import frame


def empty_page(_name):
    """A page's script that does nothing; a new function each, as Streamlit asks."""

    def empty():
        pass

    return empty


frame(empty_page)
