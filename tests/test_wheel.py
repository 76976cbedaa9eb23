"""A wheel in an environment of its own: outside the checkout it lists reports, compares results and runs a report.

The environment holds the wheel and nothing else; it sees the dependencies of this one, but not its editable benchuq.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pandas as pd
import pytest

ROOT = Path(__file__).parents[1]
NOT_SOURCE = shutil.ignore_patterns(".git", ".venv", "*.egg-info", "build", "reports", ".hypothesis", "__pycache__")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("wheel")


@pytest.fixture(scope="module")
def python(folder):
    """Function that runs the environment's Python in `folder` and returns what it prints."""
    shutil.copytree(ROOT, folder / "source", ignore=NOT_SOURCE)
    build = f"from setuptools import build_meta; build_meta.build_wheel({str(folder)!r})"  # as `python -m build` does
    subprocess.run([sys.executable, "-c", build], cwd=folder / "source", check=True, capture_output=True)
    shutil.rmtree(folder / "source")
    venv.create(folder / "env")  # without pip: a wheel of pure Python is installed by unpacking it
    site = Path(sysconfig.get_path("purelib", "venv", {"base": folder / "env", "platbase": folder / "env"}))
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
        wheel.extractall(site)
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    shared = {"JUPYTER_PATH": str(Path(sys.prefix) / "share" / "jupyter")}  # nbconvert's templates
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")} | shared

    def run(*arguments):
        command = [folder / "env" / "bin" / "python", *arguments]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def test_it_holds_the_package_and_nothing_else(python, folder):
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        from check_dist import LIMIT, expected
    finally:
        sys.path.pop(0)
    path = next(folder.glob("*.whl"))
    with zipfile.ZipFile(path) as wheel:
        held = {n for n in wheel.namelist() if ".dist-info/" not in n}
    assert held == expected() and "benchuq/py.typed" in held and path.stat().st_size < LIMIT


def test_it_is_the_wheel_that_runs_and_it_finds_tables_scripts_and_styles(python, folder):
    code = """
import benchuq, importlib.metadata
from benchuq.markup import page
print(benchuq.__file__, len(page("title", "body")))
print(benchuq.leaderboard(benchuq.load("vtab")).index[0])
print(*importlib.metadata.entry_points(name="benchuq"), sep="\\n")
"""
    held, best, point, *_ = python("-c", code).splitlines()
    file, length = held.split()
    assert Path(file).is_relative_to(folder) and best == "Sup-Rotation-100%"
    assert int(length) > sum((ROOT / "nbs/10_reporting" / f"page.{end}").stat().st_size for end in ("js", "css"))
    assert "value='benchuq.reporting.command:main'" in point


def test_it_lists_the_reports(python):
    templates = (ROOT / "nbs/templates").glob("*.ipynb")
    names = [p.stem for p in templates if "benchuq.studies" not in p.read_text(encoding="utf-8")]
    assert "leaderboard" in names and "gate" not in names  # which needs the studies of a checkout
    listed = [line.split(":")[0] for line in python("-m", "benchuq", "list").splitlines() if not line.startswith(" ")]
    assert listed == sorted(names)


def test_it_compares_results_in_a_csv_file(python, folder):
    rows = [("A", "t", 100, 80), ("A", "u", 100, 70), ("B", "t", 100, 60), ("B", "u", 100, 50)]
    table = pd.DataFrame(rows, columns=["model", "task", "n_items", "n_correct"])
    table.to_csv(folder / "some.csv", index=False)
    said = python("-m", "benchuq", "compare", "some.csv").splitlines()
    assert said[0] == "A is the best of 2 models (75.0). The data exclude all others."
    assert Path(said[-1]) == Path("some/leaderboard.html") and (folder / "some/leaderboard.html").exists()
    board = pd.read_csv(folder / "some/tables/leaderboard.csv", index_col="model")
    assert list(board.index) == ["A", "B"] and board["estimate"].round(2).tolist() == [0.75, 0.55]


SUITE = """
[recipes.quiz]
command = ["{python}", "-c", "import sys; open(sys.argv[1] + '/a.csv', 'w').write('item,score\\nq,1\\n')", "{out}"]
[models.small]
[benchmarks.geography]
recipe = "quiz"
"""


WORDS = "compare two.csv", "check a.csv b.csv", "design two.csv", "convert two.csv -o new", "plan s.toml", "run s.toml"
COMMANDS = f"""
import sys
from benchuq.checks import _EXTRAS
sys.modules |= dict.fromkeys((name for names in _EXTRAS.values() for name in names), None)
from benchuq.reporting.command import main
for words in {WORDS}:
    assert main(words.split()) in (0, 1, 3), words
"""


def test_the_commands_need_no_extra(python, folder):
    rows = [f"{model},{task},{right},100\n" for model, right in (("A", 70), ("B", 60)) for task in ("art", "law")]
    for name, some in (("two", rows), ("a", rows[:2]), ("b", rows[2:])):
        (folder / f"{name}.csv").write_text("model,task,n_correct,n_items\n" + "".join(some))
    (folder / "s.toml").write_text(SUITE)
    python("-c", COMMANDS)


def test_it_runs_a_report(python, folder):
    python("-m", "benchuq", "report", "leaderboard", "-q", "--out", "mine")
    made = folder / "mine/leaderboard"
    assert (made / "tables/leaderboard.csv").exists() and (made / "figures/leaderboard.png").exists()
    assert (made / "leaderboard.html").exists()
