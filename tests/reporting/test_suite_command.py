"""`benchuq plan`, `benchuq run` and `benchuq compare` on a suite file."""

import json

import pytest

from benchuq.reporting.command import main

CODE = "import sys; rows = ''.join(f'q{i},{i % 2}\\\\n' for i in range(30)); "
CODE += "open(sys.argv[1] + '/items.csv', 'w').write('item,score\\\\n' + rows)"
SUITE = f"""
[recipes.probe]
command = ["{{python}}", "-S", "-c", "{{code}}", "{{out}}"]
[models.good]
code = "{CODE}"
[models.bad]
code = "raise MemoryError('no room')"
[benchmarks.words]
recipe = "probe"
[benchmarks.digits]
recipe = "probe"
cost = 0.5
[tiers]
small = ["words"]
"""


@pytest.fixture
def suite(tmp_path):
    """Path of a suite file with a model that answers and one that fails."""
    (tmp_path / "suite.toml").write_text(SUITE)
    return str(tmp_path / "suite.toml")


def test_plan_run_and_compare(suite, capsys):
    assert main(["plan", suite]) == 0
    assert capsys.readouterr().out.startswith(
        "4 cells: 4 missing; spent 0 s, expected 1.0 hours and 2 cells of unknown"
    )
    assert main(["plan", suite, "--commands", "--tier", "small", "--models", "good"]) == 0
    said = capsys.readouterr().out
    assert said.count("\n") == 1 and f"benchuq run {suite} --only " in said and "raise" not in said
    assert main(["run", suite, "--tier", "small", "--models", "good", "--budget", "0.1"]) == 2
    assert "benchmarks.words has no cost" in capsys.readouterr().err
    assert main(["run", suite, "--tier", "small", "-q"]) == 1
    said = capsys.readouterr()
    assert said.err == "failed: bad on words, seed 0: exit status 1: MemoryError: no room\n"
    assert said.out.startswith("1 done, 1 failed, 0 left; 2 commands")
    assert main(["run", suite, "--models", "good", "--budget", "0.1", "-q"]) == 3
    assert main(["run", suite, "--models", "good", "--budget", "1h", "-q"]) == 0
    capsys.readouterr()
    assert main(["compare", suite, "--format", "json", "-q"]) == 0
    assert "good" in json.dumps(json.loads(capsys.readouterr().out))


@pytest.mark.parametrize(
    "words, said",
    [
        (["run", "{suite}", "--only", "123"], "no cell has the key 123"),
        (["run", "{suite}", "--budget", "-1"], "--budget '-1' is not understood"),
    ],
)
def test_bad_input_is_one_line_and_status_2(suite, capsys, words, said):
    assert main([word.format(suite=suite) for word in words]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and said in error
