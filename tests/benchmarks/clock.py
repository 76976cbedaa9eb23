"""What the measurements here share: the time of a call, and time and memory of a command."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any


def timed(
    call: Callable, repeats: int = 3, clock: Callable = time.perf_counter
) -> tuple[float, Any]:
    "The least of several times, in seconds, and what the call returns."
    times = []
    for _ in range(repeats):
        start = clock()
        result = call()
        times.append(clock() - start)
    return min(times), result


def print_command(label: str, *words: object) -> None:
    """Run Python with these words; print its wall time, and processor time and peak memory of it
    alone.
    """
    start = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    said = process.stderr.read().decode().splitlines()
    _, status, usage = os.wait4(process.pid, 0)
    wall, cpu = time.perf_counter() - start, usage.ru_utime + usage.ru_stime
    end = f"  status {os.waitstatus_to_exitcode(status)} {' '.join(said[-1:])}" if status else ""
    print(
        f"{label:<46} {wall:7.1f} s wall {cpu:7.1f} s processor {usage.ru_maxrss / 2**20:6.2f} "
        f"GiB{end}",
        flush=True,
    )
