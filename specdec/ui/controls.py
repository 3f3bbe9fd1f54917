"""The sidebar's controls, bound to the URL, and the setting that they make."""

import streamlit as st

from specdec.setting import (
    DRAFT_MS,
    KEPT_MAX,
    KEPT_MIN,
    OPENING,
    OWN_DRAFT_MS,
    USERS_MAX,
    USERS_MIN,
    Setting,
)
from specdec.time_model import K_MAX
from specdec.ui import machine_controls

KEYS = {"kept": "kept", "k": "k", "draft": "draft_ms", "users": "users"}


def sidebar():
    """Draw the controls and return the :class:`~specdec.setting.Setting` that they hold."""
    with st.sidebar:
        st.header("Setting")
        kept = st.slider(
            "Chance a guess is kept, %",
            KEPT_MIN,
            KEPT_MAX,
            OPENING.kept,
            key="kept",
            bind="query-params",
            help="The keep rate a: how often the big model would have written the same token.",
        )
        k = st.slider(
            "Guesses per round, k",
            1,
            K_MAX,
            OPENING.k,
            key="k",
            bind="query-params",
            help="How many tokens the draft model writes before the big model checks them.",
        )
        # Options are shown bare, because a bound slider writes them to the URL as they are shown.
        draft = st.select_slider(
            "One draft pass, ms",
            DRAFT_MS,
            OWN_DRAFT_MS,
            format_func=lambda milliseconds: f"{milliseconds:g}",
            key="draft",
            bind="query-params",
            help=(
                f"Milliseconds of one pass of the draft model for one user. {OWN_DRAFT_MS} stands "
                "for the pair's own best case, whatever the chip."
            ),
        )
        users = st.slider(
            "Users sharing the chip",
            USERS_MIN,
            USERS_MAX,
            OPENING.users,
            key="users",
            bind="query-params",
            help="How many people's replies one step of the big model writes on.",
        )
        st.button(
            "Back to the opening setting",
            icon=":material/restart_alt:",
            on_click=back_to_opening,
            width="stretch",
        )
    # A link may carry a value between two steps of a slider: it is rounded to one.
    return Setting(kept=round(kept), k=round(k), draft_ms=draft, users=round(users))


def back_to_opening():
    """The lesson's setting, on the lesson's chip and pair; a callback."""
    put(OPENING)
    machine_controls.clear()


def put(setting):
    """Set the controls to ``setting``; to be called from a callback."""
    for key, field in KEYS.items():
        st.session_state[key] = getattr(setting, field)
