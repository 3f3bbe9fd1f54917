"""Rows as Arrow, the form in which Streamlit sends them, without a data frame in between.

Making a data frame of a figure's rows took longer than working them out, and its bookkeeping
travelled with every set.
"""

import pyarrow as pa

WHOLE = (pa.int8(), pa.int16(), pa.int32())


def arrow_table(rows):
    """``rows`` (dicts with the same names) as an Arrow table, as wide as Python's own numbers."""
    return pa.table({name: [row[name] for row in rows] for name in (rows[0] if rows else ())})


def arrow_bytes(rows):
    """``rows`` as an Arrow stream for a figure.

    Numbers are as wide as a figure needs and no wider: floats have 32 bits, seven digits, which
    no pixel and no tooltip shows more of. The CSV has them all.
    """
    full = arrow_table(rows)
    table = pa.table([_narrow(column) for column in full.columns], names=full.column_names)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()


def _narrow(column):
    if pa.types.is_floating(column.type):
        return column.cast(pa.float32())
    if pa.types.is_integer(column.type):
        values = column.to_pylist()
        for narrow in WHOLE:
            most = 2 ** (narrow.bit_width - 1)
            if all(value is None or -most <= value < most for value in values):
                return column.cast(narrow)
    return column
