"""The same tier on Dask workers, with the same bytes; needs the extra benchuq[dask]."""

import joblib
import pytest

from benchuq.running.run import RunOptions, run_tier


def test_dask_workers_give_the_same(make_tier, items_of, starts):
    distributed = pytest.importorskip("distributed")
    tier = make_tier()
    run_tier(tier, progress=False)
    expected = items_of(tier)
    other = make_tier(("seeds =", 'store = "other"\nseeds ='), name="other.toml")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster), joblib.parallel_config(backend="dask"):
            done = run_tier(other, progress=False)
            assert (len(done.done), done.failed, done.left) == (8, {}, [])
            with pytest.raises(ValueError, match="devices are those of this machine"):
                run_tier(
                    make_tier(("seeds = [0, 1]", "seeds = [7]")), options=RunOptions(devices=("0",)), progress=False
                )
    assert items_of(other) == expected and len(starts()) == 16


def test_processes_give_the_same(make_tier, items_of, starts):
    tier = make_tier()
    run_tier(tier, progress=False)
    other = make_tier(("seeds =", 'store = "other"\nseeds ='), name="other.toml")
    with joblib.parallel_config(backend="loky", n_jobs=2):
        done = run_tier(other, progress=False)
    assert len(done.done) == 8 and items_of(other) == items_of(tier) and len(starts()) == 16
