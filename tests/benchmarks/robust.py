"""Times of robust critical values: `python tests/benchmarks/robust.py`.

Beside the vectorised search, in the same run: one call for each group, and a general-purpose way, the linear
programme on 1,000 support points inside a root search, for a single group.
"""

import numpy as np
import pandas as pd
from clock import timed
from scipy.optimize import brentq, linprog

from benchuq.subgroups.robust import critical_value, _miss_probability


def by_programme(m2, kappa, level=0.95, n=1000):
    def excess(chi):
        t = np.unique(np.append(np.linspace(0, chi + 8, n) ** 2, m2))
        A, b = np.vstack([np.ones_like(t), t / m2]), [1, 1]
        fit = linprog(-_miss_probability(t, chi), A_eq=A, b_eq=b, A_ub=t[None] ** 2 / (kappa * m2**2), b_ub=[1])
        return -fit.fun - (1 - level)

    return brentq(excess, 1.5, np.sqrt((1 + m2) / (1 - level)), xtol=1e-4)


m2 = np.geomspace(1e-3, 100, 595)
critical_value(1.0, 3)
calls = {
    "595 groups, kappa 3": lambda: critical_value(m2, 3),
    "595 groups, kappa 778": lambda: critical_value(m2, 778),
    "595 groups, any kappa": lambda: critical_value(m2),
    "595 calls of one group, kappa 3": lambda: [critical_value(x, 3) for x in m2],
    "one group, kappa 3": lambda: critical_value(1.234, 3),
    "one group by linear programming": lambda: by_programme(1.234, 3),
}
table = pd.Series({name: timed(call)[0] for name, call in calls.items()}).to_frame("seconds")
table["times as long as 595 groups, kappa 3"] = table["seconds"] / table["seconds"].iloc[0]
print(table.round(4).to_string())
