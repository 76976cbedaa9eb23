"""Fail if exporting or cleaning the notebooks, or writing README.md, changes a file: the library must be what its
notebooks say.
"""

import subprocess
import sys
from pathlib import Path

root = Path(__file__).parents[1]


def contents() -> dict[Path, bytes]:
    files = [root / "README.md", *(root / "benchuq").rglob("*.py"), *(root / "nbs").rglob("*.ipynb")]
    return {f: f.read_bytes() for f in files if ".ipynb_checkpoints" not in f.parts}


before = contents()
for module in (root / "benchuq").rglob("*.py"):
    if module.name not in ("__init__.py", "__main__.py"):  # a module whose notebook is gone must not survive
        module.unlink()
for command in (["nbdev_export"], ["nbdev_clean"], [sys.executable, "tools/readme.py"]):
    subprocess.run(command, cwd=root, check=True)
after = contents()
changed = sorted(str(f.relative_to(root)) for f in before.keys() | after.keys() if before.get(f) != after.get(f))
if changed:
    sys.exit(
        "exporting changed files that are out of date: "
        + ", ".join(changed)
        + "\nRun `make export` and commit what it changes."
    )
print("exports are clean")
