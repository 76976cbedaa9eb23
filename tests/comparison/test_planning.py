"""Plans: the textbook's formulas, and the numbers by which the rule of the page keeps its promise."""

import numpy as np
import pytest

from benchuq.comparison import planning
from benchuq.comparison.limits import difference_z


def test_required_items():
    one = planning.required_items(0.02, 0.02, 1000)
    assert one == pytest.approx(1000 * (1.96 + 0.841621) ** 2, rel=1e-6)
    assert planning.required_items(0.04, 0.02, 1000) == pytest.approx(one / 4)
    assert planning.required_items(0.0, 0.02, 1000) == np.inf
    assert planning.detectable_difference(0.02) == pytest.approx(0.02 * (1.96 + 0.841621), rel=1e-6)


def models(p, q, n, both=None):
    "What a plan takes, of `n` right-or-wrong answers; `both`: the share that both got right, None on other questions."
    first, second = ((x, x * (1 - x) / n, x, 1 / n) for x in (p, q))
    return first, second, 0.0 if both is None else (both - p * q) / n, both is not None


@pytest.mark.parametrize("both", [None, 0.7])
@pytest.mark.parametrize("critical", [1.96, 3.4])
@pytest.mark.parametrize("p, q", [(0.8, 0.72), (0.95, 0.75)])
def test_the_promise_is_kept(p, q, both, critical):
    """20,000 boards a setting, a standard error of .003: chance alone leads out of .76 to .84 in no run of 10,000."""
    n = int(np.ceil(20 * planning.required_factor(*models(p, q, 20, both), critical_value=critical)))
    rng = np.random.default_rng(1)
    if both is None:
        s, s2, shared = *(rng.binomial(n, x, 20_000) / n for x in (p, q)), 0.0
    else:
        cells = rng.multinomial(n, [both, p - both, q - both, 1 - p - q + both], 20_000) / n
        s, s2 = cells[:, 0] + cells[:, 1], cells[:, 0] + cells[:, 2]
        shared = (cells[:, 0] - s * s2) / (n - 1)
    seen = [(x, x * (1 - x) / (n - 1), x, 1 / n) for x in (s, s2)]
    found = np.mean((difference_z(*seen, shared, both is not None) > critical) & (s > s2))
    assert 0.76 < found < 0.84
    assert planning.smallest_difference(*models(p, q, n, both), critical_value=critical) == pytest.approx(
        p - q, rel=0.02
    )


def test_more_is_needed_for_more_power_more_models_and_few_clusters():
    pair = models(0.8, 0.75, 50)
    base = planning.required_factor(*pair)
    assert planning.required_factor(*pair, power=0.9) > base
    assert planning.required_factor(*pair, critical_value=3) > base
    few = [(s, v, m, 0.2) for s, v, m, _ in pair[:2]]  # the further item is a cluster of five
    assert planning.required_factor(*few) > base
    assert planning.required_items(0.05, np.sqrt((0.16 + 0.1875) / 50), 1) < base


def test_what_no_number_settles():
    assert planning.required_factor(*models(0.8, 0.8, 50)) == np.inf
    assert planning.required_factor(*models(0.8, 0.7999, 50), most=100) == np.inf
    few = planning.smallest_difference(*models(1.0, 1.0, 4, 1.0))
    assert few == np.inf  # four questions: the sign test gives .125 at best
    assert 0 < planning.smallest_difference(*models(1.0, 1.0, 40, 1.0)) < 0.4


@pytest.mark.parametrize("power", [0, 1, 80])
def test_a_power_that_is_none(power):
    for call in (
        lambda: planning.required_items(0.1, 0.1, 10, power=power),
        lambda: planning.detectable_difference(0.1, power=power),
        lambda: planning.required_factor(*models(0.8, 0.7, 9), power=power),
        lambda: planning.smallest_difference(*models(0.8, 0.7, 9), power=power),
    ):
        with pytest.raises(ValueError, match="80 % is 0.8"):
            call()
