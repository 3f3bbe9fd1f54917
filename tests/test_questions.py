"""The lesson's questions hold its figures; generated ones are worked again from their prompts."""

import re
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdec import LESSON_QUESTIONS, PAGES, Setting, generated_question
from specdec.typed_answers import Answer, typed_number

KINDS = {"round-time", "tokens", "speed-up", "break-even", "free-users", "best-k", "pass-time"}
MANY = [generated_question(seed, number) for seed in range(30) for number in range(1, 8)]


@pytest.mark.parametrize(
    ("id", "page", "setting", "figures"),
    [
        ("same-words", "round", Setting(), ["17 words", "0.62 times"]),
        ("free-check", "costs", Setting(), ["7.88 ms", "16 GB", "5 tokens", "153 tokens"]),
        (
            "token-time",
            "costs",
            Setting(),
            ["1.212", "4 × 1.212 + 7.877 = 12.725 ms", "3.36", "3.79 ms", "2.08"],
        ),
        ("lower-rate", "speedup", Setting(kept=60), ["0.6^5", "2.31", "1.43"]),
        ("crowd", "users", Setting(users=31), ["155", "153", "2.08 up to 30", "from 85 users"]),
    ],
)
def test_the_lessons_five_questions_give_its_figures(id, page, setting, figures):
    (question,) = [q for q in LESSON_QUESTIONS if q.id == id]
    assert (question.page, question.setting) == (page, setting)
    assert question.prompt.endswith("?")
    for figure in figures:
        assert figure in question.prompt + question.answer


def test_there_are_five_and_each_has_a_name_of_its_own():
    assert len({q.id for q in LESSON_QUESTIONS}) == len(LESSON_QUESTIONS) == 5


def numbers(prompt):
    return [Fraction(n.replace(",", "")) for n in re.findall(r"\d+(?:,\d{3})*(?:\.\d+)?", prompt)]


def tokens_by_hand(a, k):
    return sum(a**place for place in range(int(k) + 1))


def worked_from_the_prompt(question):
    """The answer by exact fractions from the numbers that the prompt gives, and no others."""
    given = numbers(question.prompt)
    if question.kind == "round-time":
        draft, k, big = given
        return k * draft + big
    if question.kind == "tokens":
        k, percent = given
        return tokens_by_hand(percent / 100, k)
    if question.kind == "speed-up":
        percent, k, draft, big = given
        return tokens_by_hand(percent / 100, k) * big / (k * draft + big)
    if question.kind == "break-even":
        k, draft, big = given
        needed = float((k * draft + big) / big)
        even = [p for p in range(10_001) if tokens_by_hand(p / 10_000, k) >= needed]
        return Fraction(even[0], 100)
    if question.kind == "free-users":
        _, first, _, reads = given
        return next(users for users in range(1, 200) if users * reads >= first)
    if question.kind == "best-k":
        percent, draft, big = given
        gains = [tokens_by_hand(percent / 100, k) / (k * draft + big) for k in range(1, 33)]
        return 1 + gains.index(max(gains))
    billions, size, fetched, done, operations, n = given
    return max(size * billions / fetched * 1000, operations * billions * n / done)


@pytest.mark.parametrize("question", MANY, ids=lambda q: q.kind)
def test_the_answer_is_what_the_prompts_own_numbers_give(question):
    by_hand = float(worked_from_the_prompt(question))
    assert question.check(f"{by_hand:.{question.answer.decimals}f}").correct
    assert question.check(f"{by_hand:.6g}".replace(".", ",")).correct
    step = 10.0**-question.answer.decimals
    for wrong in (by_hand + 2 * step, by_hand - 2 * step):
        assert question.check(f"{wrong:.4f}").correct is False


@pytest.mark.parametrize("question", MANY[:70], ids=lambda q: q.kind)
def test_feedback_shows_the_working_with_the_answer_and_a_page_and_setting(question):
    for typed in (question.answer.printed, "999"):
        feedback = question.check(typed)
        assert feedback.counted
        assert feedback.correct is (typed != "999")
        assert question.answer.printed in feedback.message
        assert feedback.page in PAGES
        assert feedback.working == question.working
        assert re.search(r"\d", " ".join(feedback.working))
    assert Setting.from_query(question.setting.query_params()) == question.setting


def test_a_round_of_seven_holds_every_kind_once_in_orders_that_differ():
    orders = set()
    for seed in range(5):
        for first in (1, 8):
            kinds = [generated_question(seed, n).kind for n in range(first, first + 7)]
            assert set(kinds) == KINDS
            orders.add(tuple(kinds))
    assert len(orders) > 5


def test_the_same_seed_and_number_give_the_same_question_and_others_another():
    assert generated_question(5, 3) == generated_question(5, 3)
    assert len({q.prompt for q in MANY}) > 100
    assert len({generated_question(1, n).setting for n in range(1, 8)}) >= 5


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_kind_draws_many_different_settings(kind):
    settings = {q.setting for q in MANY if q.kind == kind}
    assert len(settings) > 8
    if kind in ("round-time", "speed-up", "break-even", "best-k"):
        assert len({setting.draft_ms for setting in settings}) > 4


def test_questions_of_a_seed_stay_what_they_are():
    first = generated_question(3, 1)
    assert (first.kind, first.answer.number) == ("best-k", "4")
    assert first.setting == Setting(kept=75, k=4, draft_ms=1.0)


@pytest.mark.parametrize(
    ("text", "unit", "number"),
    [
        ("12.7", "ms", "12.7"),
        ("12,7 ms", "ms", "12.7"),
        (" 12.7ms ", "ms", "12.7"),
        ("≈ 12.7 milliseconds.", "ms", "12.7"),
        ("0.0127 s", "ms", "12.7"),
        ("39 %", "%", "39"),
        ("39%", "%", "39"),
        ("38,6 percent", "%", "38.6"),
        ("0.39", "%", "39"),
        ("0.39 %", "%", "0.39"),
        ("2.08x", "times", "2.08"),
        ("2,08 ×", "times", "2.08"),
        ("2.08 times as fast", "times", "2.08"),
        ("3.36 tokens", "tokens", "3.36"),
        (".5", "times", "0.5"),
        ("31 users", "users", "31"),
        ("1 guess", "guesses", "1"),
        ("-4", "guesses", "-4"),
        ("−4", "guesses", "-4"),
        (12.7, "ms", "12.7"),
    ],
)
def test_typed_numbers_are_understood(text, unit, number):
    assert typed_number(text, unit) == Decimal(number)


@pytest.mark.parametrize(
    "text",
    ["", " ", ".", "ms", "twelve", "1.2.3", "1,234.5", "nan", "inf", "1e3", "12 apples", "1/2",
     "٣", "9" * 5000, None, [], "12.7 ms 3", "<b>1</b>"],
)  # fmt: skip
@pytest.mark.parametrize("number", range(1, 8))
def test_nonsense_gets_one_clear_sentence_and_is_not_counted(text, number):
    feedback = generated_question(2, number).check(text)
    assert feedback.correct is None
    assert not feedback.counted
    assert re.fullmatch(r"Type one number[^.]*\.", feedback.message)
    # Nothing of the answer is given away: no working, and no link to the setting that shows it.
    assert (feedback.working, feedback.page, feedback.setting) == ((), None, None)


@pytest.mark.parametrize("unit", ["%", "users"])
def test_another_unit_is_not_counted(unit):
    with pytest.raises(ValueError, match="without another unit"):
        typed_number("12 ms", unit)


TYPED = st.text("0123456789.,-+%x ×ms٣e≈", max_size=12)


@given(TYPED, st.integers(1, 7))
def test_whatever_is_typed_gets_feedback(text, number):
    feedback = generated_question(0, number).check(text)
    assert feedback.counted == (feedback.working != ())


@pytest.mark.parametrize(
    ("value", "decimals", "right", "wrong"),
    [
        # Printed 12.7: whatever rounds to it, and 12.75, half a unit from 12.749 and nearer.
        (12.749, 1, ["12.7", "12.70", "12.66", "12.749", "12.75"], ["12.8", "12.64", "13"]),
        (2.0811, 2, ["2.08", "2.0811", "2.084"], ["2.1", "2", "2.07", "2.09"]),
        (38.6, 0, ["39", "38.6", "39.4"], ["38", "38.0", "40"]),
        (1.875, 2, ["1.88", "1.87", "1.875"], ["1.86", "1.89", "1.9"]),
    ],
)
def test_tolerance_is_set_by_the_printed_digits(value, decimals, right, wrong):
    answer = Answer(value, "ms", decimals)
    assert all(answer.accepts(Decimal(text)) for text in right)
    assert not any(answer.accepts(Decimal(text)) for text in wrong)


def test_a_count_must_be_met_exactly():
    answer = Answer(31, "users", 0, whole=True)
    assert answer.accepts(Decimal("31.0"))
    assert not any(answer.accepts(Decimal(text)) for text in ("30.8", "31.2", "30", "32"))


@pytest.mark.parametrize(
    ("answer", "printed"),
    [
        (Answer(12.725, "ms", 1), "12.7 ms"),
        (Answer(38.6, "%", 0), "39%"),
        (Answer(2.0, "times", 2), "2.00 times as fast"),
        (Answer(1, "users", 0, whole=True), "1 user"),
        (Answer(2, "guesses", 0, whole=True), "2 guesses"),
    ],
)
def test_answers_are_printed_with_their_unit(answer, printed):
    assert answer.printed == printed


@pytest.mark.parametrize(
    ("seed", "number", "sentence"),
    [
        (-1, 1, "seed must be a whole number of at least 0"),
        ("x", 1, "seed must be a whole number of at least 0"),
        (1, 0, "number must be a whole number of at least 1"),
        (1, 1.5, "number must be a whole number of at least 1"),
        (1, [1, 2], "number must be one whole number"),
    ],
)
def test_a_series_says_what_it_accepts(seed, number, sentence):
    with pytest.raises(ValueError, match=f"^{sentence}"):
        generated_question(seed, number)
