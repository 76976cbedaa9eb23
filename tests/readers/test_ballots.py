"""Votes are a format like the others."""

import pandas as pd
import pytest

import benchuq as bq
from benchuq.readers.ballots import read_ballots
from benchuq.reporting.command import main

VOTES = "model_a,model_b,winner\nAsh,Elm,model_a\nElm,Ash,tie\nAsh,Elm,model_a\n"


@pytest.fixture
def arena(tmp_path):
    """A file of three votes."""
    path = tmp_path / "arena.csv"
    path.write_text(VOTES)
    return path


def test_votes_are_read_as_a_table_that_votes_takes(arena):
    table = bq.read(arena)
    assert list(table.columns) == ["model_a", "model_b", "winner"] and len(table) == 3
    assert (table.attrs["format"], table.attrs["source"]) == ("votes", str(arena))
    assert list(bq.read(pd.read_csv(arena))["winner"]) == ["model_a", "tie", "model_a"]
    assert bq.read(arena.parent).equals(table)


def test_votes_are_no_results(arena):
    with pytest.raises(ValueError, match="these are votes between two models, which bq.votes"):
        bq.leaderboard(arena)
    with pytest.raises(ValueError, match="the baseline holds votes"):
        bq.check(arena, arena)


OF_RESULTS = (
    "agreement bayes bootstrap by_task compare complete components cost_per_success design "
    "difference_diagram empirical_bayes format_board format_tasks frontier kemeny leaderboard "
    "next_runs noise plot_pairs reliability scores select weight_map wins_strip"
)


@pytest.mark.parametrize("verb", OF_RESULTS.split())
def test_every_verb_of_results_refuses_votes_in_a_sentence(verb, arena):
    for votes in (arena, bq.read(arena)):
        with pytest.raises(ValueError, match="votes between two models, which bq.votes and"):
            getattr(bq, verb)(votes)
    for call in (lambda: bq.next_labels(arena, 5), lambda: bq.with_cost(bq.read(arena), [1, 2])):
        with pytest.raises(ValueError, match="votes between two models, which bq.votes and"):
            call()


@pytest.mark.parametrize("command", ["agreement", "components", "design", "convert"])
def test_commands_of_results_refuse_votes_in_a_sentence(command, arena, capsys):
    out = ["--out", str(arena.parent / "out")] if command == "convert" else []
    assert main([command, str(arena), *out]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "`benchuq compare` rank; what was asked for needs" in said


def test_options_of_tables_say_nothing_of_votes(arena, capsys):
    with pytest.raises(ValueError, match="arena.csv holds votes, which models says nothing about"):
        bq.read(arena, models="Ash")
    for option in (["--models", "Ash"], ["--n-items", "40"], ["--score", "pass^2"]):
        assert main(["compare", str(arena), *option, "--format", "csv"]) == 2
        assert f"holds votes, which {option[0]} says nothing" in capsys.readouterr().err


def test_two_files_of_votes_are_not_joined(arena):
    (arena.parent / "more.csv").write_text(VOTES)
    with pytest.raises(ValueError, match="both hold votes; read one, or join them"):
        bq.read(arena.parent)


@pytest.mark.parametrize("text", [b"PAR1xxxx\x40\0\0\0PAR1", b"PAR1", b"PAR1" + bytes(40)])
def test_a_damaged_parquet_file_is_named_with_status_2(text, tmp_path, capsys):
    pytest.importorskip("pyarrow")
    (tmp_path / "d.parquet").write_bytes(text)
    assert main(["compare", str(tmp_path / "d.parquet"), "--format", "csv"]) == 2
    said = capsys.readouterr().err
    assert "d.parquet" in said and said.count("\n") == 1


def test_what_is_neither_a_path_nor_a_frame_is_refused():
    with pytest.raises(ValueError, match="votes takes a path or a DataFrame of votes, not int"):
        bq.votes(17)


@pytest.mark.parametrize("column", ["winner", "preference", "vote", "outcome"])
@pytest.mark.parametrize("numbers", [[1, 0, 1], [0, 0, 0], [1, 1, 1], [1, 0, 0.5], [0, 1, 2]])
def test_numbers_that_may_be_an_index_are_refused_with_both_readings(numbers, column):
    votes = pd.DataFrame({"model_a": "Ash", "model_b": "Elm", column: numbers})
    both = r"1 may say that model_a won, or be the index of model_b \(0: model_a\); write model_a,"
    with pytest.raises(ValueError, match=f"column {column} holds numbers from .*{both}"):
        bq.votes(votes)


def test_zero_is_a_draw_among_preferences_of_numbered_outputs_alone():
    votes = pd.DataFrame({"generator_1": "Ash", "generator_2": "Elm", "preference": [1, 2, 0]})
    assert read_ballots(votes)[1]["share"].tolist() == [1, 0, 0.5]
    with pytest.raises(ValueError, match="or be the index of model_2"):
        read_ballots(votes.set_axis(["model_1", "model_2", "winner"], axis=1))


def test_a_file_of_numbers_that_may_be_an_index_is_refused(tmp_path, capsys):
    path = tmp_path / "arena.csv"
    path.write_text("model_a,model_b,winner\nAsh,Elm,0\nElm,Ash,1\nAsh,Elm,0\n")
    assert main(["compare", str(path), "--format", "csv"]) == 2
    said = capsys.readouterr().err
    assert "the index of model_b (0: model_a)" in said and said.count("\n") == 1


def shares_of(*winners):
    """Shares of the first model in votes between Ash and Elm."""
    votes = pd.DataFrame({"model_a": "Ash", "model_b": "Elm", "winner": winners})
    return read_ballots(votes)[1]["share"].tolist()


def test_signs_of_judges_are_read_as_they_are_meant():
    assert shares_of("[[A]]", "[[B]]", "[[C]]", "[[tie]]") == [1, 0, 0.5, 0.5]
    assert shares_of("A>B", "A>>B", "A=B", "B>A", "B>>A") == [1, 1, 0.5, 0, 0]
    assert shares_of("[[A>B]]", "[[A>>B]]", "[[A=B]]", "[[B > A]]") == [1, 1, 0.5, 0]
    assert shares_of("assistant_a", "Assistant B", "equal") == [1, 0, 0.5]


@pytest.mark.parametrize("sign", ["C", "A?B", "A B", ">", "[[A]] [[B]]"])
def test_signs_that_need_a_guess_are_no_winner(sign):
    with pytest.raises(ValueError, match="row 1: .* is no winner"):
        shares_of("A", sign)


def test_flags_of_the_first_model_alone_are_refused(tmp_path):
    path = tmp_path / "flags.csv"
    path.write_text("model_a,model_b,winner_model_a\nAsh,Elm,1\nElm,Ash,0\nAsh,Elm,0\n")
    with pytest.raises(ValueError, match="none winner_model_b"):
        bq.votes(path)
