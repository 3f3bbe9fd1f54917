"""What the race, a measured run, the switches, other ways and published runs are answered with."""

import itertools
import math
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdec import LESSON, OPENING, Setting
from specdec.answers.beyond import beyond
from specdec.answers.measured import measured
from specdec.answers.published_runs import published_runs
from specdec.answers.race import race_page
from specdec.answers.ways import ways_to_guess
from specdec.conditions import BEST_CASE
from specdec.machine import Machine
from specdec.measured import (
    MeasuredError,
    MeasuredRun,
    examples,
    read_server_text,
    run_from_counts,
    write_csv,
)
from specdec.published import scored

CORNERS = [
    *itertools.starmap(Setting, itertools.product((0, 100), (1, 32), (0.1, 10), (1, 256))),
    OPENING,
    Setting(39),
    Setting(60, 10, 2.4, 31),
    Setting(users=85),
]
# 50 rounds of 4 guesses: 41, 30, 22 and 15 of them kept guesses 1 to i, so 108 were kept.
FIFTY = (
    "SpecDecoding metrics: Mean acceptance length: 3.16, Accepted throughput: 10.80 tokens/s, "
    "Drafted throughput: 20.00 tokens/s, Accepted: 108 tokens, Drafted: 200 tokens, "
    "Per-position acceptance rate: 0.820, 0.600, 0.440, 0.300, Avg Draft acceptance rate: 54.0%"
)
NO_NUMBER = re.compile(r"\b(nan|inf|None|NaN)\b")


def texts_are_sound(texts):
    for text in texts:
        assert isinstance(text, str)
        assert not NO_NUMBER.search(text), text
        assert text.count("**") % 2 == 0


def figure_is_sound(figure):
    assert figure.data in figure.rows
    assert figure.caption.endswith(".")
    assert figure.alt.endswith(".")
    assert re.fullmatch(r"[a-z-]+", figure.name)
    texts_are_sound([figure.title, figure.caption, figure.alt])
    for rows in figure.rows.values():
        assert len(rows) < 500
        assert len({tuple(row) for row in rows}) <= 1
        for value in (value for row in rows for value in row.values()):
            assert type(value) in (int, float, str, bool)
            assert not isinstance(value, float) or math.isfinite(value)


def table_is_sound(table):
    assert table.title
    assert table.rows
    assert len({tuple(row) for row in table.rows}) == 1
    texts_are_sound(value for row in table.rows for value in row.values())


def metrics_of(answer):
    return {metric.label: (metric.value, metric.note) for metric in answer.metrics}


def quick_average(a, k, tries, seed):
    """The page hands in a cached average; here only that it is asked for what it must be."""
    assert tries == 1000
    from specdec.race_average import race_average

    return race_average(a, k, 20, seed)


class TestRace:
    def test_opens_with_the_lessons_race_at_its_end(self):
        answer = race_page(OPENING)
        assert "the plain lane takes **17 big passes** and 133.9 ms" in answer.sentence
        assert "the draft lane **5 big passes** and 63.6 ms: **2.10 times** as fast" in (
            answer.sentence
        )
        assert metrics_of(answer)["Plain lane"] == ("133.9 ms", "17 big passes")
        assert metrics_of(answer)["Draft lane"] == ("63.6 ms", "5 big passes")
        assert metrics_of(answer)["Average of 1,000 tries"][1].endswith("formula 3.36")
        assert answer.moment == answer.moments
        assert answer.clock == "133.9 ms"
        assert len(answer.plain) == 17
        assert answer.plain == answer.draft

    def test_a_moment_is_a_round_and_the_last_is_the_slower_lanes_end(self):
        """133.9 ms are 10.5 rounds of 12.725 ms: ten whole ones, and the end is the eleventh."""
        assert race_page(OPENING, average=quick_average).moments == 11
        start = race_page(OPENING, moment=0, average=quick_average)
        assert (start.clock, start.plain, start.draft) == ("0.0 ms", (), ())
        assert (start.round_number, list(start.round_words), start.own) == (0, [], "")

    def test_words_so_far_by_hand(self):
        """The draft lane writes 2, 2, 3, 5 and 5 words; the plain one a word each 7.877 ms."""
        whole = race_page(OPENING, average=quick_average)
        draft, plain = [], []
        for moment in range(12):
            answer = race_page(OPENING, moment=moment, average=quick_average)
            draft.append(len(answer.draft))
            plain.append(len(answer.plain))
            assert answer.draft == whole.draft[: len(answer.draft)]
            assert answer.plain == whole.plain[: len(answer.plain)]
        assert draft == [0, 2, 4, 7, 12, 17, 17, 17, 17, 17, 17, 17]
        assert plain == [*(int(moment * 12.725 / 7.877) for moment in range(11)), 17]

    @pytest.mark.parametrize(
        ("asked", "shown"), [(-5, 0), (0, 0), (3, 3), (11, 11), (12, 11), (10**9, 11), (None, 11)]
    )
    def test_a_moment_outside_the_race_is_its_nearest(self, asked, shown):
        answer = race_page(OPENING, moment=asked, average=quick_average)
        assert (answer.moment, answer.moments) == (shown, 11)

    def test_the_present_round_is_the_last_one_done(self):
        answer = race_page(OPENING, moment=3, average=quick_average)
        assert answer.round_number == 3
        kept = [word for word, state in answer.round_words if state == "kept"]
        assert [*kept, answer.own] == list(answer.draft[-3:])
        states = [state for _, state in answer.round_words]
        assert states == ["kept", "kept", "rejected", "thrown away"]

    @pytest.mark.parametrize("setting", CORNERS, ids=lambda s: s.query() or "opening")
    def test_every_moment_of_every_corner(self, setting):
        end = race_page(setting, average=quick_average)
        texts_are_sound(
            [end.sentence, *(text for pair in metrics_of(end).values() for text in pair)]
        )
        assert len(end.plain) == len(end.draft) == 17
        assert ("so faster" in end.sentence) == ("slower" not in end.sentence)
        before = None
        for moment in sorted({0, 1, end.moments // 2, end.moments - 1, end.moments}):
            answer = race_page(setting, moment=moment, average=quick_average)
            figure_is_sound(answer.figure)
            figure_is_sound(answer.average)
            assert answer.clock in answer.figure.alt
            done = {row["done"] for row in answer.figure.rows["blocks"]}
            assert done == ({True} if moment == end.moments else done)
            assert moment > 0 or done == {False}
            latest = max(row["end_ms"] for row in answer.figure.rows["blocks"])
            assert latest <= answer.figure.options["x_end"]
            if before:
                assert len(answer.plain) >= len(before.plain)
                assert len(answer.draft) >= len(before.draft)
            before = answer

    def test_another_seed_is_another_luck_on_the_same_words(self):
        found = {race_page(OPENING, seed, average=quick_average).sentence for seed in range(8)}
        assert len(found) > 2
        assert all("**17 big passes** and 133.9 ms" in sentence for sentence in found)

    def test_a_slower_machine_takes_longer(self):
        model = Machine(bigpeak=50.0).model()
        answer = race_page(OPENING, model=model, average=quick_average)
        # At half its peak a pass takes 15.753 ms: 17 of them, and 5 rounds of 4 × 1.212 more.
        assert metrics_of(answer)["Plain lane"][0] == "267.8 ms"
        assert metrics_of(answer)["Draft lane"][0] == "103.0 ms"


def run_of(text, **asked):
    (run,) = read_server_text(text, **asked)
    return run


def answer_is_sound(run, setting=OPENING):
    answer = measured(run, setting)
    texts_are_sound([answer.sentence, *answer.advice])
    texts_are_sound(text for pair in metrics_of(answer).values() for text in pair)
    assert answer.sentence.endswith(".")
    assert answer.advice
    for figure in answer.figures.values():
        figure_is_sound(figure)
    for table in answer.tables:
        table_is_sound(table)
    if answer.use:
        # The button puts these into the sidebar, which takes nothing else.
        Setting(kept=answer.use[0], k=answer.use[1])
    return answer


class TestMeasured:
    def test_fifty_rounds_worked_out_by_hand(self):
        """108 kept of 143 judged: every kept guess, and a rejection in each of the 35 rounds that
        did not keep all four. 1 + a + … + a⁴ at .755 is 3.08, and at 108 ÷ 200 = .54 is 2.07."""
        answer = answer_is_sound(run_of(FIFTY))
        assert metrics_of(answer)["Keep rate a"][0] == f"{108 / 143:.1%}" == "75.5%"
        assert metrics_of(answer)["Accepted ÷ drafted"][0] == "54.0%"
        assert metrics_of(answer)["Tokens per big pass"][0] == "3.16"
        assert metrics_of(answer)["Guesses per round, k"] == ("4", "50 rounds")
        assert "kept **75.5%** of the time" in answer.sentence
        assert "not the 54.0% that the server calls its acceptance rate" in answer.sentence
        assert "**3.16 tokens**, 0.08 more than the formula gives" in answer.sentence
        says = "At k = 4: measured 3.16, formula at a 3.08, wrong: acceptance rate as a 2.07"
        assert answer.figures["tokens"].caption.startswith(says)
        rows = answer.figures["tokens"].rows["curve"]
        dots = [row["tokens"] for row in rows if row["kind"] == "measured"]
        assert dots == pytest.approx([1.82, 2.42, 2.86, 3.16])
        places = answer.figures["places"].rows["curve"]
        assert [row["label"] for row in places] == ["82%", "73%", "73%", "68%"]
        assert answer.use == (76, 4)
        # 3 guesses: 2.86 × 7.877 ÷ (3 × 1.212 + 7.877) = 1.957; 4: 3.16 × 7.877 ÷ 12.725 = 1.956.
        assert answer.advice[0].startswith("Set 3 guesses per round: 1.96 times as fast")
        assert '"num_speculative_tokens": 3' in answer.flag

    def test_the_draft_cost_that_is_handed_in_is_reckoned_with(self):
        """A draft pass of a whole plain step: at k = 1 1.82 × 1 ÷ 2 = 0.91, so turn it off."""
        answer = measured(run_of(FIFTY), OPENING, LESSON, float(LESSON.plain_seconds()))
        assert answer.advice[0].startswith("Turn it off")
        assert "0.91 times" in answer.advice[0]

    @pytest.mark.parametrize("name", examples())
    def test_every_shipped_example(self, name):
        runs = read_server_text(examples()[name])
        assert runs
        for run in runs:
            answer = answer_is_sound(run)
            assert run.tokens_per_pass is None or f"{run.tokens_per_pass:.2f} tokens" in (
                answer.sentence
            )
            if run.keep_rate is not None and not run.tree:
                assert f"**{run.keep_rate:.1%}**" in answer.sentence
                assert answer.use[0] == round(100 * run.keep_rate)

    @pytest.mark.parametrize("setting", CORNERS, ids=lambda s: s.query() or "opening")
    def test_at_every_corner_of_the_sidebar(self, setting):
        answer_is_sound(run_of(FIFTY), setting)

    def test_nothing_drafted_is_no_data_and_not_nought_percent(self):
        answer = answer_is_sound(run_from_counts(0, 0, 50, 4))
        assert "**no data**" in answer.sentence
        assert metrics_of(answer)["Accepted ÷ drafted"][0] == "no data"
        assert metrics_of(answer)["Keep rate a"][0] == "not said"
        assert answer.figures == {}
        assert answer.use is None
        assert "0%" not in answer.sentence

    def test_nothing_kept(self):
        answer = answer_is_sound(run_from_counts(200, 0, 50, 4))
        assert "kept **0.0%** of the time" in answer.sentence
        assert "**1.00 tokens**" in answer.sentence
        assert answer.use == (0, 4)
        assert answer.advice[0].startswith("Turn it off")

    def test_everything_kept(self):
        answer = answer_is_sound(run_from_counts(200, 200, 50, 4))
        assert "kept **100.0%** of the time" in answer.sentence
        assert "**5.00 tokens**" in answer.sentence
        assert answer.use == (100, 4)

    def test_a_tree_has_a_length_and_no_formula(self):
        run = MeasuredRun(
            "SGLang", "decode line", "SGLang decode line", rounds=50, drafted=400, accepted=100,
            acceptance_rate=0.25, tokens_per_pass=3.0, tree=True,
        )  # fmt: skip
        answer = answer_is_sound(run)
        assert "**tree**" in answer.sentence
        assert "**3.00 tokens**" in answer.sentence
        assert metrics_of(answer)["Accepted ÷ drafted"][1] == "per node of the tree"
        assert answer.figures == {}
        assert answer.use is None
        assert "tree" in answer.advice[0]

    def test_drafts_that_vary_without_counts_by_length_have_no_keep_rate(self):
        (run,) = read_server_text(examples()["llama-speculative"])
        answer = answer_is_sound(run)
        assert "a keep rate cannot be worked out, because the drafts vary" in answer.sentence
        assert metrics_of(answer)["Guesses per round, k"][0] == f"up to {run.k}"
        assert "tokens" not in answer.figures
        assert answer.use is None

    def test_drafts_that_vary_with_counts_by_length(self):
        """Rounds of 4 guesses keep 4, 2; rounds of 2 keep 2, 0: 8 kept of 10 judged."""
        answer = answer_is_sound(run_of(write_csv([(4, 4), (4, 2), (2, 2), (2, 0)])))
        assert "kept **80.0%**" in answer.sentence
        assert "tokens" not in answer.figures
        assert "formula gives" not in answer.sentence

    def test_a_text_without_k_asks_for_it_and_with_it_has_a_rate(self):
        text = (
            "SpecDecoding metrics: Draft acceptance rate: 54.0%, Accepted: 108 tokens, "
            "Drafted: 200 tokens"
        )
        answer = answer_is_sound(run_of(text))
        assert "a keep rate cannot be worked out" in answer.sentence
        assert metrics_of(answer)["Guesses per round, k"][0] == "not said"
        assert answer.use is None
        asked = answer_is_sound(run_of(text, k=4))
        assert metrics_of(asked)["Tokens per big pass"][0] == "3.16"
        assert asked.use == (77, 4)

    def test_the_largest_k_draws_no_more_rows_than_a_browser_likes(self):
        answer = answer_is_sound(run_from_counts(1000, 500, 1, 1000))
        assert answer.use[1] == 32
        rows = answer.figures["tokens"].rows["curve"]
        assert {row["kind"] for row in rows if row["guesses"] == 1000} >= {"measured"}
        answer_is_sound(run_of(write_csv([(600, 300), (600, 600), (600, 0)])))

    def test_a_name_in_the_paste_is_no_markup_in_the_sentence(self):
        # A run is named after its model where a text tells of two.
        names = "![x](http://a.b/c) <b>$y$", "tea"
        text = "\n".join(
            f'vllm:spec_decode_{counter}_total{{engine="0",model_name="{name}"}} {value}'
            for name in names
            for counter, value in (
                ("num_drafts", "400.0"),
                ("num_draft_tokens", "1200.0"),
                ("num_accepted_tokens", "641.0"),
            )
        )
        runs = read_server_text(text)
        assert names[0] in runs[0].name
        sentence = answer_is_sound(runs[0]).sentence
        assert "![" not in sentence
        assert "](" not in sentence
        assert "\\<b\\>" in sentence
        assert "\\$y\\$" in sentence

    @given(
        drafted=st.integers(0, 5000),
        accepted=st.integers(0, 5000),
        rounds=st.none() | st.integers(1, 2000),
        k=st.none() | st.integers(1, 1000),
    )
    def test_any_three_numbers_are_answered_or_refused(self, drafted, accepted, rounds, k):
        try:
            run = run_from_counts(drafted, accepted, rounds, k)
        except MeasuredError as error:
            refused = str(error)
        else:
            refused = ""
            answer_is_sound(run)
        assert not refused or refused.endswith(".")

    @given(st.lists(st.tuples(st.integers(1, 12), st.integers(0, 12)), min_size=1, max_size=30))
    def test_any_rounds_are_answered(self, pairs):
        rounds = [(drafted, min(kept, drafted)) for drafted, kept in pairs]
        for run in read_server_text(write_csv(rounds)):
            answer_is_sound(run)


SWITCHED = {
    "context": 8000,
    "software": 3.3,
    "bigpeak": 63.0,
    "smallpeak": 28.0,
    "check": 1.09,
    "places": "77-77-73-67-83-58-57",
}
PUT_BACK = (
    *("Notes about earlier tokens", "Software time", "Big model below peak", "Draft below peak"),
    *("Dearer check", "Keep rate by place"),
)


def chain(answer):
    """The waterfall's bars, once they are seen to chain up."""
    figure_is_sound(answer.waterfall)
    table_is_sound(answer.changes)
    bars = answer.waterfall.rows["bars"]
    for before, after in itertools.pairwise(bars[:-1] if len(bars) > 1 else bars):
        assert after["start"] == before["end"]
    assert bars[0]["start"] == 0
    assert all(bar["top"] == max(bar["start"], bar["end"]) for bar in bars)
    assert max(bar["top"] for bar in bars) <= answer.waterfall.options["y_end"]
    if len(bars) > 1:
        assert bars[-1]["start"] == 0
        assert bars[-1]["end"] == bars[-2]["end"]
    return bars


class TestBeyond:
    @pytest.mark.parametrize("setting", CORNERS, ids=lambda s: s.query() or "opening")
    def test_everything_off_is_the_lesson(self, setting):
        answer = beyond(setting)
        (bar,) = chain(answer)
        gain = LESSON.speedup(setting.keep_rate, setting.k, setting.draft_seconds, setting.users)
        assert bar["end"] == gain
        assert metrics_of(answer)["The lesson"][0] == metrics_of(answer)["With your switches"][0]
        assert answer.sentence.startswith("Everything is off")
        assert f"**{gain:,.2f} times**" in answer.sentence

    def test_opens_at_the_lessons_number(self):
        assert metrics_of(beyond(OPENING))["The lesson"][0] == "2.08 times"

    @pytest.mark.parametrize("setting", CORNERS, ids=lambda s: s.query() or "opening")
    @pytest.mark.parametrize("chosen", [{}, {"chip": "l40s"}], ids=["chip", "other chip"])
    def test_from_the_lesson_to_the_realistic_number(self, setting, chosen):
        model = Machine(**SWITCHED, **chosen).model()
        bars = chain(beyond(setting, model))
        a, k, draft, users = setting.keep_rate, setting.k, setting.draft_seconds, setting.users
        assert bars[0]["end"] == float(LESSON.speedup(a, k, draft, users))
        assert bars[-1]["end"] == float(model.speedup(a, k, draft, users))
        assert [bar["name"] for bar in bars] == [
            *("The lesson", *(["Chip and pair"] if chosen else []), *PUT_BACK, "Realistic")
        ]
        moved = sum(bar["end"] - bar["start"] for bar in bars[1:-1])
        assert moved == pytest.approx(bars[-1]["end"] - bars[0]["end"], abs=1e-12)

    @pytest.mark.parametrize("name", SWITCHED)
    def test_one_switch_is_one_step(self, name):
        answer = beyond(OPENING, Machine(**{name: SWITCHED[name]}).model())
        bars = chain(answer)
        assert len(bars) == 3
        assert bars[1]["name"] in PUT_BACK
        assert f"{bars[1]['start']:.2f} → {bars[1]['end']:.2f}" in answer.sentence
        assert bars[1]["kind"] == ("gain" if bars[1]["end"] >= bars[1]["start"] else "loss")
        assert answer.changes.rows[1]["Before"] == "2.08"

    def test_software_time_by_hand(self):
        """3.3 ms more in each round: 3.3616 × 7.877 ÷ (12.725 + 3.3) = 1.65."""
        bars = chain(beyond(OPENING, Machine(software=3.3).model()))
        assert f"{bars[1]['end']:.2f}" == "1.65"
        assert bars[1]["label"] == "−0.43"

    def test_long_texts_make_guessing_pay_again(self):
        said = beyond(OPENING).long_context
        assert "With 100 users the lesson's figure says 0.87 times" in said
        model = replace(LESSON, conditions=replace(BEST_CASE, context_tokens=3500))
        assert f"{model.speedup(0.8, 4, None, 100):.2f} times as fast" in said
        assert model.speedup(0.8, 4, None, 100) > 1


class TestWays:
    @pytest.mark.parametrize("setting", CORNERS, ids=lambda s: s.query() or "opening")
    @pytest.mark.parametrize("ways", [(0, 0, 1), (1, 0.5, 4), (0.5, 0.05, 1)])
    def test_every_corner(self, setting, ways):
        answer = ways_to_guess(setting, LESSON, *ways)
        figure_is_sound(answer.figure)
        table_is_sound(answer.table)
        rows = answer.figure.rows["curve"]
        assert max(row["speedup"] for row in rows) <= answer.figure.options["x_end"]
        gain = LESSON.speedup(setting.keep_rate, setting.k, setting.draft_seconds, setting.users)
        assert rows[0]["speedup"] == float(gain)
        assert len(answer.assumptions) == 2
        for _, assumptions, papers in answer.assumptions:
            assert assumptions
            assert any(re.search(r"arXiv:\d{4}\.\d{5}", paper) for paper in papers)

    def test_the_opening_ways_by_hand(self):
        """Look-up: half the rounds are plain steps, half bring 3.3616 tokens for one step, as a
        check is free: (1 + 3.3616) ÷ 2. Heads: 3.3616 ÷ (1 + .05), or ÷ (1 + 4 × .05)."""
        rows = ways_to_guess(OPENING).table.rows
        gains = [row["Speed-up"] for row in rows]
        assert gains == ["2.08", f"{4.3616 / 2:.2f}", f"{3.3616 / 1.05:.2f}", f"{3.3616 / 1.2:.2f}"]

    def test_a_look_up_that_finds_nothing_is_plain_decoding(self):
        rows = ways_to_guess(OPENING, LESSON, found=0).table.rows
        assert rows[1]["Speed-up"] == "1.00"
        assert rows[1]["Tokens per round"] == "1.00"

    def test_more_candidates_bring_more_tokens_and_read_more(self):
        one, two = (ways_to_guess(OPENING, candidates=n).table.rows[2] for n in (1, 2))
        assert float(two["Tokens per round"]) > float(one["Tokens per round"])
        assert float(two["Tokens checked"]) > float(one["Tokens checked"])


class TestPublished:
    def test_at_least_twelve_rows_have_their_ratio(self):
        answer = published_runs()
        figure_is_sound(answer.figure)
        table_is_sound(answer.table)
        rows = [row for row in answer.table.rows if row["Ratio"]]
        assert len(rows) >= 12
        for row in rows:
            # A row whose weights are not known is held against its own draft's cost.
            said = float(row["Best case"] or row["With its own draft cost"])
            measured_gain = float(row["Measured"])
            # Three numbers rounded to two digits: half a unit in each.
            low = (measured_gain - 0.005) / (said + 0.005) - 0.005
            high = (measured_gain + 0.005) / (said - 0.005) + 0.005
            assert low <= float(row["Ratio"]) <= high, row["Row"]

    def test_every_row_says_where_it_comes_from_and_what_was_not_printed(self):
        for row in published_runs().table.rows:
            assert row["Source"]
            assert row["Link"].startswith("https://")
            assert row["Chip"]
            assert row["How it was read"]
            assert row["What closes it"]

    def test_the_quoted_median_is_the_median(self):
        ratios = sorted(row.ratio for row in scored())
        assert f"{ratios[len(ratios) // 2]:.2f}" == "0.72"
        assert len(ratios) % 2 == 1
        sentence = published_runs().sentence
        assert f"Of {len(ratios)} published measurements" in sentence
        assert "**0.72** of its best case" in sentence
        assert "**0.63** of its own (0.39 to 0.82)" in sentence

    def test_the_figure_is_honest_about_those_above_the_best_case(self):
        answer = published_runs()
        ratios = [row["ratio"] for row in answer.figure.rows["curve"]]
        assert ratios == sorted(ratios)
        below = sum(ratio < 1 for ratio in ratios)
        assert f"{below} of {len(ratios)} stay below it" in answer.figure.caption
        assert below < len(ratios)
