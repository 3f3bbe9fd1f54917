"""What each page says: one call gives its sentence, metrics, figures and tables.

A page shows an answer and works nothing out, so its sentence, figure, caption and table cannot
disagree. Numbers are printed here and nowhere else, to the digits the lesson prints.
"""
