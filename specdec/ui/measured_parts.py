"""The Measured page's parts: what was recognised, which run, what a draft costs, what to set."""

import streamlit as st

from specdec.measured import MeasuredError, draft_seconds_from_speeds, run_rounds, write_csv
from specdec.setting import Setting
from specdec.ui import controls, show

SIDEBAR, PASS, SPEEDS = "The sidebar's draft pass", "A measured draft pass", "Two measured speeds"


def recognised(readings):
    """What was recognised and left out in each file, and why."""
    for reading in readings:
        if reading.refusal:
            st.error(
                f"**{show.escaped(reading.name)}.** {show.escaped(reading.refusal)}",
                icon=":material/edit:",
            )
            continue
        report = reading.report
        st.success(
            "  \n".join(show.escaped(f"{reading.name}: {line}") for line in report.recognised),
            title="Recognised",
            icon=":material/check:",
        )
        if report.left_out:
            with st.expander(f"Left out, and why ({len(report.left_out)})"):
                for line in report.left_out[:100]:
                    st.markdown(f"- {show.escaped(line)}")


def chosen_run(readings):
    """The run to look at; several are never pooled, so the visitor picks one."""
    runs = [
        (reading.name, run) for reading in readings if reading.report for run in reading.report.runs
    ]
    if len(runs) < 2:
        return runs[0][1] if runs else None
    st.info(
        f"{len(runs)} runs are kept apart, because their source or their k differs.",
        icon=":material/call_split:",
    )
    number = st.selectbox(
        "Which run",
        range(len(runs)),
        format_func=lambda i: f"{i + 1}. {runs[i][0]}: {runs[i][1].name}",
        key="measured_run",
    )
    return runs[min(number, len(runs) - 1)][1]


def keep(run):
    """Keep the run for this visit, so that the Speed-up figures can mark it."""
    st.session_state.measured_kept = run


def kept_run():
    """The run that this visit looked at last, or ``None``."""
    return st.session_state.get("measured_kept")


def draft_cost(run, setting, model):
    """Seconds of one draft pass to reckon with, or ``None`` for the sidebar's; says its source."""
    source = st.segmented_control(
        "What does a draft pass cost? (no log prints it)",
        [SIDEBAR, PASS, SPEEDS],
        default=SIDEBAR,
        key="measured_cost",
        required=True,
    )
    if source == PASS:
        measured = st.number_input(
            "One draft pass, ms", 0.001, 10_000.0, None, key="measured_draft_ms", width=280
        )
        return measured / 1000 if measured else None
    if source == SPEEDS:
        return _from_speeds(run, model)
    own = setting.draft_seconds is None
    milliseconds = 1000 * float(model.draft_seconds()) if own else setting.draft_ms
    st.caption(
        f"The cost is the sidebar's draft pass of {milliseconds:.4g} ms on "
        f"{model.chip.name}, a best case."
    )
    return None


def _from_speeds(run, model):
    with st.container(horizontal=True):
        plain = st.number_input(
            "Tokens a second without guessing", 0.001, None, None, key="measured_plain_speed"
        )
        guessing = st.number_input(
            "Tokens a second with guessing", 0.001, None, None, key="measured_guess_speed"
        )
    if not plain or not guessing:
        st.caption("Both speeds for one user, of the same text. Until then: the sidebar's cost.")
        return None
    if run.k is None or run.tokens_per_pass is None or run.tree:
        show.refusal("This run does not say k and tokens per big pass, which two speeds need.")
        return None
    try:
        seconds, share = draft_seconds_from_speeds(plain, guessing, run.tokens_per_pass, run.k)
    except MeasuredError as error:
        show.refusal(error)
        return None
    st.caption(
        f"Your speeds say that a guess costs {1000 * seconds:.2f} ms on your server, "
        f"{100 * share:.1f}% of a plain step, software included; that share is used here."
    )
    # The share carries over to this chip; the milliseconds are another machine's.
    return share * float(model.plain_seconds())


def what_to_set(answer):
    """The advice, with the engine's own flag to copy."""
    st.header("What to set")
    for sentence in answer.advice:
        st.markdown(f"- {show.escaped(sentence)}")
    if answer.flag:
        st.code(answer.flag, language=None, wrap_lines=True)


def use_it(answer):
    """A button that puts the measured keep rate into the sidebar."""
    if answer.use:
        kept, k = answer.use
        st.button(
            f"Use this keep rate: {kept}% kept, k = {k}",
            icon=":material/tune:",
            on_click=_use,
            args=(kept, k),
            help="Sets the sidebar, so that every page shows it; the link carries it, not the log.",
        )


def _use(kept, k):
    draft, users = st.session_state.draft, st.session_state.users
    controls.put(Setting(kept=kept, k=k, draft_ms=draft, users=round(users)))


def export(run):
    """The run's rounds as our own CSV, where its counts tell them."""
    rounds = run_rounds(run)
    if rounds is None:
        return
    st.download_button(
        "Download the rounds as CSV",
        lambda: write_csv(rounds),
        file_name="rounds.csv",
        mime="text/csv",
        icon=":material/download:",
        on_click="ignore",
    )
