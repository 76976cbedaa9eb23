"""Random streams by name."""

import numpy as np

from benchuq.streams import seed_from, stream


def test_a_stream_depends_on_seed_and_name_only():
    assert (stream(1, "A").random(5) == stream(1, "A").random(5)).all()
    assert (stream(1, "A").random(5) != stream(1, "B").random(5)).all()
    assert (stream(1, "A").random(5) != stream(2, "A").random(5)).all()


def test_a_seed_comes_from_anything_default_rng_takes():
    assert seed_from(3) == seed_from(np.random.default_rng(3)) and 0 <= seed_from(3, bits=31) < 2**31
    assert seed_from() != seed_from()
    rng = np.random.default_rng(1)
    assert seed_from(rng) != seed_from(rng)
