"""Presenting to a class: larger type, folded sidebar and tables, and a walk through named settings.

The walk goes through :data:`specdec.TEACHING_ORDER`; every step is a page and a setting, so each
is a link of its own.
"""

import streamlit as st

from specdec.machine import LESSON_MACHINE
from specdec.named_settings import TEACHING_ORDER
from specdec.ui import controls, show

KEY = "present"
_STEP, _GO, _OPEN = "_step", "_go_to_page", "_controls_open"


def switch():
    """The sidebar's switch, bound to the URL as ``present``."""
    # A bound switch reads only "true" from a link; the short form is what a teacher types. It is
    # rewritten before the switch is there, for then the name belongs to the switch alone.
    if KEY not in st.session_state and st.query_params.get(KEY) == "1":
        st.query_params[KEY] = "true"
        st.rerun()
    st.toggle(
        "Present to a class",
        key=KEY,
        bind="query-params",
        help="Larger type, controls and tables folded away; arrow keys go through the lesson.",
    )


def sidebar_state():
    """Folded while presenting, unless asked for."""
    if not show.on_a_projector():
        return "auto"
    return "expanded" if st.session_state.get(_OPEN) else "collapsed"


def larger_type():
    """Make everything on the page larger, while presenting.

    All of Streamlit's sizes follow the page's base size, which its theme can only set for
    everybody at once; this fixed text sets it for one visitor.
    """
    if show.on_a_projector():
        # Less empty space on top, so that the figure comes onto the screen with its sentence.
        st.html(
            "<style>:root:root { font-size: 21px; }"
            "[data-testid=stMainBlockContainer] { padding-top: 4rem; }</style>"
        )


def follow(page_of, present):
    """Go to the page that a step asked for; ``page_of`` maps a page's name to its page.

    On the ``present`` page there is nowhere to go, and the URL keeps what stands in it.
    """
    target = st.session_state.pop(_GO, None)
    if target in page_of and page_of[target] != present:
        # An empty set of names, because Streamlit refuses to clear those bound to a control; the
        # controls then write their values to the new page's URL.
        st.switch_page(page_of[target], query_params={})


def go(number):
    """Go to a step of the walk; a callback, so that the controls can still be set."""
    step = TEACHING_ORDER[number % len(TEACHING_ORDER)]
    show_on(step.page, step.named.setting)
    st.session_state[_STEP] = number % len(TEACHING_ORDER)


def show_on(page, setting):
    """Go to ``page`` at ``setting``, on the lesson's chip and pair; a callback.

    A link would leave the controls as they are: in the same visit they outweigh its query.
    """
    controls.back_to_opening()
    controls.put(setting)
    st.session_state[_GO] = page


def _here(page, setting, machine):
    """The step that this page and setting are, or ``None``; the one gone to last, if several.

    On another machine than the lesson's the steps' sentences do not hold.
    """
    if machine != LESSON_MACHINE:
        return None
    matching = [
        number
        for number, step in enumerate(TEACHING_ORDER)
        if (step.page, step.named.setting) == (page, setting)
    ]
    last = st.session_state.get(_STEP)
    return last if last in matching else next(iter(matching), None)


def bar(page, setting, machine):
    """The row that steps through the lesson; drawn on every page while presenting."""
    if not show.on_a_projector():
        return
    here = _here(page, setting, machine)
    at = here if here is not None else st.session_state.get(_STEP, -1)
    step = TEACHING_ORDER[here] if here is not None else None
    # With the controls open the arrow keys belong to the sliders.
    keys = {} if st.session_state.get(_OPEN) else {"back": "Left", "on": "Right"}
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Previous",
            icon=":material/arrow_back:",
            key="step_back",
            shortcut=keys.get("back"),
            on_click=go,
            args=(at - 1,),
            disabled=at <= 0,
        )
        st.button(
            "Next",
            icon=":material/arrow_forward:",
            key="step_on",
            shortcut=keys.get("on"),
            on_click=go,
            args=(at + 1,),
            disabled=at >= len(TEACHING_ORDER) - 1,
        )
        st.button(
            "Controls",
            icon=":material/tune:",
            key="step_controls",
            shortcut="S",
            on_click=_flip_controls,
            help="Show or fold away the sidebar.",
        )
        st.caption(
            f"Step {here + 1} of {len(TEACHING_ORDER)}: {step.named.title}. {step.look_at}"
            if step
            else _off_the_walk(at)
        )


def _off_the_walk(at):
    """What stands in a step's place where page and setting are none; ``at`` is the last one."""
    if at >= len(TEACHING_ORDER) - 1:
        return "Not a step of the walk, whose last one you have seen."
    return f"Not a step of the walk: Next goes to step {at + 2} of {len(TEACHING_ORDER)}."


def _flip_controls():
    st.session_state[_OPEN] = not st.session_state.get(_OPEN, False)


def menu():
    """The sidebar's list of named settings, for those who are not presenting."""
    titles = [f"{number + 1}. {_title(step)}" for number, step in enumerate(TEACHING_ORDER)]
    chosen = st.selectbox(
        "Go to a named setting",
        range(len(titles)),
        None,
        format_func=titles.__getitem__,
        placeholder="Choose one",
        key="named",
        on_change=_go_to_chosen,
    )
    return chosen


def _title(step):
    return f"{step.named.title} ({step.page})"


def _go_to_chosen():
    number = st.session_state.named
    st.session_state.named = None
    if number is not None:
        go(number)
