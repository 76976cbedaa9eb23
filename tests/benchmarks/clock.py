"""What the measurements here share: the time of a call."""

import time
from collections.abc import Callable
from typing import Any


def timed(call: Callable, repeats: int = 3, clock: Callable = time.perf_counter) -> tuple[float, Any]:
    "The least of several times, in seconds, and what the call returns."
    times = []
    for _ in range(repeats):
        start = clock()
        result = call()
        times.append(clock() - start)
    return min(times), result
