"""Votes: strengths against a plain GLM, errors against the dense sandwich, files, refusals, plans, decisive votes."""

import json

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, special, stats

import benchuq as bq
from benchuq.comparison.all_pairs import better_pairs, family
from benchuq.consensus.ballots import is_votes, read_ballots
from benchuq.consensus.votes import decisive_votes, more_votes, vote_sentences


def simulate(rng, models=8, n=600, voters=40, taste=0.5, spread=0.5, ties=0.15, first=0.2):
    "A table of votes by voters of unequal diligence with tastes of their own, and the strengths."
    strength = rng.normal(0, spread, models)
    a = rng.integers(0, models, n)
    b = (a + rng.integers(1, models, n)) % models
    diligence = rng.lognormal(0, 1, voters)
    voter = rng.choice(voters, n, p=diligence / diligence.sum())
    felt = strength + taste * rng.standard_normal((voters, models))
    length = rng.lognormal(5, 0.4, (2, n)).round()
    longer = (length[0] - length[1]) / length.sum(axis=0)
    won = rng.random(n) < special.expit(felt[voter, a] - felt[voter, b] + first + longer)
    winner = np.where(rng.random(n) < ties, "tie", np.where(won, "model_a", "model_b"))
    names = np.array([f"m{k:03d}" for k in range(models)])
    columns = {"model_a": names[a], "model_b": names[b], "winner": winner, "voter": voter}
    return pd.DataFrame(columns | {"length_a": length[0], "length_b": length[1]}), strength


SHARE = {"model_a": 1.0, "model_b": 0.0, "tie": 0.5}


def dense(table, covariates=()):
    "Design (vote, parameter), with the last model as the reference, and shares."
    names = np.unique(table[["model_a", "model_b"]])
    x = 1.0 * (table["model_a"].to_numpy()[:, None] == names) - (table["model_b"].to_numpy()[:, None] == names)
    longer = ((table["length_a"] - table["length_b"]) / (table["length_a"] + table["length_b"])).to_numpy()
    more = {"position": np.ones(len(table)), "length": longer / np.sqrt(np.mean(longer**2))}
    return np.column_stack([x[:, :-1], *(more[c] for c in covariates)]), table["winner"].map(SHARE).to_numpy()


def irls(x, y):
    "Binomial GLM by iteratively reweighted least squares."
    beta = np.zeros(x.shape[1])
    for _ in range(50):
        p = special.expit(x @ beta)
        root = np.sqrt(p * (1 - p))
        beta += np.linalg.lstsq(x * root[:, None], (y - p) / root, rcond=None)[0]
    return beta


def centred(reference, models):
    s = np.append(reference[: models - 1], 0)
    return s - s.mean()


@pytest.fixture(scope="module")
def table():
    return simulate(np.random.default_rng(5))[0]


@pytest.mark.parametrize("covariates", [(), ("position",), ("position", "length")])
def test_strengths_and_effects_are_those_of_a_binomial_glm(table, covariates):
    scores = bq.votes(table, covariates=covariates)
    beta = irls(*dense(table, covariates))
    np.testing.assert_allclose(scores.estimate, centred(beta, 8), atol=1e-8)
    np.testing.assert_allclose(scores.fit.effects["estimate"], beta[7:], atol=1e-8)


def test_davidsons_ties_maximise_the_likelihood(table):
    x, y = dense(table)

    def loss(beta):
        d = x @ beta[:-1]
        utility = np.stack([d / 2, -d / 2, np.full(len(d), beta[-1])])
        return (special.logsumexp(utility, axis=0) - np.choose((2 * y).astype(int), utility[[1, 2, 0]])).sum()

    best = optimize.minimize(loss, np.zeros(8), method="BFGS", options={"gtol": 1e-5})
    scores = bq.votes(table, ties="davidson")
    np.testing.assert_allclose(scores.estimate, centred(best.x, 8), atol=1e-5)
    assert scores.fit.effects.loc["tie", "estimate"] == pytest.approx(best.x[-1], abs=1e-5)


@pytest.mark.parametrize("unit", ["vote", "voter"])
def test_errors_are_those_of_the_dense_sandwich(table, unit):
    x, y = dense(table, ("length",))
    beta = irls(x, y)
    p = special.expit(x @ beta)
    bread = np.linalg.inv(x.T * (p * (1 - p)) @ x)
    leverage = p * (1 - p) * np.einsum("ij,jk,ik->i", x, bread, x)
    u = x * ((y - p) / np.sqrt(1 - leverage))[:, None]
    group = np.arange(len(table)) if unit == "vote" else table["voter"].to_numpy()
    n = np.bincount(group)
    u = np.array([u[group == g].sum(axis=0) / np.sqrt(1 - n[g] / n.sum()) for g in np.unique(group)])
    c = bread @ (u.T @ u) @ bread
    error = np.sqrt(np.add.outer(np.diag(c), np.diag(c)) - 2 * c)[:7, :7]
    scores = bq.votes(table, unit=unit, covariates="length")
    v = np.diag(scores.covariance)
    found = np.sqrt(np.add.outer(v, v) - 2 * scores.covariance)[:7, :7]
    np.testing.assert_allclose(found, error, atol=1e-8)
    effect = scores.fit.effects.loc["length"]
    reach = stats.t.isf(0.025, scores.df) * np.sqrt(c[-1, -1])
    assert effect["upper"] - effect["estimate"] == pytest.approx(reach, abs=1e-8)


def test_models_swapped_in_rows_give_the_same_board(table):
    turn = np.random.default_rng(1).random(len(table)) < 0.5
    swap = {"model_a": "model_b", "model_b": "model_a", "length_a": "length_b", "length_b": "length_a"}
    turned = table.rename(columns=swap).assign(winner=table["winner"].replace(swap))[table.columns]
    mixed = pd.concat([table[~turn], turned[turn]]).sample(frac=1, random_state=1)
    boards = [bq.leaderboard(bq.votes(t, unit="voter", covariates="length")) for t in (table, mixed)]
    pd.testing.assert_frame_equal(*boards)


def test_an_anchor_moves_scores_and_leaves_pairs(table):
    average, anchored = bq.votes(table), bq.votes(table, anchor="m003")
    board = bq.leaderboard(anchored)
    assert (board.loc["m003", ["estimate", "lower", "upper"]] == 0.5).all()
    pairs = bq.compare(average), bq.compare(anchored)
    np.testing.assert_allclose(*(p["estimate"] for p in pairs), atol=1e-12)
    np.testing.assert_allclose(*(p[["lower", "upper", "p_value"]] for p in pairs), atol=0.02)  # critical values drawn
    with pytest.raises(ValueError, match="unknown models.*m999"):
        bq.votes(table, anchor="m999")


def test_boards_print_probabilities_to_win(table):
    scores = bq.votes(table, unit="voter")
    board = bq.leaderboard(scores)
    assert board["estimate"].to_dict() == pytest.approx(dict(zip(scores.models, special.expit(scores.estimate))))
    assert ((board["lower"] < board["estimate"]) & (board["estimate"] < board["upper"])).all()
    assert board["p_best"].sum() == pytest.approx(1)
    few = scores.select(["m001", "m005"])
    assert bq.compare(few)["estimate"].abs().iloc[0] == pytest.approx(abs(np.subtract(*scores.estimate[[1, 5]])))


def test_files_of_all_kinds_are_the_same_votes(table, tmp_path):
    expected = bq.votes(table).estimate
    paths = [tmp_path / f"votes.{kind}" for kind in ("csv", "parquet", "jsonl")]
    table.to_csv(paths[0], index=False)
    table.to_parquet(paths[1])
    table.to_json(paths[2], orient="records", lines=True)
    for path in paths:
        assert is_votes(path)
        np.testing.assert_allclose(bq.votes(path).estimate, expected, atol=1e-12)
        np.testing.assert_allclose(bq.votes(path, covariates="length").fit.effects["estimate"], 0.17, atol=0.15)
    assert not is_votes(tmp_path) and not is_votes(tmp_path / "none.csv") and not is_votes(table[["model_a", "winner"]])


def test_the_names_of_arenas_are_understood(table):
    share = table["winner"].map(SHARE)
    names = table["model_a"].where(share == 1, table["model_b"]).where(share != 0.5, "tie (bothbad)")
    plain = table[["model_a", "model_b"]]
    annotated = plain.set_axis(["generator_1", "generator_2"], axis=1).assign(preference=2 - share)
    hot = plain.assign(winner_model_a=1 * (share == 1), winner_model_b=1 * (share == 0), winner_tie=1 * (share == 0.5))
    sides = plain.set_axis(["left", "right"], axis=1).assign(winner=share.map({1: "left", 0: "right", 0.5: "draw"}))
    letters = plain.assign(winner=share.map({1: "A", 0: "B", 0.5: "both_bad"}))
    for other in (plain.assign(winner=names), plain.assign(winner=share), annotated, hot, sides, letters):
        assert is_votes(other)
        np.testing.assert_array_equal(read_ballots(other)[1]["share"], read_ballots(table)[1]["share"])


def test_annotations_in_json_with_preferences_between(tmp_path):
    rng = np.random.default_rng(2)
    rows = [
        {"instruction": f"q{k}", "generator_1": "base", "generator_2": f"new{k % 3}", "preference": 1 + rng.random()}
        for k in range(90)
    ]
    (tmp_path / "annotations.json").write_text(json.dumps(rows))
    assert is_votes(tmp_path / "annotations.json")
    scores = bq.votes(tmp_path / "annotations.json", unit="prompt", anchor="base")
    mean = pd.DataFrame(rows).groupby("generator_2")["preference"].mean() - 1
    np.testing.assert_allclose(special.expit(scores.estimate[1:]), mean, atol=1e-9)  # one reference: plain win rates
    with pytest.raises(ValueError, match="cannot be told from the strengths"):
        bq.votes(tmp_path / "annotations.json", covariates="position")
    assert any("position cannot be told" in s for s in vote_sentences(scores))


GOOD = pd.DataFrame({"model_a": ["A", "B", "C"], "model_b": ["B", "C", "A"], "winner": ["A", "B", "C"], "voter": 1})


@pytest.mark.parametrize(
    "change, options, message",
    [
        ({"winner": ["A", "B", "Q"]}, {}, "column winner, row 2: 'Q' is no winner"),
        ({"winner": ["A", None, "C"]}, {}, "row 1: 'nan' is no winner|row 1: 'None' is no winner"),
        ({"winner": [1, 0, 3]}, {}, "row 2: '3' is no winner"),
        ({"model_b": ["B", " ", "A"]}, {}, "column model_b, row 1 is empty"),
        ({"model_a": "A", "model_b": "A", "winner": "tie"}, {}, "no votes between two models"),
        ({"model_a": ["A", "B", "C"], "model_b": ["B", "A", "D"], "winner": "a"}, {}, r"\['A', 'B'\]; \['C', 'D'\]"),
        ({}, {"unit": "prompt"}, "needs a column prompt"),
        ({}, {"unit": "voter"}, "1 voters are too few"),
        ({}, {"unit": "judge"}, "unit must be one of"),
        ({}, {"ties": "davidson"}, "needs ties"),
        ({}, {"covariates": "length"}, "length_a and length_b"),
        ({}, {"covariates": "style"}, "unknown covariates"),
    ],
)
def test_bad_votes_are_refused_by_name(change, options, message):
    with pytest.raises(ValueError, match=message):
        bq.votes(GOOD.assign(**change), **options)


def test_what_is_no_table_of_votes_is_refused(tmp_path):
    for wrong, message in (
        (17, "got int"),
        (GOOD.drop(columns="winner"), r"\['winner'\]"),
        (tmp_path / "no.csv", "no.csv"),
    ):
        with pytest.raises(ValueError, match=message):
            bq.votes(wrong)


def test_votes_against_itself_and_one_busy_voter_are_said(table):
    odd = pd.DataFrame({"model_a": ["m001"] * 2, "model_b": ["m001"] * 2, "winner": "tie", "voter": 1})
    scores = bq.votes(pd.concat([table.assign(voter=np.minimum(table["voter"], 3)), odd], ignore_index=True))
    assert "2 votes of a model against itself (rows [600, 601])" in scores.fit.notes[1]
    assert "One voter cast" in scores.fit.notes[0]
    np.testing.assert_array_equal(scores.estimate, bq.votes(table).estimate)


@pytest.mark.parametrize("won", [True, False])
@pytest.mark.parametrize("unit", ["vote", "voter"])
def test_one_side_only_is_a_finite_interval(table, won, unit):
    n = 6
    lucky = {"model_a": "new", "model_b": "m002", "winner": "model_a" if won else "model_b", "voter": 7}
    scores = bq.votes(pd.concat([table, pd.DataFrame(lucky, range(n))], ignore_index=True), unit=unit, anchor="m002")
    i = scores.models.get_loc("new")
    assert scores.estimate[i] == pytest.approx((1 if won else -1) * np.log(2 * n + 1), rel=1e-6)
    assert 1.3 < np.sqrt(scores.covariance[i, i]) < 3
    assert "['new']" in scores.fit.notes[0]
    everyone = bq.votes(table, unit=unit, anchor="m002")
    np.testing.assert_allclose(np.delete(scores.estimate, i), everyone.estimate, atol=1e-9)


def test_groups_of_which_one_always_wins_stay_finite():
    rows = [("A", "B", "A"), ("A", "B", "B"), ("C", "D", "C"), ("C", "D", "D"), ("A", "C", "A"), ("B", "D", "B")]
    scores = bq.votes(pd.DataFrame(rows, columns=["model_a", "model_b", "winner"]))
    assert scores.fit.notes and (scores.estimate[:2] > scores.estimate[2:]).all() and scores.estimate.max() < 3


def test_decisive_votes_decide(table):
    scores = bq.votes(table)
    few = decisive_votes(scores)
    board = bq.leaderboard(bq.votes(table.drop(index=few.index)))
    assert bq.leaderboard(scores).index[0] == few.attrs["leader"] and board.index[0] == few.attrs["instead"]
    rng = np.random.default_rng(3)
    for _ in range(20):  # as many at random hardly ever do
        rest = table.drop(index=rng.choice(table.index, len(few), replace=False))
        assert bq.leaderboard(bq.votes(rest)).index[0] == few.attrs["leader"]
    shorter = bq.votes(table.drop(index=few.index[1:])).estimate.argmax()
    assert len(few) < 30 and (len(few) > 1 or shorter == scores.estimate.argmax())


def test_planned_votes_narrow_the_difference_as_foretold(table):
    scores = bq.votes(table[table["winner"] != "tie"])
    order = np.argsort(-scores.estimate)
    first, second = scores.models[order[[0, 2]]]
    more = more_votes(scores, first, second)
    d = scores.estimate[order[0]] - scores.estimate[order[2]]
    wins = round(more * special.expit(d))
    added = pd.DataFrame({"model_a": first, "model_b": second, "winner": ["a"] * wins + ["b"] * int(more - wins)})
    wide = bq.votes(pd.concat([table[table["winner"] != "tie"], added], ignore_index=True))
    i, j = wide.models.get_indexer([first, second])
    error = np.sqrt(wide.covariance[i, i] + wide.covariance[j, j] - 2 * wide.covariance[i, j])
    reach = stats.t.isf(special.ndtr(-family(scores).critical_value), scores.df)
    assert d / error == pytest.approx(reach + special.ndtri(0.8), rel=0.03)
    assert more_votes(scores, *scores.models[order[[0, 7]]]) == 0


def test_sentences_say_what_the_votes_are(table):
    said = " ".join(vote_sentences(bq.votes(table, unit="voter", covariates=("position", "length"))))
    for part in ("600 votes on 8 models", "% are ties", "All 28 pairs", "shown first wins", "longer by one", "Without"):
        assert part in said


@pytest.mark.parametrize("unit, taste", [("vote", 0.0), ("voter", 0.6)])
def test_equal_models_are_seldom_told_apart(unit, taste):
    boards, false = 40, 0
    for seed in range(boards):
        table, _ = simulate(np.random.default_rng(seed), 6, 300, 40, taste, spread=0)
        false += bool(better_pairs(bq.votes(table, unit=unit)).any())
    assert false <= 0.06 * boards + 2 * np.sqrt(0.06 * 0.94 * boards)


def test_the_command_answers_votes(tmp_path, capsys):
    from benchuq.reporting.command import main

    rng = np.random.default_rng(3)
    a = rng.integers(0, 3, 300)
    b = (a + rng.integers(1, 3, 300)) % 3
    won = rng.random(300) < 1 / (1 + np.exp((a - b) * 1.5))
    table = pd.DataFrame({"model_a": np.take(list("ABC"), a), "model_b": np.take(list("ABC"), b)})
    table.assign(winner=np.where(won, "model_a", "model_b")).to_csv(tmp_path / "arena.csv", index=False)
    assert main(["compare", str(tmp_path / "arena.csv"), "--format", "md"]) == 0
    said = capsys.readouterr().out
    assert "A is the best of 3 models" in said and "| 1 | **A** |" in said
    assert main(["compare", str(tmp_path / "arena.csv"), "--weights", "size"]) == 2
    assert "holds votes, which --weights says nothing about" in capsys.readouterr().err
