"""An evaluation that ends when the verdict is in."""

import asyncio
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from benchuq import BenchuqStop


def answered(stop, scores):
    """Feed scores by id to `stop` as Inspect does; returns the ids that were asked."""

    async def run():
        await stop.start_task(None, [SimpleNamespace(id=k) for k in scores], 1)
        asked = []
        for k, value in scores.items():
            if await stop.schedule_sample(k, 1):
                break
            asked.append(k)
            await stop.complete_sample(k, 1, {"match": SimpleNamespace(score=SimpleNamespace(value=value))})
        return asked, await stop.complete_task()

    return asyncio.run(run())


def test_it_stops_when_the_verdict_is_in_and_not_before_30():
    pytest.importorskip("inspect_ai")
    before = {k: 1.0 for k in range(300)}
    stop = BenchuqStop(before, 0.02)
    asked, told = answered(stop, {k: "I" if k % 3 == 0 else "C" for k in range(300)})
    assert stop.verdict == told["verdict"] == "worse" and 30 <= len(asked) == stop.n_items < 100
    same = BenchuqStop(pd.Series(before), 0.2)
    asked, told = answered(same, dict.fromkeys(range(300), "C"))
    assert same.verdict == "not worse" and 30 <= len(asked) < 100


def test_a_real_run_of_inspect_is_stopped(tmp_path):
    inspect_ai = pytest.importorskip("inspect_ai")
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.scorer import match

    n = 120
    answers = [ModelOutput.from_content("mockllm/model", "yes" if k % 3 else "no") for k in range(n)]
    for answer in answers:
        answer.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # nothing is left to be counted
    model = get_model("mockllm/model", custom_outputs=answers)
    samples = [Sample(input="Is it?", target="yes", id=k) for k in range(n)]
    stop = BenchuqStop(dict.fromkeys(range(n), 1.0), 0.02)
    task = inspect_ai.Task(dataset=samples, scorer=match(), early_stopping=stop)
    log = inspect_ai.eval(task, model=model, log_dir=str(tmp_path), max_samples=1, display="none")[0]
    assert log.status == "success", log.error
    assert stop.verdict == "worse"
    assert len(log.samples) == stop.n_items < n and log.results.early_stopping.metadata["verdict"] == "worse"


def test_bad_input():
    with pytest.raises(ValueError, match="margin must lie"):
        BenchuqStop({1: 1.0}, 2)
    with pytest.raises(ValueError, match="none of these samples"):
        answered(BenchuqStop({"x": 1.0}), {"a": 1.0})
    assert BenchuqStop({"a": np.nan, "b": 1.0}).baseline == {"b": 1.0}
