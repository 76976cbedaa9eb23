"""Sphinx's settings for the book: every notebook in reading order, the reports and every public
function.

    sphinx-build -c docs . _docs/html

The sources are the checkout itself: notebooks come with their stored outputs, and functions from
their docstrings.
"""

import re
import sys
from configparser import ConfigParser
from pathlib import Path

import nbformat
from docutils.nodes import SkipNode
from fastcore.docments import docments
from latex2mathml.converter import convert
from numpy.typing import ArrayLike
from sphinx.util.typing import stringify_annotation

from benchuq.streams import Seed

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "docs"))  # where read_notebook is found by its name
config = ConfigParser(delimiters=["="], interpolation=None)
config.read(ROOT / "settings.ini", encoding="utf-8")
settings = config["DEFAULT"]

project = settings["title"]
author = settings["author"]
copyright = settings["copyright"]
release = version = settings["version"]
html_title = f"{project} {release}"
language = "en"

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.autosummary"]
root_doc = "README"
include_patterns = [
    "*.md",
    "data/README.md",
    "docs/api.rst",
    "docs/api/**",
    "nbs/**.ipynb",
    "reports/*/*.ipynb",
]
exclude_patterns = [
    ".*",
    "_docs",
    "build",
    "examples",
    "tests",
    "nbs/index.ipynb",
    "nbs/templates",
    "**/.ipynb_checkpoints",
]
nb_execution_mode = "off"  # the committed outputs are shown
nb_ipywidgets_js = {}  # no scripts from elsewhere
nb_merge_streams = True
nb_custom_formats = {".ipynb": ["conf.read_notebook", {}, False]}
myst_enable_extensions = ["amsmath", "colon_fence", "dollarmath"]
myst_heading_anchors = 3
python_maximum_signature_line_length = 90
add_module_names = False
autosummary_generate = True
templates_path = [str(ROOT / "docs" / "templates")]
suppress_warnings = ["mystnb.unknown_mime_type", "myst.header"]

html_theme = "furo"
html_static_path = [str(ROOT / "docs" / "static")]
html_css_files = ["book.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False


def read_notebook(text: str) -> nbformat.NotebookNode:
    """A notebook without what is only for the machinery; sources of reports are shown by what they
    made.
    """
    book = nbformat.reads(text, 4)
    book.cells = [
        c
        for c in book.cells
        if c.cell_type != "code" or not re.match(r"#\| (hide|default_exp)", c.source)
    ]
    for cell in book.cells:
        if cell.cell_type == "code":
            cell.source = re.sub(r"(?m)^#\| ?\w.*\n?", "", cell.source).strip("\n")
            cell.outputs = [o for o in cell.outputs if o.get("name") != "stderr"]
        else:
            cell.source = re.sub(
                r"\]\(([./]*)templates/(\w+)\.ipynb", r"](\1../reports/\2/\2.ipynb", cell.source
            )
    return book


def add_toctrees(app, name: str, source: list[str]) -> None:
    """Put the contents of the book at the end of its first page, a chapter each."""
    if name != root_doc:
        return
    chapters = {
        f.name[2:].capitalize(): [f"{f.relative_to(ROOT)}/*"]
        for f in sorted((ROOT / "nbs").glob("[0-9]*_*"))
    }
    trees = (
        {"Start": ["nbs/tutorial", "nbs/gallery", "nbs/which_function", "nbs/*"]}
        | chapters
        | {"Reports": ["reports/*/*"]}
    )
    trees["Library"] = ["docs/api", "CHANGELOG", "CONTRIBUTING", "data/README"]
    for caption, pages in trees.items():
        source[0] += (
            f"\n\n:::{{toctree}}\n:caption: {caption}\n:hidden:\n:glob:\n\n"
            + "\n".join(pages)
            + "\n:::"
        )


def complete_docstring(app, what: str, name: str, thing, options, lines: list[str]) -> None:
    """Names in backticks as links, stars, bars and underscores as they stand, and the comments
    beside parameters.
    """
    home = sys.modules.get(getattr(thing, "__module__", None) or "")

    def literal(match) -> str:
        if not match[1]:
            return "\\" + match[2]
        module = getattr(getattr(home, match[1], None), "__module__", None) or ""
        return (
            f":py:obj:`~{module}.{match[1]}`" if module.startswith("benchuq") else f"``{match[1]}``"
        )

    lines[:] = re.sub(r"`([^`]+)`|([*|\\]|_(?!\w))", literal, "\n".join(lines)).split("\n")
    if what in ("function", "method"):
        notes = {k: v for k, v in docments(thing).items() if v and k != "return"}
        lines += (
            ["", *(f":param {k}: {' '.join(v.split())}" for k, v in notes.items())] if notes else []
        )
    if what == "module" and thing.__file__:
        made = re.search(
            r"File to edit: [./]*(nbs/\S+)\.ipynb", Path(thing.__file__).read_text(encoding="utf-8")
        )
        lines += ["", f"Notebook: :doc:`/{made[1]}`"] if made else []


def shorten_types(
    app, what: str, name: str, thing, options, signature: str | None, returned: str | None
):
    """Types with a name of their own by that name, not by all that they may be."""
    for alias, whole in (("ArrayLike", ArrayLike), ("Seed", Seed)):
        signature = signature and signature.replace(stringify_annotation(whole, "smart"), alias)
    return signature, returned


def skip_foreign(app, what: str, name: str, thing, skip: bool, options) -> bool | None:
    """Leave out what scikit-learn adds to its estimators."""
    return True if (getattr(thing, "__module__", None) or "").startswith("sklearn") else None


def mathml(block: bool):
    """Visitor that writes a formula as MathML, which browsers show without a script."""

    def visit(translator, node):
        text = convert(node.astext(), display="block" if block else "inline")
        translator.body.append(f'<div class="math">{text}</div>' if block else text)
        raise SkipNode

    return visit


def setup(app):
    app.add_html_math_renderer("mathml", (mathml(False), None), (mathml(True), None))
    app.connect("source-read", add_toctrees)
    app.connect("autodoc-process-docstring", complete_docstring)
    app.connect("autodoc-process-signature", shorten_types)
    app.connect("autodoc-skip-member", skip_foreign)


html_math_renderer = "mathml"
