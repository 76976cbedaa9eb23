"""Fail where the library's layout breaks its rules, naming the place.

A chapter imports only from itself and from chapters with a smaller number; imports have no circle
and take no detour through importlib; names with an underscore stay in their module; no value that a
cell of a notebook computes to show is lost; a definition stands above its first use; a name is
public in one module only and has a user outside its own notebook and test; a small module with one
importer belongs to that importer; a format of logs has a row in `read` and a test; nothing is put
in the place of what another package holds. Lines, names, options and modules are counted, not
capped. `--counts` prints the sizes by chapter. Exceptions from the rules are listed by name in
`tools/exceptions.toml`.
"""

import argparse
import ast
import json
import re
import sys
import tomllib
from collections import defaultdict
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from statistics import mean, median

ROOT = Path(__file__).parents[1]
MOST_IN_CELL, MOST_OUTPUT = 60, 300_000
FEWEST_LINES = 60  # of a module that only one other imports
PROTOCOL = {
    "recognise",
    "same_run",
    "blocks",
    "sample",
}  # what every format and every sampler defines
ALL = re.compile(r"^__all__ = \[.*?\]$", re.MULTILINE | re.DOTALL)
TRICKS = {"ctypes", "dis"}  # modules that reach below the language
OFFERED = {
    "sys.stdout",
    "warnings.showwarning",
}  # what Python's documentation offers for replacement
# First words of what is called for its effect, so that its value need not be shown
EFFECTS = frozenset(
    "add append assert axhline axvline barh begin boxplot chdir check close contour display end "
    "extend feed fill grid hist hlines kdeplot legend line link loglog minorticks mkdir plot print "
    "register rmtree run scatter scatterplot seed set setdefault sleep sort symlink table tight "
    "touch unlink update vlines wait write".split()
)


def definitions(statements: list[ast.stmt]) -> list[str]:
    "Names that `statements` define."
    names = []
    for node in statements:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.append(node.name)
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names += [t.id for t in targets if isinstance(t, ast.Name)]
    return names


def used(tree: ast.AST) -> set[str]:
    "Names that are read below `tree`."
    return {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


def words_below(tree: ast.AST) -> set[str]:
    "Names that are read below `tree`, with or without an object before them."
    return used(tree) | {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}


def read_from_outside(tree: ast.AST) -> set[str]:
    "Names that are read below `tree`, without the parameters of the functions that read them."
    names = {tree.id} if isinstance(tree, ast.Name) and isinstance(tree.ctx, ast.Load) else set()
    for child in ast.iter_child_nodes(tree):
        names |= read_from_outside(child)
    if isinstance(tree, (ast.FunctionDef, ast.Lambda)):
        names -= {parameter.arg for parameter in (*tree.args.args, *tree.args.kwonlyargs)}
    return names


class Module:
    """One module of a chapter; `name` is dotted, below `benchuq`.

    `lines` are those of code and text: not blank, and no marker of nbdev.
    """

    def __init__(self, path: Path, root: Path):
        text, place = (
            path.read_text(encoding="utf-8"),
            path.relative_to(root / "benchuq").with_suffix(""),
        )
        self.name, self.chapter = (
            ".".join(place.parts),
            place.parts[-2] if len(place.parts) > 1 else "ground",
        )
        self.tree = ast.parse(text)
        self.lines = [
            line
            for line in text.splitlines()
            if line.strip() and not line.startswith(("# %%", "# AUTO"))
        ]
        # `__all__` is written by nbdev, on as few lines as it fits
        self.n_long = sum(len(line) > 100 for line in ALL.sub("", text).splitlines())
        self.public = [name for name in definitions(self.tree.body) if not name.startswith("_")]

    def find(self, *kinds: type) -> list:
        "All nodes of some kinds."
        return [node for node in ast.walk(self.tree) if isinstance(node, kinds)]

    def imports(self, known) -> list[tuple[str, str]]:
        "What it imports from the library, wherever in its code: (module, name in it or '')."
        found = [
            (a.name.removeprefix("benchuq."), "")
            for node in self.find(ast.Import)
            for a in node.names
        ]
        for node in self.find(ast.ImportFrom):
            place = ["benchuq", *self.name.split(".")][: -node.level] if node.level else []
            target = (
                ".".join([*place, *(node.module or "").split(".")])
                .strip(".")
                .removeprefix("benchuq.")
            )
            inner = [(f"{target}.{a.name}".removeprefix("benchuq."), a.name) for a in node.names]
            found += [(whole, "") if whole in known else (target, name) for whole, name in inner]
        return [(target, name) for target, name in found if target in known]

    def words(self) -> set[str]:
        "Every name that it reads, imports, or asks of something."
        imported = {a.name for node in self.find(ast.ImportFrom) for a in node.names}
        return used(self.tree) | imported | {node.attr for node in self.find(ast.Attribute)}

    def types(self) -> set[str]:
        "Names in the annotations of public functions: what these take and return."
        functions = [
            f
            for f in self.find(ast.FunctionDef)
            if not f.name.startswith("_") or f.name.startswith("__")
        ]
        given = [a.annotation for f in functions for a in (*f.args.args, *f.args.kwonlyargs)]
        of = [a for a in (*given, *(f.returns for f in functions)) if a is not None]
        return {name for a in of for name in re.findall(r"\w+", ast.unparse(a))}


class House:
    """The library under `root`: chapters with their numbers, modules by name, and method notebooks.

    `let` holds what is let pass by name, with a reason.
    """

    def __init__(self, root: Path):
        self.root = root
        numbered = [folder.name.partition("_") for folder in (root / "nbs").glob("[0-9]*_*")]
        self.number = {
            name: int(number)
            for number, _, name in sorted(numbered, key=lambda parts: int(parts[0]))
        }
        files = [p for p in sorted((root / "benchuq").rglob("*.py")) if not p.name.startswith("_")]
        self.modules = {m.name: m for m in (Module(p, root) for p in files)}
        self.shipped = [m for m in self.modules.values() if m.chapter != "studies"]
        books = sorted((root / "nbs").glob("[0-9]*_*/*.ipynb"))
        self.notebooks = {p: json.loads(p.read_text(encoding="utf-8"))["cells"] for p in books}
        listed = root / "tools" / "exceptions.toml"
        self.let = defaultdict(
            dict, tomllib.loads(listed.read_text(encoding="utf-8")) if listed.is_file() else {}
        )


def code_of(cells: list[dict], start: tuple[str, ...] = ("",)) -> list[str]:
    "Sources of the code cells that begin with one of `start`."
    sources = ["".join(c["source"]) for c in cells if c["cell_type"] == "code"]
    return [s for s in sources if s.startswith(start)]


def without_magics(source: str) -> str:
    "The Python of a cell: without its lines for the notebook's shell."
    return "\n".join(line for line in source.splitlines() if not line.startswith(("%", "!")))


def exported(cells: list[dict]) -> list[int]:
    "Lines of each exported cell."
    return [len(source.splitlines()) for source in code_of(cells, ("#| export", "#|export"))]


def shown(cells: list[dict]) -> list[bool]:
    """Of each exported cell with a function or class: does a visible example follow?

    An example is a code cell, before the next such definition, that names what was defined and ends
    on a value or a plot.
    """
    followed: list[bool] = []
    defined: set[str] = set()
    for source in code_of(cells):
        statements = ast.parse(without_magics(source)).body
        if source.startswith(("#| export", "#|export")):
            names = {n.name for n in statements if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
            if names:
                followed.append(False)
                defined = names
        elif defined and statements and not source.startswith("#| hide"):
            is_named = any(words_below(statement) & defined for statement in statements)
            is_example = is_named and isinstance(statements[-1], ast.Expr)
            followed[-1] = followed[-1] or is_example
    return followed


def without_result(cells: list[dict]) -> set[str]:
    "Names of the functions of a notebook that return no value."
    trees = [ast.parse(source) for source in map(without_magics, code_of(cells))]
    functions = [n for tree in trees for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
    return {
        function.name
        for function in functions
        if not any(isinstance(n, ast.Return) and n.value for n in ast.walk(function))
    }


def lost_displays(source: str, silent: set[str]) -> list[str]:
    """Expressions in the middle of a cell whose value nothing shows.

    A cell shows the value of its last statement alone. Docstrings have none, and calls by a name in
    `silent`, of a function that returns none, or with a first word in `EFFECTS` are made for what
    they do.
    """
    lost = []
    for node in ast.parse(without_magics(source)).body[:-1]:
        if not isinstance(node, ast.Expr) or isinstance(node.value, ast.Constant):
            continue
        called = node.value.func if isinstance(node.value, ast.Call) else None
        name = getattr(called, "attr", getattr(called, "id", ""))
        word = name.strip("_").split("_")[0]
        if name not in silent | {"to_csv", "to_json"} and word not in EFFECTS:
            lost.append(ast.unparse(node))
    return lost


def check_imports(house: House) -> list[str]:
    "Upward imports, circles, detours, and private names of other modules."
    graph, faults = defaultdict(set), []
    for name, module in house.modules.items():
        mine = house.number.get(module.chapter, 0)
        if any(node.attr == "import_module" for node in module.find(ast.Attribute)):
            faults.append(f"{name} imports through importlib; import by name")
        for target, what in module.imports(house.modules):
            graph[name].add(target)
            chapter = house.modules[target].chapter
            theirs = house.number.get(chapter, 0)
            if chapter == "studies" != module.chapter:
                faults.append(
                    f"{name} imports {target}: studies are for reports, nothing else rests on them"
                )
            if theirs > mine:
                faults.append(
                    f"{name} (chapter {mine}) imports {target} (chapter {theirs}): upward"
                )
            if what.startswith("_"):
                faults.append(
                    f"{name} imports {what} of {target}: make it public or leave it there"
                )
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        faults.append(f"imports go in a circle: {' <- '.join(error.args[1])}")
    return faults


def check_notebooks(house: House) -> list[str]:
    "Notebooks with a long exported cell or heavy outputs."
    faults = []
    for path, cells in house.notebooks.items():
        lines = exported(cells)
        stored = sum(len(json.dumps(c.get("outputs", []))) for c in cells)
        most = house.let["cells"].get(path.name, MOST_IN_CELL)
        if max(lines, default=0) > most:
            faults.append(f"{path.name} has an exported cell of {max(lines)} lines; at most {most}")
        if stored > MOST_OUTPUT:
            faults.append(
                f"{path.name} stores {stored:,} characters of outputs; at most {MOST_OUTPUT:,}"
            )
    return faults


def check_displays(house: House) -> list[str]:
    "Values that a cell of any notebook computes to show, and does not show."
    faults = []
    for path in sorted((house.root / "nbs").rglob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        silent = without_result(cells)
        faults += [
            f"{path.name} shows nothing of {lost[:60]}; end the cell with it"
            for source in code_of(cells)
            for lost in lost_displays(source, silent)
        ]
    return faults


def check_order(house: House) -> list[str]:
    "Definitions that stand below what uses them."
    faults = []
    for name, module in house.modules.items():
        place = {}
        for k, node in enumerate(module.tree.body):
            for defined in definitions([node]):
                place.setdefault(defined, k)
        for k, node in enumerate(module.tree.body):
            later = sorted(n for n in read_from_outside(node) if place.get(n, -1) > k)
            faults += [
                f"{name}, line {node.lineno} uses {n}, which is defined further down" for n in later
            ]
    return faults


def check_names(house: House) -> list[str]:
    "A public name that two modules define."
    owners = defaultdict(list)
    for name, module in house.modules.items():
        for public in dict.fromkeys(module.public):
            owners[public].append(name)
    twice = {name: of for name, of in owners.items() if len(of) > 1 and name not in PROTOCOL}
    return [
        f"{name} is public in {' and in '.join(of)}; a name means one thing"
        for name, of in twice.items()
    ]


def check_fragments(house: House) -> list[str]:
    "Small modules that only one other imports."
    importers = defaultdict(set)
    for name, module in house.modules.items():
        for target, _ in module.imports(house.modules):
            importers[target].add(name)
    return [
        f"{name} has {len(module.lines)} lines and one importer, {min(importers[name])}; merge them"
        for name, module in house.modules.items()
        if len(importers[name]) == 1
        and len(module.lines) < FEWEST_LINES
        and name not in house.let["fragments"]
    ]


def check_users(house: House) -> list[str]:
    """Public names of what is shipped that nothing but their own notebook and test uses: no module,
    face, report, tool.
    """
    root, faults = house.root, []
    texts = [
        p.read_text(encoding="utf-8")
        for s in ("benchuq/__init__.py*", "tools/*.py")
        for p in root.glob(s)
    ]
    for path in [p for s in ("nbs/templates/*.ipynb", "nbs/*.ipynb") for p in root.glob(s)]:
        texts += code_of(json.loads(path.read_text(encoding="utf-8"))["cells"])
    outside = {word for text in texts for word in re.findall(r"\w+", text)} | PROTOCOL
    words = {name: module.words() for name, module in house.modules.items()}
    for module in house.shipped:
        known = outside.union(
            module.types(), *(w for other, w in words.items() if other != module.name)
        )
        alone = [f"{module.name}.{name}" for name in module.public if name not in known]
        faults += [
            f"{n} has no user; make it private, or drop it"
            for n in alone
            if n not in house.let["names"]
        ]
    return faults


def check_formats(house: House) -> list[str]:
    "Formats of logs that `read` does not list, or that have no test of their own."
    faults = []
    for name, module in house.modules.items():
        calls = [
            n
            for n in module.tree.body
            if isinstance(n, ast.Assign) and isinstance(n.value, ast.Call)
        ]
        found = [
            n
            for call in calls
            if ast.unparse(call.value.func) == "Format"
            for n in definitions([call])
        ]
        test = f"tests/readers/test_{name.rpartition('.')[2]}.py"
        if found and not (house.root / test).is_file():
            faults.append(f"{name} has no {test}, with a real log")
        known = house.modules["readers.read"].words() if found else set()
        faults += [
            f"readers.read does not list the format {n} of {name}" for n in found if n not in known
        ]
    return faults


def check_tricks(house: House) -> list[str]:
    """Modules that reach below the language, or put something in the place of what another package
    holds.
    """
    faults = []
    for name, module in house.modules.items():
        packages = {
            a.asname or a.name.partition(".")[0]: a.name
            for n in module.find(ast.Import)
            for a in n.names
        }
        outer = [node for node in module.find(ast.ImportFrom) if not node.level]
        found = [
            f"imports {m}"
            for m in sorted({*packages.values(), *(n.module for n in outer)} & TRICKS)
        ]
        packages |= {a.asname or a.name: a.name for node in outer for a in node.names}
        for node in module.find(ast.Assign, ast.AugAssign, ast.Delete):
            for target in [node.target] if isinstance(node, ast.AugAssign) else node.targets:
                base = target
                while isinstance(base, (ast.Attribute, ast.Subscript)):
                    base = base.value
                if base is not target and isinstance(base, ast.Name) and base.id in packages:
                    found += [f"assigns to {text}" for text in {ast.unparse(target)} - OFFERED]
        faults += [f"{name} {what}" for what in found if name not in house.let["tricks"]]
    return faults


def flags() -> int:
    "Options of all commands; those that all of them share count once."
    sys.path.insert(0, str(ROOT))
    from benchuq.reporting.options import make_parser  # here, because the rules need no parser

    parser = make_parser()
    commands = next(
        a for a in parser._actions if isinstance(a, argparse._SubParsersAction)
    ).choices.values()
    own = [{a.dest for a in each._actions if a.option_strings} for each in commands]
    shared = set.intersection(*own) | {a.dest for a in parser._actions if a.option_strings}
    return len(shared - {"help"}) + sum(len(dests - shared) for dests in own)


def lines_of_tests(folder: Path, pattern: str) -> int:
    "Lines of tests that are not blank."
    return sum(
        bool(line.strip()) for path in folder.glob(pattern) for line in path.open(encoding="utf-8")
    )


def counts(house: House) -> None:
    """Print, by chapter and of all that ships, how much code there is, how dense it is, and the
    share of cells with a definition that an example follows.
    """
    heads = (
        "modules",
        "statements",
        "names",
        "characters",
        "above 100",
        ":= /1000",
        "tests",
        "cell",
        "examples",
    )
    print(f"{'chapter':<12}" + "".join(f"{head:>12}" for head in heads))
    for chapter in house.number:
        modules = [m for m in house.modules.values() if m.chapter == chapter]
        notebooks = [
            cells
            for path, cells in house.notebooks.items()
            if path.parent.name.endswith(f"_{chapter}")
        ]
        row = [*density(modules), lines_of_tests(house.root / "tests" / chapter, "*.py")]
        row.append(median(length for cells in notebooks for length in exported(cells)))
        row.append(round(mean(is_shown for cells in notebooks for is_shown in shown(cells)), 2))
        print(f"{chapter:<12}" + "".join(f"{number:>12g}" for number in row))
    print(f"{'shipped':<12}" + "".join(f"{number:>12g}" for number in density(house.shipped)))
    print(
        f"without studies; lines above 100 without __all__; {flags()} options; tests "
        f"{lines_of_tests(house.root / 'tests', '**/*.py')} lines"
    )


def density(modules: list[Module]) -> list[float]:
    """Modules, statements, public names, mean characters a line, lines above 100, and `:=` in 1,000
    statements.

    Lines are those of code and text: not blank, and no marker of nbdev. Those above 100 are counted
    without `__all__`.
    """
    lines = [line for module in modules for line in module.lines]
    statements = sum(len(module.find(ast.stmt)) for module in modules)
    walruses = sum(len(module.find(ast.NamedExpr)) for module in modules)
    return [
        len(modules),
        statements,
        sum(len(module.public) for module in modules),
        round(sum(map(len, lines)) / max(len(lines), 1), 1),
        sum(module.n_long for module in modules),
        round(1000 * walruses / max(statements, 1), 1),
    ]


def main(root: Path = ROOT) -> list[str]:
    "All faults of the layout under `root`."
    rules = [rule for name, rule in globals().items() if name.startswith("check_")]
    house = House(root)
    return [fault for rule in rules for fault in rule(house)]


if __name__ == "__main__":
    if "--counts" in sys.argv:
        counts(House(ROOT))
    faults = main()
    if faults:
        sys.exit("\n".join(faults) + f"\n{len(faults)} faults in the layout")
    print("the layout keeps its rules")
