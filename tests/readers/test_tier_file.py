"""Tier files: what is accepted, and one line with the entry for whatever is wrong."""

import pytest

from benchuq.readers.tier_file import fill, load_tier, places_in

RIGHT = """
store = "results"
seeds = [0, 1]
[recipes.probe]
command = ["{python}", "probe.py", "{encoder}", "{lr}", "{flags}", "{benchmark}", "{seed}", "{out}"]
uses = ["probe.py"]
env = {OMP_NUM_THREADS = "1"}
pass = ["HF_TOKEN"]
timeout = 2
memory = 16.5
when.vision.lr = 0.1
when.text.lr = 0.01
[models.clip]
kind = "vision"
takes = ["image"]
encoder = "clip-vit"
flags = ["--half", "--batch=8"]
[models.bert]
kind = "text"
encoder = "bert"
flags = []
[benchmarks.digits]
recipe = "probe"
group = "image"
cost = 0.02
items = 450
needs = ["image"]
[benchmarks.words]
recipe = "probe"
[tiers]
small = ["digits"]
"""


@pytest.fixture
def made(tmp_path):
    """Function that reads a tier file with this text."""
    (tmp_path / "probe.py").write_text("")

    def read(text):
        (tmp_path / "tier.toml").write_text(text)
        return load_tier(tmp_path / "tier.toml")

    return read


def test_a_whole_file(made, tmp_path):
    tier = made(RIGHT)
    assert tier.store == tmp_path / "results" and tier.seeds == (0, 1) and tier.folder == tmp_path
    assert tier.recipes["probe"].secrets == ("HF_TOKEN",) and tier.recipes["probe"].memory == 16.5
    assert tier.models["clip"].values == {"encoder": "clip-vit", "flags": ("--half", "--batch=8")}
    assert tier.benchmarks["digits"].items == 450 and tier.benchmarks["words"].cost is None
    assert [tier.fits(m, "digits") for m in tier.models] == [True, False]
    assert tier.choose("small", "clip") == (["digits"], ["clip"])
    with pytest.raises(ValueError, match="unknown tier 'large'; there are"):
        tier.choose("large")
    with pytest.raises(ValueError, match="unknown models \\['gpt'\\]"):
        tier.choose(None, ["gpt"])


def test_places():
    assert places_in(["{a}", "x={b}", "{{c}}", '{"d": 1}']) == {"a", "b"}
    assert fill("x={b}/{{b}}", {"b": 1}) == ("x=1/{b}",)
    assert fill("{b}", {"b": ("1", "2")}) == ("1", "2")


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("[recipes.probe]", "[recipes.probe", "is no valid TOML: .*line 4"),
        ('command = ["{python}", "probe.py", ', 'command = "python probe.py" #', "recipes.probe.command is one text"),
        ('"{python}", ', "3, ", "recipes.probe.command must be a list of words"),
        ("timeout = 2", "timout = 2", "recipes.probe.timout is no setting of a recipe; there are command"),
        ("timeout = 2", "timeout = -1", "recipes.probe.timeout must be a positive number, got -1"),
        ("timeout = 2", "timeout = true", "recipes.probe.timeout must be a positive number, got True"),
        ("timeout = 2", "timeout = nan", "recipes.probe.timeout must be a positive number, got nan"),
        ("items = 450", "items = 4.5", "benchmarks.digits.items must be a whole number"),
        ('uses = ["probe.py"]', 'uses = ["prob.py"]', "recipes.probe.uses names prob.py, which is not in"),
        (
            'pass = ["HF_TOKEN"]',
            'pass = ["hf_abcdef-12"]',
            "names of environment variables, not their values; got 'hf_'",
        ),
        ('pass = ["HF_TOKEN"]', 'pass = ["OMP_NUM_THREADS"]', "both name OMP_NUM_THREADS"),
        ('encoder = "bert"', "", "nothing fills {encoder} for model bert on words; give it in models.bert"),
        ("when.text.lr = 0.01", "", "nothing fills {lr} for model bert on words"),
        ("cost = 0.02", 'cost = 0.02\nencoder = "x"', "{encoder} is filled by benchmarks.digits and by models.clip"),
        ("cost = 0.02", 'cost = 0.02\nseed = "x"', "{seed} is filled by what is always given and by benchmarks.digits"),
        (
            "cost = 0.02",
            "cots = 0.02",
            "benchmarks.digits.cots fills no place of a command; settings are recipe, group",
        ),
        ('"{flags}"', '"a={flags}"', "models.clip.flags is a list, but {flags} is only a part of a word"),
        ('recipe = "probe"', "", "benchmarks.digits has no recipe"),
        ('recipe = "probe"', 'recipe = "prob"', "benchmarks.digits.recipe is 'prob'; there are \\['probe'\\]"),
        ("[models.bert]", '[models."a/b"]', "models.'a/b' is no name"),
        ("[models.bert]", '[models.".."]', "is no name"),
        ("[models.bert]", "[models.CLIP]", "models.CLIP differs from models.clip only in case"),
        ("seeds = [0, 1]", "seeds = [0, 0]", "seeds must be a list of different whole numbers"),
        ("{seed}", "{{seed}}", "recipes.probe does not use {seed}, but there are 2 seeds"),
        ("{out}", "out", "recipes.probe.command does not use {out}"),
        ('small = ["digits"]', 'small = ["digit"]', "tiers.small names 'digit', which is no benchmark"),
        ('store = "results"', 'stor = "results"', "stor is no setting of a tier file"),
        ('uses = ["probe.py"]', 'version = ["x", "{seed}"]', "recipes.probe.version uses {seed}"),
        ("flags = []", "flags = [[1]]", "models.bert.flags is nested"),
    ],
)
def test_what_is_wrong_is_named(made, old, new, said):
    assert old in RIGHT
    with pytest.raises(ValueError, match=said) as error:
        made(RIGHT.replace(old, new) if old == "{seed}" else RIGHT.replace(old, new, 1))
    assert "tier.toml" in str(error.value) and "\n" not in str(error.value)


def test_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(ValueError, match="cannot read .*none.toml: No such file"):
        load_tier(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_bytes(b"a = '\xff'")
    with pytest.raises(ValueError, match="is no valid TOML"):
        load_tier(tmp_path / "bad.toml")
    (tmp_path / "empty.toml").write_text("")
    with pytest.raises(ValueError, match=r"\[recipes.NAME\] is missing"):
        load_tier(tmp_path / "empty.toml")
