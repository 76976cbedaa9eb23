"""A wheel in an environment of its own: outside the checkout it lists reports, compares results and
runs a report.

The environment holds the wheel and nothing else; it sees the dependencies of this one, but not its
editable benchuq.
"""

import compileall
import os
import re
import runpy
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
NOT_SOURCE = shutil.ignore_patterns(
    ".git", ".venv", "*.egg-info", "build", "reports", ".hypothesis", "__pycache__"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("wheel")


@pytest.fixture(scope="module")
def python(folder):
    """Function that runs the environment's Python in `folder` and returns what it prints."""
    shutil.copytree(ROOT, folder / "source", ignore=NOT_SOURCE)
    # as `python -m build` does
    build = f"from setuptools import build_meta; build_meta.build_wheel({str(folder)!r})"
    subprocess.run(
        [sys.executable, "-c", build], cwd=folder / "source", check=True, capture_output=True
    )
    shutil.rmtree(folder / "source")
    venv.create(folder / "env")  # without pip: a wheel of pure Python is installed by unpacking it
    site = Path(
        sysconfig.get_path("purelib", "venv", {"base": folder / "env", "platbase": folder / "env"})
    )
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
        wheel.extractall(site)
    compileall.compile_dir(site / "benchuq", quiet=1)  # once, and not by each command anew
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    shared = {"JUPYTER_PATH": str(Path(sys.prefix) / "share" / "jupyter")}  # nbconvert's templates
    environment = {
        k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")
    } | shared

    def run(*arguments):
        command = [folder / "env" / "bin" / "python", *arguments]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def test_it_holds_the_package_and_nothing_else(python, folder):
    check = runpy.run_path(str(ROOT / "tools" / "check_dist.py"))
    path = next(folder.glob("*.whl"))
    with zipfile.ZipFile(path) as wheel:
        held = {n for n in wheel.namelist() if ".dist-info/" not in n}
    assert (
        held == check["expected"]()
        and "benchuq/py.typed" in held
        and path.stat().st_size < check["LIMIT"]
    )


def test_it_is_the_wheel_that_runs_and_it_finds_its_tables(python, folder):
    code = """
import benchuq, importlib.metadata
print(benchuq.__file__, benchuq.leaderboard(benchuq.load("vtab")).index[0])
print(*importlib.metadata.entry_points(name="benchuq"), sep="\\n")
"""
    held, point, *_ = python("-c", code).splitlines()
    file, best = held.split()
    assert Path(file).is_relative_to(folder) and best == "Sup-Rotation-100%"
    assert "value='benchuq.reporting.command:main'" in point


def test_it_lists_the_reports(python):
    templates = (ROOT / "nbs/templates").glob("*.ipynb")
    names = [p.stem for p in templates if "benchuq.studies" not in p.read_text(encoding="utf-8")]
    assert "leaderboard" in names and "gate" not in names  # which needs the studies of a checkout
    listed = [
        line.split(":")[0]
        for line in python("-m", "benchuq", "list").splitlines()
        if not line.startswith(" ")
    ]
    assert listed == sorted(names)


SUITE = """
[recipes.quiz]
command = ["{python}", "-c", "{code}", "{out}"]
[models.small]
code = "import sys; open(sys.argv[1] + '/a.csv', 'w').write('item,score\\nq,1\\n')"
[benchmarks.geography]
recipe = "quiz"
"""
WORDS = (
    "compare two.csv",
    "check a.csv b.csv",
    "design two.csv",
    "convert two.csv -o new",
    "plan s.toml",
    "run s.toml",
)
COMMANDS = f"""
import sys
from benchuq.checks import _EXTRAS
sys.modules |= dict.fromkeys((name for names in _EXTRAS.values() for name in names), None)
from benchuq.reporting.command import main
for words in {WORDS}:
    assert main(words.split()) in (0, 1, 3), words
"""


def test_the_commands_need_no_extra(python, folder):
    rows = [
        f"{model},{task},{right},100\n"
        for model, right in (("A", 70), ("B", 50))
        for task in ("art", "law")
    ]
    for name, some in (("two", rows), ("a", rows[:2]), ("b", rows[2:])):
        (folder / f"{name}.csv").write_text("model,task,n_correct,n_items\n" + "".join(some))
    (folder / "s.toml").write_text(SUITE)
    said = python("-c", COMMANDS).splitlines()
    assert said[0] == "A is the best of 2 models (70.0). The data exclude all others."
    board = pd.read_csv(folder / "two/tables/leaderboard.csv", index_col="model")
    assert board["estimate"].round(2).to_dict() == {"A": 0.7, "B": 0.5}
    page = (folder / "two/leaderboard.html").read_text(encoding="utf-8")
    assert all(
        (ROOT / f"nbs/10_reporting/page.{end}").read_text(encoding="utf-8")[:60] in page
        for end in ("js", "css")
    )


@pytest.mark.rerun
def test_it_runs_a_report(python, folder):
    python("-m", "benchuq", "report", "leaderboard", "-q", "--out", "mine")
    made = "tables/leaderboard.csv", "figures/leaderboard.png", "leaderboard.html"
    assert all((folder / "mine/leaderboard" / name).exists() for name in made)


README = (ROOT / "README.md").read_text(encoding="utf-8")
VOTES = "model_a,model_b,winner\n" + "A,B,model_a\nB,C,model_b\nA,C,model_a\n" * 20
EVALUATE = """
import sys
from pathlib import Path
Path(sys.argv[sys.argv.index("--out") + 1], "answers.csv").write_text("item,score\\nq1,1\\nq2,0\\n")
"""


def blocks(language):
    """The code of that language in the README; lines of the shell that install or need the checkout
    are left out.
    """
    found = re.findall(rf"^```{language}\n(.*?)^```", README, re.M | re.S)
    lines = "\n".join(found).splitlines()
    return [line for line in lines if line and not line.startswith(("pip ", "make "))]


@pytest.fixture
def shell(python, folder, tmp_path):
    """Function that runs a line of the shell in an empty folder, where `benchuq` is that of the
    wheel.
    """
    command = folder / "env/bin/benchuq"
    command.write_text(f'#!/bin/sh\nexec {folder / "env/bin/python"} -m benchuq "$@"\n')
    command.chmod(0o755)
    left_out = ("PYTHONPATH", "VIRTUAL_ENV")
    environment = {k: v for k, v in os.environ.items() if k not in left_out}
    environment["PATH"] = f"{command.parent}:{environment['PATH']}"

    def run(line):
        done = subprocess.run(
            ["bash", "-c", line], cwd=tmp_path, env=environment, capture_output=True, text=True
        )
        return done.returncode, done.stdout + done.stderr

    return run


def test_every_command_of_the_readme_runs_where_there_is_nothing(shell, tmp_path):
    (tmp_path / "votes.csv").write_text(VOTES)
    (tmp_path / "suite.toml").write_text("\n".join(blocks("toml")))
    (tmp_path / "evaluate.py").write_text(EVALUATE)
    verbs = ("design", "plan", "run", "compare suite", "example >")
    inside = [
        line
        for line in re.findall(r"`(benchuq [^`]+)`", README)
        if line.split(" ", 1)[1].startswith(verbs)
    ]
    examples = [line for line in inside if "example" in line]
    others = [line for line in inside if "example" not in line]
    lines = [*examples, *blocks("sh"), *others]
    assert len(examples) == 1 and len(others) >= 4 and len(lines) >= 9, lines
    for line in lines:
        status, text = shell(line)
        assert status in ((0, 3) if " check " in line else (0,)), (line, text)


def test_the_python_of_the_readme_runs_where_there_is_nothing(shell, tmp_path):
    shell("benchuq example > results.csv")
    (tmp_path / "readme.py").write_text("\n".join(blocks("python")))
    status, text = shell("python readme.py")
    assert blocks("python") and status == 0, text
