"""The parts of a page: sentence, metric row, figures, tables, and what stands behind them."""

import csv
import inspect
import io
import json
from functools import lru_cache

import pandas as pd
import streamlit as st

from specdec.answers.parts import setting_line, setting_slug
from specdec.charts import look
from specdec.ui import frame


def heading(title, setting):
    """The page's title and, under it, the present setting in one line."""
    st.title(title)
    st.caption(setting_line(setting))


def opening(answer):
    """The answer's sentence and its metric row."""
    st.markdown(answer.sentence)
    with st.container(horizontal=True):
        for metric in answer.metrics:
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
def specification(builder, names, colours, options):
    """A figure's Vega-Lite specification without its rows, as JSON.

    Building and validating it is most of a rerun's work, and it depends only on the palette and
    the axes, so it is done once for each; the rows are sent beside it.
    """
    chart = builder({name: [] for name in names}, palette=colours, **dict(options))
    built = chart.to_dict()
    built.pop("datasets", None)
    return json.dumps(built)


def figure(builder, figure, setting):
    """Draw ``figure`` with its chart ``builder``, its caption, its rows and their CSV."""
    options = tuple(sorted(figure.options.items()))
    drawn = json.loads(specification(builder, tuple(figure.rows), palette(), options))
    drawn["datasets"] = {
        name: pd.DataFrame.from_records(rows) for name, rows in figure.rows.items()
    }
    st.subheader(figure.title)
    st.vega_lite_chart(drawn, theme=None, alt=figure.alt, key=f"figure-{figure.name}")
    st.caption(figure.caption)
    behind = st.expander(
        "The numbers behind this figure", on_change="rerun", key=f"{figure.name}-rows"
    )
    if behind.open:
        with behind:
            rows = pd.DataFrame.from_records(figure.rows[figure.data])
            st.dataframe(rows, hide_index=True, alt=f"The rows behind the figure: {figure.title}")
            st.download_button(
                "Download as CSV",
                csv_text(figure.rows[figure.data]),
                file_name=f"{figure.name}-{setting_slug(setting)}.csv",
                mime="text/csv",
                icon=":material/download:",
                on_click="ignore",
                key=f"{figure.name}-csv",
            )


def csv_text(rows):
    """``rows`` as CSV at full precision, with a header line."""
    out = io.StringIO()
    writer = csv.DictWriter(out, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def table(table):
    """A small table under its title."""
    st.markdown(f"**{table.title}**")
    st.table(pd.DataFrame.from_records(table.rows), hide_index=True)


def ending(answer):
    """Formula, limits, and the live source of the functions that made the numbers."""
    st.markdown("**The formula**")
    for line in answer.formula:
        st.latex(line)
    with st.expander("What this best case leaves out"):
        for item in answer.leaves_out:
            st.markdown(f"- {item}")
    code = st.expander("The code that made these numbers", on_change="rerun", key="code")
    if code.open:
        with code:
            for function in answer.sources:
                st.code(inspect.getsource(inspect.unwrap(function)), language="python")


def refusal(error):
    """One sentence that says what is wrong with what was typed and what is accepted."""
    st.error(escaped(str(error)), icon=":material/edit:")


def escaped(text):
    """``text`` with Markdown's own characters made plain, for words that a person typed."""
    return "".join(f"\\{c}" if c in r"\`*_{}[]()<>#+-.!|~$:&^=" else c for c in text)


def texts(answer):
    """The reply written both ways, and how the two were compared."""
    st.markdown("**The whole reply, both ways**")
    start = " ".join(answer.prompt)
    st.markdown(f"Plain decoding: *{start}* {' '.join(answer.plain)}")
    st.markdown(f"With guesses: *{start}* {' '.join(answer.speculative)}")
    st.success(answer.check, icon=":material/check:")


def contents():
    """Links to the other pages, each with what it shows."""
    for name, title, icon, says in frame.PAGES[1:]:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.page_link(frame.ROOT / "pages" / f"{name}.py", label=f"**{title}**", icon=icon)
            st.caption(says)
