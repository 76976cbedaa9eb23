"""The same suite on Dask workers, with the same bytes; needs the extra benchuq[dask]."""

import joblib
import pytest

from benchuq.running.run import run_cells


def test_dask_workers_give_the_same(make_suite, items_of, starts):
    distributed = pytest.importorskip("distributed")
    suite = make_suite()
    run_cells(suite, progress=False)
    expected = items_of(suite)
    other = make_suite(("seeds =", 'store = "other"\nseeds ='), name="other.toml")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster), joblib.parallel_config(backend="dask"):
            done = run_cells(other, progress=False)
            assert (len(done.done), done.failed, done.left) == (8, {}, [])
    assert items_of(other) == expected and len(starts()) == 16


def test_processes_give_the_same(make_suite, items_of, starts):
    suite = make_suite()
    run_cells(suite, progress=False)
    other = make_suite(("seeds =", 'store = "other"\nseeds ='), name="other.toml")
    with joblib.parallel_config(backend="loky", n_jobs=2):
        done = run_cells(other, progress=False)
    assert len(done.done) == 8 and items_of(other) == items_of(suite) and len(starts()) == 16
