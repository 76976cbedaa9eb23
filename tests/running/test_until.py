"""The race on a suite: `--next` and `--until`."""

import numpy as np
import pandas as pd
import pytest

from benchuq.reporting.command import main
from benchuq.running.until import Race, next_keys, parse_until, _reference_scores, _tier_board

LOOK = """
import csv, sys
model, benchmark, out = sys.argv[1:]
rows = {row[0]: row for row in csv.reader(open("truth.csv"))}
open(out + "/items.csv", "w").write(f"item,score\\n1,{rows[model][rows['model'].index(benchmark)]}\\n")
"""


@pytest.fixture
def contest(tmp_path):
    """A suite of four new models on eight benchmarks, with sixteen earlier ones as reference; the truth."""
    from benchuq.running.suite import load_suite

    rng = np.random.default_rng(1)
    skill = np.r_[0.4, 0.75, 0.5, 0.45, rng.normal(0.5, 0.12, 16)]
    values = skill[:, None] + rng.normal(0, 0.03, (20, 8))
    truth = pd.DataFrame(values.clip(0, 1), [f"m{i}" for i in range(20)], [f"b{j}" for j in range(8)]).rename_axis(
        "model"
    )
    truth.to_csv(tmp_path / "truth.csv")
    truth.iloc[4:].to_csv(tmp_path / "reference.csv")
    (tmp_path / "look.py").write_text(LOOK)
    command = '["{python}", "-S", "look.py", "{model}", "{benchmark}", "{out}"]'
    text = f'reference = "reference.csv"\n[recipes.look]\ncommand = {command}\n'
    text += "".join(f"[models.m{i}]\n" for i in range(4)) + "".join(
        f'[benchmarks.b{j}]\nrecipe = "look"\n' for j in range(8)
    )
    (tmp_path / "suite.toml").write_text(text)
    return load_suite(tmp_path / "suite.toml"), truth


def test_rules():
    assert parse_until("best  model known at .9") == 0.9
    for wrong in ("tomorrow", "best model known at 95", "best model known at 0.4"):
        with pytest.raises(ValueError, match="is no rule"):
            parse_until(wrong)


def test_until_stops_when_the_best_is_known(contest, capsys):
    suite, truth = contest
    path = str(suite.path)
    assert main(["plan", path, "--next", "5"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 5 and {line.split()[0] for line in said} >= {"m0", "m1", "m2", "m3"}
    keys = next_keys(suite, 2)
    assert main(["run", path, "--only", ",".join(keys), "-q"]) == 0
    assert capsys.readouterr().out.startswith("2 done, 0 failed, 0 left; 2 commands")
    assert main(["run", path, "--until", "best model known at 0.95", "-q", "--jobs", "2"]) == 0
    said = capsys.readouterr().out
    assert "best model: m1, known at 0.95 after" in said
    race = Race(suite)
    board = _tier_board(suite, race.cells)
    assert board.notna().sum().sum() < 16
    assert np.allclose(board, truth.loc[board.index, board.columns].where(board.notna()), equal_nan=True)
    assert main(["run", path, "--only", "x", "--until", "best model known at 0.95"]) == 2
    assert "two ways to choose" in capsys.readouterr().err


def test_references_that_do_not_do(contest, tmp_path, capsys):
    suite, truth = contest
    race = Race(suite)
    with pytest.raises(ValueError, match="has no column 'b9'"):
        _reference_scores(suite, race.cells, ["b1", "b9"])
    truth.iloc[4:9].to_csv(tmp_path / "reference.csv")
    assert main(["run", str(suite.path), "--until", "best model known at 0.95"]) == 2
    assert "at least 8 models" in capsys.readouterr().err
    with pytest.warns(UserWarning, match="those of the file's order"):
        assert len(next_keys(suite, 3)) == 3
    text = suite.path.read_text().replace("[benchmarks.b0]\n", '[benchmarks.b0]\nneeds = ["x"]\n')
    suite.path.write_text(text)
    assert main(["run", str(suite.path), "--until", "best model known at 0.95"]) == 2
    assert "does not fit b0" in capsys.readouterr().err
