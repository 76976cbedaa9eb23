"""Packaging; every setting is in settings.ini."""

import re
import shutil
from configparser import ConfigParser
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

here = Path(__file__).parent
config = ConfigParser(delimiters=["="], interpolation=None)
config.read(here / "settings.ini", encoding="utf-8")
settings = config["DEFAULT"]


# Files that are no modules and travel inside the package: where they are here, which, and their
# folder there.
BUNDLED = [
    ("data", "*.csv", "_data"),
    ("nbs/templates", "*.ipynb", "_templates"),
    ("nbs", "*/*.js", "_assets"),
    ("nbs", "*/*.css", "_assets"),
    ("nbs", "*/*.jinja", "_assets"),
    ("nbs", "*/*.json", "_assets"),
]


class BuildWithTables(build_py):
    """Put tables, report notebooks, scripts and styles into the package, where `benchuq.files`
    looks for them.
    """

    def run(self):
        super().run()
        for source, pattern, target in BUNDLED:
            folder = Path(self.build_lib) / settings["lib_path"] / target
            folder.mkdir(parents=True, exist_ok=True)
            for file in (here / source).glob(pattern):
                if "benchuq.studies" not in file.read_text(
                    encoding="utf-8"
                ):  # reports of a checkout stay there
                    shutil.copy(file, folder)


EXTRAS = {
    name: settings[f"{name}_requirements"].split()
    for name in (
        "bayes",
        "subgroups",
        "reports",
        "parquet",
        "dask",
        "inspect",
        "parity",
        "docs",
        "dist",
        "dev",
    )
}
EXTRAS["all"] = [
    need for name in ("bayes", "subgroups", "reports", "parquet") for need in EXTRAS[name]
]
EXTRAS["dev"] += EXTRAS["all"]


def long_description() -> str:
    """README.md with links that also lead somewhere where only this text is shown."""
    text = (here / "README.md").read_text(encoding="utf-8")
    for before, kind in ((r"(!\[[^\]]*\]\()", "raw"), (r"(\]\()", "blob")):
        text = re.sub(
            before + r"(?![a-z]+:|#)",
            rf"\g<1>{settings['git_url']}/{kind}/{settings['branch']}/",
            text,
        )
    return text


setup(
    name=settings["lib_name"],
    version=settings["version"],
    description=settings["description"],
    keywords=settings["keywords"],
    author=settings["author"],
    author_email=settings["author_email"],
    url=settings["doc_host"],
    project_urls={
        "Source": settings["git_url"],
        "Changelog": f"{settings['git_url']}/blob/{settings['branch']}/CHANGELOG.md",
    },
    license="Apache-2.0",
    license_files=["LICENSE"],
    classifiers=[
        "Development Status :: 4 - Beta",
        "Intended Audience :: Science/Research",
        "Natural Language :: English",
        "Operating System :: POSIX",
        "Operating System :: MacOS",
        "Programming Language :: Python :: 3 :: Only",
        *(
            f"Programming Language :: Python :: {version}"
            for version in settings["python_versions"].split()
        ),
        "Topic :: Scientific/Engineering :: Artificial Intelligence",
        "Topic :: Scientific/Engineering :: Information Analysis",
        "Framework :: Jupyter",
        "Typing :: Typed",
    ],
    long_description=long_description(),
    long_description_content_type="text/markdown",
    python_requires=f">={settings['min_python']}",
    packages=find_packages(
        include=[settings["lib_path"], settings["lib_path"] + ".*"],
        exclude=[settings["lib_path"] + ".studies"],  # they are for the reports of a checkout
    ),
    package_data={settings["lib_path"]: ["*.pyi", "py.typed"]},
    cmdclass={"build_py": BuildWithTables},
    install_requires=settings["requirements"].split(),
    extras_require=EXTRAS,
    entry_points={
        "console_scripts": settings["console_scripts"].split(),
        "nbdev": [f"{settings['lib_path']}={settings['lib_path']}._modidx:d"],
    },
)
