"Columns of raters, prompts, seeds and folds become facets of the answers."

import numpy as np
import pandas as pd
import pytest

import benchuq as bq
import benchuq.data.door
from benchuq.data.facets import answers_of, facet_doubts, facets_beside
from benchuq.data.results import from_items


def ratings(*facets: str) -> pd.DataFrame:
    "A table of two models, five questions and two levels of each facet."
    names = ["model", "question_id", *facets]
    levels = [["gpt-4", "llama-3"], range(5), *([1, 2] for _ in facets)]
    table = pd.MultiIndex.from_product(levels, names=names).to_frame(index=False)
    return table.assign(correct=np.random.default_rng(1).integers(0, 2, len(table)))


@pytest.mark.parametrize(
    "columns, facets",
    [
        (["annotator"], ["rater"]),
        (["annotator", "prompt template"], ["template", "rater"]),
        (["grader", "seed"], ["repeat", "judge"]),
        (["seed", "fold"], ["seed", "fold"]),
        (["trial", "expert"], ["repeat", "rater"]),
    ],
)
def test_columns_of_facets_are_read_by_their_names(columns, facets):
    results = bq.read(ratings(*columns))
    answers = answers_of(results)
    assert answers.facets == facets
    assert len(answers.score) == 2 * 5 * 2 ** len(columns)
    mean = ratings(*columns).groupby(["model", "question_id"])["correct"].mean()
    assert np.allclose(results["score"].values.ravel(), mean)


def test_a_language_is_a_facet_when_the_caller_says_so():
    results = bq.read(ratings("lang"), columns={"language": ["lang"]})
    assert answers_of(results).facets == ["language"]


def test_memory_grows_with_the_answers_and_not_with_the_levels():
    rater = np.arange(600)  # each of one answer
    table = pd.DataFrame({"model": np.repeat(["A", "B"], 300), "item": np.tile(range(300), 2)})
    results = from_items(table.assign(task="t", rater=rater, score=0.5))
    assert results.nbytes < 100 * len(table)


def test_two_answers_of_one_rater_are_refused():
    table = pd.concat([ratings("rater"), ratings("rater").head(1)])
    table = table.rename(columns={"question_id": "item", "correct": "score"}).assign(task="t")
    with pytest.raises(ValueError, match="more than once"):
        from_items(table)


def test_errors_of_raters_are_turned_with_the_scores():
    table = ratings("rater").rename(columns={"correct": "error"})
    results = bq.read(table, columns={"error": ["error"]}, accept=True)
    board = bq.data.door.as_shares(results)
    mean = pd.Series(board["answer_score"].values).groupby(board["answer_model"].values).mean()
    assert np.allclose(mean[board["model"].values], board["score"].mean("item"))


def test_a_numbered_task_of_agents_is_an_item_with_one_run_and_with_several():
    table = ratings("trial").rename(columns={"question_id": "task_id", "correct": "reward"})
    for runs in (table, table[table["trial"] == 1]):
        assert bq.read(runs).sizes["item"] == 5


def test_a_model_without_some_raters_is_named():
    table = ratings("rater")
    lacks = (table["model"] == "gpt-4") & (table["rater"] == 2)
    (doubt,) = facet_doubts(answers_of(bq.read(table[~lacks])))
    assert doubt.startswith("gpt-4 has answers of 1 of the 2 raters, so models are not compared")


@pytest.mark.parametrize("word", ["prompt", "prompt_id", "system prompt"])
def test_prompts_that_questions_share_are_templates_and_texts_of_questions_are_not(word):
    results = bq.read(ratings(word))
    assert answers_of(results).facets == ["template"] and results.sizes["item"] == 5
    table = ratings("seed")
    texts = bq.read(table.assign(**{word: "What is " + table["question_id"].astype(str)}))
    assert "repeat: seed" in " ".join(texts.attrs["notes"]) and "template" not in texts.coords


def test_prompts_that_each_question_has_for_itself_are_shown():
    table = ratings("prompt")
    table["prompt"] = table["question_id"].astype(str) + " in words " + table["prompt"].astype(str)
    with pytest.raises(bq.Unsure, match="prompt names the prompts"):
        bq.read(table)
    assert answers_of(bq.read(table, accept=True)).facets == ["template"]
    with_runs = table.assign(trial=table.groupby(["model", "question_id"]).cumcount())
    runs = bq.read(with_runs)  # a text that varies is no prompt then
    assert "repeat: trial" in " ".join(runs.attrs["notes"]) and "template" not in runs.coords


def test_prompts_beside_an_id_leave_the_id_the_item():
    results = bq.read(ratings("prompt").rename(columns={"question_id": "id"}))
    assert results.sizes["item"] == 5 and answers_of(results).facets == ["template"]


def test_languages_of_the_same_questions_are_shown_and_may_be_tasks():
    table = ratings("language").replace({"language": {1: "German", 2: "French"}})
    with pytest.raises(bq.Unsure, match="not tasks") as shown:
        bq.read(table)
    assert "columns={'task': ['language']}" in str(shown.value)
    assert answers_of(bq.read(table, accept=True)).facets == ["language"]
    tasks = bq.read(table, columns={"task": ["language"]})
    assert set(tasks["task"].values) == {"German", "French"}


def test_a_language_or_topic_of_questions_is_no_category_of_tasks():
    table = ratings("seed").assign(task="quiz")
    table["language"] = np.where(table["question_id"] < 2, "German", "French")
    results = bq.read(table)
    assert "category" not in results.coords and "language" not in results.coords


def test_what_is_said_of_raters_within_questions_and_of_judges_that_go_with_raters():
    table = ratings("rater").assign(
        rater=lambda t: t["question_id"].astype(str) + t["rater"].astype(str)
    )
    own = bq.leaderboard(table)
    assert facets_beside(bq.read(table), "item") == [] and len(own) == 2
    twins = ratings("rater").assign(judge=lambda t: "J" + t["rater"].astype(str))
    assert facets_beside(bq.read(twins), "item") == ["rater", "judge"]
    assert facets_beside(bq.read(twins), "item,rater") == ["rater"]


def test_a_prompt_among_the_units_is_the_template():
    results = bq.read(ratings("template"))
    with pytest.raises(ValueError, match="3 are needed to speak of other prompts"):
        bq.leaderboard(results, units=["item", "prompt"])
