"""Two small tasks for Inspect, answered by mock models that are right with a probability of their
own.
"""

import asyncio
import random

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import exact
from inspect_ai.solver import solver

CAPITALS = (
    "France Paris, Italy Rome, Norway Oslo, Peru Lima, Egypt Cairo, Japan Tokyo, Kenya "
    "Nairobi, Chile Santiago"
)
RIVERS = "Cairo Nile, Paris Seine, Rome Tiber, London Thames, Vienna Danube, Cologne Rhine"
ABILITY = {"mockllm/strong": 0.8, "mockllm/weak": 0.4}


@solver
def mock_answer(pause: float):
    "Answers right with the model's probability; the same in every run."

    async def solve(state, generate):
        await asyncio.sleep(pause)
        lucky = (
            random.Random(f"{state.model} {state.sample_id} {state.epoch}").random()
            < ABILITY[str(state.model)]
        )
        state.output = ModelOutput.from_content(
            str(state.model), state.target.text if lucky else "I do not know"
        )
        return state

    return solve


def questions(pairs: str, text: str, pause: float) -> Task:
    "A task from pairs of words."
    samples = [
        Sample(id=a, input=text.format(a), target=b) for a, b in map(str.split, pairs.split(", "))
    ]
    return Task(dataset=samples, solver=mock_answer(pause), scorer=exact())


@task
def capitals(pause: float = 0):
    return questions(CAPITALS, "What is the capital of {}?", pause)


@task
def rivers(pause: float = 0):
    return questions(RIVERS, "Which river flows through {}?", pause)
