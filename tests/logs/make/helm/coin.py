"""A client for HELM that answers A or B, or Even or Odd, by a coin fixed by the model's name and
the prompt.
"""

import math
import random
from dataclasses import replace

from helm.clients.simple_client import SimpleClient


class CoinClient(SimpleClient):
    def invoke_model(self, raw_request):
        rng = random.Random(raw_request["engine"] + raw_request["prompt"])
        sides = ["A", "B"] if "\nB. " in raw_request["prompt"] else ["Even", "Odd"]
        rng.shuffle(sides)
        return {"completions": sides}

    def make_request(self, request):
        result = super().make_request(request)
        likelihood = random.Random(request.prompt + request.model_engine + "likelihood").uniform(
            0.5, 1
        )
        weights = [math.log(likelihood), math.log(1 - likelihood)]
        return replace(
            result, completions=[replace(c, logprob=w) for c, w in zip(result.completions, weights)]
        )
