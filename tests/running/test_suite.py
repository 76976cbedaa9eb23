"""Suite files: what is accepted, and one line with the entry for whatever is wrong."""

import pytest

from benchuq.running.suite import as_hours, choose_from, duration, load_suite

RIGHT = """
store = "results"
seeds = [0, 1]
[recipes.probe]
command = ["{python}", "probe.py", "{encoder}", "{lr}", "{flags}", "{benchmark}", "{seed}", "{out}"]
uses = ["probe.py"]
env = {OMP_NUM_THREADS = "1"}
pass = ["HF_TOKEN"]
timeout = "2h"
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
    """Function that reads a suite file with this text."""
    (tmp_path / "probe.py").write_text("")

    def read(text):
        (tmp_path / "suite.toml").write_text(text)
        return load_suite(tmp_path / "suite.toml")

    return read


def test_a_whole_file(made, tmp_path):
    suite = made(RIGHT)
    assert (
        suite.store == tmp_path / "results" and suite.seeds == (0, 1) and suite.folder == tmp_path
    )
    assert suite.recipes["probe"].secrets == ("HF_TOKEN",) and suite.recipes["probe"].memory == 16.5
    assert suite.recipes["probe"].timeout == 2 and suite.recipe_of("words").when["text"] == {
        "lr": 0.01
    }
    assert suite.models["clip"].values == {"encoder": "clip-vit", "flags": ["--half", "--batch=8"]}
    assert suite.benchmarks["digits"].items == 450 and suite.benchmarks["words"].cost is None
    assert suite.pairs(fit=False) == [("bert", "digits")] and len(suite.pairs(fit=True)) == 3
    assert choose_from(suite, "small", "clip") == (["digits"], ["clip"])
    with pytest.raises(ValueError, match="unknown tier 'large'; there are"):
        choose_from(suite, "large")
    with pytest.raises(ValueError, match="unknown models \\['gpt'\\]"):
        choose_from(suite, None, ["gpt"])


def test_places_and_times(made):
    suite = made(
        RIGHT.replace('"{benchmark}"', '"b={benchmark}/{{b}}"').replace('"1"}', '"{seed}"}')
    )
    words, env = suite.command_of("clip", "digits", 1)
    assert words[2:] == ("clip-vit", "0.1", "--half", "--batch=8", "b=digits/{b}", "1", "{out}")
    assert words[0] == "{python}" and env == {"OMP_NUM_THREADS": "1"}
    assert suite.command_of("bert", "words", 0)[0][3:5] == ("0.01", "b=words/{b}")
    times = ["10m", "90s", "1h30m", "1h 30m", "2d", 0.5, "inf"]
    assert [as_hours(t) for t in times] == pytest.approx(
        [1 / 6, 0.025, 1.5, 1.5, 48, 0.5, float("inf")]
    )
    for text in ("", "10 min", "1h30", "h", "0", -1, "nan", "m10", "1h1x"):
        with pytest.raises(ValueError, match="is not understood"):
            as_hours(text)
    assert [duration(h) for h in (None, 3.21, 0.25, 1 / 720)] == [
        "unknown",
        "3.2 hours",
        "15 min",
        "5 s",
    ]


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("[recipes.probe]", "[recipes.probe", "is no valid TOML: .*line 4"),
        (
            'command = ["{python}", "probe.py", ',
            'command = "python probe.py" #',
            "recipes.probe.command is one text",
        ),
        ('"{python}", ', "3, ", r"recipes.probe.command\[0\]: Expected `str`, got `int`"),
        (
            'timeout = "2h"',
            "timout = 2",
            "recipes.probe: Object contains unknown field `timout`; settings are command",
        ),
        (
            'timeout = "2h"',
            "timeout = -1",
            "recipes.probe: timeout -1.0 is not understood; give hours above 0",
        ),
        (
            'uses = ["probe.py"]',
            'uses = ["prob.py"]',
            "recipes.probe.uses names prob.py, which is not in",
        ),
        (
            'pass = ["HF_TOKEN"]',
            'pass = ["hf_a-1"]',
            r"recipes.probe.pass\[0\]: Expected `str` matching regex",
        ),
        ('pass = ["HF_TOKEN"]', 'pass = ["OMP_NUM_THREADS"]', "both name OMP_NUM_THREADS"),
        (
            'encoder = "bert"',
            "",
            "nothing fills {encoder} for model bert on words; give it in models.bert",
        ),
        (
            "cost = 0.02",
            'cost = 0.02\nencoder = "x"',
            "{encoder} is filled by benchmarks.digits and by models.clip",
        ),
        (
            "cost = 0.02",
            "cots = 0.02",
            "benchmarks.digits.cots fills no place of a command; settings are recipe",
        ),
        (
            '"{flags}"',
            '"a={flags}"',
            "{flags} is filled by a list, but is only a part of 'a={flags}'",
        ),
        (
            'recipe = "probe"',
            'recipe = "prob"',
            "benchmarks.digits.recipe is 'prob'; there are \\['probe'\\]",
        ),
        ("[models.bert]", '[models."a/b"]', "models.'a/b' is no name"),
        ("[models.bert]", "[models.CLIP]", "models.CLIP differs from models.clip only in case"),
        ("seeds = [0, 1]", "seeds = [0, 0]", "seeds must be different, got"),
        ("{seed}", "{{seed}}", "recipes.probe does not use {seed}, but there are 2 seeds"),
        ("{out}", "out", "recipes.probe.command does not use {out}"),
        (
            'small = ["digits"]',
            'small = ["digit"]',
            "tiers.small names 'digit', which is no benchmark",
        ),
        (
            'store = "results"',
            'stor = "results"',
            "Object contains unknown field `stor`; settings are recipes, models",
        ),
        ("flags = []", "flags = [[1]]", "models.bert.flags fills a place, so it must be a text"),
    ],
)
def test_what_is_wrong_is_named(made, old, new, said):
    assert old in RIGHT
    with pytest.raises(ValueError, match=said) as error:
        made(RIGHT.replace(old, new) if old == "{seed}" else RIGHT.replace(old, new, 1))
    assert "suite.toml" in str(error.value) and "\n" not in str(error.value)


def test_a_file_that_cannot_be_read(tmp_path):
    (tmp_path / "suite.toml").write_bytes(b"a = '\xff'")
    for name, said in (
        ("suite.toml", "is no valid TOML"),
        ("none.toml", "cannot read .*none.toml"),
    ):
        with pytest.raises(ValueError, match=said):
            load_suite(tmp_path / name)
