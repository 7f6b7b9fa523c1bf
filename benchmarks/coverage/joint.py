"""Several systems: simultaneous intervals of all pairs, and intervals of single pairs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.coverage.studies import Covered, covers, study
from ireval_frames.stats.registry import find_test
from ireval_frames.stats.sample import Options, Sample

SUBJECT = "Comparisons of several systems"
SIMULTANEOUS = ("tukey", "dunnett", "maxt", "randomized-tukey", "nemenyi", "tukey-kramer", "games-howell")
SINGLE = ("anova", "conover", "quade")


@study(SUBJECT)
def all_systems(repetitions: int, seed: int) -> Iterator[Covered]:
    """Four systems; for ranks without differences, since differences of ranks have no simple true value."""
    rng = np.random.default_rng([seed, 5])
    every, versus = np.stack(np.triu_indices(4, 1), axis=1), np.array([[0, 1], [0, 2], [0, 3]])
    means = np.array([0.0, 0.2, 0.4, 0.4])
    options = Options(n_resamples=999, threads=1)
    hits_by_test: dict[str, list[float]] = {name: [] for name in (*SIMULTANEOUS, *SINGLE)}
    for _ in range(repetitions):
        same_units = rng.normal(0.0, 1.0, (20, 4)) + rng.normal(0.0, 1.0, (20, 1))
        different_units = np.full((80, 4), np.nan)
        for i in range(4):
            different_units[20 * i : 20 * i + 20, i] = rng.normal(means[i], 1.0, 20)
        for name, hits in hits_by_test.items():
            ranks, pairs = name in ("nemenyi", "conover", "quade"), versus if name == "dunnett" else every
            other = name in ("tukey-kramer", "games-howell")
            values = same_units if ranks else different_units if other else same_units + means
            outcome = find_test(name).function(Sample(values, pairs), options)
            truth = 0.0 if ranks else means[pairs[:, 1]] - means[pairs[:, 0]]
            inside = covers(outcome.ci_low, outcome.ci_high, truth)
            hits.append(float(inside.min() if name in SIMULTANEOUS else inside[0]))
    for name, hits in hits_by_test.items():
        of = "differences of mean ranks" if name in ("nemenyi", "conover", "quade") else "differences of means"
        pairs = "all pairs with the baseline at once" if name == "dunnett" else "all pairs at once"
        units = "4 × 20 units" if name in ("tukey-kramer", "games-howell") else "20 units, 4 systems"
        yield Covered(f"test={name!r}", f"{of}, {pairs if name in SIMULTANEOUS else 'one pair'}", units, np.array(hits))
