"""How each table of a folder is read: sure, shown or refused, and whether a proposal gives the
means expected.

    python tools/judge_tables.py            those of tests/tables, against index.json
    python tools/judge_tables.py FOLDER     any folder of tables, each with its doubts

An entry of index.json says what is expected: `reading` (sure, shown or refused), and the means of
some models as shares in `proposed`, `mean` or the first of `pasted` that the reading agrees with;
`raw` holds means as they are printed, of scores without an upper end. `proposal` says whether the
one proposal gives them.
"""

import json
import sys
import warnings
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from benchuq.readers.files import one_table, open_tables
from benchuq.data.scales import goodness
from benchuq.readers.reading import Reading, propose
from benchuq.readers.runs import Options

HERE = Path(__file__).parents[1] / "tests" / "tables"


@dataclass(frozen=True)
class Verdict:
    """How a table is read: `reading` is sure, shown or refused; `is_right` is `None` where no means
    are expected.
    """

    reading: str
    is_right: bool | None
    said: str
    proposal: Reading | None = None


def read_table(path: Path) -> Reading:
    "The reading of the one table in a file."
    return propose(one_table(open_tables(path), None, "--read table"), Options(command_line=True))


def means_of(reading: Reading, is_raw: bool) -> dict[str, float]:
    "The mean over tasks of each model, as shares of which more is better or as printed."
    long = reading.rows()
    if not is_raw:
        shares = [goodness(x, reading.scale[t]) for t, x in zip(long["task"], long["score"])]
        long = long.assign(score=shares)
    by_task = long.groupby(["model", "task"], observed=True)["score"].mean()
    return by_task.groupby("model", observed=True).mean().to_dict()


def _agrees(reading: Reading, expected: dict[str, float], is_raw: bool = False) -> bool:
    "Has the reading these means?"
    try:
        means = means_of(reading, is_raw)
    except ValueError:
        return False
    return all(abs(means.get(model, 1e9) - mean) < 6e-4 for model, mean in expected.items())


def _is_right(reading: Reading, shape: dict) -> bool | None:
    "Does a reading give the means that a shape expects? `None` if it expects none."
    if "raw" in shape:
        return _agrees(reading, shape["raw"], is_raw=True)
    if "proposed" in shape or "mean" in shape:
        return _agrees(reading, shape.get("proposed", shape.get("mean")))
    choices = [means for means in shape.get("pasted", []) if isinstance(means, dict)]
    return any(_agrees(reading, means) for means in choices) if choices else None


def judge(path: Path, shape: dict) -> Verdict:
    "How a table is read, and whether the proposal is right."
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            reading = read_table(path)
    except ValueError as error:
        return Verdict("refused", None, str(error))
    said = " ".join(reading.doubts)
    return Verdict("sure" if reading.is_sure else "shown", _is_right(reading, shape), said, reading)


def main(folder: Path) -> None:
    "Print a line for each table and the counts."
    index = folder / "index.json"
    listed = json.loads(index.read_text(encoding="utf-8")) if index.is_file() else []
    shapes = {shape["file"]: shape for shape in listed}
    names = list(shapes) or sorted(
        p.name for p in folder.iterdir() if p.is_file() and p.suffix not in (".py", ".txt")
    )
    counts: Counter = Counter()
    words = {True: "right", False: "wrong", None: ""}
    for name in names:
        verdict = judge(folder / name, shapes.get(name, {}))
        counts[verdict.reading, words[verdict.is_right]] += 1
        print(f"{name}: {verdict.reading} {words[verdict.is_right]} {verdict.said[:200]}")
    for (reading, right), n in sorted(counts.items()):
        print(f"{n:4} {reading} {right}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else HERE)
