"""The GitHub Action, its steps run one after the other in small repositories, with a `gh` that only
takes notes.
"""

import configparser
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import pytest

yaml = pytest.importorskip("yaml")
ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
GH = """#!/bin/bash
echo "$@" >> "$NOTES/calls"
case "$*" in
  *POST* | *PATCH*)
    for a in "$@"; do [[ $a == body=@* ]] && cp "${a#body=@}" "$NOTES/comment"; done ;;
  *) [ ! -f "$NOTES/comment" ] || echo 77 ;;
esac
"""
LOST = {"green": 0, "red": 60, "neutral": 1}


@pytest.fixture
def repository(tmp_path):
    """Function that makes a repository of one kind and gives a function that runs the action in
    it.
    """
    (tmp_path / "bin").mkdir()
    for name, text in (("gh", GH), ("python", f'#!/bin/bash\nexec {sys.executable} "$@"\n')):
        (tmp_path / "bin" / name).write_text(text)
        (tmp_path / "bin" / name).chmod(0o755)

    def made(kind):
        n = 60 if kind == "neutral" else 600
        table = pd.DataFrame(
            {"model": "m", "task": "law", "item": range(n), "score": [1, 1, 1, 0] * (n // 4)}
        )
        table.to_csv(tmp_path / "old.csv", index=False)
        table.loc[table["score"].cumsum() <= LOST[kind], "score"] = 0
        table.to_csv(tmp_path / "new.csv", index=False)
        return lambda **inputs: act(
            tmp_path, {"baseline": "old.csv", "candidate": "new.csv"} | inputs
        )

    return made


def filled(text: str, values: dict) -> str:
    """`text` with its expressions replaced by their values."""
    return re.sub(r"\$\{\{ (\S+) \}\}", lambda found: values.get(found[1], ""), text)


def act(folder: Path, given: dict) -> dict:
    """Run the steps that are scripts, as a runner does; returns status, outputs and what was
    printed.
    """
    inputs = {k: v.get("default", "") for k, v in ACTION["inputs"].items()} | given
    values = {f"inputs.{k}": v for k, v in inputs.items()} | {
        "github.event.pull_request.number": "5"
    }
    files = {k: folder / k.lower() for k in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    for file in files.values():
        file.write_text("")
    paths = {
        "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "NOTES": str(folder),
    }
    known = {
        "RUNNER_TEMP": str(folder),
        "GITHUB_ACTION_PATH": str(ROOT),
        "GITHUB_REPOSITORY": "me/mine",
    }
    said, status = "", 0
    for step in ACTION["runs"]["steps"]:
        if step["name"] == "Install" or "run" not in step:
            continue
        own = {k: filled(v, values) for k, v in step["env"].items()}
        environment = {
            **os.environ,
            **paths,
            **known,
            **{k: str(v) for k, v in files.items()},
            **own,
        }
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
        said, status = said + done.stdout + done.stderr, done.returncode
        outputs = dict(
            line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines()
        )
        values |= {f"steps.check.outputs.{k}": v for k, v in outputs.items()}
        if status:
            break
    return {
        **outputs,
        "status": status,
        "said": said,
        "summary": files["GITHUB_STEP_SUMMARY"].read_text(),
    }


@pytest.mark.parametrize(
    "kind, status, verdict",
    [("green", 0, "not worse"), ("red", 1, "worse"), ("neutral", 0, "undecided")],
)
def test_a_job_is_green_red_or_neutral(repository, tmp_path, kind, status, verdict):
    run = repository(kind)
    found = run()
    assert (found["status"], found["verdict"]) == (
        status,
        verdict,
    ) and f"benchuq check: {verdict}" in found["summary"]
    assert ("::warning" in found["said"]) == (kind == "neutral") and (
        "::error" in found["said"]
    ) == (kind == "red")
    written = Path(found["folder"])
    assert json.loads((written / "check.json").read_text())["verdict"] == verdict
    ElementTree.parse(written / "check.xml")
    assert (written / "check.html").is_file()
    comment = (tmp_path / "comment").read_text()
    assert (
        comment.startswith("<!-- benchuq check: benchuq -->\n## ")
        and "POST" in (tmp_path / "calls").read_text()
    )
    if kind == "green":
        run()
        calls = (tmp_path / "calls").read_text()
        assert calls.count("POST") == 1 and "PATCH repos/me/mine/issues/comments/77" in calls


@pytest.mark.parametrize("how, status", [("report", 0), ("pass", 0), ("fail", 3), ("perhaps", 2)])
def test_undecided_fails_where_it_is_asked_to(how, status):
    given = os.environ | {"STATUS": "3", "VERDICT": "lower", "UNDECIDED": how}
    done = subprocess.run(
        ["bash", "-ec", ACTION["runs"]["steps"][-1]["run"]],
        env=given,
        capture_output=True,
        text=True,
    )
    assert done.returncode == status and ("::warning" in done.stdout) == (how == "report")


def test_bad_input_says_why_everywhere(repository, tmp_path):
    found = repository("green")(candidate="none.csv")
    assert (
        found["status"] == 2
        and found["verdict"] == "error"
        and "does not exist" in found["summary"]
    )
    suite = ElementTree.parse(Path(found["folder"]) / "check.xml").getroot()[0]
    assert suite.get("errors") == "1" and "does not exist" in (tmp_path / "comment").read_text()
    assert repository("green")(arguments="--sise 3")["status"] == 2


def test_margins_and_arguments_arrive(repository, tmp_path):
    found = repository("red")(
        margin="0.5\nlaw=0.4\n", arguments="--units item", history="nights.csv"
    )
    told = json.loads((Path(found["folder"]) / "check.json").read_text())
    assert (
        told["margin"] == 0.5
        and told["candidates"][0]["rows"][1]["margin"] == 0.4
        and told["units"] == "item"
    )
    assert found["status"] == 0 and len(told["nights"]) == 1 and (tmp_path / "nights.csv").is_file()


def test_the_example_names_inputs_that_exist():
    job = yaml.safe_load((ROOT / "examples/ci/evaluation.yml").read_text(encoding="utf-8"))["jobs"][
        "evaluate"
    ]
    step = next(s for s in job["steps"] if s.get("name") == "Did it get worse?")
    assert set(step["with"]) <= set(ACTION["inputs"])
    settings = configparser.ConfigParser()
    settings.read(ROOT / "settings.ini")
    assert step["uses"] == "{user}/{repo}@{branch}".format(**settings["DEFAULT"])
