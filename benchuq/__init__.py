"""How sure a benchmark result is: intervals, ranks and predictions with their uncertainty.

>>> import benchuq as bq
>>> bq.leaderboard("results.csv")

The verbs below take the path of a file or folder, a DataFrame, or results of `read`; each is
loaded when it is first used. The chapters hold the rest: `data`, `readers`, `comparison`,
`sampling`, `consensus`, `subgroups`, `selection`, `running`, `verdict` and `reporting`; a checkout
has `studies`, too, with what the reports of papers need beyond them.

Docstrings name their sources by these keys:

UQ
    R. Longjohn, G. Gopalan, E. Casleton (2025), Statistical uncertainty quantification for
    aggregate performance metrics in machine learning benchmarks.
slides
    G. Gopalan (2024), A statistical framework for benchmarking foundation models with
    uncertainty, DATAWorks.
EB
    R. Fogliato, P. Patil, N.-J. Akpinar, M. Monfort (2024), Precise model benchmarking with only a
    few observations.
EEVEE
    EEVEE and GATE (anonymous, 2024).
"""

from typing import Any

import lazy_loader

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def load_readers(given: Any) -> None:
    """Register what `data.door.as_results` turns into results; the door asks for it when a kind is
    new to it.
    """
    if isinstance(given, dict):
        from .readers import sides  # noqa: F401 (it registers a mapping of places)
    else:
        from .readers import read  # noqa: F401 (it registers paths and tables)
