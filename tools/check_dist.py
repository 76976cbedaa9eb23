"""Fail unless dist/ holds a wheel and a source distribution that are whole, small, and without
strangers.

python tools/check_dist.py [folder]
"""

import re
import subprocess
import sys
import tarfile
import zipfile
from configparser import ConfigParser
from pathlib import Path

ROOT = Path(__file__).parents[1]
LIMIT = 3_000_000  # bytes of the wheel


def needs_studies(path: Path) -> bool:
    "Does this file use the studies, which are in the checkout only?"
    return "benchuq.studies" in path.read_text(encoding="utf-8")


def expected() -> set[str]:
    """What a wheel must hold: the package but for the studies, and the bundled tables, notebooks,
    scripts, styles.
    """
    files = {p for s in ("*.py", "*.pyi", "py.typed") for p in (ROOT / "benchuq").rglob(s)}
    package = {str(p.relative_to(ROOT)) for p in files if "studies" not in p.parts}
    bundled = {
        "_data": "data/*.csv",
        "_templates": "nbs/templates/*.ipynb",
        "_assets": "nbs/*/*.js",
    }
    held = {
        to: [p for p in ROOT.glob(pattern) if not needs_studies(p)]
        for to, pattern in bundled.items()
    }
    names = {f"benchuq/{to}/{p.name}" for to, files in held.items() for p in files}
    more = [p for kind in ("css", "json", "jinja") for p in ROOT.glob(f"nbs/*/*.{kind}")]
    return package | names | {f"benchuq/_assets/{p.name}" for p in more}


def main(folder: Path) -> None:
    config = ConfigParser(delimiters=["="], interpolation=None)
    config.read(ROOT / "settings.ini", encoding="utf-8")
    version = config["DEFAULT"]["version"]
    wheel, sdist = (
        folder / f"benchuq-{version}-py3-none-any.whl",
        folder / f"benchuq-{version}.tar.gz",
    )
    subprocess.run([sys.executable, "-m", "twine", "check", "--strict", wheel, sdist], check=True)
    with zipfile.ZipFile(wheel) as archive:
        held = {n for n in archive.namelist() if ".dist-info/" not in n}
        metadata = archive.read(f"benchuq-{version}.dist-info/METADATA").decode()
    faults = [f"the wheel lacks {n}" for n in sorted(expected() - held)]
    faults += [f"the wheel holds {n}" for n in sorted(held - expected())]
    if wheel.stat().st_size > LIMIT:
        faults.append(f"the wheel has {wheel.stat().st_size:,} bytes, more than {LIMIT:,}")
    faults += [
        f"the description links to {t}" for t in re.findall(r"\]\(((?![a-z]+:|#)[^)]*)\)", metadata)
    ]
    with tarfile.open(sdist) as archive:
        source = {n.partition("/")[2] for n in archive.getnames()}
    needed = "CHANGELOG.md CITATION.cff LICENSE Makefile requirements.lock".split()
    needed += ["settings.ini", "setup.py"]
    needed += ["nbs/index.ipynb", "tests/conftest.py", "tools/check_dist.py", "data/README.md"]
    faults += [f"the source distribution lacks {n}" for n in needed if n not in source]
    if faults:
        sys.exit("\n".join(faults))
    print(
        f"wheel {wheel.stat().st_size / 1e6:.2f} MB, {len(held)} files; source "
        f"{sdist.stat().st_size / 1e6:.2f} MB"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "dist"))
