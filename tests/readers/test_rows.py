"""Rows: what is refused."""

from pathlib import Path

import pytest

from benchuq.readers.read import read
from benchuq.readers.rows import read_runs
from benchuq.readers.runs import Options, Run


def test_two_rows_for_one_question_are_refused_with_both_places(rows, gathered, tmp_path):
    with pytest.raises(ValueError, match="item '1' appears twice: file 0, line 1 and file 1, line 2; keep one"):
        gathered(rows("A", ["1"], [1]), rows("A", ["2", "1"], [1, 1]))
    for folder in ("law", "art"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "A.csv").write_text("item,score\n1,1\n2,0\n")
    with pytest.raises(ValueError, match="if files or folders name tasks or models, give the tables columns task and"):
        read(tmp_path)


def test_runs_without_rows_are_refused(rows):
    empty = Run("A", "law", Path("a.csv"), lambda: iter([rows("A", [], [])]))
    with pytest.raises(ValueError, match="a.csv holds no scores"):
        read_runs([empty], Options())
