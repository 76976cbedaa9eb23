"""Fail where the library's layout breaks its rules, naming the place.

A chapter imports only from itself and from chapters with a smaller number; imports have no circle and take no detour
through importlib; names with an underscore stay in their module; a notebook is one sitting; a definition stands above
its first use; a name is public in one module only. `--measure` prints the
figures behind the rules.
"""

import ast
import json
import sys
from collections import defaultdict
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[1]
MOST_CELLS, MOST_LINES, MOST_OUTPUT = 45, 350, 300_000
PROTOCOL = {"recognise", "same_run", "blocks", "sample"}  # what every format and every sampler defines
FACE = {"benchuq", "benchuq.__main__"}  # offer names of every chapter, lazily


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


def shown(root: Path) -> tuple[int, int, int, int]:
    "Public functions, those visibly used before the next exported cell, and the same of all definitions."
    count = [0, 0, 0, 0]
    for path in method_notebooks(root):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        sources = ["".join(c["source"]) if c["cell_type"] == "code" else "" for c in cells]
        for i, source in enumerate(sources):
            if not source.startswith("#| export"):
                continue
            text = ""
            for later in sources[i + 1 :]:
                if later.startswith("#| export"):
                    break
                text += "" if later.startswith("#| hide") else later + "\n"
            for node in ast.parse(source).body:
                if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                    public, seen = not node.name.startswith("_"), node.name in used(ast.parse(text))
                    count = [a + b for a, b in zip(count, (public, public and seen, 1, seen))]
    return tuple(count)


def measure(root: Path) -> None:
    "Print the figures of the layout."
    books = [json.loads(p.read_text(encoding="utf-8")) for p in method_notebooks(root)]
    lines = [sum(len(s.splitlines()) for _, s in exported_cells(b)) for b in books]
    cells = [len(b["cells"]) for b in books]
    print(f"{len(books)} method notebooks; cells: median {median(cells)}, largest {max(cells)}")
    print(f"exported lines: median {median(lines)}, largest {max(lines)}")
    public, visible, every, helped = shown(root)
    print(f"visibly used before the next exported cell: {visible} of {public} public, {helped} of {every} definitions")
    trees = {n: t for n, t in modules(root).items() if n not in FACE}
    private = sum(w.startswith("_") for n, t in trees.items() for _, w in imported(n, t, trees))
    public_names = [d for t in trees.values() for d in definitions(t.body) if not d.startswith("_")]
    print(f"private names imported: {private}; public constants: {sum(d.isupper() for d in public_names)}")


def main(root: Path = ROOT) -> list[str]:
    "All faults of the layout under `root`."
    return check_imports(root) + check_names(root) + [f for p in method_notebooks(root) for f in check_notebook(p)]


if __name__ == "__main__":
    if "--measure" in sys.argv:
        measure(ROOT)
    faults = main()
    if faults:
        sys.exit("\n".join(faults) + f"\n{len(faults)} faults in the layout")
    print("the layout keeps its rules")
