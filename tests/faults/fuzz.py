"""Damaged logs and tables: read right, shown and not computed, or refused in one line.

    python tests/faults/fuzz.py [CASES] [SEED] [FORMAT ...]      2,000 cases of each format and seed
    0 by default

Each case changes one file: bytes (cut, flipped, inserted, doubled), lines (taken out, doubled,
swapped), values (taken out, or made odd), or members of an archive (all of these, taken out,
doubled). What is read afterwards is compared with an oracle that shares no code with the readers:
it counts answers and sums scores by file or group straight from the changed bytes. A difference is
silent unless the results carry a note that reading the whole files does not give. Changes that
damage nothing (a byte-order mark, blank lines at the end, Windows line ends, another order, a hard
link) must be read as before.
"""

import csv
import io
import json
import math
import os
import random
import shutil
import sys
import tempfile
import time
import warnings
import zipfile
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pandas as pd
from pyarrow import parquet

from benchuq.readers.every_eval_ever import write_every_eval_ever
from benchuq.readers.read import read
from benchuq.readers.reading import Unsure

LOGS = Path(__file__).parents[1] / "logs"
ODD = [
    None,
    2,
    -1,
    "x",
    "",
    [],
    {},
    True,
    math.nan,
    1e400,
    10**18,
    10**400,
    [[1]],
    "\ud800",
    "=1+1",
]
MISSING = {
    *("", "na", "n/a", "n.a.", "#n/a", "nan", "-nan", "null", "none"),
    *"-.–—",
    "--",
    "missing",
    "<na>",
}

GRADES = {"c": 1, "i": 0, "p": 0.5, "n": 0, "yes": 1, "no": 0, "true": 1, "false": 0}


def write_tables(made: dict[str, Path], rng: random.Random) -> None:
    "The tables, the same results in all."
    rows = [
        (m, t, i, rng.randint(0, 1))
        for m in ("A", "B, large", "C")
        for t in ("law", "maths")
        for i in range(8)
    ]
    items = pd.DataFrame(rows, columns=["model", "task", "item", "score"])
    items.to_csv(made["items"] / "items.csv", index=False)
    items.to_parquet(made["parquet"] / "items.parquet")
    wide = items.pivot(index=["task", "item"], columns="model", values="score")
    wide.to_csv(made["wide"] / "wide.csv")
    counts = (
        items.groupby(["model", "task"])["score"]
        .agg(n_correct="sum", n_items="count")
        .reset_index()
    )
    counts.to_csv(made["counts"] / "counts.csv", index=False)
    board = (counts.assign(score=counts["n_correct"] / 8)).pivot(
        index="model", columns="task", values="score"
    )
    board.loc["n_items"] = 8.0
    board.to_csv(made["board"] / "board.csv")
    write_every_eval_ever(read(made["counts"], progress=False), made["records"], timestamp=0)
    write_every_eval_ever(read(made["items"], progress=False), made["samples"], timestamp=0)


def make_bases(folder: Path) -> dict[str, Path]:
    "A small set of whole files of each format."
    made = {name: folder / name for name in ORACLES}
    for name, part in {
        "harness": "",
        "inspect_json": "",
        "helm": "above_fifty*",
        "inspect": "capitals*",
    }.items():
        shutil.copytree(LOGS / name, made[name], ignore=shutil.ignore_patterns(part))
    for path in made.values():
        path.mkdir(exist_ok=True)
    rng = random.Random(7)
    write_tables(made, rng)
    for model in ("small", "large"):
        columns = {"question_id": range(12), "category": ["law"] * 6 + ["maths"] * 6, "answer": "A"}
        columns |= {
            "pred": rng.choices("AB", k=12),
            "question": [f"question {i}" for i in range(12)],
        }
        answers = pd.DataFrame(columns).to_dict("records")
        (made["mmlu_pro"] / f"model_outputs_{model}_5shots.json").write_text(json.dumps(answers))
    return made


def cell(value) -> float:
    "A score as a number; not a number where it is missing."
    text = value.strip().lower() if isinstance(value, str) else value
    if text is None or (isinstance(text, str) and text in MISSING):
        return math.nan
    return float({"true": 1, "false": 0}[text] if text in ("true", "false") else text)


def tally(rows) -> Counter:
    "How often each (answers, right answers) occurs over groups; `rows` are (group, score)."
    groups = defaultdict(list)
    for group, score in rows:
        if not math.isnan(score):
            groups[group].append(score)
    return Counter((len(s), round(sum(s), 6)) for s in groups.values())


def one_json(path: Path):
    return json.loads(path.read_bytes().decode("utf-8-sig"))


def json_lines(folder: Path, pattern: str):
    "Path and record of each line of the files below `folder`."
    for path in folder.rglob(pattern):
        for line in path.read_bytes().decode("utf-8-sig").split("\n"):
            if line.strip(" \t\r"):
                yield str(path), json.loads(line)


def table_rows(folder: Path):
    "Rows of a CSV file as mappings, as Python's csv module has them."
    text = next(folder.glob("*.csv")).read_bytes().decode("utf-8-sig")
    for row in csv.DictReader(io.StringIO(text, newline=""), skipinitialspace=True, strict=True):
        yield {str(name).strip().lower(): value for name, value in row.items()}


def oracle_items(folder: Path) -> Counter:
    return tally(
        ((r["model"].strip(), r["task"].strip()), cell(r["score"])) for r in table_rows(folder)
    )


def oracle_counts(folder: Path) -> Counter:
    rows = [(cell(r["n_items"]), cell(r["n_correct"])) for r in table_rows(folder)]
    return Counter((int(n), round(k, 6)) for n, k in rows if not math.isnan(n))


def oracle_wide(folder: Path) -> Counter:
    rows = list(table_rows(folder))
    models = [name for name in rows[0] if name not in ("task", "item")]
    return tally(((m, r["task"].strip()), cell(r[m])) for r in rows for m in models)


def oracle_board(folder: Path) -> Counter:
    """Right answers of each cell: accuracy (or per cent, by column) times the number in the row
    n_items.
    """
    rows, out = list(table_rows(folder)), Counter()
    sizes = next(r for r in rows if r["model"].strip() == "n_items")
    for task in [name for name in sizes if name != "model"]:
        scores = [cell(r[task].strip("% ")) for r in rows if r is not sizes]
        scale = 100 if any(s > 1 for s in scores) or any("%" in r[task] for r in rows) else 1
        n = cell(sizes[task])
        out.update(
            (int(n), round(float(round(s / scale * n)), 6)) for s in scores if not math.isnan(s)
        )
    return out


def oracle_parquet(folder: Path) -> Counter:
    table = parquet.read_table(
        folder / "items.parquet"
    )  # names of columns in large and small letters, as in CSV
    rows = table.rename_columns([name.strip().lower() for name in table.column_names]).to_pylist()
    return tally(((r["model"], r["task"]), cell(r["score"])) for r in rows)


def oracle_mmlu_pro(folder: Path) -> Counter:
    rows = [(path.name, r) for path in folder.glob("*.json") for r in one_json(path)]
    return tally(((name, r["category"]), float(r["answer"] == r["pred"])) for name, r in rows)


def oracle_harness(folder: Path) -> Counter:
    rows = json_lines(folder, "samples_*.jsonl")
    kept = [(path, r) for path, r in rows if r.get("filter") in ("none", "strict-match", None)]
    return tally((path, cell(r.get("acc", r.get("exact_match")))) for path, r in kept)


def oracle_helm(folder: Path) -> Counter:
    rows = [
        (str(path), r) for path in folder.rglob("per_instance_stats.json") for r in one_json(path)
    ]
    stats = [(path, s) for path, r in rows if r.get("perturbation") is None for s in r["stats"]]
    return tally(
        (path, cell(s.get("mean"))) for path, s in stats if s["name"]["name"] == "exact_match"
    )


def grade(value) -> float:
    return float(GRADES[value.lower()]) if isinstance(value, str) else cell(value)


def tally_samples(samples) -> list:
    "(item, mean of its epochs) from samples of Inspect, by the scorer `includes`."
    epochs = defaultdict(list)
    for sample in samples:
        value = (
            math.nan if not sample.get("scores") else grade(sample["scores"]["includes"]["value"])
        )
        epochs[str(sample["id"])].append(value)
    known = {item: [v for v in values if not math.isnan(v)] for item, values in epochs.items()}
    return [sum(values) / len(values) for values in known.values() if values]


def oracle_inspect(folder: Path) -> Counter:
    rows = []
    for path in folder.glob("*.eval"):
        with zipfile.ZipFile(path) as archive:
            names = [n for n in dict.fromkeys(archive.namelist()) if n.startswith("samples/")]
            samples = [json.loads(archive.read(n)) for n in names]
            status = json.loads(archive.read("header.json"))["status"]
        if status == "success":
            rows += [(path.name, score) for score in tally_samples(samples)]
    return tally(rows)


def oracle_inspect_json(folder: Path) -> Counter:
    return tally(
        ("", score) for score in tally_samples(one_json(folder / "capitals_1.json")["samples"])
    )


def oracle_records(folder: Path) -> Counter:
    "Right answers of each result: the score on its scale times the number of samples."
    out = Counter()
    for path in folder.rglob("*.json"):
        for result in one_json(path)["evaluation_results"]:
            metric, details = result["metric_config"], result["score_details"]
            ends = {
                "min_score": 0,
                "max_score": 1,
            }  # null is not stated, as in the schema of version 0.3
            low, high = (
                ends | {name: metric[name] for name in ends if metric.get(name) is not None}
            ).values()
            share = (details["score"] - low) / (high - low)
            n = details["uncertainty"]["num_samples"]
            out[int(n), round(float(round(share * n, 3)), 6)] += 1
    return out


def oracle_samples(folder: Path) -> Counter:
    rows = [r for _, r in json_lines(folder, "*_samples.jsonl")]
    scores = [math.nan if r.get("error") else cell(r["evaluation"]["score"]) for r in rows]
    return tally(((r["model_id"], r["evaluation_name"]), score) for r, score in zip(rows, scores))


def found_in(data) -> Counter:
    "The same tally from results."
    if "n_correct" in data:
        n, k = np.broadcast_arrays(data["n_items"].values, data["n_correct"].values)
        pairs = [(a, b) for a, b in zip(n.ravel(), k.ravel()) if not math.isnan(a)]
        return Counter((int(a), round(float(b), 6)) for a, b in pairs)
    if "estimate" in data:
        return Counter(["estimates"])
    task = data["task"].values
    values = data["score"].values
    return tally(((i, t), float(x)) for i, row in enumerate(values) for t, x in zip(task, row))


def change_bytes(raw: bytes, rng: random.Random) -> bytes:
    at, kind = (
        rng.randrange(len(raw)),
        rng.choice(["cut", "flip", "insert", "double", "zero", "flip"]),
    )
    if kind == "cut":
        return raw[:at]
    if kind == "flip":
        return raw[:at] + bytes([raw[at] ^ (1 << rng.randrange(8))]) + raw[at + 1 :]
    if kind == "insert":
        return raw[:at] + bytes(rng.randrange(256) for _ in range(rng.randint(1, 4))) + raw[at:]
    end = min(len(raw), at + rng.randint(1, 60))
    return (
        raw[:end] + raw[at:end] + raw[end:]
        if kind == "double"
        else raw[:at] + bytes(end - at) + raw[end:]
    )


def change_lines(raw: bytes, rng: random.Random) -> bytes:
    lines = raw.splitlines(keepends=True)
    i, j, kind = (
        rng.randrange(len(lines)),
        rng.randrange(len(lines)),
        rng.choice(["out", "double", "swap", "join"]),
    )
    if kind == "out":
        del lines[i]
    elif kind == "double":
        lines.insert(j, lines[i])
    elif kind == "swap":
        lines[i], lines[j] = lines[j], lines[i]
    else:
        lines[i] = lines[i].rstrip(b"\r\n")
    return b"".join(lines)


def change_value(record, rng: random.Random) -> None:
    "Take out, double or make odd one value somewhere in nested records."
    while isinstance(record, (dict, list)) and record:
        key = rng.choice(sorted(record)) if isinstance(record, dict) else rng.randrange(len(record))
        if isinstance(record[key], (dict, list)) and record[key] and rng.random() < 0.7:
            record = record[key]
            continue
        kind = rng.choice(["out", "odd", "double"])
        if kind == "out":
            del record[key]
        elif kind == "double" and isinstance(record, list):
            record.insert(key, record[key])
        else:
            record[key] = rng.choice(ODD)
        return


def change_json(raw: bytes, rng: random.Random, lines: bool) -> bytes:
    parts = raw.decode().splitlines() if lines else [raw.decode()]
    i = rng.randrange(len(parts))
    record = json.loads(parts[i])
    change_value(record, rng)
    parts[i] = json.dumps(record)
    return "\n".join(parts).encode("utf-8", "surrogatepass")


def change_archive(path: Path, rng: random.Random) -> str:
    "Change one member of a zip archive, or take it out or double it; returns its name."
    with zipfile.ZipFile(path) as archive:
        members = [(m, archive.read(m)) for m in archive.infolist()]
    i, kind = (
        rng.randrange(len(members)),
        rng.choice(["json", "json", "json", "bytes", "out", "double"]),
    )
    member, raw = members[i]
    name = member.filename
    if kind == "out":
        del members[i]
    elif kind == "double":
        members.insert(rng.randrange(len(members)), (member, raw))
    else:
        members[i] = (
            member,
            change_json(raw, rng, False) if kind == "json" else change_bytes(raw, rng),
        )
    how = rng.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA])
    with zipfile.ZipFile(path, "w", how) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a name twice, as wanted
        for member, raw in members:
            archive.writestr(member.filename, raw)
    return f"{name}, {kind}"


def damage(folder: Path, rng: random.Random) -> str:
    "Change one file; returns what was done."
    path = rng.choice(sorted(p for p in folder.rglob("*") if p.is_file()))
    raw, ways = path.read_bytes(), ["bytes"]
    if path.suffix == ".eval" and rng.random() < 0.7:
        return f"{path.relative_to(folder)} ({change_archive(path, rng)})"
    ways += ["lines"] if path.suffix in (".csv", ".jsonl") else []
    ways += ["json", "json"] if path.suffix in (".json", ".jsonl") else []
    way = rng.choice(ways)
    if way == "bytes":
        raw = change_bytes(raw, rng)
    else:
        raw = (
            change_lines(raw, rng)
            if way == "lines"
            else change_json(raw, rng, path.suffix == ".jsonl")
        )
    path.write_bytes(raw)
    return f"{path.relative_to(folder)} ({way})"


def harmless(folder: Path, rng: random.Random) -> str:
    "Change a file without damage; returns what was done."
    text = [p for p in sorted(folder.rglob("*")) if p.suffix in (".csv", ".json", ".jsonl")]
    if not text:
        return "nothing"
    path = rng.choice(text)
    raw = path.read_bytes()
    head, *rows = raw.splitlines(keepends=True)
    ways = {"mark": b"\xef\xbb\xbf" + raw, "blank": raw.rstrip(b"\n") + b"\n\n\n", "link": raw}
    if path.suffix == ".csv":
        ways["windows"] = raw.replace(b"\n", b"\r\n")
        ways["order"] = head + b"".join(rng.sample(rows, len(rows)))
    way = rng.choice(list(ways))
    if way == "link":
        os.link(path, folder.parent / "linked")
    path.write_bytes(ways[way])
    return f"{path.relative_to(folder)} ({way})"


ORACLES = {
    name.removeprefix("oracle_"): of for name, of in globals().items() if name.startswith("oracle_")
}


GRADED = {
    "wide": {"better": "higher", "accept": True},
    "board": {"better": "higher", "accept": True},
    # answers between 0 and 1 whose direction no name says: computed whatever is doubtful, so that
    # damage has to be said
}


def one_case(folder: Path, name: str, whole, is_damage: bool) -> tuple[str, str]:
    "What became of reading `folder`: right, said, shown, refused, or a fault; and the message."
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # a line that nobody asked for
            data = read(folder, progress=False, **GRADED.get(name, {}))
    except Unsure as error:
        return ("shown", "") if is_damage else ("good file shown", str(error))
    except ValueError as error:
        if not is_damage:
            return "good file refused", str(error)
        return ("refused", "") if str(error).isprintable() else ("several lines", str(error))
    except Exception as error:
        return "traceback", f"{type(error).__name__}: {error}"
    found = found_in(data)
    if not is_damage:
        return (
            ("right", "") if found == found_in(whole) else ("silent difference", "of a good file")
        )
    try:
        expected = ORACLES[name](folder)
    except Exception as error:
        expected = f"{type(error).__name__}: {error}"
    if found == expected:
        return "right", ""
    said = set(data.attrs.get("notes", [])) - set(whole.attrs.get("notes", []))
    said = {s for s in said if not s.startswith("Read as")}
    return ("said", "") if said else ("silent difference", f"{found} for {expected}"[:600])


def fuzz(cases: int, seed: int, say=print, names=tuple(ORACLES)) -> list[str]:
    """Read `cases` damaged and a tenth as many good files of each format; prints summaries and
    returns the faults.
    """
    faults = []
    with tempfile.TemporaryDirectory(prefix="fuzz-") as base:
        bases = make_bases(Path(base))
        for name in names:
            rng, counts, began = random.Random(f"{seed} {name}"), Counter(), time.monotonic()
            whole = read(bases[name], progress=False, **GRADED.get(name, {}))
            assert found_in(whole) == ORACLES[name](bases[name]), (
                name
            )  # oracle and reader agree on whole files
            for k in range(cases + cases // 10):
                folder = Path(base, "case", name)
                shutil.rmtree(folder.parent, ignore_errors=True)
                shutil.copytree(bases[name], folder)
                what = damage(folder, rng) if k < cases else harmless(folder, rng)
                outcome, message = one_case(folder, name, whole, k < cases)
                counts[outcome] += 1
                if outcome not in ("right", "said", "shown", "refused"):
                    faults.append(f"{name}, case {k}, {what}: {outcome}: {message}")
            seconds = round(time.monotonic() - began)
            say(json.dumps({"format": name, "seed": seed, "seconds": seconds, **counts}))
    say("\n".join(faults[:40]))
    return faults


if __name__ == "__main__":
    given = [int(a) for a in sys.argv[1:3]]
    sys.exit(bool(fuzz(*given, *(2000, 0)[len(given) :], names=sys.argv[3:] or tuple(ORACLES))))
