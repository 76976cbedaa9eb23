"""Fail if exporting or cleaning the notebooks, or writing README.md, changes a file: the library
must be what its notebooks say. All of it happens in a copy; the checkout is only read.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]


def contents(root: Path) -> dict[Path, bytes]:
    "What is exported, and the notebooks it comes from, by path below `root`."
    files = [
        root / "README.md",
        *(root / "benchuq").rglob("*.py"),
        *(root / "nbs").rglob("*.ipynb"),
    ]
    return {
        f.relative_to(root): f.read_bytes() for f in files if ".ipynb_checkpoints" not in f.parts
    }


with tempfile.TemporaryDirectory() as folder:
    copy = Path(folder)
    for name in ("nbs", "benchuq", "tools"):
        shutil.copytree(
            ROOT / name,
            copy / name,
            ignore=shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints"),
        )
    for name in ("settings.ini", "README.md"):
        shutil.copy(ROOT / name, copy)
    for module in (copy / "benchuq").rglob("*.py"):
        if module.name not in (
            "__init__.py",
            "__main__.py",
        ):  # a module whose notebook is gone must not survive
            module.unlink()
    for command in (["nbdev_export"], ["nbdev_clean"], [sys.executable, "tools/readme.py"]):
        subprocess.run(command, cwd=copy, check=True)
    before, after = contents(ROOT), contents(copy)
changed = sorted(str(f) for f in before.keys() | after.keys() if before.get(f) != after.get(f))
if changed:
    sys.exit(
        "exporting changes files that are out of date: "
        + ", ".join(changed)
        + "\nRun `make export` and commit what it changes."
    )
print("exports are clean")
