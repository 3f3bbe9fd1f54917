"""The sidebar's fold for chip, pair and switches, bound to the URL.

It draws nothing until it is opened or a link sets something in it, so the simple view stays
simple, and quick.
"""

from dataclasses import fields

import streamlit as st

from specdec.catalogue import chip_rows, model_rows
from specdec.machine import BITS, CHIPS, CUSTOM, LESSON_MACHINE, MODELS, Machine, machine_of
from specdec.model_config import model_from_config
from specdec.opening_values import OPENING_VALUES
from specdec.ui import show

NAMES = tuple(each.name for each in fields(Machine))
FOLD = "machine_fold"
# Each switch: the control's name, what it says, the figure that it opens with and its factor.
SWITCHES = (
    ("context", "Notes about earlier tokens, how many", "Context, tokens", "context_tokens", 1),
    (
        "software",
        "Software time in every round, ms",
        "Milliseconds a round",
        "software_seconds",
        1000,
    ),
    ("bigpeak", "Big model below its peak, %", "Percent of peak", "big_fraction_of_peak", 100),
    (
        "smallpeak",
        "Draft model below its peak, %",
        "Percent of peak",
        "draft_fraction_of_peak",
        100,
    ),
    ("check", "A check costs more than a pass", "Passes", "check_passes", 1),
)
# What a custom model may have: what its two boxes take, typed or filled in.
BILLIONS, KILOBYTES_MOST = (0.001, 100_000.0), 100_000.0
RANGES = {
    "context": (0, 1_000_000, 500),
    "software": (0.0, 1000.0, 0.1),
    "bigpeak": (1.0, 100.0, 1.0),
    "smallpeak": (1.0, 100.0, 1.0),
    "check": (1.0, 20.0, 0.01),
}


def sidebar():
    """Draw the fold and return the :class:`~specdec.machine.Machine` that it holds."""
    fold = st.expander(
        "Chip, pair and a less ideal world",
        icon=":material/memory:",
        key=FOLD,
        on_change="rerun",
    )
    if not (fold.open or in_use()):
        return LESSON_MACHINE
    with fold:
        _pair()
        _switches()
    return machine_of({name: st.session_state.get(name) for name in NAMES})


def in_use():
    """Whether anything differs from the lesson's, by what is set or by the link."""
    # Asked for once: each look into Streamlit's own mappings takes a lock.
    linked, state, default = set(st.query_params), st.session_state, LESSON_MACHINE
    return not linked.isdisjoint(NAMES) or any(
        state[name] != getattr(default, name) for name in NAMES if name in state
    )


def clear():
    """Back to the lesson's machine; to be called from a callback."""
    for name in NAMES:
        if name in st.session_state:
            st.session_state[name] = getattr(LESSON_MACHINE, name)


def _choose(label, options, name):
    return st.selectbox(
        label, options, options.index(getattr(LESSON_MACHINE, name)), key=name, bind="query-params"
    )


def _number(label, name, least, most, step=None, **more):
    return st.number_input(label, least, most, None, step, key=name, bind="query-params", **more)


def _pair():
    chip = _choose("Chip", CHIPS, "chip")
    if chip == CUSTOM:
        _number("Peak TFLOP/s, 16 bit, dense", "teraflops", 0.01, 100_000.0)
        _number("Memory bandwidth, GB/s", "bandwidth", 0.1, 1_000_000.0)
        _number("Memory, GB (if known)", "gigabytes", 0.1, 100_000.0)
    else:
        row = chip_rows()[chip]
        st.caption(
            f"Data sheet peaks: {row.chip.flops_per_second / 1e12:,.0f} TFLOP/s, "
            f"{row.chip.bytes_per_second / 1e9:,.0f} GB/s. Certainty: {row.certainty}."
        )
    for whose, name, bits in (
        ("Big model", "big", "bigbits"),
        ("Draft model", "small", "smallbits"),
    ):
        key = _choose(whose, MODELS, name)
        if key == CUSTOM:
            _custom_model(whose, name)
        else:
            row = model_rows()[key]
            st.caption(
                f"{row.model.weights / 1e9:,.2f} billion weights. Certainty: {row.certainty}."
            )
        _choose(f"{whose}: bits of a weight", BITS, bits)


def _custom_model(whose, name):
    _number("Billions of weights", f"{name}weights", *BILLIONS)
    _number("Keys and values, kB a token (if known)", f"{name}cache", 0.0, KILOBYTES_MOST)
    pasted = st.text_area(
        f"{whose}: or paste its config.json", key=f"{name}_config", height=90, max_chars=100_000
    )
    if pasted.strip():
        st.button(
            "Fill in from config.json",
            key=f"{name}_fill",
            on_click=_fill,
            args=(name, pasted),
            help="The link carries the two numbers, not the paste.",
        )
    if problem := st.session_state.get(f"{name}_config_problem"):
        show.refusal(problem)


def _fill(name, pasted):
    try:
        model = model_from_config(pasted)
        billions, kilobytes = model.weights / 1e9, model.cache_bytes(1) / 1000
        if not BILLIONS[0] <= billions <= BILLIONS[1] or kilobytes > KILOBYTES_MOST:
            raise ValueError(
                f"The model must have from {BILLIONS[0]:g} to {BILLIONS[1]:,.0f} billion weights "
                f"and at most {KILOBYTES_MOST:,.0f} kB of keys and values a token; this one has "
                f"{billions:.3g} billion and {kilobytes:,.0f} kB."
            )
    except ValueError as error:
        st.session_state[f"{name}_config_problem"] = str(error)
        return
    st.session_state[f"{name}_config_problem"] = None
    st.session_state[f"{name}weights"] = billions
    st.session_state[f"{name}cache"] = kilobytes


def _switches():
    st.markdown("**Leave less out** (all off is the lesson)")
    for name, says, unit, field, factor in SWITCHES:
        opening = OPENING_VALUES[field]
        # Rounded, because 0.28 of the peak is 28.000000000000004% of it otherwise.
        _switch(name, says, opening.source, round(opening.value * factor, 9))
        least, most, step = RANGES[name]
        _number(unit, name, least, most, step, placeholder="off", label_visibility="collapsed")
    opening = OPENING_VALUES["keep_rates"]
    places = "-".join(f"{100 * rate:.0f}" for rate in opening.value)
    _switch("places", "A keep rate for each place", opening.source, places)
    st.text_input(
        "Keep rates by place, percent",
        None,
        max_chars=200,
        key="places",
        bind="query-params",
        placeholder="off; such as 82-73-73-68",
        label_visibility="collapsed",
    )


def _switch(name, says, source, opening):
    """A switch whose state is its number's: on while there is one."""
    held = st.session_state[name] if name in st.session_state else st.query_params.get(name)
    st.session_state[f"on_{name}"] = held not in (None, "")
    st.toggle(
        says, key=f"on_{name}", on_change=_flip, args=(name, opening), help=f"Opens at: {source}"
    )


def _flip(name, opening):
    least = RANGES.get(name, ("",))[0]
    on = st.session_state[f"on_{name}"]
    st.session_state[name] = type(least)(opening) if on else None
