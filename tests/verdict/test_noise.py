"""What a pilot with repeats adds to a verdict, and what several units are called on the command
line.
"""

import numpy as np
import pandas as pd
import pytest

import benchuq as bq
from benchuq.data.results import from_items


def runs(models: list[str], n_runs: int, seed: int = 1) -> pd.DataFrame:
    "Right-or-wrong answers of models to 200 questions of one difficulty each."
    rng = np.random.default_rng(seed)
    index = pd.MultiIndex.from_product([models, range(200), range(n_runs)])
    table = index.to_frame(index=False, name=["model", "item", "repeat"]).assign(task="t")
    p = rng.beta(1, 1, 200)[table["item"]]
    return table.assign(score=(rng.random(len(table)) < p).astype(float))


def test_a_pilot_says_what_a_rerun_would_do():
    pilot = from_items(runs(["A", "B"], 5))
    single = from_items(runs(["A", "B"], 1).drop(columns="repeat"))
    notes = bq.check(single, "A", "B", noise=pilot).notes
    assert any(note.startswith("In the pilot: Two single runs of one model") for note in notes)
    assert any("Of 100 reruns of both sides" in note for note in notes)


def test_a_pilot_without_repeats_is_refused():
    single = from_items(runs(["A", "B"], 1).drop(columns="repeat"))
    with pytest.raises(ValueError, match="noise needs several answers of a model"):
        bq.check(single, "A", "B", noise=single)


def test_noise_of_runs_is_that_of_right_or_wrong_answers():
    table = runs(["A", "B"], 6)
    found = bq.noise(from_items(table))
    cells = table[table["model"] == "A"].groupby("item")["score"]
    by_hand = np.sqrt(cells.var().sum()) / 200
    assert np.isclose(found.table["run_error"]["A"], by_hand)
    assert np.isclose(found.table["flips"]["A"], 2 * cells.var().mean())
    assert (found.pairs["endless"] < found.pairs["now"]).all()
    assert (found.pairs["now"] < found.pairs["single"]).all()


def test_noise_of_seconds_is_in_seconds_and_a_pilot_in_ratings_is_told_in_ratings():
    table = runs(["A", "B"], 4)
    rng = np.random.default_rng(3)
    seconds = 5 + rng.normal(0, 0.5, len(table))
    timed = table.assign(score=seconds)
    how = {"scale": (0, np.inf), "better": "lower", "unit": "s", "accept": True}
    found = bq.noise(timed, **how)
    assert np.isclose(found.run_error, 0.5 / np.sqrt(200), rtol=0.1)
    assert found.sentence.startswith("Two single runs of one model differ by more than 0.09")
    assert " s one time in 20" in found.sentence and "answers change" not in found.sentence
    rated = table.assign(score=1 + 4 * table["score"])
    ratings, shares = (
        bq.noise(t, scale=ends, accept=True) for t, ends in ((rated, (1, 5)), (table, (0, 1)))
    )
    assert np.isclose(ratings.run_error, 4 * shares.run_error)
    assert np.isclose(ratings.models, 4 * shares.models)
    single = rated[rated["repeat"] == 0].drop(columns="repeat")
    read = {"scale": (1, 5), "accept": True}
    judged = [
        bq.check(bq.read(one, **read), "A", "B", noise=bq.read(pilot, epochs="coordinate", **read))
        for one, pilot in ((single, rated),)
    ]
    plain = from_items(table[table["repeat"] == 0].drop(columns="repeat"))
    same = bq.check(plain, "A", "B", noise=from_items(table))
    reruns = [[n for n in c.notes if "Of 100 reruns" in n] for c in (*judged, same)]
    of_ratings, of_shares = (said for (said,) in reruns)
    assert "The change of 0.18 points" in of_ratings and "The change of 4.5 points" in of_shares
    assert of_ratings.partition("Of 100")[2] == of_shares.partition("Of 100")[2]


@pytest.mark.simulation
def test_two_runs_may_differ_where_no_answer_of_a_small_pilot_changes():
    "Two runs of 20 questions of accuracy .98 differ by more than a pilot says in .05 of all cases."
    rng, beyond = np.random.default_rng(8), []
    place = dict(zip(["model", "item", "repeat"], np.indices((2, 20, 2)).reshape(3, -1)))
    for _ in range(60):
        right = (rng.random(80) < 0.98).astype(float)
        floor = bq.noise(from_items(pd.DataFrame(place).assign(task="t", score=right)))
        again = rng.binomial(20, 0.98, (40, 2)) / 20
        beyond.append((np.abs(again[:, 0] - again[:, 1]) > floor.same + 1e-9).mean())
    assert floor.same > 0 and np.mean(beyond) < 0.05 + 3 * 0.011


def test_a_pilot_is_read_as_the_results_are(tmp_path):
    table = runs(["A", "B"], 3).rename(columns={"item": "case", "score": "mark"})
    files = {name: tmp_path / f"{name}.csv" for name in ("pilot", "single")}
    table.drop(columns="task").to_csv(files["pilot"], index=False)
    first = table[table["repeat"] == 0].drop(columns=["task", "repeat"])
    first.to_csv(files["single"], index=False)
    how = {"columns": {"item": ["case"], "score": ["mark"]}}
    notes = bq.check(files["single"], "A", "B", noise=files["pilot"], **how).notes
    assert any(note.startswith("In the pilot: ") for note in notes)


def test_runs_with_something_in_common_are_said_to_stand_for_themselves_alone():
    rng = np.random.default_rng(4)
    of_run = rng.normal(0, 0.15, (2, 5))
    right = rng.random((2, 5, 200)) < (0.5 + of_run)[..., None]
    table = pd.DataFrame(
        [(m, i, r, right[m, r, i] * 1.0) for m in (0, 1) for r in range(5) for i in range(200)],
        columns=["model", "item", "repeat", "score"],
    ).assign(task="t", model=lambda rows: rows["model"].map({0: "A", 1: "B"}))
    found = bq.noise(from_items(table))
    assert found.in_common and "over these runs alone" in found.sentence
    assert "endless" not in found.sentence
