"""`benchuq plan`, `benchuq run` and `benchuq compare` on a tier file."""

import json
import sys

import pytest

from benchuq.reporting.command import main

CODE = "import sys; rows = ''.join(f'q{i},{i % 2}\\\\n' for i in range(30)); "
CODE += "open(sys.argv[1] + '/items.csv', 'w').write('item,score\\\\n' + rows)"
TIER = f"""
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
def tier(tmp_path):
    """Path of a tier file with a model that answers and one that fails."""
    (tmp_path / "tier.toml").write_text(TIER)
    return str(tmp_path / "tier.toml")


def test_plan_run_and_compare(tier, capsys):
    assert main(["plan", tier]) == 0
    assert capsys.readouterr().out.startswith(
        "4 cells: 4 missing; spent 0 s, expected 1.0 hours and 2 cells of unknown"
    )
    assert main(["plan", tier, "--commands", "--tier", "small", "--model", "good", "--no-versions"]) == 0
    said = capsys.readouterr().out
    assert said.count("\n") == 1 and f"benchuq run {tier} --only " in said and "raise" not in said
    assert main(["run", tier, "--tier", "small", "--model", "good", "--budget", "0.1"]) == 2
    assert "benchmarks.words has no cost" in capsys.readouterr().err
    assert main(["run", tier, "--tier", "small", "--no-progress"]) == 1
    said = capsys.readouterr()
    assert said.err == "failed: bad on words, seed 0: exit status 1: MemoryError: no room\n"
    assert said.out.startswith("1 done, 1 failed, 0 left; 2 commands")
    assert main(["run", tier, "--model", "good", "--budget", "0.1", "--no-progress"]) == 3
    assert main(["run", tier, "--model", "good", "--budget", "1", "--no-progress"]) == 0
    capsys.readouterr()
    assert main(["compare", tier, "--format", "json", "--no-progress"]) == 0
    assert "good" in json.dumps(json.loads(capsys.readouterr().out))


@pytest.mark.parametrize(
    "words, said",
    [
        (["run", "none.toml"], "cannot read .*none.toml"),
        (["run", "{tier}", "--tier", "large"], "unknown tier 'large'"),
        (["plan", "{tier}", "--model", "gpt"], "unknown models ['gpt']"),
        (["run", "{tier}", "--only", "123"], "no cell has the key 123"),
        (["run", "{tier}", "--budget", "-1"], "budget must be hours"),
        (["run", "{tier}", "--jobs", "0"], "jobs must be at least 1"),
    ],
)
def test_bad_input_is_one_line_and_status_2(tier, capsys, words, said):
    assert main([word.format(tier=tier) for word in words]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and (said in error or said.startswith("cannot read"))


def test_a_plan_needs_no_heavy_imports(tier):
    import subprocess

    code = "import sys; from benchuq.reporting.command import main; main(sys.argv[1:]); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code, "plan", tier], capture_output=True, text=True, check=True)
    assert not {"numpy", "pandas", "xarray", "joblib", "matplotlib"} & set(done.stdout.split())
