"""The Beyond page's own controls: what other ways to guess cost, and a long context for many."""

import streamlit as st

from specdec.answers.beyond import LONG_CONTEXT_TOKENS, LONG_CONTEXT_USERS


def ways():
    """Draw the controls of the other ways; returns the chance that a look-up finds something, a
    head pass as a share of a plain step, and the candidates of a place."""
    with st.container(horizontal=True):
        found = _slider("Look-ups that find something, %", 0, 100, 50, "found")
        head = _slider("A head pass, % of a plain step", 0, 50, 5, "head")
        candidates = _slider("Candidates a place", 1, 4, 1, "candidates")
    return round(found) / 100, round(head) / 100, round(candidates)


def _slider(label, least, most, opens, key):
    return st.slider(label, least, most, opens, key=key, bind="query-params", width=260)


def show_long_context():
    """A button that sets the users and the context that the sentence above it speaks of."""
    st.button(
        f"Show it: {LONG_CONTEXT_USERS} users with {LONG_CONTEXT_TOKENS:,} tokens each",
        icon=":material/history_edu:",
        on_click=_set_long_context,
    )


def _set_long_context():
    st.session_state.users = LONG_CONTEXT_USERS
    st.session_state.context = LONG_CONTEXT_TOKENS
