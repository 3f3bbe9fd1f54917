"""Questions on the Check yourself page: unfolding answers, typed ones, and the visit's score."""

import secrets

import streamlit as st

from specdec.ui import pages, presenting, show


def unfolding(number, question):
    """A question whose answer stays hidden until it is asked for."""
    st.markdown(f"**{number}.** {question.prompt}")
    answer = st.expander("Answer", key=f"answer-{question.id}", on_change="rerun")
    if answer.open:
        with answer:
            st.markdown(question.answer)
            _see_it(question.page, question.setting, f"see-{question.id}")


def seed():
    """This visit's seed, so that two neighbours are not asked the same questions."""
    if "quiz_seed" not in st.session_state:
        st.session_state.quiz_seed = secrets.randbelow(1_000_000)
    return st.session_state.quiz_seed


def number():
    """The number of the question that is being asked, from 1."""
    return st.session_state.setdefault("quiz_number", 1)


def ask(number, question):
    """Ask a generated question, give feedback with its working, and count the score."""
    tried = st.session_state.setdefault("quiz_results", {})
    right = sum(tried.values())
    st.caption(f"Question {number} · {right} right of {len(tried)} answered in this visit")
    with st.form(f"question-{number}", border=True):
        st.markdown(question.prompt)
        typed = st.text_input("Your answer", key=f"typed-{number}", max_chars=60)
        submitted = st.form_submit_button("Check", icon=":material/done:")
    feedback = question.check(typed) if submitted or typed else None
    if feedback is not None:
        if feedback.counted:
            # Only the first counted answer scores; the working stands below it from then on.
            tried.setdefault(number, bool(feedback.correct))
        _feedback(feedback, number)
    st.button("Next question", icon=":material/arrow_forward:", on_click=_next, key="quiz_next")


def _feedback(feedback, number):
    said = show.escaped(feedback.message)
    if feedback.correct is None:
        st.warning(said, icon=":material/edit:")
        return
    if feedback.correct:
        st.success(said, icon=":material/check:")
    else:
        st.error(said, icon=":material/close:")
    for step in feedback.working:
        st.markdown(f"- {step}")
    _see_it(feedback.page, feedback.setting, f"see-generated-{number}")


def _see_it(page, setting, key):
    """A button to the page and setting that show the answer."""
    title = next(title for name, title, _, _ in pages.PAGES if name == page)
    st.button(
        f"See it on the {title} page",
        icon=":material/visibility:",
        key=key,
        on_click=presenting.show_on,
        args=(page, setting),
    )


def _next():
    st.session_state.quiz_number = number() + 1
