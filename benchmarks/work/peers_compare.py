"""Other tools' randomisation tests of one pair, on arrays and dictionaries that are made before."""

import importlib
from collections.abc import Callable

from benchmarks.work.values import values

Means = dict[str, float]


def scipy(systems: int, units: int, n_resamples: int) -> Callable[[], Means]:
    """permutation_test of paired samples."""
    stats, numpy = importlib.import_module("scipy.stats"), importlib.import_module("numpy")
    x = values(systems, units, 1)[0]

    def statistic(a: object, b: object, axis: int) -> object:
        return numpy.mean(a, axis=axis) - numpy.mean(b, axis=axis)

    def work() -> Means:
        result = stats.permutation_test(
            (x[:, 0], x[:, 1]), statistic, permutation_type="samples", n_resamples=n_resamples, vectorized=True, rng=1
        )
        return {"p": float(result.pvalue)}

    return work


def ranx(systems: int, units: int, n_resamples: int) -> Callable[[], Means]:
    """Its Fisher test of one pair, compiled before."""
    tests = importlib.import_module("ranx.statistical_tests.fisher_randomization_test")
    x = values(systems, units, 1)[0]
    one, other = x[:, 0].copy(), x[:, 1].copy()
    tests.fisher_randomization_test(one, other, 10, 0.01, 1)
    return lambda: {"p": float(tests.fisher_randomization_test(one, other, n_resamples, 0.01, 1)[0])}
