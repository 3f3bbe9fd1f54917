"""Simulations, kept for all visitors with a bound: those at the same setting share one run."""

import streamlit as st

from specdec import race_average as _race_average
from specdec import simulate_sampling as _simulate_sampling

race_average = st.cache_data(max_entries=256, show_spinner=False)(_race_average)
simulate_sampling = st.cache_data(max_entries=128, show_spinner=False)(_simulate_sampling)
