"""What the notebooks that users read first show is what their code gives today."""

import ast
import io
from contextlib import redirect_stdout
from pathlib import Path

import matplotlib.pyplot as plt
import nbformat
import pandas as pd
import pytest
from IPython.lib.pretty import pretty

NOTEBOOKS = Path(__file__).parents[1] / "nbs"


def given(source: str, names: dict) -> list[str]:
    "What a cell prints, and then the value of its last line."
    *before, last = ast.parse(source).body
    is_shown = isinstance(last, ast.Expr) and not source.rstrip().endswith(";")
    with redirect_stdout(io.StringIO()) as printed:
        exec(compile(ast.Module([*before, *[last] * (not is_shown)], []), "cell", "exec"), names)
        value = (
            eval(compile(ast.Expression(last.value), "cell", "eval"), names) if is_shown else None
        )
    return [printed.getvalue(), "" if value is None else pretty(value)]


def stored(cell) -> list[str]:
    "The same as it was stored."
    printed = [o["text"] for o in cell.outputs if o.output_type == "stream"]
    values = [o["data"]["text/plain"] for o in cell.outputs if o.output_type == "execute_result"]
    return ["".join(printed), "".join(values)]


@pytest.mark.parametrize(
    "name", ["index", "which_function", pytest.param("tutorial", marks=pytest.mark.rerun)]
)
def test_stored_outputs_are_those_of_the_code(name, monkeypatch):
    monkeypatch.chdir(NOTEBOOKS)  # a cell may go elsewhere
    monkeypatch.setenv("COLUMNS", "100")  # as wide as where there is no terminal
    notebook = nbformat.read(NOTEBOOKS / f"{name}.ipynb", 4)
    cells = [c for c in notebook.cells if c.cell_type == "code" and c.source]
    names: dict = {}
    with pd.option_context("display.width", 80, "display.precision", 6):
        for cell in cells:
            assert given(cell.source, names) == stored(cell), cell.source
    plt.close("all")
