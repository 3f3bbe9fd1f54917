"""The link to the present page and setting."""

from urllib.parse import quote, urlencode, urlsplit, urlunsplit

import streamlit as st

from specdec.ui import presenting


def link(page, setting, more=()):
    """The address of ``page`` at ``setting``; ``more`` are the page's own names and values."""
    here = urlsplit(st.context.url or "")
    folder = here.path.rstrip("/")
    # The address that Streamlit gives names the page where it is not the first one.
    folder = folder.removesuffix(f"/{page}")
    query = {**setting.query_params(), **dict(more)}
    if presenting.on():
        query[presenting.KEY] = "true"
    path = f"{folder}/{'' if page == 'start' else page}"
    return urlunsplit((here.scheme, here.netloc, path, urlencode(query, quote_via=quote), ""))


def copy_link(page, setting):
    """A fold with the link in a box that has a copy button."""
    with st.popover("Copy link", icon=":material/link:", width="stretch"):
        st.caption("This page at this setting. Use the copy button in the box's corner.")
        st.code(link(page, setting), language=None, wrap_lines=True)
