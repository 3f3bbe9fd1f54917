"""The link to the present page and setting."""

from urllib.parse import quote, urlencode, urlsplit, urlunsplit

import streamlit as st

from specdec.ui import presenting, show

# The controls that a page has of its own and binds to the URL.
PAGE_NAMES = {
    "round": ("place", "try"),
    "sampling": ("p", "q"),
    "beyond": ("found", "head", "candidates"),
}


def link(page, setting, machine):
    """The address of ``page`` at ``setting`` on ``machine``, with the page's own controls."""
    here = urlsplit(st.context.url or "")
    folder = here.path.rstrip("/")
    # The address that Streamlit gives names the page where it is not the first one.
    folder = folder.removesuffix(f"/{page}")
    query = {**setting.query_params(), **machine.changed()}
    for name in PAGE_NAMES.get(page, ()):
        # Only what differs from the page's opening is in the URL.
        if name in st.query_params:
            query[name] = st.session_state.get(name, st.query_params[name])
    if show.on_a_projector():
        query[presenting.KEY] = "true"
    path = f"{folder}/{'' if page == 'start' else page}"
    return urlunsplit((here.scheme, here.netloc, path, urlencode(query, quote_via=quote), ""))


def copy_link(page, setting, machine):
    """A fold with the link in a box that has a copy button."""
    with st.popover("Copy link", icon=":material/link:", width="stretch"):
        st.caption("This page at this setting. Use the copy button in the box's corner.")
        st.code(link(page, setting, machine), language=None, wrap_lines=True)
