"""Check yourself: five questions of the lesson, and new ones without end."""

import streamlit as st

import specdec  # noqa: F401 (whole before its parts, see specdec.ui.frame)
from specdec.generated_questions import generated_question
from specdec.questions import LESSON_QUESTIONS
from specdec.ui import frame, quiz

setting = frame.setting()
st.title("Check yourself")
st.markdown(
    "Five questions with answers to unfold, then as many new ones as you like, each with one "
    "number to type. Nothing is stored: the score lasts for this visit. The sidebar's controls "
    "play no part here."
)

st.header("Five to think about")
for number, question in enumerate(LESSON_QUESTIONS, 1):
    quiz.unfolding(number, question)

st.header("One number to type")
number = quiz.number()
question = generated_question(quiz.seed(), number)
quiz.ask(number, question)
