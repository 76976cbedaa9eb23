"""The race on a suite: `--next` and `--until`."""

import numpy as np
import pandas as pd
import pytest

from benchuq.reporting.command import main
from benchuq.running.plan import plan_suite
from benchuq.running.until import Race, next_plan, _board_of

LOOK = """
import csv, sys
model, benchmark, out = sys.argv[1:]
rows = {row[0]: row for row in csv.reader(open("truth.csv"))}
score = rows[model][rows["model"].index(benchmark)]
open(out + "/items.csv", "w").write(f"item,score\\n1,{score}\\n")
"""


@pytest.fixture
def contest(tmp_path):
    """A suite of three new models on six benchmarks, with twelve earlier ones as reference; the
    truth.
    """
    rng = np.random.default_rng(1)
    skill = np.r_[0.4, 0.75, 0.5, rng.normal(0.5, 0.12, 12)]
    values = (skill[:, None] + rng.normal(0, 0.03, (15, 6))).clip(0, 1)
    truth = pd.DataFrame(
        values, [f"m{i}" for i in range(15)], [f"b{j}" for j in range(6)]
    ).rename_axis("model")
    truth.to_csv(tmp_path / "truth.csv")
    truth.iloc[3:].to_csv(tmp_path / "reference.csv")
    (tmp_path / "look.py").write_text(LOOK)
    command = '["{python}", "-S", "look.py", "{model}", "{benchmark}", "{out}"]'
    text = f'reference = "reference.csv"\n[recipes.look]\ncommand = {command}\n'
    text += "".join(f"[models.m{i}]\n" for i in range(3))
    text += "".join(f'[benchmarks.b{j}]\nrecipe = "look"\n' for j in range(6))
    (tmp_path / "suite.toml").write_text(text)
    return tmp_path / "suite.toml", truth


@pytest.mark.parametrize("rule", ["tomorrow", "best model known at 95", "best model known at 0.4"])
def test_what_is_no_rule(contest, rule):
    with pytest.raises(ValueError, match="is no rule"):
        Race(plan_suite(contest[0]), rule)


def test_until_stops_when_the_best_is_known(contest, capsys):
    path, truth = str(contest[0]), contest[1]
    assert main(["plan", path, "--next", "4"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 4 and {line.split()[0] for line in said} == {"m0", "m1", "m2"}
    keys = [c.key for c in next_plan(plan_suite(path), 2).cells]
    assert main(["run", path, "--only", ",".join(keys), "-q"]) == 0
    assert capsys.readouterr().out.startswith("2 done, 0 failed, 0 left; 2 commands")
    assert main(["run", path, "--until", "best  model known at .95", "-q", "--jobs", "2"]) == 0
    assert "best model: m1, known at 0.95 after" in capsys.readouterr().out
    board = _board_of(plan_suite(path).cells, {})
    assert board.notna().sum().sum() < 12
    assert np.allclose(
        board, truth.loc[board.index, board.columns].where(board.notna()), equal_nan=True
    )
    assert main(["run", path, "--only", "x", "--until", "best model known at 0.95"]) == 2
    assert "not allowed with argument --only" in capsys.readouterr().err


def test_references_that_do_not_do(contest, capsys):
    path, truth = contest
    truth.iloc[3:].drop(columns="b5").to_csv(path.with_name("reference.csv"))
    with pytest.raises(ValueError, match="has no column 'b5'"):
        Race(plan_suite(path))
    truth.iloc[3:8].to_csv(path.with_name("reference.csv"))
    assert main(["run", str(path), "--until", "best model known at 0.95"]) == 2
    assert "at least 8 models" in capsys.readouterr().err
    with pytest.warns(UserWarning, match="those of the file's order"):
        assert [c.name for c in next_plan(plan_suite(path), 2).cells] == [
            "m0 on b0, seed 0",
            "m1 on b0, seed 0",
        ]
    path.write_text(
        path.read_text().replace("[benchmarks.b0]\n", '[benchmarks.b0]\nneeds = ["x"]\n')
    )
    assert main(["run", str(path), "--until", "best model known at 0.95"]) == 2
    assert "does not fit b0" in capsys.readouterr().err
