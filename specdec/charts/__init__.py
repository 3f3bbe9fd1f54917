"""Chart builders: rows in, ``alt.LayerChart`` out; one builder a figure, and no streamlit.

Rows travel as named data sets, so that a page can keep the specification and send rows alone.
"""
