"""All systems at once: intervals of all pairs, which hold together or one by one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.coverage.studies import Covered, held, study
from ireval_frames.stats.registry import find_test
from ireval_frames.stats.sample import Options, Sample

SUBJECT = "Comparisons of several systems"
TOGETHER = ("tukey", "dunnett", "maxt", "randomized-tukey", "nemenyi", "tukey-kramer", "games-howell")
APART = ("anova", "conover", "quade")


@study(SUBJECT)
def all_systems(repetitions: int, seed: int) -> Iterator[Covered]:
    """Four systems: of ranks without differences, whose ranks would have no simple truth."""
    rng = np.random.default_rng([seed, 5])
    every, versus = np.stack(np.triu_indices(4, 1), axis=1), np.array([[0, 1], [0, 2], [0, 3]])
    means = np.array([0.0, 0.2, 0.4, 0.4])
    options = Options(n_resamples=999, threads=1)
    found: dict[str, list[float]] = {name: [] for name in (*TOGETHER, *APART)}
    for _ in range(repetitions):
        alike = rng.normal(0.0, 1.0, (20, 4)) + rng.normal(0.0, 1.0, (20, 1))
        apart = np.full((80, 4), np.nan)
        for i in range(4):
            apart[20 * i : 20 * i + 20, i] = rng.normal(means[i], 1.0, 20)
        for name, kept in found.items():
            ranks, pairs = name in ("nemenyi", "conover", "quade"), versus if name == "dunnett" else every
            other = name in ("tukey-kramer", "games-howell")
            values = alike if ranks else apart if other else alike + means
            told = find_test(name).function(Sample(values, pairs), options)
            truth = 0.0 if ranks else means[pairs[:, 1]] - means[pairs[:, 0]]
            inside = held(told.ci_low, told.ci_high, truth)
            kept.append(float(inside.min() if name in TOGETHER else inside[0]))
    for name, kept in found.items():
        of = "differences of mean ranks" if name in ("nemenyi", "conover", "quade") else "differences of means"
        pairs = "all pairs with the baseline at once" if name == "dunnett" else "all pairs at once"
        units = "4 × 20 units" if name in ("tukey-kramer", "games-howell") else "20 units, 4 systems"
        yield Covered(f"test={name!r}", f"{of}, {pairs if name in TOGETHER else 'one pair'}", units, np.array(kept))
