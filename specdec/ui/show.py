"""The parts of a page: sentence, metric row, figures, tables, and what stands behind them."""

import csv
import inspect
import io
import json
from functools import lru_cache, partial

import pandas as pd
import streamlit as st

from specdec.answers.parts import escaped, setting_line, setting_slug
from specdec.charts import look
from specdec.charts.picture import KINDS, picture
from specdec.time_model import LESSON
from specdec.ui import arrow, pages

PROJECTOR_SCALE = 1.35


def on_a_projector():
    """Whether the page is being presented to a class."""
    return bool(st.session_state.get("present"))


def heading(title, setting, model=LESSON):
    """The page's title and, under it, the present setting in one line."""
    st.title(title)
    st.caption(escaped(setting_line(setting, model)))


def opening(answer):
    """The answer's sentence and its metric row; in class the row follows the figures."""
    if on_a_projector():
        st.markdown(f"### {answer.sentence}")
    else:
        st.markdown(answer.sentence)
        metrics(answer.metrics)


def metrics(row):
    """The metric row."""
    with st.container(horizontal=True):
        for metric in row:
            st.metric(
                metric.label,
                metric.value,
                metric.note or None,
                delta_color="off",
                delta_arrow="off",
                border=True,
            )


def palette():
    """The palette of the visitor's theme."""
    return look.DARK if st.context.theme.type == "dark" else look.LIGHT


@lru_cache(maxsize=256)
def specification(builder, names, colours, scale, options):
    """A figure's Vega-Lite specification without its rows, as JSON.

    Building it would be most of a rerun's work, and it depends only on the palette and the axes,
    so it is done once for each; the rows are sent beside it.
    """
    chart = builder({name: [] for name in names}, palette=colours, scale=scale, **dict(options))
    # Every figure's specification is validated by the tests; here it doubled a figure's cost.
    built = chart.to_dict(validate=False)
    built.pop("datasets", None)
    return json.dumps(built)


def figure(builder, figure, setting, model=LESSON):
    """Draw ``figure`` with its chart ``builder``, its caption, its rows and their CSV."""
    options = tuple(sorted(figure.options.items()))
    scale = PROJECTOR_SCALE if on_a_projector() else 1.0
    drawn = json.loads(specification(builder, tuple(figure.rows), palette(), scale, options))
    drawn["datasets"] = {name: arrow.arrow_bytes(rows) for name, rows in figure.rows.items()}
    st.subheader(figure.title)
    st.vega_lite_chart(drawn, theme=None, alt=figure.alt, key=f"figure-{figure.name}")
    st.caption(figure.caption)
    behind = st.expander(
        "Numbers and pictures to take away", on_change="rerun", key=f"{figure.name}-rows"
    )
    if behind.open:
        with behind:
            rows = pd.DataFrame.from_records(figure.rows[figure.data])
            st.dataframe(rows, hide_index=True, alt=f"The rows behind the figure: {figure.title}")
            with st.container(horizontal=True):
                downloads(builder, figure, setting, model)


def downloads(builder, figure, setting, model):
    """Buttons that save a figure's rows and its pictures, with the setting in the files' names."""
    name = f"{figure.name}-{setting_slug(setting, model)}"
    contents = {"csv": (csv_text(figure.rows[figure.data]), "text/csv")}
    for kind, mime in KINDS.items():
        # Drawn only when somebody asks for it.
        draw = partial(
            picture,
            builder,
            figure.rows,
            figure.options,
            figure.title,
            setting_line(setting, model),
            kind,
        )
        contents[kind] = (draw, mime)
    for kind, (data, mime) in contents.items():
        st.download_button(
            f"Download as {kind.upper()}",
            data,
            file_name=f"{name}.{kind}",
            mime=mime,
            icon=":material/download:",
            on_click="ignore",
            key=f"{figure.name}-{kind}",
        )


def csv_text(rows):
    """``rows`` as CSV at full precision, with a header line."""
    out = io.StringIO()
    writer = csv.DictWriter(out, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def table(table):
    """A small table under its title; in class it is folded away."""
    if on_a_projector():
        place = st.expander(table.title)
    else:
        st.markdown(f"**{table.title}**")
        place = st.container()
    place.table(arrow.arrow_table(table.rows), hide_index=True, alt=table.title)


def wide_table(table):
    """A table with many columns, which scrolls in its own frame; links can be followed."""
    st.markdown(f"**{table.title}**")
    rows = pd.DataFrame.from_records(table.rows)
    links = {"Link": st.column_config.LinkColumn(display_text="open")}
    st.dataframe(rows, hide_index=True, column_config=links, alt=table.title)


def assumptions(name, sentences, papers):
    """A modelled way's assumptions and the papers behind it, beside its result."""
    with st.expander(f"{name}: what is assumed, and the papers"):
        for sentence in sentences:
            st.markdown(f"- {sentence}")
        for paper in papers:
            st.caption(paper)


def ending(answer):
    """Formula, limits, and the live source of the functions that made the numbers."""
    if on_a_projector():
        metrics(answer.metrics)
    st.markdown("**The formula**")
    # An element for each line: one for all would scroll in itself, out of the keyboard's reach.
    for line in answer.formula:
        st.latex(line)
    with st.expander("What this best case leaves out"):
        st.markdown("\n".join(f"- {item}" for item in answer.leaves_out))
    code = st.expander("The code that made these numbers", on_change="rerun", key="code")
    if code.open:
        with code:
            for function in answer.sources:
                # Wrapped, because a block that scrolls sideways cannot be reached by keyboard.
                source = inspect.getsource(inspect.unwrap(function))
                st.code(source, language="python", wrap_lines=True)


def refusal(error):
    """One sentence that says what is wrong with what was typed and what is accepted."""
    st.error(escaped(str(error)), icon=":material/edit:")


def texts(answer):
    """The reply written both ways, and how the two were compared."""
    start = " ".join(answer.prompt)
    st.markdown(
        "**The whole reply, both ways**\n\n"
        f"Plain decoding: *{start}* {' '.join(answer.plain)}\n\n"
        f"With guesses: *{start}* {' '.join(answer.speculative)}"
    )
    st.success(answer.check, icon=":material/check:")


def contents():
    """What each of the other pages shows; the bar above has their links."""
    lines = [f"- **{title}**: {says}" for _, title, _, says in pages.PAGES[1:]]
    st.markdown("\n".join(lines))


STATE_MARKS = {
    "kept": ":green[{word}]",
    "rejected": ":orange[~~{word}~~]",
    "thrown away": ":gray[{word}]",
}


def race_lanes(answer):
    """The words of both lanes as far as the clock has come, and the present round's guesses."""
    prompt = " ".join(answer.prompt)
    lines = [
        f"Plain lane at {answer.clock}: *{prompt}* **{' '.join(answer.plain)}**",
        f"Draft lane at {answer.clock}: *{prompt}* **{' '.join(answer.draft)}**",
    ]
    if answer.round_number:
        guesses = " ".join(
            STATE_MARKS[state].format(word=escaped(word)) for word, state in answer.round_words
        )
        own = f"the big model's own **{escaped(answer.own)}**" if answer.own else "no place left"
        lines.append(
            f"Round {answer.round_number} guessed {guesses}, and {own}. "
            ":small[Green: kept. Struck through: rejected. Grey: thrown away.]"
        )
    st.markdown("\n\n".join(lines))
