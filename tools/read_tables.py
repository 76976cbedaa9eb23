"""Read every table of a folder and print its roles, the mean of each model and the file's own total beside it.

    python tools/read_tables.py FOLDER [--time]

A file that is refused is followed by the refusal, and by the means that each command in it gives. A mean that differs
from a total of the file by more than its last digit is marked with *.
"""

import re
import shlex
import sys
import time
from pathlib import Path

import pandas as pd

from benchuq.data.results import accuracies
from benchuq.readers import tables
from benchuq.readers.cells import cell_numbers
from benchuq.readers.read import read
from benchuq.reporting.command import make_parser

SEEN: list = []


def watch() -> None:
    "Keep the tables and roles that the readers find."
    find = tables.find_roles

    def kept(table, *rest, **more):
        roles = find(table, *rest, **more)
        SEEN.append((table, roles))
        return roles

    tables.find_roles = kept


def show(path: Path, **options) -> None:
    "Read one table and print what it holds."
    SEEN.clear()
    data = read(path, progress=False, command_line=True, **options)
    mean = 100 * accuracies(data).mean("task").to_series()
    table, roles = SEEN[0]
    said = [note for note in data.attrs["notes"] if note.startswith(("Columns", "Turned"))]
    print("   ", *said, sep="\n    ")
    totals = pd.DataFrame({n: cell_numbers(table[n])[0] for n in roles.of("total") if roles.columns[n].is_number})
    for i, (model, value) in enumerate(mean.head(5).items()):
        own = totals.iloc[i] if len(totals) == len(mean) else pd.Series(dtype=float)
        beside = [
            f"{n} {x:g}{'' if min(abs(x - value), abs(100 * x - value)) < 0.06 else ' *'}" for n, x in own.items()
        ]
        print(f"    {value:6.2f}  {model}" + (f"   ({'; '.join(beside)})" if beside else ""))


def main(folder: str, with_times: bool) -> None:
    "Print all tables of a folder."
    watch()
    counts = {"read": 0, "refused": 0}
    for path in sorted(p for p in Path(folder).rglob("*") if p.is_file() and tables.recognise(p)):
        print(path.name)
        began = time.perf_counter()
        try:
            show(path)
            counts["read"] += 1
        except ValueError as error:
            counts["refused"] += 1
            print(f"    refused: {error}")
            for command in re.findall(r"--(?:columns|metric) (?:'[^']*'|\S+)", str(error)):
                print(f"    with {command}")
                parsed = make_parser().parse_args(["compare", str(path), *shlex.split(command)])
                try:
                    show(path, **{k: v for k in ("columns", "metric") if (v := getattr(parsed, k)) is not None})
                except ValueError as again:
                    print(f"    refused again: {again}")
        if with_times:
            print(f"    {time.perf_counter() - began:.2f} s")
    print(counts)


if __name__ == "__main__":
    main(sys.argv[1], "--time" in sys.argv)
