"""Fail where the library's layout breaks its rules, naming the place.

A chapter imports only from itself and from chapters with a smaller number; imports have no circle and take no detour
through importlib; names with an underscore stay in their module; a notebook is one sitting; a definition stands above
its first use; a name is public in one module only and has a user outside its own notebook and test; a small module
with one importer belongs to that importer; a format of logs has a row in `read` and a test; no trick is played on
other packages; the whole keeps to its size.
`--counts` prints the sizes by chapter. Exceptions from the rules are listed by name in `tools/exceptions.toml`.
"""

import argparse
import ast
import json
import re
import sys
import tomllib
from collections import defaultdict
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[1]
MOST_CELLS, MOST_LINES, MOST_OUTPUT = 45, 350, 300_000
PROTOCOL = {"recognise", "same_run", "blocks", "sample"}  # what every format and every sampler defines
FACE = {"benchuq", "benchuq.__main__"}  # offer names of every chapter, lazily
FEWEST_LINES = 60  # of a module that only one other imports
TRICKS = {"ctypes", "dis"}  # modules that reach below the language


def chapters(root: Path) -> dict[str, int]:
    "Number of each chapter, from the folders of nbs/."
    return {f.name.partition("_")[2]: int(f.name.partition("_")[0]) for f in (root / "nbs").glob("[0-9]*_*")}


def modules(root: Path) -> dict[str, ast.Module]:
    "Syntax tree of every module of the library by its dotted name."
    trees = {}
    for path in sorted((root / "benchuq").rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        if parts[-1] == "_modidx":
            continue
        trees[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = ast.parse(path.read_text(encoding="utf-8"))
    return trees


def imported(name: str, tree: ast.Module, known) -> list[tuple[str, str]]:
    "What module `name` imports from the library, wherever in its code: (module, name in it or '')."
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(a.name, "") for a in node.names if a.name.split(".")[0] == "benchuq"]
        if isinstance(node, ast.ImportFrom):
            base = name.split(".")[: -node.level] if node.level else []
            target = ".".join([*base, *(node.module or "").split(".")]).strip(".")
            if target.split(".")[0] == "benchuq":
                for a in node.names:
                    inner = f"{target}.{a.name}"
                    found.append((inner, "") if inner in known else (target, a.name))
    return found


def check_imports(root: Path) -> list[str]:
    "Upward imports, circles, detours, and private names of other modules."
    number, trees, faults = chapters(root), modules(root), []
    chapter = {m: number.get(m.split(".")[1], 0) if m.count(".") > 1 else 0 for m in trees}
    graph = defaultdict(set)
    for name, tree in trees.items():
        if name in FACE:
            continue
        if any(isinstance(n, ast.Attribute) and n.attr == "import_module" for n in ast.walk(tree)):
            faults.append(f"{name} imports through importlib; import by name")
        for target, what in imported(name, tree, trees):
            if target == "benchuq":
                continue
            graph[name].add(target)
            if ".studies." in target and ".studies." not in name:
                faults.append(f"{name} imports {target}: studies are for reports, nothing else rests on them")
            if chapter.get(target, 0) > chapter[name]:
                faults.append(f"{name} (chapter {chapter[name]}) imports {target} (chapter {chapter[target]}): upward")
            if what.startswith("_"):
                faults.append(f"{name} imports {what} of {target}: make it public or leave it there")
    return faults + [f"imports go in a circle: {' -> '.join(c)}" for c in circles(graph)]


def circles(graph) -> list[list[str]]:
    "One circle for each module from which the imports lead back to it, smallest names first."
    found = []
    for start in sorted(graph):
        paths, seen = [[start]], set()
        while paths:
            path = paths.pop()
            for target in graph[path[-1]]:
                if target == start and start == min(path):
                    found.append([*path, start])
                elif target not in seen and target != start:
                    seen.add(target)
                    paths.append([*path, target])
    return found


def exported_cells(notebook: dict) -> list[tuple[int, str]]:
    "Number and source of the exported cells."
    sources = [(i, "".join(c["source"])) for i, c in enumerate(notebook["cells"]) if c["cell_type"] == "code"]
    return [(i, s) for i, s in sources if s.startswith(("#| export", "#|export"))]


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


def check_notebook(path: Path) -> list[str]:
    "A notebook over one sitting, with heavy outputs, or to be read backwards."
    notebook = json.loads(path.read_text(encoding="utf-8"))
    cells, faults = exported_cells(notebook), []
    lines = sum(len(s.splitlines()) for _, s in cells)
    if cells and len(notebook["cells"]) > MOST_CELLS:
        faults.append(f"{path.name} has {len(notebook['cells'])} cells; one sitting is {MOST_CELLS}")
    if lines > MOST_LINES:
        faults.append(f"{path.name} has {lines} exported lines; one sitting is {MOST_LINES}")
    stored = sum(len(json.dumps(c.get("outputs", []))) for c in notebook["cells"])
    if stored > MOST_OUTPUT:
        faults.append(f"{path.name} stores {stored:,} characters of outputs; at most {MOST_OUTPUT:,}")
    return faults + backwards(path.name, cells)


def backwards(name: str, cells) -> list[str]:
    "Definitions that stand below a function that uses them."
    statements = [(i, node) for i, s in cells for node in ast.parse(s).body]
    place = {}
    for k, (_, node) in enumerate(statements):
        for defined in definitions([node]):
            place.setdefault(defined, k)
    faults = []
    for k, (i, node) in enumerate(statements):
        later = sorted(n for n in used(node) if place.get(n, -1) > k)
        faults += [f"{name}, cell {i} uses {n}, which is defined further down" for n in later]
    return faults


def check_names(root: Path) -> list[str]:
    "A public name that two modules define."
    owner, faults = {}, []
    for name, tree in modules(root).items():
        if name in FACE:
            continue
        for defined in definitions(tree.body):
            if defined.startswith("_") or defined in PROTOCOL:
                continue
            if defined in owner:
                faults.append(f"{defined} is public in {owner[defined]} and in {name}; a name means one thing")
            owner.setdefault(defined, name)
    return faults


def method_notebooks(root: Path) -> list[Path]:
    return sorted(p for p in (root / "nbs").glob("[0-9]*_*/*.ipynb") if ".ipynb_checkpoints" not in p.parts)


def exceptions(root: Path) -> dict[str, dict]:
    "What is let pass by name, with its reason: tables `fragments`, `names`, `tricks`, and the largest `size` of today."
    path = root / "tools" / "exceptions.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def n_lines(root: Path, name: str) -> int:
    "Lines of a module that are not blank."
    text = (root / Path(*name.split(".")).with_suffix(".py")).read_text(encoding="utf-8")
    return sum(bool(line.strip()) for line in text.splitlines())


def library(root: Path) -> dict[str, ast.Module]:
    "The modules that chapters hold, without the face."
    return {name: tree for name, tree in modules(root).items() if name not in FACE and tree.body}


def check_fragments(root: Path) -> list[str]:
    "Small modules that only one other imports."
    trees, let, importers = library(root), exceptions(root).get("fragments", {}), defaultdict(set)
    for name, tree in trees.items():
        for target, _ in imported(name, tree, trees):
            importers[target].add(name)
    return [
        f"{name} has {n_lines(root, name)} lines and one importer, {min(importers[name])}; merge them"
        for name in trees
        if len(importers[name]) == 1 and n_lines(root, name) < FEWEST_LINES and name not in let
    ]


def words_of(tree: ast.AST) -> set[str]:
    "Every name that is read, imported or asked of something below `tree`."
    found = used(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            found.add(node.attr)
        if isinstance(node, ast.ImportFrom):
            found |= {a.name for a in node.names}
    return found


def outside_words(root: Path) -> set[str]:
    "Words in the face, the reports' notebooks, the pages' notebooks and the tools."
    texts = [p.read_text(encoding="utf-8") for p in (root / "benchuq").glob("__init__.py*")]
    texts += [p.read_text(encoding="utf-8") for p in (root / "tools").glob("*.py")]
    for path in [*(root / "nbs" / "templates").glob("*.ipynb"), *(root / "nbs").glob("*.ipynb")]:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        texts += ["".join(c["source"]) for c in cells if c["cell_type"] == "code"]
    return {word for text in texts for word in re.findall(r"\w+", text)}


def types_of(tree: ast.Module) -> set[str]:
    "Names in the annotations of public definitions: what these take and return."
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and (not node.name.startswith("_") or node.name.startswith("__")):
            of = [a.annotation for a in (*node.args.args, *node.args.kwonlyargs)] + [node.returns]
            found |= {n for a in of if a is not None for n in re.findall(r"\w+", ast.unparse(a))}
    return found


def check_users(root: Path) -> list[str]:
    "Public names of what is shipped that nothing but their own notebook and test uses."
    trees, let, outside = library(root), exceptions(root).get("names", {}), outside_words(root)
    words = {name: words_of(tree) for name, tree in trees.items()}
    faults = []
    for name, tree in trees.items():
        if ".studies." in name:
            continue
        elsewhere = outside.union(types_of(tree), *(w for other, w in words.items() if other != name))
        alone = [d for d in definitions(tree.body) if not d.startswith("_") and d not in elsewhere | PROTOCOL]
        short = name.removeprefix("benchuq.")
        faults += [f"{short}.{d} has no user; make it private, or drop it" for d in alone if f"{short}.{d}" not in let]
    return faults


def check_formats(root: Path) -> list[str]:
    "Formats of logs that `read` does not list, or that have no test of their own."
    trees, faults = library(root), []
    for name, tree in trees.items():
        calls = [n for n in tree.body if isinstance(n, ast.Assign) and isinstance(n.value, ast.Call)]
        found = [n for call in calls if ast.unparse(call.value.func) == "Format" for n in definitions([call])]
        test = root / "tests" / "readers" / f"test_{name.rpartition('.')[2]}.py"
        if found and not test.is_file():
            faults.append(f"{name} has no {test.relative_to(root)}, with a real log")
        known = words_of(trees["benchuq.readers.read"]) if found else set()
        faults += [f"benchuq.readers.read does not list the format {n} of {name}" for n in found if n not in known]
    return faults


def check_tricks(root: Path) -> list[str]:
    "Modules that reach below the language, or put something in the place of another package."
    faults, let = [], exceptions(root).get("tricks", {})
    for name, tree in modules(root).items():
        for node in ast.walk(tree):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                asked = {a.name for a in node.names} if isinstance(node, ast.Import) else {node.module}
                faults += [f"{name} imports {m}" for m in sorted(asked & TRICKS) if name not in let]
            targets = node.targets if isinstance(node, (ast.Assign, ast.Delete)) else []
            if any("sys.modules" in ast.unparse(t) for t in targets) and name not in let:
                faults.append(f"{name} assigns to sys.modules")
    return faults


def size(root: Path) -> dict[str, int]:
    "Modules, lines and public names of what is shipped: all chapters but the studies."
    trees = {n: t for n, t in library(root).items() if ".studies." not in n}
    names = [d for t in trees.values() for d in definitions(t.body) if not d.startswith("_")]
    return {"modules": len(trees), "lines": sum(n_lines(root, n) for n in trees), "names": len(names)}


def check_size(root: Path) -> list[str]:
    "More than the largest size allowed."
    most, found = exceptions(root).get("size", {}), size(root)
    return [f"{found[k]} {k} are more than {most[k]}, the most allowed today" for k in most if found[k] > most[k]]


def flags() -> int:
    "Options of all commands; those that all of them share count once."
    sys.path.insert(0, str(ROOT))
    from benchuq.reporting.options import make_parser  # here, because the rules need no parser

    parser = make_parser()
    commands = next(a for a in parser._actions if isinstance(a, argparse._SubParsersAction)).choices.values()
    own = [{a.dest for a in each._actions if a.option_strings} for each in commands]
    shared = set.intersection(*own) | {a.dest for a in parser._actions if a.option_strings}
    return len(shared - {"help"}) + sum(len(dests - shared) for dests in own)


def counts(root: Path) -> None:
    "Print modules, lines, public names, lines of tests and the median exported cell by chapter, and the whole."
    print(f"{'chapter':<12}{'modules':>8}{'lines':>8}{'names':>8}{'tests':>8}{'cell':>6}")
    trees, every = library(root), []
    for chapter in sorted(chapters(root), key=chapters(root).get):
        of = [n for n in trees if (n.split(".")[1] if n.count(".") > 1 else "ground") == chapter]
        books = [p for p in method_notebooks(root) if p.parent.name.partition("_")[2] == chapter]
        cells = [len(s.splitlines()) for p in books for _, s in exported_cells(json.loads(p.read_text("utf-8")))]
        tests = sum(sum(bool(x.strip()) for x in p.open()) for p in (root / "tests" / chapter).glob("*.py"))
        names = sum(not d.startswith("_") for n in of for d in definitions(trees[n].body))
        lines, every = sum(n_lines(root, n) for n in of), every + cells
        print(f"{chapter:<12}{len(of):>8}{lines:>8}{names:>8}{tests:>8}{median(cells):>6g}")
    tests = sum(sum(bool(x.strip()) for x in p.open()) for p in (root / "tests").rglob("*.py"))
    shipped = ", ".join(f"{n:,} {what}" for what, n in size(root).items())
    print(f"without studies: {shipped}; {flags()} flags; tests {tests:,} lines; median cell {median(every):g} lines")


def main(root: Path = ROOT) -> list[str]:
    "All faults of the layout under `root`."
    rules = (check_imports, check_names, check_fragments, check_users, check_formats, check_tricks, check_size)
    return [f for rule in rules for f in rule(root)] + [f for p in method_notebooks(root) for f in check_notebook(p)]


if __name__ == "__main__":
    if "--counts" in sys.argv:
        counts(ROOT)
    faults = main()
    if faults:
        sys.exit("\n".join(faults) + f"\n{len(faults)} faults in the layout")
    print("the layout keeps its rules")
