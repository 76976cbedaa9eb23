"""Votes: strengths against a plain GLM, errors against the dense sandwich, files, refusals, plans,
decisive votes.
"""

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, special, stats

import benchuq as bq
from benchuq.comparison.all_pairs import family
from benchuq.consensus.votes import decisive_votes, more_votes, vote_sentences
from benchuq.studies.vote_coverage import VoteSetting, simulate_votes


SHARE = {"model_a": 1.0, "model_b": 0.0, "tie": 0.5}


def dense(table, covariates=()):
    "Design (vote, parameter), with the last model as the reference, and shares."
    names = np.unique(table[["model_a", "model_b"]])
    x = 1.0 * (table["model_a"].to_numpy()[:, None] == names) - (
        table["model_b"].to_numpy()[:, None] == names
    )
    longer = (
        (table["length_a"] - table["length_b"]) / (table["length_a"] + table["length_b"])
    ).to_numpy()
    more = {"position": np.ones(len(table)), "length": longer / np.sqrt(np.mean(longer**2))}
    return np.column_stack([x[:, :-1], *(more[c] for c in covariates)]), table["winner"].map(
        SHARE
    ).to_numpy()


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
    return simulate_votes(VoteSetting(taste=0.5, spread=0.5), np.random.default_rng(5))[0]


@pytest.mark.parametrize("covariates", [(), ("position",), ("position", "length")])
def test_strengths_and_effects_are_those_of_a_binomial_glm(table, covariates):
    scores = bq.votes(table, covariates=covariates)
    beta = irls(*dense(table, covariates))
    np.testing.assert_allclose(scores.estimate, centred(beta, 8), atol=1e-8)
    np.testing.assert_allclose(scores.effects["estimate"], beta[7:], atol=1e-8)


def test_davidsons_ties_maximise_the_likelihood(table):
    x, y = dense(table)

    def loss(beta):
        d = x @ beta[:-1]
        utility = np.stack([d / 2, -d / 2, np.full(len(d), beta[-1])])
        return (
            special.logsumexp(utility, axis=0) - np.choose((2 * y).astype(int), utility[[1, 2, 0]])
        ).sum()

    best = optimize.minimize(loss, np.zeros(8), method="BFGS", options={"gtol": 1e-5})
    scores = bq.votes(table, ties="davidson")
    np.testing.assert_allclose(scores.estimate, centred(best.x, 8), atol=1e-5)
    assert scores.effects.loc["tie", "estimate"] == pytest.approx(best.x[-1], abs=1e-5)


@pytest.mark.parametrize("unit", ["vote", "voter"])
def test_errors_are_those_of_the_dense_sandwich(table, unit):
    x, y = dense(table, ("length",))
    beta = irls(x, y)
    p = special.expit(x @ beta)
    bread = np.linalg.inv(x.T * (p * (1 - p)) @ x)
    leverage = p * (1 - p) * np.einsum("ij,jk,ik->i", x, bread, x)
    u = x * ((y - p) / np.sqrt(1 - leverage))[:, None]
    group = np.arange(len(table)) if unit == "vote" else table["voter"].to_numpy()
    member = (np.unique(group)[:, None] == group).astype(float)
    n = member.sum(axis=1)
    residual = np.eye(len(n)) - np.outer(n / n.sum(), np.ones(len(n)))

    def sandwich(sums):
        return bread @ sums.T @ sums @ bread

    def spread(c):  # of strengths that sum to zero; the last one is 0 in `c`
        return np.trace(c[:7, :7]) - c[:7, :7].sum() / 8

    def kept(correlation):  # of the variance of each unit, by its residual; and the variance
        v = n * (1 + (n - 1) * correlation)
        return np.diag(residual * v @ residual.T) / v, v

    effect = spread(sandwich(member @ u / np.sqrt(kept(0)[0])[:, None])) / spread(sandwich(u))
    share, v = kept(max(effect - 1, 0) / ((n**2).sum() / n.sum() - 1) if unit == "voter" else 0)
    c = sandwich(member @ u / np.sqrt(share)[:, None])
    product = residual * v @ residual.T / np.sqrt(np.outer(share, share))
    error = np.sqrt(np.add.outer(np.diag(c), np.diag(c)) - 2 * c)[:7, :7]
    scores = bq.votes(table, units=unit, covariates="length")
    assert scores.df == pytest.approx(np.trace(product) ** 2 / (product**2).sum())
    v = np.diag(scores.covariance)
    found = np.sqrt(np.add.outer(v, v) - 2 * scores.covariance)[:7, :7]
    np.testing.assert_allclose(found, error, atol=1e-8)
    effect = scores.effects.loc["length"]
    reach = stats.t.isf(0.025, scores.df) * np.sqrt(c[-1, -1])
    assert effect["upper"] - effect["estimate"] == pytest.approx(reach, abs=1e-8)


def test_models_swapped_in_rows_give_the_same_board(table):
    turn = np.random.default_rng(1).random(len(table)) < 0.5
    swap = {
        "model_a": "model_b",
        "model_b": "model_a",
        "length_a": "length_b",
        "length_b": "length_a",
    }
    turned = table.rename(columns=swap).assign(winner=table["winner"].replace(swap))[table.columns]
    mixed = pd.concat([table[~turn], turned[turn]]).sample(frac=1, random_state=1)
    boards = [
        bq.leaderboard(bq.votes(t, units="voter", covariates="length")) for t in (table, mixed)
    ]
    pd.testing.assert_frame_equal(*boards)


def test_an_anchor_moves_scores_and_leaves_pairs(table):
    average, anchored = bq.votes(table), bq.votes(table, anchor="m003")
    board = bq.leaderboard(anchored)
    assert (board.loc["m003", ["estimate", "lower", "upper"]] == 0.5).all()
    pairs = bq.compare(average), bq.compare(anchored)
    np.testing.assert_allclose(*(p["estimate"] for p in pairs), atol=1e-12)
    np.testing.assert_allclose(
        *(p[["lower", "upper", "p_value"]] for p in pairs), atol=0.02
    )  # critical values drawn
    with pytest.raises(ValueError, match="unknown models.*m999"):
        bq.votes(table, anchor="m999")


def test_boards_print_probabilities_to_win(table):
    scores = bq.votes(table, units="voter")
    board = bq.leaderboard(scores)
    assert board["estimate"].to_dict() == pytest.approx(
        dict(zip(scores.models, special.expit(scores.estimate)))
    )
    assert ((board["lower"] < board["estimate"]) & (board["estimate"] < board["upper"])).all()
    assert board["p_best"].sum() == pytest.approx(1)
    few = scores.select(["m001", "m005"])
    assert bq.compare(few)["estimate"].abs().iloc[0] == pytest.approx(
        abs(np.subtract(*scores.estimate[[1, 5]]))
    )


def arena_files(table):
    """The same votes as the public files of arenas hold them, by name of the file: tables, or lists
    of records.
    """
    n, share = len(table), table["winner"].map(SHARE)
    sides, length = table[["model_a", "model_b"]], table[["length_a", "length_b"]].astype(int)
    talk = [[{"role": "user", "content": f'question {k}, "quoted"'}] for k in range(n)]
    bad = table["winner"].replace("tie", "tie (bothbad)")
    tokens = [
        {"sum_assistant_a_tokens": a, "sum_assistant_b_tokens": b}
        for a, b in length.to_numpy().tolist()
    ]
    judge, answers = (
        "arena_user_" + table["voter"].astype(str),
        length.map(lambda k: "x" * k).to_numpy(),
    )
    battles = sides.assign(
        winner=bad, judge=judge, turn=1, anony=True, language="English", tstamp=1.7e9
    )
    battles, talks = (
        battles.assign(conv_metadata=tokens),
        {"conversation_a": talk, "conversation_b": talk},
    )
    texts = sides.assign(
        prompt=[str(m) for m in talk], response_a=answers[:, 0], response_b=answers[:, 1]
    )
    flags = {
        f"winner_{k}": (share == x).astype(int)
        for k, x in (("model_a", 1), ("model_b", 0), ("tie", 0.5))
    }
    silent = battles.head(50).assign(winner=None)
    annotated = {
        "generator_1": sides["model_a"],
        "generator_2": sides["model_b"],
        "preference": 2 - share,
    }
    annotated = texts[["prompt"]].assign(
        output_1=answers[:, 0], output_2=answers[:, 1], **annotated
    )
    images = sides.set_axis(["left_model", "right_model"], axis=1)
    words = {"model_a": "leftvote", "model_b": "rightvote", "tie": "bothbad_vote"}
    expert = sides.assign(
        question_id=[k % 80 for k in range(n)], winner=table["winner"], judge=judge, **talks
    )
    bracketed = share.map({1: "[[A>B]]", 0: "[[B>>A]]", 0.5: "[[A=B]]"})
    return {
        "clean_battle.json": battles,
        "arena-human-preference-55k.csv": texts.assign(**flags),
        "arena-human-preference-100k.parquet": battles.assign(**talks),
        "arena-human-preference-140k.parquet": sides.assign(
            winner=bad.replace("tie (bothbad)", "both_bad"), **talks
        ),
        "mt_bench_human_judgments.jsonl": expert,
        "mt_bench_gpt4_pair.parquet": expert.assign(
            winner=table["winner"].replace("tie", "tie (inconsistent)")
        ),
        "search-arena.jsonl": pd.concat([battles, silent], ignore_index=True),
        "genai-bench.csv": images.assign(vote_type=table["winner"].map(words)),
        "alpaca_eval.json": annotated,
        "alpaca_draws.json": annotated.replace({"preference": {1.5: 0.0}}),
        "names.csv": sides.assign(
            winner=table["model_a"].where(share == 1, table["model_b"]).where(share != 0.5, "tie")
        ),
        "letters.csv": sides.assign(winner=share.map({1: "A", 0: "B", 0.5: "draw"})),
        "counted.csv": sides.assign(winner=2 - share),
        "verdicts.csv": sides.assign(winner=share.map({1: "[[A]]", 0: "[[B]]", 0.5: "[[C]]"})),
        "arena-hard.jsonl": sides.assign(
            winner=share.map({1: "A>>B", 0: "B>A", 0.5: "A=B"}).where(
                length.index % 2 == 0, bracketed
            )
        ),
        "assistants.csv": sides.assign(
            winner=share.map({1: "assistant_a", 0: "assistant_b", 0.5: "equal"})
        ),
    }


def test_public_files_of_arenas_are_the_same_votes(table, tmp_path):
    by_vote = {"units": "vote", "covariates": "length"}
    expected, length = bq.votes(table).estimate, bq.votes(table, **by_vote).effects
    for name, votes in arena_files(table).items():
        path = tmp_path / name
        kind = path.suffix[1:].replace("jsonl", "json")
        options = {"orient": "records", "lines": path.suffix == ".jsonl"} if kind == "json" else {}
        getattr(votes, f"to_{kind}")(path, **options | ({"index": False} if kind == "csv" else {}))
        assert bq.read(path).attrs["format"] == "votes"
        scores = bq.votes(path)
        np.testing.assert_array_equal(bq.votes(bq.read(path)).estimate, scores.estimate)
        np.testing.assert_allclose(scores.estimate, expected, atol=1e-12, err_msg=name)
        assert ("50 of 650 rows, which have no winner" in " ".join(scores.fit.notes)) == (
            "search" in name
        )
        assert ("was read as a vote for" in " ".join(scores.fit.notes)) == (
            name[:6] in ("alpaca", "counte")
        )
        if {"response_a", "output_1", "conv_metadata"} & set(votes):
            pd.testing.assert_frame_equal(bq.votes(path, **by_vote).effects, length)


def test_annotations_with_preferences_between():
    rng = np.random.default_rng(2)
    new, prompt = [f"new{k % 3}" for k in range(90)], [f"q{k}" for k in range(90)]
    table = pd.DataFrame(
        {"generator_1": "base", "generator_2": new, "preference": 1 + rng.random(90)}
    )
    scores = bq.votes(table.assign(instruction=prompt), units="prompt", anchor="base")
    mean = table.groupby("generator_2")["preference"].mean() - 1
    np.testing.assert_allclose(
        special.expit(scores.estimate[1:]), mean, atol=1e-9
    )  # one reference: plain win rates
    with pytest.raises(ValueError, match="cannot be told from the strengths"):
        bq.votes(table, covariates="position")
    assert any("position cannot be told" in s for s in vote_sentences(scores))
    with pytest.raises(ValueError, match="do not say whether they favour generator_1"):
        bq.votes(table.assign(preference=rng.random(90)))


GOOD = pd.DataFrame(
    {"model_a": ["A", "B", "C"], "model_b": ["B", "C", "A"], "winner": ["A", "B", "C"], "voter": 1}
)


@pytest.mark.parametrize(
    "change, options, message",
    [
        ({"winner": ["A", "B", "Q"]}, {}, "column winner, row 2: 'Q' is no winner"),
        ({"winner": [1, 2, 3]}, {}, "row 2: '3' is no winner"),
        ({"model_b": ["B", " ", "A"]}, {}, "column model_b, row 1 is empty"),
        ({"model_a": "A", "model_b": "A", "winner": "tie"}, {}, "no votes between two models"),
        (
            {"model_a": ["A", "B", "C"], "model_b": ["B", "A", "D"], "winner": "a"},
            {},
            r"\['A', 'B'\]; \['C', 'D'\]",
        ),
        (
            {"model_a": ["A", "B", "A"], "model_b": ["B", "C", "C"], "winner": ["A", "B", "B"]},
            {},
            "row 2: 'B' is no",
        ),
        (
            {"winner_model_a": [1, 1, 0], "winner_model_b": [0, 1, 1], "winner": None},
            {},
            "no votes between two models",
        ),
        (
            {"model_a": [1, 2, 3], "model_b": [2, 3, 1], "winner": [1, 2, 2]},
            {},
            "row 2: '2' is no winner",
        ),
        ({"voter": [1, 2, None]}, {"units": "voter"}, "row 2 has no voter"),
        ({}, {"units": "prompt"}, "needs a column prompt"),
        ({}, {"units": "voter"}, "1 voter is too few"),
        ({}, {"units": "judge"}, "units must be one of"),
        ({}, {"ties": "davidson"}, "needs ties"),
        ({}, {"covariates": "length"}, "length_a and length_b"),
        ({}, {"covariates": "style"}, "unknown covariates"),
        ({"winner": None}, {}, "no votes between two models"),
    ],
)
def test_bad_votes_are_refused_by_name(change, options, message):
    with pytest.raises(ValueError, match=message):
        bq.votes(GOOD.assign(**change), **options)


@pytest.mark.parametrize("won", [True, False])
@pytest.mark.parametrize("unit", ["vote", "voter"])
def test_one_side_only_is_a_finite_interval(table, won, unit):
    n = 6
    lucky = {
        "model_a": "new",
        "model_b": "m002",
        "winner": "model_a" if won else "model_b",
        "voter": 7,
    }
    scores = bq.votes(
        pd.concat([table, pd.DataFrame(lucky, range(n))], ignore_index=True),
        units=unit,
        anchor="m002",
    )
    i = scores.models.get_loc("new")
    assert scores.estimate[i] == pytest.approx((1 if won else -1) * np.log(2 * n + 1), rel=1e-6)
    assert 1.3 < np.sqrt(scores.covariance[i, i]) < 3
    assert "['new']" in scores.fit.notes[0]
    everyone = bq.votes(table, units=unit, anchor="m002")
    np.testing.assert_allclose(np.delete(scores.estimate, i), everyone.estimate, atol=1e-9)


def test_what_is_left_out_or_may_mislead_is_said(table):
    odd = pd.DataFrame(
        {"model_a": ["m001"] * 2, "model_b": ["m001"] * 2, "winner": "tie", "voter": 1}
    )
    marked = table.assign(anony=np.arange(600) >= 7).assign(
        **{"dedup_tag.sampled": np.arange(600) >= 9}
    )
    busy = marked.assign(voter=np.minimum(table["voter"], 3))
    scores = bq.votes(pd.concat([busy, odd], ignore_index=True), covariates=("position", "length"))
    said = " ".join(vote_sentences(scores))
    for part in (
        *(
            "600 votes on 8 models",
            "% are ties",
            "All 28 pairs",
            "shown first wins",
            "longer by one",
            "Without",
        ),
        "2 votes of a model against itself (rows [600, 601])",
        *("7 votes were not blind (anony)", "9 votes repeat frequent prompts", "One voter cast"),
    ):
        assert part in said


def test_decisive_votes_decide(table):
    scores = bq.votes(table)
    few = decisive_votes(scores)
    board = bq.leaderboard(bq.votes(table.drop(index=few.index)))
    assert (
        bq.leaderboard(scores).index[0] == few.attrs["leader"]
        and board.index[0] == few.attrs["instead"]
    )
    for seed in range(5):  # as many at random hardly ever do
        rest = table.drop(
            index=np.random.default_rng(seed).choice(table.index, len(few), replace=False)
        )
        assert len(few) < 30 and bq.leaderboard(bq.votes(rest)).index[0] == few.attrs["leader"]


def test_planned_votes_narrow_the_difference_as_foretold(table):
    scores = bq.votes(table[table["winner"] != "tie"], units="vote")
    order = np.argsort(-scores.estimate)
    first, second = scores.models[order[[0, 2]]]
    more = more_votes(scores, [(first, second)]).iloc[0]
    d = scores.estimate[order[0]] - scores.estimate[order[2]]
    wins = round(more * special.expit(d))
    added = pd.DataFrame(
        {"model_a": first, "model_b": second, "winner": ["a"] * wins + ["b"] * int(more - wins)}
    )
    wide = bq.votes(
        pd.concat([table[table["winner"] != "tie"], added], ignore_index=True), units="vote"
    )
    i, j = wide.models.get_indexer([first, second])
    error = np.sqrt(wide.covariance[i, i] + wide.covariance[j, j] - 2 * wide.covariance[i, j])
    reach = stats.t.isf(special.ndtr(-family(scores).critical_value), scores.df)
    assert d / error == pytest.approx(reach + special.ndtri(0.8), rel=0.03)
    assert more_votes(scores, [tuple(scores.models[order[[0, 7]]])]).iloc[0] == 0


def pair(won, n, **columns):
    "Votes between A and B, of which A has won so many."
    winner = ["a"] * won + ["b"] * (n - won)
    return pd.DataFrame({"model_a": "A", "model_b": "B", "winner": winner}).assign(**columns)


@pytest.mark.parametrize("n", [5, 6, 8, 10, 12, 16, 20, 31, 40])
def test_a_pair_is_told_apart_as_by_the_sign_test(n):
    critical = special.ndtri(0.975)
    for won in range(n // 2 + 1, n + 1):
        scores = bq.votes(pair(won, n))
        lower, upper = scores.pair_limits(0, 1, critical)
        shown = scores.evidence(0, 1) > critical
        interval = scores.intervals().loc["A"]
        assert (
            shown == (lower > 0) == (interval["lower"] > 0.5) and np.isfinite([lower, upper]).all()
        )
        assert shown == (stats.binomtest(won, n).pvalue <= 0.05), won
        assert scores.pair_limits(1, 0, critical)[1] == pytest.approx(-lower)


def test_limits_of_a_pair_are_where_its_evidence_is_critical():
    scores = bq.votes(pd.concat([pair(7, 9), pair(5, 5).assign(model_b="C")]), anchor="A")
    for other in (1, 2):
        for end, z in zip(scores.pair_limits(0, other, 1.96), (1.96, -1.96)):
            assert scores.evidence(0, other, end) == pytest.approx(z, abs=1e-6)
    board = scores.intervals()
    limits = special.expit(scores.pair_limits([1, 2], [0, 0], special.ndtri(0.975)))
    np.testing.assert_allclose(board.loc[["B", "C"], ["lower", "upper"]].T, limits)


def test_only_ties_have_limits():
    scores = bq.votes(pair(0, 20, winner="tie"))
    lower, upper = scores.pair_limits(0, 1, 1.96)
    assert -2 < lower < 0 < upper < 2 and "All votes are ties" in " ".join(scores.fit.notes)
    assert np.isfinite(bq.leaderboard(scores)[["estimate", "lower", "upper"]]).all(axis=None)


def test_few_votes_are_refused_without_advice_that_is_taken():
    with pytest.raises(ValueError, match="2 votes are too few.*needed$"):
        bq.votes(pair(1, 2))
    with pytest.raises(ValueError, match="or units='vote'$"):
        bq.votes(pair(3, 4, voter=1), units="voter")


def test_voters_and_prompts_that_are_named_are_the_units(table):
    prompt, said = np.arange(600) % 50, []
    for changes, units in (
        ({}, "voter"),
        ({"prompt": prompt}, "voter,prompt"),
        ({"prompt": prompt, "voter": None}, "vote"),
        ({"voter": np.arange(600) % 2}, "vote"),
        ({"voter": None}, "vote"),
        ({"voter": table["voter"].where(table.index > 9)}, "voter"),
    ):
        scores = bq.votes(table.assign(**changes))
        assert scores.units == units
        said.append(" ".join(vote_sentences(scores)))
    for text, part in zip(
        said,
        (
            "about other voters like these: what was sampled are 40 voters.",
            "other voters and other prompts like these",
            "50 prompts recur, and are taken as fixed",
            "those of 2 voters, too few to speak of others",
            "about more votes of the same voters",
            "10 votes name no voter; each such vote counts as one of its own",
        ),
    ):
        assert part in text
    with pytest.raises(ValueError, match="no option unit; it is called units"):
        bq.votes(table, unit="voter")


def test_voters_and_prompts_together_add_their_excess(table):
    crossed = table.assign(prompt=np.arange(600) % 30)
    single = {u: bq.votes(crossed, units=u).covariance for u in ("voter", "prompt")}
    cells = table.assign(prompt=30 * table["voter"] + crossed["prompt"])
    within = bq.votes(cells, units="prompt").covariance
    both = bq.votes(crossed, units=["voter", "prompt"])
    expected = single["voter"] + single["prompt"] - within
    lifted = np.linalg.eigvalsh(both.covariance - expected)  # a negative excess counts as 0
    assert np.linalg.eigvalsh(both.covariance).min() > -1e-12
    assert lifted.min() > -0.02 * np.linalg.eigvalsh(expected).max()
    assert 1 <= np.trace(both.covariance) / np.trace(expected) < 1.2
    assert both.df <= min(bq.votes(crossed, units=u).df for u in ("voter", "prompt")) + 1e-9


def test_voters_who_all_agree_count_for_one_vote_each():
    for voters, shown in ((5, False), (6, False), (12, True)):
        scores = bq.votes(pair(120, 120, voter=np.arange(120) % voters))
        assert bq.compare(scores)["distinguished"].iloc[0] == shown


@pytest.mark.simulation
@pytest.mark.parametrize("crossed", [False, True])
def test_equal_models_are_seldom_told_apart_by_voters_with_tastes(crossed):
    """60 boards of 4 models; by vote about a quarter are false, by default at most .05 (s.e.
    .028).
    """
    rng, false = np.random.default_rng(8), {None: 0, "vote": 0}
    for _ in range(60):
        a = rng.integers(0, 4, 500)
        b = (a + rng.integers(1, 4, 500)) % 4
        voter, prompt = rng.integers(0, 25, (2, 500))
        liking = 0.6 * rng.standard_normal((2, 25, 4))
        d = liking[0, voter, a] - liking[0, voter, b]
        d += crossed * (liking[1, prompt, a] - liking[1, prompt, b])
        won = rng.random(500) < special.expit(d)
        board = {"model_a": a.astype(str), "model_b": b.astype(str), "voter": voter}
        board |= {"winner": np.where(won, "model_a", "model_b")}
        board |= {"prompt": prompt} if crossed else {}
        for units in false:
            scores = bq.votes(pd.DataFrame(board), units=units)
            false[units] += bool(bq.compare(scores)["distinguished"].any())
    assert false[None] <= 6 < false["vote"]


def test_the_command_answers_votes(tmp_path, capsys):
    from benchuq.reporting.command import main

    rng = np.random.default_rng(3)
    a = rng.integers(0, 3, 300)
    b = (a + rng.integers(1, 3, 300)) % 3
    won = rng.random(300) < 1 / (1 + np.exp((a - b) * 1.5))
    table = pd.DataFrame({"model_a": np.take(list("ABC"), a), "model_b": np.take(list("ABC"), b)})
    table.assign(winner=np.where(won, "model_a", "model_b")).to_csv(
        tmp_path / "arena.csv", index=False
    )
    assert main(["compare", str(tmp_path / "arena.csv"), "--format", "md"]) == 0
    said = capsys.readouterr().out
    assert "A is the best of 3 models" in said and "| 1 | **A** |" in said
    table.assign(winner=np.where(won, "model_a", "model_b"), voter=np.arange(300) % 9).to_csv(
        tmp_path / "named.csv", index=False
    )
    assert main(["compare", str(tmp_path / "named.csv"), "-o", str(tmp_path / "page")]) == 0
    assert "other voters like these: what was sampled are 9 voters" in capsys.readouterr().out
    by_vote = ["compare", str(tmp_path / "named.csv"), "--units", "vote", "--format", "md"]
    assert main(by_vote) == 0 and "other voters" not in capsys.readouterr().out
    assert main(["compare", str(tmp_path / "arena.csv"), "--weights", "size"]) == 2
    assert "holds votes, which --weights says nothing about" in capsys.readouterr().err


def test_one_is_told_in_the_singular():
    three = pd.DataFrame({"model_a": "Ash", "model_b": "Elm", "winner": ["tie", "model_a", "tie"]})
    assert "1 pair of models was compared." in vote_sentences(bq.votes(three))
    silent = bq.votes(pd.concat([three.assign(voter=["x", "y", "z"]), three[:1]]))
    assert "1 vote names no voter; each such vote counts as one of its own." in silent.fit.notes
    with pytest.raises(ValueError, match="^1 vote is too few to speak of others; 3 are needed"):
        bq.votes(three[:1])
