"""How sure a benchmark result is: intervals, ranks and predictions with their uncertainty.

>>> import benchuq as bq
>>> bq.leaderboard(bq.load("vtab"))

The names below are all that most uses need; each is loaded when first used. The chapters hold the rest: `data`,
`readers`, `sampling`, `comparison`, `consensus`, `subgroups`, `selection`, `running` and `reporting`; a checkout has
`studies`, too, with what the reports of papers need beyond them.

Docstrings name their sources by these keys:

UQ
    R. Longjohn, G. Gopalan, E. Casleton (2025), Statistical uncertainty quantification for aggregate performance
    metrics in machine learning benchmarks.
slides
    G. Gopalan (2024), A statistical framework for benchmarking foundation models with uncertainty, DATAWorks.
EB
    R. Fogliato, P. Patil, N.-J. Akpinar, M. Monfort (2024), Precise model benchmarking with only a few observations.
EEVEE
    EEVEE and GATE (anonymous, 2024).
"""

import lazy_loader

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
