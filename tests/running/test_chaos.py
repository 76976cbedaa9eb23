"""A short round of chaos; `python tests/faults/chaos.py` is the long one."""

import importlib.util
from pathlib import Path


def test_a_few_kills():
    spec = importlib.util.spec_from_file_location("chaos", Path(__file__).parents[1] / "faults" / "chaos.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    summary = module.chaos(12, 4, seed=3)
    assert module.is_clean(summary), summary
