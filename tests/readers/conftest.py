"""What the tests of the readers share."""

import numpy as np
import pandas as pd
import pytest

from benchuq.readers.rows import RowBuffer, rows_to_results
from benchuq.readers.runs import Options


@pytest.fixture(scope="session")
def rows():
    """Function that makes a table of rows as a file gives them: one model, task law."""

    def made(model, items, scores, **more):
        line = np.arange(len(items)) + 1
        return pd.DataFrame({"model": model, "task": "law", "item": items, "score": scores, "line": line} | more)

    return made


@pytest.fixture(scope="session")
def gathered():
    """Function that makes results from such tables, each of a file of its own."""

    def results(*tables, options=None):
        buffer = RowBuffer()
        for i, table in enumerate(tables):
            buffer.add(table, f"file {i}, line")
        return rows_to_results(buffer, options or Options())

    return results
