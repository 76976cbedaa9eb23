"""Running reports: parameters, failures, pages, and that the committed exhibits are what the notebooks compute."""

import subprocess
import sys
from pathlib import Path

import nbformat
import pandas as pd
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from benchuq.data import downloads
from benchuq.reporting import run as report

ROOT = Path(__file__).parents[1]
# Settings that make each report quick. Those in SAME_SIZE keep what decides its tables, so that they can be compared.
QUICK = {
    "vtab": {"seed": 7, "n_replications": 3},
    "mmlu": {"seed": 7, "n_replications": 3},
    "leaderboard": {"seed": 7},
    "gate": {
        "n_seeds": 2,
        "n_initial": 60,
        "n_generations": 1,
        "sweep_sizes": 3,
        "sweep_initial": 20,
        "sweep_generations": 1,
        "exhaustive_size": 2,
        "search_seeds": 2,
        "perceptron_splits": 2,
    },
    "few_observations": {"n_repetitions": 2},
}
SAME_SIZE = {"vtab", "mmlu", "leaderboard"}
EXACT = {"gate": ["table_2", "tier_means", "concordance"]}  # tables without any chance in them
KEYS = {("row", "column"), ("model",), ("model", "category")}


def write_notebook(folder: Path, name: str, *code: str):
    parameters = new_code_cell('output_dir = ""\nn = 3  # how many', metadata={"tags": ["parameters"]})
    cells = [new_markdown_cell(f"# A <b>{name}</b>\n\n> What it is."), parameters, *map(new_code_cell, code)]
    kernel = {"kernelspec": {"name": "python3", "display_name": "python3", "language": "python"}}
    nbformat.write(new_notebook(cells=cells, metadata=kernel), folder / f"{name}.ipynb")


@pytest.fixture
def own_reports(tmp_path, monkeypatch):
    folder = tmp_path / "sources"
    folder.mkdir()
    saves = """
import matplotlib.pyplot as plt
import pandas as pd
from benchuq.data import downloads
from benchuq.reporting import run as report
out = report.Output(output_dir)
out.table("t", pd.DataFrame({"n": [n]}))
out.figure("f", plt.figure(figsize=(1, 1)))
print("<i>")
"""
    write_notebook(folder, "good", saves)
    write_notebook(folder, "bad", saves, "raise RuntimeError('out of luck')")
    monkeypatch.setattr(report, "_bundled", lambda *_: folder)
    return tmp_path / "out"


def test_a_run_leaves_notebook_tables_figures_and_pages(own_reports, capsys):
    assert report.main(["report", "good", "-p", "n", "5", "--out", str(own_reports), "--no-progress"]) == 0
    assert capsys.readouterr().out.strip() == str(own_reports / "good" / "good.html")
    made = {str(p.relative_to(own_reports)) for p in own_reports.rglob("*") if p.is_file()}
    assert made == {
        "index.html",
        "good/good.html",
        "good/good.ipynb",
        "good/tables/t.csv",
        "good/figures/f.png",
        "good/figures/f.svg",
    }
    assert pd.read_csv(own_reports / "good/tables/t.csv")["n"].tolist() == [5]
    index = (own_reports / "index.html").read_text()
    assert 'href="good/good.html"' in index and 'src="good/figures/f.png"' in index and "&lt;b&gt;" in index


def test_two_runs_differ_in_nothing(own_reports):
    copies = []
    for _ in range(2):
        report.run("good", out=own_reports, progress=False)
        copies.append({p.name: p.read_bytes() for p in own_reports.rglob("*") if p.is_file()})
    assert copies[0] == copies[1]
    assert str(own_reports).encode() not in copies[0]["good.ipynb"]


def test_exhibits_of_an_earlier_run_do_not_linger(own_reports):
    report.run("good", out=own_reports, progress=False)
    (own_reports / "good/tables/old.csv").write_text("x\n1\n")
    report.run("good", out=own_reports, progress=False)
    assert not (own_reports / "good/tables/old.csv").exists()


def test_a_failing_notebook_says_why_and_where(own_reports, capsys):
    assert report.main(["report", "bad", "--out", str(own_reports), "--no-progress"]) == 1
    error = capsys.readouterr().err
    assert "RuntimeError: out of luck" in error and str(own_reports / "bad" / "bad.ipynb") in error


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["good", "-p", "m", "5"], "has no parameter 'm'; it has n"),
        (["good", "-p", "n", "five"], "n takes a value such as 3, got 'five'"),
        (["best"], r"no report 'best'; there are ['bad', 'good']"),
        ([], "name one report, or say --all"),
    ],
)
def test_requests_that_make_no_sense(own_reports, capsys, arguments, words):
    assert report.main(["report", *arguments, "--out", str(own_reports)]) == 2
    assert words in capsys.readouterr().err
    assert not own_reports.exists()


def test_command_and_module_are_the_same():
    outputs = [
        subprocess.run([*command, "list"], capture_output=True, text=True, check=True, cwd=ROOT).stdout
        for command in (["benchuq"], [sys.executable, "-m", "benchuq"])
    ]
    assert outputs[0] == outputs[1] and "n_replications" in outputs[0]
    failed = subprocess.run(
        [sys.executable, "-m", "benchuq", "report", "vtab", "-p", "n_drwas", "5"],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert failed.returncode == 2 and "n_draws" in failed.stderr


def test_every_report_has_quick_settings():
    assert set(QUICK) == set(report.names())


@pytest.fixture(scope="module", params=sorted(QUICK))
def rerun(request, tmp_path_factory):
    if request.param == "few_observations":
        try:
            for name in downloads.remote_files():
                downloads.fetch(name)
        except downloads.DataUnavailable as error:
            pytest.skip(f"its public data cannot be had here: {error}")
    out = tmp_path_factory.mktemp("rerun")
    report.run(request.param, QUICK[request.param], out, progress=False)
    return ROOT / "reports" / request.param, out / request.param


def test_every_committed_exhibit_has_a_source(rerun):
    committed, fresh = (
        {str(p.relative_to(folder)) for kind in ("tables", "figures") for p in (folder / kind).iterdir()}
        for folder in rerun
    )
    assert committed == fresh


def test_committed_tables_agree_with_a_rerun(rerun):
    """Another seed, the same number of draws: ends and estimates move by Monte-Carlo error, well below a quarter of
    the interval's width. The 0.1 (points or ranks) is for ends of normalised scores, which hang on single extreme
    draws. Whole and half ranks jump when a probability crosses 2.5 %, so their ends may move by one.
    """
    for path in (rerun[0] / "tables").glob("*.csv"):
        committed, fresh = pd.read_csv(path), pd.read_csv(rerun[1] / "tables" / path.name)
        key = list(committed.columns).index("estimate") if "estimate" in committed else 0
        key = list(committed.columns[:key])
        if tuple(key) not in KEYS or "lower" not in committed or rerun[0].name not in SAME_SIZE:
            continue
        assert list(fresh.columns) == list(committed.columns), path.name
        both = committed.merge(fresh, on=key, suffixes=("", "_fresh"), validate="one_to_one")
        assert len(both) == len(committed) == len(fresh), path.name
        slack = 0.1 if both["estimate"].max() > 1.5 else 0.001  # ranks or per cent, or fractions
        ends = both[["lower", "upper", "lower_fresh", "upper_fresh"]]
        discrete = (2 * ends == (2 * ends).round()).all(axis=1)
        width = both["upper"] - both["lower"]
        for quantity in ("estimate", "lower", "upper"):
            allowed = 0.25 * width + slack if quantity == "estimate" else (0.25 * width + slack).where(~discrete, 1)
            too_far = (both[quantity] - both[f"{quantity}_fresh"]).abs() > allowed
            assert not too_far.any(), (path.name, both[too_far].to_dict("records"))


def test_tables_without_chance_are_the_same(rerun):
    for name in EXACT.get(rerun[0].name, []):
        committed, fresh = (pd.read_csv(folder / "tables" / f"{name}.csv") for folder in rerun)
        pd.testing.assert_frame_equal(committed, fresh)


def test_committed_pages_carry_no_path_or_error():
    for path in (ROOT / "reports").glob("*/*.ipynb"):
        notebook = nbformat.read(path, 4)
        assert str(ROOT) not in path.read_text() and "papermill" not in notebook.metadata
        assert not any(o.output_type == "error" for c in notebook.cells if c.cell_type == "code" for o in c.outputs)


def test_vtab_concordance():
    table = pd.read_csv(ROOT / "reports/vtab/tables/concordance.csv")
    summary = report.concordance_summary(table).loc["all"]
    assert summary["within"] >= 0.99 and summary["mean absolute difference of estimates"] <= 0.05
