"""Links written today must open the same view later: names, defaults and bounds are pinned here."""

import string
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdec import DRAFT_MS, LESSON, OPENING, Setting

SETTINGS = st.builds(
    Setting,
    kept=st.integers(0, 100),
    k=st.integers(1, 32),
    draft_ms=st.sampled_from(DRAFT_MS),
    users=st.integers(1, 256),
)


def test_the_opening_setting_never_changes():
    assert Setting() == OPENING
    assert (OPENING.kept, OPENING.k, OPENING.draft_ms, OPENING.users) == (80, 4, 1.212, 1)
    assert OPENING.query() == ""
    assert OPENING.keep_rate == 0.8
    assert OPENING.draft_seconds is None


def test_the_draft_models_own_time_stands_in_for_its_tenth():
    assert len(DRAFT_MS) == 100
    assert DRAFT_MS[:3] == (0.1, 0.2, 0.3)
    assert DRAFT_MS[10:13] == (1.1, 1.212, 1.3)
    assert DRAFT_MS[-1] == 10
    assert f"{LESSON.draft_seconds() * 1000:.3f}" == "1.212"


def test_other_draft_times_are_given_in_seconds():
    assert Setting(draft_ms=2.4).draft_seconds == pytest.approx(0.0024)


@pytest.mark.parametrize(
    ("query", "setting"),
    [
        ("", Setting()),
        ("kept=39", Setting(39)),
        ("kept=0&k=1&draft=0.1&users=256", Setting(0, 1, 0.1, 256)),
        ("kept=100&k=32&draft=10&users=31", Setting(100, 32, 10, 31)),
        ("draft=2.4", Setting(draft_ms=2.4)),
        ("users=85", Setting(users=85)),
    ],
)
def test_a_link_of_today_opens_the_same_setting_and_is_written_the_same(query, setting):
    assert Setting.from_query(dict(parse_qsl(query))) == setting
    assert setting.query() == query


@given(SETTINGS)
def test_a_setting_survives_its_link(setting):
    query = setting.query()
    assert set(query) <= set(string.ascii_lowercase + string.digits + ".=&")
    assert Setting.from_query(dict(parse_qsl(query))) == setting
    assert Setting.from_query(setting.query_params()) == setting


@pytest.mark.parametrize("name", ["kept", "k", "draft", "users"])
@pytest.mark.parametrize(
    "value",
    ["", " ", "-1", "4.55", "257.5", "nan", "inf", "1e1", "٣", "0x4", "9" * 5000, None, [], b"4"],
)
def test_an_impossible_value_becomes_the_opening_value(name, value):
    kept_from_the_rest = Setting.from_query({"kept": "39", "users": "31", name: value})
    expected = {"kept": 39, "users": 31}
    expected.pop(name, None)
    assert kept_from_the_rest == Setting(**expected)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("kept", "101"),
        ("k", "0"),
        ("k", "33"),
        ("draft", "0"),
        ("draft", "0.05"),
        ("draft", "1.2"),
        ("draft", "10.1"),
        ("users", "0"),
        ("users", "257"),
    ],
)
def test_a_value_past_its_bounds_becomes_the_opening_value(name, value):
    assert Setting.from_query({name: value}) == OPENING


@given(
    st.dictionaries(
        st.sampled_from(["kept", "k", "draft", "users", "page"]),
        st.text("0123456789.-+e %٣", max_size=8) | st.none() | st.floats(),
    )
)
def test_nothing_that_a_link_holds_raises(mapping):
    assert isinstance(Setting.from_query(mapping), Setting)


def test_other_names_and_what_is_no_mapping_are_ignored():
    assert Setting.from_query({"present": "1", "kept": "60"}) == Setting(60)
    assert Setting.from_query(None) == OPENING


@pytest.mark.parametrize(
    ("values", "accepted"),
    [
        ({"kept": 101}, "kept must be one whole number from 0 to 100"),
        ({"kept": 38.6}, "kept must be one whole number from 0 to 100"),
        ({"k": 0}, "k must be one whole number from 1 to 32"),
        ({"k": True}, "k must be one whole number from 1 to 32"),
        ({"users": [1, 2]}, "users must be one whole number from 1 to 256"),
        ({"draft_ms": 1.2}, "draft_ms must be 1.212 or a tenth from 0.1 to 10 milliseconds"),
        ({"draft_ms": float("nan")}, "draft_ms must be 1.212 or a tenth"),
        ({"draft_ms": "fast"}, "draft_ms must be 1.212 or a tenth"),
        ({"draft_ms": [1.212]}, "draft_ms must be 1.212 or a tenth"),
    ],
)
def test_a_setting_says_what_it_accepts(values, accepted):
    with pytest.raises(ValueError, match=f"^{accepted}.*, not .*\\.$"):
        Setting(**values)


def test_a_sliders_rounding_error_is_forgiven():
    assert Setting(draft_ms=0.1 + 0.2).draft_ms == 0.3
