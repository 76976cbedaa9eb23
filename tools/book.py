"""The book: every notebook in reading order, the reports and every public function, as pages that need no network.

    python tools/book.py          # sources into _docs/source, pages into _docs/html
    python tools/book.py check    # only look whether the links of _docs/html lead somewhere

Nothing is executed and benchuq is not imported: notebooks come with their stored outputs, signatures from the code.
"""

import ast
import io
import re
import shutil
import subprocess
import sys
import tokenize
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import nbformat
from nbformat.v4 import new_markdown_cell

ROOT = Path(__file__).parents[1]
SOURCE, HTML = ROOT / "_docs" / "source", ROOT / "_docs" / "html"
DEFINITIONS = (ast.FunctionDef, ast.ClassDef)


# The library as its source says it is


def modules() -> dict[str, Path]:
    """Public modules by name, in the order of their notebooks, each with the path of its notebook."""
    found = {}
    for path in sorted((ROOT / "nbs").glob("*/*.ipynb")):
        if exports := re.search(r"#\| default_exp ([\w.]+)", path.read_text(encoding="utf-8")):
            found[exports[1]] = path.relative_to(ROOT)
    return found


def public(tree: ast.Module) -> list[str]:
    """The names in `__all__`."""
    lists = [n.value for n in tree.body if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == "__all__"]
    return [str(name) for node in lists for name in ast.literal_eval(node)]


def comments(code: str) -> dict[int, str]:
    """Comments by line."""
    tokens = tokenize.generate_tokens(io.StringIO(code).readline)
    return {t.start[0]: t.string.lstrip("# ") for t in tokens if t.type == tokenize.COMMENT}


def parameters(node: ast.FunctionDef, notes: dict[int, str]) -> str:
    """A list of the parameters that have a comment beside them."""
    args = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    args += [a for a in (node.args.vararg, node.args.kwarg) if a]
    rows = [f"- `{a.arg}`: {notes[a.lineno]}" for a in args if a.lineno in notes and a.lineno != node.lineno]
    return "\n".join(rows)


def fields(node: ast.ClassDef, notes: dict[int, str]) -> str:
    """A list of the annotated fields of a class, as in a dataclass."""
    rows = []
    for x in node.body:
        if isinstance(x, ast.AnnAssign) and not ast.unparse(x.target).startswith("_"):
            note = f": {notes[x.lineno]}" if x.lineno in notes else ""
            rows.append(f"- `{ast.unparse(x)}`{note}")
    return "\n".join(rows)


def signature(node: ast.FunctionDef, method: bool = False) -> str:
    args = ast.parse(ast.unparse(node)).body[0].args
    if method and not any(ast.unparse(d) == "staticmethod" for d in node.decorator_list):
        args.args = args.args[1:]
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{node.name}({ast.unparse(args)}){returns}"


def described(node, notes: dict[int, str], link: str, known: dict[str, str], method: bool = False) -> str:
    """A definition as a directive of Sphinx's Python domain."""
    own = ast.get_docstring(node) or ""
    text = linked(re.sub(r"(?m)^(?=#)", r"\\", own), known, node.name)
    if isinstance(node, ast.ClassDef):
        kind, head, more = "class", node.name, fields(node, notes)
        inits = [x for x in node.body if isinstance(x, ast.FunctionDef) and x.name == "__init__"]
        if inits:
            head = signature(inits[0], method=True).replace("__init__", node.name, 1).replace(" -> None", "")
            more = parameters(inits[0], notes) or more
        methods = [x for x in node.body if isinstance(x, ast.FunctionDef) and not x.name.startswith("_")]
        more += "\n\n" + "\n\n".join(described(x, notes, "", known, method=True) for x in methods)
    else:
        kind, head, more = "method" if method else "function", signature(node, method), parameters(node, notes)
        if any(ast.unparse(d) in ("property", "cached_property") for d in node.decorator_list):
            kind, head = "property", node.name
    colons = ":::" if method else "::::"
    return f"{colons}{{py:{kind}}} {head}\n\n{text}\n\n{more}\n\n{link}\n{colons}"


def linked(text: str, known: dict[str, str], but: str = "") -> str:
    """Names of public functions in backticks as links to their description."""

    def link(match):
        name = match[1].rpartition(".")[2]
        return f"[`{match[1]}`](#{known[name]})" if name in known and name != but else match[0]

    return re.sub(r"(?<![`\[])`([\w.]+)`(?![`\]])", link, text)


# Pages


def reference(where: dict[str, Path]) -> tuple[dict[str, str], set[str]]:
    """Write api/MODULE.md for each module; returns where a name leads that only one has, and all full names."""
    trees = {}
    for name in where:
        code = (ROOT / "benchuq" / f"{name.replace('.', '/')}.py").read_text(encoding="utf-8")
        trees[name] = (ast.parse(code), comments(code))
    every = [(n, f"benchuq.{m}.{n}") for m, (tree, _) in trees.items() for n in public(tree)]
    known = {n: full for n, full in every if [m for m, _ in every].count(n) == 1}
    for name, (tree, notes) in trees.items():
        page = Path("..") / where[name]
        summary = (ast.get_docstring(tree) or "").split("\n\n")[0].replace("\n", " ")
        parts = [f"# {name}", f"`benchuq.{name}`: {summary}", f"Notebook: [](<{page}>)"]
        parts.append(f":::{{py:module}} benchuq.{name}\n:::")
        for node in tree.body:
            if isinstance(node, DEFINITIONS) and node.name in public(tree):
                label = f"benchuq.{name}.{node.name}"
                link = f"[In the notebook](#{place(label)})"
                parts.append(described(node, notes, link, known))
            elif isinstance(node, ast.Assign) and (target := ast.unparse(node.targets[0])) in public(tree):
                label = f"benchuq.{name}.{target}"
                value = ast.unparse(node.value)
                value = value if len(value) < 90 else value[:86] + " ..."
                rest = [notes.get(node.lineno, ""), f"[In the notebook](#{place(label)})"]
                parts.append("\n\n".join([f"::::{{py:data}} {target}\n:value: {value}", *rest]) + "\n::::")
        write(f"api/{name}.md", "\n\n".join(parts))
    return known, {full for _, full in every}


def place(name: str) -> str:
    """Label of a definition in its notebook; labels have no capitals, so those of classes are marked."""
    last = name.rpartition(".")[2]
    return f"nb-{name}-class" if last[0].isupper() and not last.isupper() else f"nb-{name}"


def write(name: str, text: str) -> None:
    file = SOURCE / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text + "\n", encoding="utf-8")


def defined(code: str) -> list[str]:
    """Names that an exported cell defines."""
    body = ast.parse(re.sub(r"(?m)^[%!].*$", "", code)).body
    names = [n.name for n in body if isinstance(n, DEFINITIONS)]
    return names + [ast.unparse(n.targets[0]) for n in body if isinstance(n, ast.Assign)]


def notebook(path: Path, module: str | None, full: set[str]) -> None:
    """Copy a notebook without what is only for the machinery, with a target before each public definition."""
    book = nbformat.read(ROOT / path, 4)
    cells = []
    for cell in book.cells:
        code = cell.source
        if cell.cell_type == "code":
            if re.match(r"#\| (hide|default_exp)", code):
                continue
            if module and code.startswith("#| export"):
                names = [n for n in (f"benchuq.{module}.{d}" for d in defined(code)) if n in full]
                if names:
                    links = ", ".join(f"[`{n.rpartition('.')[2]}`](#{n})" for n in names)
                    targets = "\n".join(f"({place(n)})=" for n in names)
                    cells.append(new_markdown_cell(f"{targets}\n*In the library: {links}*"))
            cell.source = re.sub(r"(?m)^#\| ?\w.*\n?", "", code).strip("\n")
            cell.outputs = [o for o in cell.outputs if o.get("name") != "stderr"]
        else:  # the sources of reports are shown by what they made
            up = "../" * (len(path.parts) - 1)
            cell.source = re.sub(r"\]\([./]*templates/(\w+)\.ipynb", rf"]({up}reports/\1/\1.ipynb", cell.source)
        cells.append(cell)
    book.cells = cells
    if module:
        book.cells.insert(1, new_markdown_cell(f"Module [`benchuq.{module}`](#benchuq.{module})"))
    (SOURCE / path).parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(book, SOURCE / path)


def toctree(title: str, pages: list[str], hidden: bool = True) -> str:
    lines = [":maxdepth: 1", f":caption: {title}" if title else "", ":hidden:" if hidden else "", "", *pages]
    return ":::{toctree}\n" + "\n".join(x for i, x in enumerate(lines) if x or i == 3) + "\n:::"


def chapters(paths: list[Path]) -> list[str]:
    """Write a page for each chapter, with what nbs/index.ipynb says of it; returns the names of the pages."""
    table = dict(re.findall(r"(?m)^\| (\w+) \| (.+) \|$", (ROOT / "README.md").read_text(encoding="utf-8")))
    pages = []
    for folder in sorted({p.parent for p in paths if re.match(r"\d_", p.parent.name)}):
        name = folder.name[2:]
        text = re.sub(r"\]\(nbs/\d_\w+/", "](", table.get(name, "")).replace("](nbs/", "](../")
        own = [p.name for p in paths if p.parent == folder]
        write(f"{folder}/index.md", f"# {name.capitalize()}\n\n{text}\n\n{toctree('', own, hidden=False)}")
        pages.append(f"{folder}/index")
    return pages


def front(pages: list[str], reports: list[str], names: list[str]) -> None:
    """Write the first page, from README.md, and the contents of the reference."""
    face = re.findall(r"from \.(\S+) import (\w+)", (ROOT / "benchuq" / "__init__.pyi").read_text(encoding="utf-8"))
    rows = [f"| [`bq.{n}`](#benchuq.{m}.{n}) | [`benchuq.{m}`](#benchuq.{m}) |" for m, n in face]
    listed = "\n".join(["| `import benchuq as bq` | module |", "| --- | --- |", *rows])
    modules_ = toctree("", [f"{n}.md" for n in names], hidden=False)
    write("api/index.md", f"# Reference\n\n{listed}\n\n## Modules\n\n{modules_}")
    readme = re.sub(
        r"\]\((CHANGELOG|CONTRIBUTING)\.md", lambda m: m[0].lower(), (ROOT / "README.md").read_text("utf-8")
    )
    guides = sorted(
        (p.stem for p in (ROOT / "nbs").glob("*.ipynb") if p.stem != "index"), key=lambda n: (n != "tutorial", n)
    )
    trees = [
        toctree("Start", [f"nbs/{name}.ipynb" for name in guides]),
        toctree("Methods", pages),
        toctree("Reports", reports),
        toctree("Library", ["api/index", "changelog", "contributing", "data/README"]),
    ]
    write("index.md", readme + "\n\n" + "\n\n".join(trees))
    for name in ("CHANGELOG", "CONTRIBUTING"):
        write(f"{name.lower()}.md", (ROOT / f"{name}.md").read_text(encoding="utf-8"))


def assemble() -> None:
    """Lay out _docs/source."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    where = modules()
    of = {path: name for name, path in where.items()}
    known, full = reference(where)
    paths = sorted(p.relative_to(ROOT) for p in (ROOT / "nbs").rglob("*.ipynb"))
    paths = [p for p in paths if p.name != "index.ipynb" and p.parent.name not in ("templates", ".ipynb_checkpoints")]
    reports = sorted(p.relative_to(ROOT) for p in (ROOT / "reports").glob("*/*.ipynb") if p.stem == p.parent.name)
    for path in paths + reports:
        notebook(path, of.get(path), full)
    for pattern in ("nbs/*/*.js", "nbs/*/*.css", "reports/*/figures/*.png", "data/README.md"):
        for file in ROOT.glob(pattern):
            copy = SOURCE / file.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, copy)
    front(chapters(paths), [str(p) for p in reports], list(where))


# Links


class Links(HTMLParser):
    """What a page leads to, loads, and can be led to."""

    def __init__(self, text: str):
        super().__init__()
        self.links, self.loads, self.anchors = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        has = dict(attrs)
        self.anchors |= {has[k] for k in ("id", "name") if has.get(k)}
        if tag == "a" and has.get("href"):
            self.links.append(has["href"])
        elif tag in ("script", "img", "iframe", "source") and has.get("src"):
            self.loads.append(has["src"])
        elif tag == "link" and has.get("rel") in ("stylesheet", "icon", "preload"):
            self.loads.append(has["href"])


def check() -> None:
    """Fail if a link leads nowhere, or a page loads something from the network."""
    pages = {p: Links(p.read_text(encoding="utf-8")) for p in HTML.rglob("*.html")}
    faults = []
    for page, found in pages.items():
        faults += [f"{page.relative_to(HTML)} loads {x}" for x in found.loads if re.match(r"(https?:)?//", x)]
        for link in {*found.links, *found.loads}:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            target = target / "index.html" if target.is_dir() else target
            if not target.exists():
                faults.append(f"{page.relative_to(HTML)} links to {link}, which does not exist")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
                faults.append(f"{page.relative_to(HTML)} links to {link}, a place that the page does not have")
    if faults:
        sys.exit("\n".join(faults[:50]) + f"\n{len(faults)} broken links")
    print(f"{len(pages)} pages, {sum(len(p.links) for p in pages.values()):,} links lead somewhere")


if __name__ == "__main__":
    if sys.argv[1:] != ["check"]:
        assemble()
        command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-j", "auto", "-b", "html"]
        subprocess.run([*command, "-c", ROOT / "docs", "-d", ROOT / "_docs" / "doctrees", SOURCE, HTML], check=True)
    check()
