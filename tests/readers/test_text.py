"""Text of logs: broken JSON and wrong values are refused with their place."""

import json
import math

import pytest

from benchuq.readers import text

BROKEN = ('[{"a": 1}, {"a"', '[{"a": 1} {"a": 2}]', '[{"a": 1},]', "[", "[1]", '[{"a": 1}] more', "[" * 100_000)


@pytest.mark.parametrize("broken", BROKEN, ids=range(len(BROKEN)))
def test_broken_lists_are_refused(broken):
    with pytest.raises(ValueError, match="here"):
        list(text.read_list(broken.encode(), "here"))


def test_lists():
    whole = '[{"a": 1}, {"b": "x, y] é"} ,\n {"c": {"d": [1, 2]}}]'
    assert [r for _, r in text.read_list(b"\xef\xbb\xbf" + whole.encode(), "here")] == json.loads(whole)
    assert math.isnan(next(text.read_list(b'[{"a": NaN}]', "here"))[1]["a"])
    with pytest.raises(ValueError, match="here, record 2 is not UTF-8|here is not UTF-8"):
        list(text.read_list(b'[{"a": 1}, {"b": "\xff"}]', "here"))


@pytest.mark.parametrize("wrong", [2, -0.1, math.inf, "1", [1]])
def test_what_is_no_score_is_refused(wrong):
    with pytest.raises(ValueError, match="file, line 3: acc"):
        text.as_score(wrong, "acc", "file, line 3")
    assert text.as_score(True, "acc", "here") == 1 and math.isnan(text.as_score(None, "acc", "here"))


@pytest.mark.parametrize("wrong", [True, None, "", 1.5, [1]])
def test_what_names_nothing_is_refused(wrong):
    with pytest.raises(ValueError, match="line 3: id is .*, which names nothing"):
        text.get_name({"id": wrong}, "id", "line 3")
    assert text.get_name({"id": 7}, "id", "line 3") == "7"


def test_files_that_cannot_be_read(tmp_path):
    (tmp_path / "list.json").write_text("[1]")
    with pytest.raises(ValueError, match="holds no record but list"):
        text.read_record(tmp_path / "list.json")
    with pytest.raises(ValueError, match="line 1 holds no record but list"):
        list(text.read_lines(tmp_path / "list.json"))
    for path in (tmp_path, tmp_path / "missing.json"):
        with pytest.raises(ValueError, match="cannot read"):
            text.open_bytes(path)
    with pytest.raises(ValueError, match="here is not UTF-8 text"):
        text.decode(b"\xff", "here")
    with pytest.raises(ValueError, match="here is nested too deeply"):
        text.parse_json("[" * 100_000, "here")
