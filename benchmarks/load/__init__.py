"""A class of simulated learners that speak Streamlit's own protocol to a server on this machine."""
