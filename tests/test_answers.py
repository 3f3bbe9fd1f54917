"""What the pages say: the model's own numbers at every setting, printed as the lesson prints."""

import inspect
import itertools
import math
import re
from fractions import Fraction

import numpy as np
import pytest

from specdec import LESSON, OPENING, SENTENCE, Setting, expected_tokens
from specdec.answers import parts
from specdec.answers.costs import costs
from specdec.answers.round import OPENING_PLACE, prompt_before, round_page
from specdec.answers.sampling import DRAWS, sampling
from specdec.answers.speedup import speedup
from specdec.answers.users import users
from specdec.machine import Machine

# Every corner of the controls, and points between them that the lesson names.
GRID = [
    *itertools.starmap(Setting, itertools.product((0, 100), (1, 32), (0.1, 10), (1, 256))),
    OPENING,
    *(Setting(kept) for kept in (1, 15, 38, 39, 60, 90, 99)),
    *(Setting(k=k) for k in (1, 2, 5, 8, 13, 32)),
    *(Setting(draft_ms=draft) for draft in (0.1, 1.1, 2.4, 7.9, 10)),
    *(Setting(users=users) for users in (2, 30, 31, 64, 84, 85, 153, 154, 256)),
    Setting(60, 10, 2.4, 31),
    Setting(95, 12, 1.212, 16),
]
ODDS = [
    ("1/2, 3/10, 1/5", "1/5, 3/10, 1/2"),
    ("1, 0", "0, 1"),
    ("1/2, 1/2", "1/2, 1/2"),
    ("0.001 0.999", "99.9% 0.1%"),
    ("1/6 1/6 1/6 1/6 1/6 1/6", "1/21 2/21 3/21 4/21 5/21 6/21"),
    ("123456789/1000000000, 876543211/1000000000", "1/3, 2/3"),
]
# A screen reader has said "graphic" already; alt text that names the kind of chart wastes words.
CHART_WORDS = re.compile(r"\b(chart|graph|plot|diagram|histogram|image|picture)\b", re.IGNORECASE)
NO_NUMBER = re.compile(r"\b(nan|inf|None|NaN)\b")


def draft(setting):
    return None if setting.draft_ms == 1.212 else setting.draft_ms / 1000


def gain_of(setting, **other):
    arguments = {"a": setting.kept / 100, "k": setting.k, "users": setting.users, **other}
    return LESSON.speedup(draft_seconds=draft(setting), **arguments)


def column(rows, name):
    return np.array([row[name] for row in rows])


def check_answer(answer):
    """What holds for every page: complete, short, plain, and no number missing."""
    assert answer.sentence.endswith(".")
    assert answer.sentence.count("**") % 2 == 0
    assert answer.metrics
    assert answer.leaves_out
    assert answer.formula
    assert answer.sources
    # The page shows their source; a property or a function made on the fly would have none.
    assert all("def " in inspect.getsource(inspect.unwrap(f)) for f in answer.sources)
    texts = [answer.sentence, *answer.leaves_out]
    for metric in answer.metrics:
        assert metric.label
        assert metric.value
        texts += [metric.label, metric.value, metric.note]
    for figure in answer.figures:
        assert re.fullmatch(r"[a-z-]+", figure.name)
        assert figure.data in figure.rows
        assert figure.title
        assert len(figure.caption) > 30
        assert len(figure.alt) > 10
        assert figure.caption.endswith(".")
        assert figure.alt.endswith(".")
        assert not CHART_WORDS.search(figure.alt)
        texts += [figure.title, figure.caption, figure.alt]
        for key, rows in figure.rows.items():
            # The lesson's line for comparison is left out where the line is the lesson's own.
            if rows or key != "lesson":
                check_rows(rows)
    for table in answer.tables:
        assert table.title
        assert table.rows
        assert len({tuple(row) for row in table.rows}) == 1
        texts += [value for row in table.rows for value in row.values()]
    assert all(isinstance(text, str) for text in texts)
    assert not [text for text in texts if NO_NUMBER.search(text)]


def check_rows(rows):
    assert 0 < len(rows) < 500
    assert len({tuple(row) for row in rows}) == 1
    for row in rows:
        for value in row.values():
            # Plain Python values only: NumPy's own do not travel as JSON or CSV everywhere.
            assert type(value) in (int, float, str, bool)
            assert not isinstance(value, float) or math.isfinite(value)


def marks_of(figure, kind):
    return [row for row in figure.rows["marks"] if row["kind"] == kind]


@pytest.mark.parametrize("setting", GRID, ids=lambda setting: setting.query() or "opening")
class TestEverySetting:
    def test_costs(self, setting):
        answer = costs(setting)
        check_answer(answer)
        read = setting.users * (setting.k + 1)
        check = LESSON.big_pass(read)
        whole = LESSON.round_seconds(setting.k, draft(setting), setting.users)
        tokens = expected_tokens(setting.kept / 100, setting.k)
        assert f"reads {read:,} tokens in one big pass" in answer.sentence
        assert f"**{1000 * check.seconds:,.2f} ms**" in answer.sentence
        assert f"a round takes **{1000 * whole:,.3f} ms**" in answer.sentence
        assert f"a token costs **{1000 * whole / tokens:,.2f} ms**" in answer.sentence
        assert answer.metrics[0].note == f"limited by {check.limited_by}"

        passes, bar = answer.figures
        (dot,) = marks_of(passes, "setting")
        assert dot["tokens"] == read
        assert dot["milliseconds"] == 1000 * check.seconds
        assert dot["label"].endswith(f"{1000 * check.seconds:,.2f} ms")
        rows = [*passes.rows["curve"], *passes.rows["marks"]]
        tokens, times = column(rows, "tokens"), column(rows, "milliseconds")
        assert times.tolist() == (1000 * LESSON.big_pass(tokens).seconds).tolist()
        assert tokens.max() <= passes.options["x_end"]
        assert times.max() <= passes.options["y_end"]
        runs = {row["run"]: row["limited_by"] for row in passes.rows["curve"]}
        assert list(runs.values()) == ["memory", "arithmetic"]
        *guesses, last = bar.rows["parts"]
        assert len(guesses) == setting.k
        assert last["end"] == pytest.approx(1000 * whole)
        assert last["limited_by"] == check.limited_by
        assert all(
            a["end"] == pytest.approx(b["start"]) for a, b in itertools.pairwise([*guesses, last])
        )
        assert last["end"] <= bar.options["x_end"]

    def test_speedup(self, setting):
        answer = speedup(setting)
        check_answer(answer)
        gain = gain_of(setting)
        assert f"**{gain:,.2f} times as fast**" in answer.sentence.replace("only ", "")
        assert ("slower than plain" in answer.sentence) == (gain < 1)
        edge = LESSON.break_even(setting.k, draft(setting), setting.users)
        best = LESSON.best_k(setting.kept / 100, draft(setting), setting.users)
        if edge is None:
            assert "would not pay even if every guess were kept" in answer.sentence
        else:
            assert f"it pays from **{100 * edge:.1f}%** kept" in answer.sentence
        if best:
            most = gain_of(setting, k=best)
            assert f"guesses is **{best}**, {most:,.2f} times as fast" in answer.sentence
        else:
            assert "switch guessing off" in answer.sentence

        edges = {row["Guesses per round"]: row["Break-even"] for row in answer.tables[0].rows}
        assert edges.keys() == {"1", "2", "4", "8", str(setting.k)}
        for k, printed in edges.items():
            alone = LESSON.break_even(int(k), draft(setting), setting.users)
            assert printed == ("never" if alone is None else f"{100 * alone:.1f}%")
        bests = {row["Kept"]: row["Best number of guesses"] for row in answer.tables[1].rows}
        assert bests[f"{setting.kept}%"] == (str(best) if best else "none: plain decoding")

        by_rate, by_guesses = answer.figures
        (dot,) = marks_of(by_rate, "setting")
        assert (dot["kept_percent"], dot["speedup"]) == (setting.kept, gain)
        rows = [*by_rate.rows["curve"], *by_rate.rows["marks"]]
        gains = gain_of(setting, a=column(rows, "kept_percent") / 100)
        assert column(rows, "speedup") == pytest.approx(gains, rel=1e-9)
        assert gains.max() <= by_rate.options["y_end"]
        for mark in marks_of(by_rate, "break-even"):
            assert mark["kept_percent"] == 100 * edge
        check_sides(by_rate)
        (diamond,) = marks_of(by_guesses, "setting")
        assert (diamond["guesses"], diamond["speedup"]) == (setting.k, gain)
        rows = by_guesses.rows["curve"]
        kept = np.array([int(row["rate"].removesuffix("% kept")) for row in rows])
        gains = gain_of(setting, a=kept / 100, k=column(rows, "guesses"))
        assert column(rows, "speedup") == pytest.approx(gains, rel=1e-12)
        assert column(rows, "present").tolist() == (kept == setting.kept).tolist()
        assert column(rows, "guesses").max() <= by_guesses.options["x_end"]
        assert gains.max() <= by_guesses.options["y_end"]
        for mark in marks_of(by_guesses, "best"):
            tops = [row["speedup"] for row in rows if row["guesses"] == mark["guesses"]]
            assert mark["speedup"] in tops
        assert setting.k <= by_guesses.options["x_end"]

    def test_users(self, setting):
        answer = users(setting)
        check_answer(answer)
        gain = gain_of(setting)
        free = LESSON.users_when_checking_stops_being_free(setting.k) - 1
        loses = LESSON.users_when_guessing_stops_paying(
            setting.kept / 100, setting.k, draft(setting)
        )
        assert f" **{gain:,.2f} times as fast**" in answer.sentence
        assert ("1 guess a round is **" in answer.sentence) == (setting.k == 1)
        assert f"free up to **{free} user{'s' if free > 1 else ''}**" in answer.sentence
        if loses is None:
            assert "pays at every number of users" in answer.sentence
        elif loses == 1:
            assert "does not pay even for one user" in answer.sentence
        else:
            assert f"stops paying at **{loses} users**" in answer.sentence
        (figure,) = answer.figures
        (dot,) = marks_of(figure, "setting")
        assert (dot["users"], dot["speedup"]) == (setting.users, gain)
        rows = [*figure.rows["curve"], *figure.rows["marks"]]
        gains = gain_of(setting, users=column(rows, "users"))
        assert column(rows, "speedup") == pytest.approx(gains, rel=1e-12)
        assert gains.max() <= figure.options["y_end"]
        check_sides(figure)


def check_sides(figure):
    """Every run is on one side of plain decoding, and starts where the one before it ended."""
    rows = figure.rows["curve"]
    for _, run in itertools.groupby(rows, lambda row: row["run"]):
        run = list(run)
        assert len({row["side"] for row in run}) == 1
        # The first point of a run is the last one of the run before.
        for row in run[1:]:
            assert row["side"] == ("faster" if row["speedup"] >= 1 else "slower")
    x = next(iter(rows[0]))
    for a, b in itertools.pairwise(rows):
        if a["run"] != b["run"]:
            assert (a[x], a["speedup"]) == (b[x], b["speedup"])


class TestRound:
    @pytest.mark.parametrize("k", [1, 2, 4, 8, 32])
    @pytest.mark.parametrize("place", [0, 3, 20, 40])
    def test_every_round_adds_up_to_the_reply(self, k, place):
        setting, written, number = Setting(k=k), [], 1
        while True:
            answer = round_page(setting, place, number)
            check_answer(answer)
            assert answer.number == number
            boxes = answer.figures[0].rows["boxes"]
            guesses = [box for box in boxes if box["row"] == "guess"]
            own = [box for box in boxes if box["row"] == "big model"]
            assert (len(guesses), len(own)) == (k, k + 1)
            kept = [box["word"] for box in guesses if box["state"] == "kept"]
            (mine,) = (box["word"] for box in own if box["state"] == "own word")
            assert [box["place"] for box in guesses if box["state"] == "rejected"] == (
                [len(kept) + 1] if len(kept) < k else []
            )
            assert f"keeps **{len(kept)}**" in answer.sentence
            assert f"**{parts.count(len(kept) + 1, 'word')}** from one big pass" in answer.sentence
            assert k + 1 <= answer.figures[0].options["places"] < k + 6
            written += [*kept, mine]
            if number == answer.rounds:
                break
            number += 1
        assert tuple(written[:17]) == answer.plain == answer.speculative
        assert len(written) >= 17
        assert answer.metrics[2].value == str(number)
        assert "same, word for word" in answer.check
        assert "41 of 41" in answer.check

    def test_opens_after_boil_the_water(self):
        answer = round_page(OPENING)
        assert prompt_before(OPENING_PLACE) == answer.prompt == ("boil", "the", "water")
        assert answer.sentence == (
            "After “boil the water” the small model guesses 4 words, the big one keeps **2**, "
            "“bag” becomes “kettle”: **3 words** from one big pass."
        )
        assert "in, the, bag, ." in answer.figures[0].alt
        assert "in, the, kettle, out, wait" in answer.figures[0].alt

    @pytest.mark.parametrize(("number", "shown"), [(-3, 1), (0, 1), (1, 1), (10_000, None)])
    def test_a_number_outside_the_reply_shows_its_nearest_round(self, number, shown):
        answer = round_page(OPENING, number=number)
        assert answer.number == (shown or answer.rounds)

    def test_every_place_has_its_own_prompt(self):
        prompts = {prompt_before(place) for place in range(len(SENTENCE))}
        assert len(prompts) == 41

    def test_a_text_that_differs_would_be_reported(self, monkeypatch):
        module = "specdec.answers.round.speculative_greedy"
        rounds = round_page(OPENING)
        from specdec import speculative_greedy

        def wrong(prompt, count, k):
            words, done = speculative_greedy(prompt, count, k)
            return ["coffee", *words[1:]], done

        monkeypatch.setattr(module, wrong)
        assert "The two texts differ" in round_page(OPENING).check
        assert "The two texts differ" not in rounds.check


class TestSampling:
    @pytest.mark.parametrize(("p", "q"), ODDS)
    def test_every_pair_of_odds(self, p, q):
        answer = sampling(p, q)
        check_answer(answer)
        stacked, tries = answer.figures
        caps = {row["token"]: row["p"] for row in stacked.rows["caps"]}
        for token, chance in caps.items():
            both = [Fraction(r["fraction"]) for r in stacked.rows["bars"] if r["token"] == token]
            assert float(sum(both)) == chance
            assert chance <= stacked.options["y_end"]
        assert sum(row["tried"] for row in tries.rows["curve"]) == pytest.approx(1)
        for row in tries.rows["curve"]:
            assert row["exact"] == caps[row["token"]]
            assert 0 <= row["low"] <= row["exact"] <= row["high"] <= 1
            # Five standard deviations of so many tries.
            bound = 5 * math.sqrt(row["exact"] * (1 - row["exact"]) / DRAWS)
            assert abs(row["tried"] - row["exact"]) <= bound
        *rows, last = answer.tables[0].rows
        for row in rows:
            assert row["Total"] == row["p, big model"]
            assert Fraction(row["Kept"]) + Fraction(row["Redrawn"]) == Fraction(row["Total"])
        assert Fraction(last["Kept"]) == sum(Fraction(row["Kept"]) for row in rows)
        assert Fraction(last["Kept"]) + Fraction(last["Redrawn"]) == 1

    def test_opens_at_the_lessons_example(self):
        answer = sampling()
        assert answer.sentence.startswith(
            "**70%** of guesses are kept and a rejected guess becomes A;"
        )
        assert [tuple(row.values()) for row in answer.tables[0].rows] == [
            ("A", "1/2", "1/5", "1/5", "3/10", "1/2"),
            ("B", "3/10", "3/10", "3/10", "0", "3/10"),
            ("C", "1/5", "1/2", "1/5", "0", "1/5"),
            ("all", "1", "1", "7/10", "3/10", "1"),
        ]
        assert [metric.value for metric in answer.metrics[:2]] == ["7/10", "3/10"]

    def test_decimals_and_fractions_are_the_same_odds(self):
        assert sampling("0.5 0.3 0.2", "20% 30% 50%").sentence == sampling().sentence

    def test_equal_odds(self):
        assert "no guess is ever rejected" in sampling("1/2 1/2", "0.5 0.5").sentence

    @pytest.mark.parametrize(
        ("p", "q", "says"),
        [
            ("x", "1/2 1/2", "p: "),
            ("1/2 1/2", "1/2 1/3", "q: "),
            ("1/2 1/2", "1/3 1/3 1/3", "the same number of tokens"),
        ],
    )
    def test_a_mistake_is_one_sentence(self, p, q, says):
        with pytest.raises(ValueError, match=says) as caught:
            sampling(p, q)
        assert "\n" not in str(caught.value)
        assert str(caught.value).endswith(".")


class TestLessIdeal:
    def test_the_costs_add_up_with_every_switch_on(self):
        """By hand: 2 × 1.212 + 1.5 × 7.877 + 3 ms, for 1 + 0.8 + 0.8 × 0.5 = 2.2 tokens."""
        answer = costs(Setting(k=2), Machine(software=3, check=1.5, places="80-50").model())
        printed = {row["Step"]: row["Value"] for row in answer.tables[0].rows}
        assert printed == {
            "2 draft passes": "2.424 ms",
            "Big pass, 3 tokens": "11.815 ms",
            "Software": "3.000 ms",
            "One round": "17.239 ms",
            "Tokens per round": "2.20",
            "Time per token": "7.84 ms",
            "Speed-up": "1.01 times",
        }
        assert "a token costs **7.84 ms** instead of 7.88 ms" in answer.sentence
        passes, bar = answer.figures
        assert bar.rows["parts"][-1]["end"] == pytest.approx(17.239 - 3, abs=0.001)
        assert "set to cost 1.5 such passes" in passes.caption


class TestPrinted:
    def test_the_worked_example_multiplies_the_printed_milliseconds(self):
        """At full precision four passes are 4.8487 ms; the lesson multiplies the 1.212 it shows."""
        assert parts.multiplied(4, LESSON.draft_seconds()) == "4.848 ms"
        assert f"{4000 * LESSON.draft_seconds():.3f}" == "4.849"

    @pytest.mark.parametrize(
        ("printed", "text"),
        [
            (parts.milliseconds(0.0078766), "7.88 ms"),
            (parts.milliseconds(0.0078766, 3), "7.877 ms"),
            (parts.milliseconds(1.5, 2), "1,500.00 ms"),
            (parts.times(2.0799), "2.08 times"),
            (parts.percent(0.386), "39%"),
            (parts.percent(Fraction(1, 3), 1), "33.3%"),
            (parts.count(1, "guess", "guesses"), "1 guess"),
            (parts.count(4, "guess", "guesses"), "4 guesses"),
            (parts.count(8448, "token"), "8,448 tokens"),
        ],
    )
    def test_numbers(self, printed, text):
        assert printed == text

    def test_an_axis_stays_put_until_the_curve_would_leave_it(self):
        tops = [parts.axis_top(highest, (3, 6)) for highest in (0, 3, 3.01, 6, 7, 100)]
        assert tops == [3, 3, 6, 6, 12, 192]

    def test_runs_share_the_point_between_them(self):
        rows = [{"x": x, "side": side} for x, side in enumerate("aabba")]
        joined = [(row["x"], row["side"], row["run"]) for row in parts.joined_runs(rows, "side")]
        assert joined == [
            *[(0, "a", 0), (1, "a", 0), (1, "b", 1), (2, "b", 1), (3, "b", 1)],
            *[(3, "a", 2), (4, "a", 2)],
        ]

    def test_the_settings_own_lines(self):
        assert parts.setting_line(OPENING) == "80% kept · 4 guesses · draft pass 1.212 ms · 1 user"
        assert parts.setting_slug(Setting(39, 1, 2.4, 31)) == "kept39-k1-draft2.4ms-users31"
