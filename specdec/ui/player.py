"""Play, pause, step forward, step back, start over: the buttons that walk through moments.

A moment is shown by a fragment, so that playing reruns that fragment alone and never waits for
the page or blocks a slider. It goes from moment to moment without movement in between, which is
also how it should be for visitors who ask for reduced motion.
"""

import streamlit as st

SECONDS_A_MOMENT = 0.9


def moment(key, opens_at=None, of=None):
    """The moment that the player ``key`` stands at; ``opens_at`` until somebody moved it.

    ``of`` says what the moments are moments of; another one begins again.
    """
    if st.session_state.get(f"{key}_of") != of:
        st.session_state[f"{key}_of"] = of
        st.session_state.pop(f"{key}_at", None)
        if opens_at is not None:
            # Set, so that a player that is playing goes on from there.
            st.session_state[f"{key}_at"] = opens_at
    return st.session_state.get(f"{key}_at", opens_at)


def playing_every(key):
    """How often the player's fragment must rerun: seconds, or ``None`` while it stands still."""
    return SECONDS_A_MOMENT if st.session_state.get(f"{key}_playing") else None


def advance(key, last_moment):
    """One moment on if the player is playing; call it at the top of the fragment's body.

    ``last_moment`` gives the last moment; it is asked only while the player is playing. The run
    that follows a press of Play shows the moment that it starts from.
    """
    if not st.session_state.get(f"{key}_playing"):
        return
    if st.session_state.pop(f"{key}_fresh", False):
        return
    last = last_moment()
    at = st.session_state.get(f"{key}_at", last)
    if at >= last:
        st.session_state[f"{key}_playing"] = False
        st.rerun()
    st.session_state[f"{key}_at"] = min(last, at + 1)


def buttons(key, at, first, last, what="round"):
    """The row of buttons for a player that stands ``at`` a moment from ``first`` to ``last``."""
    playing = bool(st.session_state.get(f"{key}_playing"))
    with st.container(horizontal=True):
        st.button(
            "Start over",
            icon=":material/first_page:",
            key=f"{key}_first",
            on_click=_put,
            args=(key, first),
            disabled=at <= first,
        )
        st.button(
            f"Back one {what}",
            icon=":material/skip_previous:",
            key=f"{key}_back",
            on_click=_put,
            args=(key, max(first, at - 1)),
            disabled=at <= first,
        )
        if st.button(
            "Pause" if playing else "Play",
            icon=":material/pause:" if playing else ":material/play_arrow:",
            key=f"{key}_play",
            on_click=_play,
            args=(key, not playing, first if at >= last else at),
            disabled=first == last,
        ):
            # The whole page runs once, because how often a fragment reruns is set outside it.
            # That run, too, shows the moment that playing starts from.
            st.session_state[f"{key}_fresh"] = playing
            st.rerun()
        st.button(
            f"Forward one {what}",
            icon=":material/skip_next:",
            key=f"{key}_forward",
            on_click=_put,
            args=(key, min(last, at + 1)),
            disabled=at >= last,
        )


def seed(key, opens_at):
    """Draw the box with the number of the try, which is the seed of its coins; it is in the URL."""
    return st.number_input(
        "Try number", 1, 1_000_000, opens_at, 1, key=key, bind="query-params", width=180
    )


def another_try(key):
    """A button that tosses the coins again: the next number."""
    st.button("Another try", icon=":material/casino:", key="another", on_click=_next, args=(key,))


def _next(key):
    st.session_state[key] = min(1_000_000, st.session_state[key] + 1)


def _put(key, at):
    st.session_state[f"{key}_at"] = at
    st.session_state[f"{key}_playing"] = False


def _play(key, playing, at):
    st.session_state[f"{key}_at"] = at
    st.session_state[f"{key}_playing"] = playing
    st.session_state[f"{key}_fresh"] = playing
