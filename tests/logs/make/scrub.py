"""Take dates, machine, paths and revisions out of the logs in this folder, so that they can be
committed.

python make/scrub.py HARNESS INSPECT HELM    # the folders the harnesses wrote
"""

import json
import re
import sys
import zipfile
import zipfile_zstd  # noqa: F401  Inspect compresses by Zstandard
from pathlib import Path

DATE = "2024-01-01T00-00-00.000000"
HERE = Path(__file__).parents[1]
STAMP = re.compile(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(\+00:00|Z)?")
REVISION = re.compile(r'"revision":\s*\{[^}]*\},\s*')
LOCAL = {"pretty_env_info", "date", "git_hash", "upper_git_hash"}
LOCAL |= {"start_time", "end_time", "total_evaluation_time_seconds"}


def harness(source: Path) -> None:
    for path in source.rglob("*.json*"):
        target = (
            HERE
            / "harness"
            / path.parent.name
            / re.sub(r"20\d\d-\d\d-\d\dT[\d.-]+\d", DATE, path.name)
        )
        target.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".json":
            record = json.loads(text)
            text = json.dumps(
                {k: v for k, v in record.items() if k not in LOCAL}, indent=2, ensure_ascii=False
            )
        target.write_text(text, encoding="utf-8")


def plain(text: str) -> str:
    return REVISION.sub("", STAMP.sub("2024-01-01T00:00:00+00:00", text))


def inspect(source: Path) -> None:
    for path in source.iterdir():
        folder = "inspect_json" if path.suffix == ".json" else "inspect"
        target = HERE / folder / re.sub(r"^[\dT-]+-00-00_(\w+)_\w+", r"\1", path.stem)
        target = next(
            t
            for n in range(1, 9)
            if not (t := target.with_name(f"{target.name}_{n}{path.suffix}")).exists()
        )
        target.parent.mkdir(exist_ok=True)
        if path.suffix == ".json":
            target.write_text(plain(path.read_text(encoding="utf-8")), encoding="utf-8")
            continue
        with (
            zipfile.ZipFile(path) as old,
            zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as new,
        ):
            for name in old.namelist():
                member = zipfile.ZipInfo(name, (2024, 1, 1, 0, 0, 0))
                new.writestr(member, plain(old.read(name).decode("utf-8")), zipfile.ZIP_DEFLATED, 9)


def helm(source: Path) -> None:
    for path in source.rglob("*.json"):
        if path.name in ("run_spec.json", "per_instance_stats.json", "stats.json"):
            target = HERE / "helm" / path.parent.name.replace(":", "_") / path.name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(
                json.dumps(json.loads(path.read_text(encoding="utf-8"))), encoding="utf-8"
            )


if __name__ == "__main__":
    harness(Path(sys.argv[1]))
    inspect(Path(sys.argv[2]))
    helm(Path(sys.argv[3]))
