"""Sphinx's settings; tools/book.py lays out the sources that it reads."""

from configparser import ConfigParser
from pathlib import Path

from docutils.nodes import SkipNode
from latex2mathml.converter import convert

ROOT = Path(__file__).parents[1]
config = ConfigParser(delimiters=["="], interpolation=None)
config.read(ROOT / "settings.ini", encoding="utf-8")
settings = config["DEFAULT"]

project = settings["title"]
author = settings["author"]
copyright = settings["copyright"]
release = version = settings["version"]
html_title = f"{project} {release}"
language = "en"

extensions = ["myst_nb"]
nb_execution_mode = "off"  # the committed outputs are shown
nb_ipywidgets_js = {}  # no scripts from elsewhere
nb_merge_streams = True
myst_enable_extensions = ["amsmath", "colon_fence", "dollarmath"]
myst_heading_anchors = 3
python_maximum_signature_line_length = 90
add_module_names = False
nitpicky = True  # every reference leads somewhere, but for the types of other packages in signatures
nitpick_ignore_regex = [("py:.*", r"(?!benchuq).*")]
suppress_warnings = ["mystnb.unknown_mime_type", "myst.header"]

html_theme = "furo"
html_static_path = [str(ROOT / "docs" / "static")]
html_css_files = ["book.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False


def mathml(block: bool):
    """Visitor that writes a formula as MathML, which browsers show without a script."""

    def visit(translator, node):
        text = convert(node.astext(), display="block" if block else "inline")
        translator.body.append(f'<div class="math">{text}</div>' if block else text)
        raise SkipNode

    return visit


def setup(app):
    app.add_html_math_renderer("mathml", (mathml(False), None), (mathml(True), None))


html_math_renderer = "mathml"
