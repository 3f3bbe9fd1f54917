"""What each name means is pinned: a link shared today must open the same view later."""

import string

import pytest

from specdec import NAMED_SETTINGS, PAGES, TEACHING_ORDER, Setting, named_setting

PINNED = {
    "opening": ("Opening", "round", "", Setting(80, 4, 1.212, 1)),
    "break-even": ("Break-even", "speedup", "kept=39", Setting(39, 4, 1.212, 1)),
    "draft-twice-as-slow": (
        "Draft twice as slow",
        "costs",
        "draft=2.4",
        Setting(80, 4, 2.4, 1),
    ),
    "31-users": ("31 users", "users", "users=31", Setting(80, 4, 1.212, 31)),
    "85-users": ("85 users", "users", "users=85", Setting(80, 4, 1.212, 85)),
    "every-guess-kept": ("Every guess kept", "round", "kept=100", Setting(100, 4, 1.212, 1)),
}

# The figures that the published lesson prints for these settings.
PRINTED = {
    "opening": ["17 words", "17 big passes", "in 5."],
    "break-even": ["38.6%", "39%"],
    "draft-twice-as-slow": ["2.4 ms", "12.7", "2.08", "1.52", "57.9%"],
    "31-users": ["31 × 5 = 155", "154"],
    "85-users": ["425 tokens", "7.88 ms", "0.99"],
    "every-guess-kept": ["5 words", "4 rounds"],
}


def test_every_name_means_what_it_always_did():
    found = {n.id: (n.title, n.page, n.setting.query(), n.setting) for n in NAMED_SETTINGS}
    assert found == PINNED
    assert list(found) == list(PINNED)


@pytest.mark.parametrize("id", PINNED)
def test_each_name_says_what_to_look_at_with_the_lessons_figures(id):
    text = named_setting(id).look_at
    for figure in PRINTED[id]:
        assert figure in text
    assert text.endswith(".")
    assert "{" not in text


def test_ids_fit_in_a_link():
    for named in NAMED_SETTINGS:
        assert set(named.id) <= set(string.ascii_lowercase + string.digits + "-")


def test_the_teaching_order():
    assert [(step.page, step.named.id) for step in TEACHING_ORDER] == [
        ("round", "opening"),
        ("round", "every-guess-kept"),
        ("costs", "opening"),
        ("costs", "draft-twice-as-slow"),
        ("speedup", "opening"),
        ("speedup", "break-even"),
        ("users", "31-users"),
        ("users", "85-users"),
        ("sampling", "opening"),
    ]
    assert PAGES == ("round", "costs", "speedup", "users", "sampling")


def test_every_name_is_taught_on_its_own_page_and_no_step_repeats_a_sentence():
    taught = {(step.page, step.named.id) for step in TEACHING_ORDER}
    assert taught >= {(named.page, named.id) for named in NAMED_SETTINGS}
    sentences = [step.look_at for step in TEACHING_ORDER]
    assert len(set(sentences)) == len(sentences)


@pytest.mark.parametrize(
    ("page", "figures"),
    [
        ("costs", ["7.88 ms", "1.21 ms", "12.7 ms", "3.36 tokens"]),
        ("speedup", ["80%", "2.08"]),
        ("sampling", ["7/10"]),
    ],
)
def test_the_opening_setting_has_a_sentence_of_its_own_on_other_pages(page, figures):
    (step,) = [s for s in TEACHING_ORDER if (s.page, s.named.id) == (page, "opening")]
    assert all(figure in step.look_at for figure in figures)


@pytest.mark.parametrize("id", ["", "Opening", "32-users", None, 4])
def test_an_unknown_name_is_refused_with_the_names_there_are(id):
    with pytest.raises(ValueError, match=r"^A named setting is one of opening, break-even, "):
        named_setting(id)
