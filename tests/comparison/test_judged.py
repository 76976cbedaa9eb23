"""Scores of a judge corrected by labels: against `ppi_py`, by coverage, and what is refused."""

import runpy
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import special

import benchuq as bq
from benchuq.comparison.judged import Rated, corrected, judge_sentences
from benchuq.data.tables import read_table

REFERENCE = read_table("ppi_py_means").set_index(["weight", "model"])


def ppi_answers() -> Rated:
    "The answers of which `make_ppi_reference.py` made the reference."
    rng = np.random.default_rng(7)
    people = rng.random((500, 3))
    judge = np.clip(people + 0.3 * rng.standard_normal(people.shape), 0, 1)
    labels = np.where(np.arange(500)[:, None] < 80, people, np.nan)
    return Rated(judge, labels, np.zeros(500, int), np.ones(1))


@pytest.mark.parametrize(("name", "weight"), [("plain", 1.0), ("fixed", 0.4), ("tuned", None)])
def test_means_and_intervals_are_those_of_ppi_py(name, weight):
    rated, n, n_others = ppi_answers(), 80, 420
    found = corrected(rated, weight=weight)
    estimate, *ends = REFERENCE.loc[name].to_numpy().T
    assert np.allclose(found.estimate, estimate, atol=1e-10)
    # ppi_py divides by n, not n - 1, and takes normal quantiles
    of_others = found.weight**2 * rated.judge[n:].var(axis=0, ddof=1) / n_others
    of_labels = np.diag(found.covariance) - of_others
    error = np.sqrt(of_labels * (n - 1) / n + of_others * (n_others - 1) / n_others)
    reach = special.ndtri(0.95) * error
    assert np.allclose([found.estimate - reach, found.estimate + reach], ends, atol=1e-10)


def test_the_reference_is_what_ppi_py_says():
    pytest.importorskip("ppi_py")
    script = Path(__file__).with_name("reference") / "make_ppi_reference.py"
    table = runpy.run_path(str(script))["reference"]()
    pd.testing.assert_frame_equal(table.set_index(["weight", "model"]), REFERENCE, atol=1e-10)


def board(rng, n_models=4, n_items=800, n_labels=200, accuracy=0.9, favour=0.0, skill=0.6):
    "Long table of ratings and labels; the judge errs at random and favours the first model."
    right = (rng.random((n_items, n_models)) < skill).astype(float)
    judge = np.where(rng.random(right.shape) < accuracy, right, 1 - right)
    judge[:, 0] = np.where(rng.random(n_items) < favour, 1.0, judge[:, 0])
    labelled = rng.permutation(n_items) < n_labels
    item, model = (grid.ravel() for grid in np.indices(right.shape))
    return pd.DataFrame(
        {
            "model": np.char.add("m", model.astype(str)),
            "task": "t",
            "item": np.char.add("q", item.astype(str)),
            "gpt4": judge.ravel(),
            "human": np.where(labelled[:, None], right, np.nan).ravel(),
        }
    ), right


def scores(table, **options):
    return bq.scores(table, **{"judge": "gpt4", "truth": "human", "progress": False} | options)


def test_all_labels_give_the_human_score_and_none_is_refused():
    table, right = board(np.random.default_rng(0), n_labels=800)
    found = scores(table)
    assert np.allclose(found.estimate, right.mean(axis=0), atol=1e-12)
    assert np.allclose(found.covariance, np.cov(right.T) / 800, atol=1e-12)
    with pytest.raises(ValueError, match="no label.*label 30 answers"):
        scores(table.assign(human=np.nan))


def test_a_judge_that_favours_a_model_is_found_out_and_corrected():
    table, _ = board(np.random.default_rng(1), n_labels=400, favour=0.4)
    found = scores(table)
    judged = found.judged
    assert judged.alone[0] - judged.alone[1:].mean() > 0.1
    assert abs(found.estimate[0] - 0.6) < 3 * np.sqrt(found.covariance[0, 0])
    excess = judged.excess()
    assert excess["lower"]["m0"] > 0 and (excess["upper"].drop("m0") < 0.05).all()
    assert "favours m0" in bq.leaderboard(found).index.name or judged.saved.min() > 0.1


def test_a_judge_that_is_worse_than_nothing_changes_nothing():
    table, right = board(np.random.default_rng(2), accuracy=0.2)
    found = scores(table)
    labels = table.dropna().pivot(index="item", columns="model", values="human")
    assert np.allclose(found.estimate, labels.mean())
    assert np.allclose(found.covariance, found.judged.people_covariance)
    assert found.judged.adds_nothing


@pytest.mark.parametrize("n_labels", [40, 200])
def test_corrected_intervals_cover_and_equal_models_are_seldom_told_apart(n_labels):
    runs, covered, false, ratio = 150, [], [], []
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        right = (rng.random((800, 4)) < 0.6).astype(float)
        judge = np.where(rng.random(right.shape) < 0.88, right, 1 - right)
        judge[:, 0] = np.where(rng.random(800) < 0.05, 1.0, judge[:, 0])
        people = np.where(rng.permutation(800)[:, None] < n_labels, right, np.nan)
        found = corrected(Rated(judge, people, np.zeros(800, int), np.ones(1)))
        error = np.sqrt(np.diag(found.covariance))
        t = -special.stdtrit(found.df.min(), 0.025)
        covered.append((np.abs(found.estimate - 0.6) <= t * error).mean())
        i, j = np.triu_indices(4, 1)
        spread = found.covariance[i, i] + found.covariance[j, j] - 2 * found.covariance[i, j]
        z = np.abs(found.estimate[i] - found.estimate[j]) / np.sqrt(spread)
        false.append((z > -special.stdtrit(found.df.min(), 0.025 / 6)).any())
        ratio.append((error / np.sqrt(np.diag(found.people_covariance))).mean())
    assert 0.925 < np.mean(covered) < 0.98  # 600 scores, s.e. about .01
    assert np.mean(false) < 0.05 + 2 * 0.018
    assert np.mean(ratio) < 0.85


def test_labels_that_do_not_reach_or_were_chosen_by_the_judge_are_refused():
    table, right = board(np.random.default_rng(3))
    rng = np.random.default_rng(4)
    truth = right.ravel()
    chosen = np.where((table["gpt4"] == 1) & (rng.random(len(table)) < 0.4), truth, np.nan)
    few = table["item"].isin([f"q{i}" for i in range(29)])
    cases = {
        "29": np.where(few, truth, np.nan),
        "too few labels: m1": np.where(table["model"] == "m0", table["human"], np.nan),
        "no random sample": chosen,
    }
    for words, human in cases.items():
        with pytest.raises(ValueError, match=words):
            scores(table.assign(human=human))


def test_known_probabilities_mend_labels_chosen_by_the_judge():
    runs, off, within = 150, [], []
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        right = (rng.random((600, 1)) < 0.6).astype(float)
        judge = np.where(rng.random(right.shape) < 0.85, right, 1 - right)
        p = np.where(judge == 1, 0.15, 0.45)
        people = np.where(rng.random(right.shape) < p, right, np.nan)
        found = corrected(Rated(judge, people, np.zeros(600, int), np.ones(1), p))
        off.append(found.estimate[0] - 0.6)
        within.append(abs(off[-1]) < 1.97 * np.sqrt(found.covariance[0, 0]))
    assert abs(np.mean(off)) < 3 * np.std(off) / np.sqrt(runs)
    assert 0.9 < np.mean(within) < 0.99


def test_two_judges_are_at_least_as_good_as_one():
    rng = np.random.default_rng(5)
    table, right = board(rng, n_labels=300, accuracy=0.8)
    other = np.where(rng.random(len(table)) < 0.8, right.ravel(), 1 - right.ravel())
    one, two = scores(table), scores(table.assign(claude=other), judge=["gpt4", "claude"])
    assert np.trace(two.covariance) < np.trace(one.covariance)
    assert two.judged.judge == "gpt4 + claude"


@pytest.mark.simulation
def test_error_rates_of_other_models_give_scores_to_models_without_labels():
    within = []
    for seed in range(60):
        table, _ = board(np.random.default_rng(seed), accuracy=0.85, n_items=400)
        table["human"] = table["human"].where(table["model"] != "m3")
        found = scores(table, tuning="transfer")
        error = np.sqrt(found.covariance[3, 3])
        within.append(abs(found.estimate[3] - 0.6) < 1.97 * error)
    assert np.mean(within) > 0.95 - 3 * 0.028
    with pytest.raises(ValueError, match="m3.*transfer"):
        scores(table)


def test_a_plan_counts_labels_and_clusters_are_units():
    table, _ = board(np.random.default_rng(6), n_items=2000, accuracy=0.95)
    plan = bq.design(table, [0.05, 0.1], judge="gpt4", truth="human", progress=False)
    assert (plan["pair"].iloc[0] > plan["pair"].iloc[1]) and plan["pair"].iloc[1] < 2000
    clustered = table.assign(cluster=table["item"].str[-2:])
    found = scores(clustered, units="cluster")
    assert found.df.max() <= 100 and found.units == "label"


def test_a_check_is_that_of_the_corrected_scores():
    table, right = board(np.random.default_rng(8), n_items=1500, n_labels=400, favour=0.5)
    how = {"judge": "gpt4", "truth": "human", "progress": False}
    verdict = bq.check(table, "m1", "m0", 0.02, **how)
    assert verdict.verdict != "worse" and abs(verdict.table["estimate"].iloc[0]) < 0.12
    found = scores(table)
    seen = found.estimate[0] - found.estimate[1]
    two = scores(table[table["model"].isin(["m0", "m1"])])
    assert abs(verdict.table["estimate"].iloc[0] - (two.estimate[0] - two.estimate[1])) < 1e-12
    assert abs(seen - (two.estimate[0] - two.estimate[1])) < 0.02
    assert "label" in " ".join(verdict.notes)


@pytest.mark.parametrize("verb", ["bootstrap", "bayes", "weight_map", "kemeny"])
def test_verbs_that_do_not_correct_a_judge_refuse_its_scores(verb):
    table = pd.DataFrame(
        [
            (model, task, i, i % 2, float(i % 2) if i < 20 else np.nan)
            for model in ("Cedar", "Ash")
            for task in ("law", "art", "sea")
            for i in range(60)
        ],
        columns=["model", "task", "item", "gpt4", "human"],
    )
    judged = bq.read(table, judge="gpt4", truth="human")
    with pytest.raises(ValueError, match="scores of a judge.*does not correct"):
        getattr(bq, verb)(judged)


def on_scale(table, low, high):
    "The same table with ratings and labels between `low` and `high`."
    moved = {name: low + (high - low) * table[name] for name in ("gpt4", "human")}
    return table.assign(**moved)


@pytest.mark.parametrize("scale", [(1, 5), (0, 10)])
def test_judged_scores_on_a_bounded_scale_are_those_of_shares(scale):
    table, _ = board(np.random.default_rng(9))
    shares, found = scores(table), scores(on_scale(table, *scale), scale=scale)
    assert np.allclose(found.estimate, shares.estimate, atol=1e-12)
    width = scale[1] - scale[0]
    ends = shares.intervals()[["estimate", "lower", "upper"]]
    here = found.intervals()[["estimate", "lower", "upper"]]
    assert np.allclose(here, scale[0] + width * ends, atol=1e-10)
    assert (found.scale.low, found.scale.high) == scale


SECONDS = {"better": "lower", "unit": "s", "scale": (0, np.inf)}


def seconds(rng, n_labels=200, n_items=800):
    "Long table of skew times on a scale without an upper end, of which less is better."
    table, _ = board(rng, n_models=3, n_items=n_items, n_labels=n_labels)
    truth = rng.lognormal(1, 1, len(table))
    judge = truth * rng.lognormal(0.2, 0.4, len(table))
    return table.assign(gpt4=judge, human=np.where(table["human"].notna(), truth, np.nan))


@pytest.mark.simulation
def test_judged_scores_without_ends_are_in_their_unit_and_cover():
    mean, covered, length = np.exp(1.5), [], []
    for seed in range(120):
        found = scores(seconds(np.random.default_rng(seed)), **SECONDS)
        limits = found.intervals()
        covered.append(((limits["lower"] <= mean) & (mean <= limits["upper"])).mean())
        alone = np.diag(found.judged.people_covariance)
        length.append(np.sqrt(np.diag(found.covariance) / alone).mean())
    assert (found.scale.unit, found.scale.better) == ("s", "lower")
    assert 0.92 < np.mean(covered) < 0.99 and np.mean(length) < 0.85


def test_scales_of_judge_and_people_are_brought_together_or_refused():
    table, _ = board(np.random.default_rng(10))
    shares = scores(table)
    percent = scores(table.assign(gpt4=100 * table["gpt4"]))
    assert np.allclose(percent.estimate, shares.estimate)
    apart = seconds(np.random.default_rng(1))
    assert apart["human"].max() < 100 < apart["gpt4"].max()  # per cent, by its numbers alone
    assert not np.isfinite(scores(apart, better="lower", unit="s", accept=True).scale.high)
    with pytest.raises(ValueError, match="a rank has no labels"):
        scores(table, normalise="rank")


def by_raters(table, n_raters, error, rng):
    "Every label given by all raters, who err, and of whom each has a leaning."
    leaning = rng.normal(0, error, n_raters)
    parts = [
        table.assign(rater=f"r{r}", human=table["human"] + leaning[r] * (table["model"] == "m0"))
        for r in range(n_raters)
    ]
    return pd.concat(parts, ignore_index=True)


@pytest.mark.simulation
def test_raters_of_labels_are_random_together_with_items():
    rng, covered = np.random.default_rng(12), {"item": [], "item,rater": []}
    for _ in range(60):
        table, _ = board(rng, n_models=2, n_items=500, n_labels=150)
        rated = by_raters(on_scale(table, 0, 1), 6, 0.1, rng)
        for units, within in covered.items():
            found = scores(rated, units=units, scale=(-1, 2))
            limits = found.intervals().loc["m0"]
            within.append(limits["lower"] <= 0.6 <= limits["upper"])
    assert found.units == "label,rater" and found.df[0, 0] < 30
    assert np.mean(covered["item"]) < 0.9  # these raters alone
    assert np.mean(covered["item,rater"]) > 0.95 - 3 * 0.028
    with pytest.raises(ValueError, match="what may be random are items"):
        scores(rated, units="rater", scale=(-1, 2))
    with pytest.raises(ValueError, match="leave units out|leave rater out"):
        scores(table, units="item,rater")


@pytest.mark.parametrize(
    "units, given, words",
    [
        ("task", {}, "what may be random are items"),
        (["cluster", "rater"], {}, "write units='item', 'cluster' or 'item,rater'"),
        ("cluster", {}, "items have no cluster; name the column"),
        ("item,rater", {"probability": "p"}, "known probabilities: .* write units='item'"),
        ("item,rater", {"tuning": "transfer"}, "'transfer' with units='item,rater'"),
    ],
)
def test_units_that_judged_answers_do_not_take_are_refused_with_those_they_take(
    units, given, words
):
    table, _ = board(np.random.default_rng(27), n_models=2)
    table = table.assign(p=0.25)
    columns = {} if "probability" in given else {"ignore": "p"}
    with pytest.raises(ValueError, match=words):
        scores(table, units=units, columns=columns, **given)


def test_a_judge_that_errs_unlike_on_labelled_models_gives_no_error_rates():
    table, _ = board(np.random.default_rng(13), favour=0.5)
    with pytest.raises(ValueError, match="on wrong answers.*do not carry over"):
        scores(table, tuning="transfer")


def test_no_interval_is_longer_than_that_of_labels_alone():
    rng = np.random.default_rng(14)
    for _ in range(40):
        right = (rng.random((600, 4)) < 0.6).astype(float)
        good = np.where(rng.random(right.shape) < 0.9, right, 1 - right)
        judge = np.where([True, True, True, False], good, 1 - right)
        people = np.where(np.arange(600)[:, None] < 100, right, np.nan)
        found = corrected(Rated(judge, people, np.zeros(600, int), np.ones(1)))
        length = np.sqrt(np.diag(found.covariance) / np.diag(found.people_covariance))
        assert length.max() <= 1 + 1e-9 and length[3] == 1 and length[:3].max() < 0.9


def test_a_check_takes_two_files_and_a_file_of_labels(tmp_path):
    table, _ = board(np.random.default_rng(15), n_items=1000, n_labels=300)
    of_two = table[table["model"].isin(["m0", "m1"])]
    for name in ("m0", "m1"):
        of_two[of_two["model"] == name].to_csv(tmp_path / f"{name}.csv", index=False)
    how = {"judge": "gpt4", "truth": "human", "progress": False}
    places = tmp_path / "m0.csv", tmp_path / "m1.csv"
    one, two = bq.check(of_two, "m0", "m1", 0.05, **how), bq.check(*places, margin=0.05, **how)
    kept = ["estimate", "lower", "upper", "standard_error"]
    assert np.allclose(one.table[kept], two.table[kept])
    labels = of_two[["model", "task", "item", "human"]].dropna().rename(columns={"human": "score"})
    labels.to_csv(tmp_path / "labels.csv", index=False)
    apart = bq.check(*places, margin=0.05, **how | {"truth": tmp_path / "labels.csv"})
    assert np.allclose(one.table[kept], apart.table[kept])
    text = apart.render()
    assert "300 labels" in text and "questions" not in text.lower().split("change:")[0]


@pytest.mark.parametrize("favour", [0.0, 0.3])
def test_a_judge_that_favours_its_own_family_is_named(favour):
    table, _ = board(np.random.default_rng(21), favour=favour)
    table["model"] = table["model"].replace({"m0": "gpt-4o", "m1": "llama-3"})
    said = " ".join(judge_sentences(scores(table).judged))
    assert ("gpt4 favours its own family (gpt-4o) by" in said) is (favour > 0)
    assert ("That gpt4 favours its own family (gpt-4o) is not shown" in said) is (favour == 0)


def test_judged_scores_stand_beside_costs():
    table, _ = board(np.random.default_rng(22))
    table["cost"] = np.random.default_rng(23).lognormal(size=len(table))
    how = {"judge": "gpt4", "truth": "human", "progress": False}
    found = bq.frontier(table, **how)
    plain = bq.frontier(table.drop(columns="human"), score="gpt4", progress=False)
    assert np.allclose(found["cost_upper"].sort_index(), plain["cost_upper"].sort_index())
    with pytest.raises(ValueError, match="on which costs do not depend"):
        bq.design(table, 0.05, pair=("m0", "m1"), cost="cost", **how)


def test_labels_of_a_whole_board_serve_the_models_that_are_rated():
    table, right = board(np.random.default_rng(24))
    judged = table[table["model"].isin(["m0", "m1"])].rename(columns={"gpt4": "score"})
    judged = judged.drop(columns="human")
    labels = table.dropna(subset="human").rename(columns={"human": "score"}).drop(columns="gpt4")
    found = bq.read(judged, truth=labels, progress=False)
    own = bq.read(judged, truth=labels[labels["model"] < "m2"], progress=False)
    assert np.array_equal(found["truth"], own["truth"], equal_nan=True)
    assert any("of m2 and m3, which the judge did not rate" in note for note in found.notes)
    with pytest.raises(ValueError, match="labels of m2 and m3.*none of m0 and m1"):
        bq.read(judged, truth=labels[labels["model"] > "m1"], progress=False)


def test_labels_that_are_written_otherwise_are_refused_with_the_mend():
    table, _ = board(np.random.default_rng(26))
    how = {"judge": "gpt4", "truth": "human", "progress": False}
    words = table.assign(human=table["human"].map({0: "no", 1: "yes"}))
    assert bq.read(words, **how)["truth"].equals(bq.read(table, **how)["truth"])
    rated = table.drop(columns="human").rename(columns={"gpt4": "score"})
    labels = table.dropna().drop(columns="gpt4").rename(columns={"human": "score"})
    cases = {
        "holds '(good|bad)' and '(good|bad)', no numbers; write 1": (
            table.assign(human=table["human"].map({0: "bad", 1: "good"})),
            how,
        ),
        "column 'human' of DataFrame is empty": (table.assign(human=""), how),
        "gpt4 holds numbers up to 9 and human shares": (table.assign(gpt4=9 * table["gpt4"]), how),
        "human holds numbers up to 6 and gpt4 shares": (
            table.assign(human=5 * table["human"] + 1),
            how,
        ),
        r"labels of mO, .* and none of m0; name": (rated, {"truth": labels.replace("m0", "mO")}),
        r"tasks \['talk'\] and the judge": (rated, {"truth": labels.assign(task="talk")}),
    }
    for words, (frame, given) in cases.items():
        with pytest.raises(ValueError, match=words):
            bq.read(frame, **{"progress": False} | given)


def test_ratings_and_labels_without_ends_are_on_one_scale():
    table, right = board(np.random.default_rng(25))
    rng = np.random.default_rng(26)
    table["human"] += rng.normal(size=len(table))  # below 0, too
    table["gpt4"] += 5 + rng.normal(size=len(table))  # from 0 on
    assert not scores(table).scale.is_bounded


@pytest.mark.parametrize("is_file", [True, False])
@pytest.mark.parametrize("column", ["label", "human"])
def test_the_sheet_of_labels_is_read_when_it_is_filled_in(tmp_path, column, is_file):
    rng = np.random.default_rng(3)
    names = [(f"model-{m}", item) for m in range(3) for item in range(200)]
    answers = pd.DataFrame(names, columns=["model", "item"]).assign(score=rng.integers(0, 2, 600))
    sheet = bq.next_labels(answers, 40, progress=False, column=column)
    sheet[column] = ["", *rng.integers(0, 2, len(sheet) - 1)]
    truth = sheet
    if is_file:
        truth = tmp_path / "labels.csv"
        sheet.to_csv(truth, index=False)
    judged = bq.read(answers, truth=truth, probability="probability", progress=False)
    known = judged["truth"].notnull()
    assert known.sum() == len(sheet) - 1 and judged["probability"].notnull().sum() == len(sheet)
    second = sheet.iloc[1]
    at = {"model": second["model"], "item": str(second["item"])}
    assert judged["truth"].sel(at) == second[column]
    assert judged["probability"].sel(at) == pytest.approx(second["probability"])
