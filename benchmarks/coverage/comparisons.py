"""Two systems at a time: tests and effect sizes over the values of units; many pairs at once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import ndtr

from benchmarks.coverage.studies import Array, Covered, covers, study
from ireval_frames.stats.delong import area_interval, areas
from ireval_frames.stats.means.ratio_of_means import difference_of_ratios, ratio_of_means
from ireval_frames.stats.registry import find_effect, find_test
from ireval_frames.stats.sample import Options, Sample

DRAWS = 2000
SUBJECT = "Comparisons of two systems"


def sample_of(baseline: Array, system: Array) -> Sample:
    """Values of units × repetitions of either side as pairs of one sample."""
    rows, repetitions = max(len(baseline), len(system)), baseline.shape[1]
    values = np.full((rows, 2 * repetitions), np.nan)
    values[: len(baseline), ::2], values[: len(system), 1::2] = baseline, system
    return Sample(values, np.arange(2 * repetitions).reshape(-1, 2))


def of_test(
    sample: Sample, name: str, truth: float, of: str, sizes: str, nominal: float = 0.95, **more: object
) -> Covered:
    """The intervals of a test."""
    outcome = find_test(name).function(sample, Options(n_resamples=DRAWS, threads=1, more=dict(more)))
    arguments = ", ".join(f"{k}={v!r}" for k, v in more.items() if k not in ("label", "margin"))
    method = f"test={name!r}" + (f", {arguments}" if arguments else "")
    return Covered(method, of, sizes, covers(outcome.ci_low, outcome.ci_high, truth), nominal)


def estimated(sample: Sample, name: str, truth: float, sizes: str) -> Covered:
    """The intervals of an effect size."""
    _, low, high = find_effect(name).function(sample, Options(threads=1))
    return Covered(f"effect={name!r}", find_effect(name).description.rstrip("."), sizes, covers(low, high, truth))


@study(SUBJECT)
def same_units(repetitions: int, seed: int) -> Iterator[Covered]:
    """Normal values of both systems on the same units."""
    rng = np.random.default_rng([seed, 1])
    n, sizes = 25, "25 units"
    base = rng.normal(1.0, 1.0, (n, repetitions))
    new = 0.7 + 0.6 * base + rng.normal(0.0, 0.8, (n, repetitions))
    spread, shift = np.sqrt(0.16 + 0.64), 0.3
    sample = sample_of(base, new)
    z = shift / spread
    for name in ("t", "bayes", "bootstrap", "randomization"):
        yield of_test(sample, name, shift, "mean difference", sizes)
    for interval in ("percentile", "basic", "bca"):
        yield of_test(sample, "bootstrap", shift, "mean difference", sizes, interval=interval)
    yield of_test(sample, "wilcoxon", shift, "pseudo-median of differences", sizes)
    yield of_test(sample, "sign", shift, "median of differences", sizes)
    yield of_test(sample, "bayes-sign", 2 * ndtr(z) - 1, "P(better) − P(worse)", sizes)
    yield of_test(sample, "bayes-signed-rank", 2 * ndtr(np.sqrt(2) * z) - 1, "P(pair better) − P(pair worse)", sizes)
    yield of_test(sample, "equivalence", shift, "mean difference", sizes, 0.90, margin=0.5)
    yield of_test(sample, "non-inferiority", shift, "mean difference, one-sided", sizes, margin=0.5)
    effects = {
        "d_z": z,
        "g_z": z,
        "d_av": shift,
        "d_rm": z * np.sqrt(2 * (1 - 0.6)),
        "glass_delta": shift,
        "relative": shift,
        "ps_dep": ndtr(z),
        "rank_biserial": 2 * ndtr(np.sqrt(2) * z) - 1,
    }
    for name, truth in effects.items():
        yield estimated(sample, name, float(truth), sizes)


@study(SUBJECT)
def folds(repetitions: int, seed: int) -> Iterator[Covered]:
    """Differences of ten folds with overlapping training data, correlated by the share of test data."""
    rng = np.random.default_rng([seed, 2])
    shared = rng.normal(0.0, np.sqrt(0.1), repetitions)
    differences = 0.2 + shared + rng.normal(0.0, np.sqrt(0.9), (10, repetitions))
    sample = sample_of(np.zeros_like(differences), differences)
    for name in ("corrected-t", "bayes-correlated-t"):
        yield of_test(sample, name, 0.2, "mean difference", "10 folds", ratio=1 / 9)


@study(SUBJECT)
def other_units(repetitions: int, seed: int) -> Iterator[Covered]:
    """Normal values of different units."""
    rng = np.random.default_rng([seed, 3])
    sizes, shift = "20 and 30 units", 0.5
    same = sample_of(rng.normal(0.0, 1.0, (20, repetitions)), rng.normal(shift, 1.0, (30, repetitions)))
    for name in ("student", "welch", "permutation"):
        yield of_test(same, name, shift, "difference of means", sizes)
    above = float(ndtr(shift / np.sqrt(2)))
    yield of_test(same, "mann-whitney", shift, "shift", sizes)
    yield of_test(same, "brunner-munzel", above, "P(system higher)", sizes)
    for name, truth in {"cohen_d": shift, "hedges_g": shift, "ps": above, "cliff_delta": 2 * above - 1}.items():
        yield estimated(same, name, truth, sizes)
    spread = sample_of(rng.normal(0.0, 1.0, (20, repetitions)), rng.normal(shift, 2.0, (30, repetitions)))
    yield of_test(spread, "welch", shift, "difference of means", f"{sizes}, variances 1 and 4")
    wide = float(ndtr(shift / np.sqrt(5)))
    yield of_test(spread, "brunner-munzel", wide, "P(system higher)", f"{sizes}, variances 1 and 4")


@study(SUBJECT)
def right_or_wrong(repetitions: int, seed: int) -> Iterator[Covered]:
    """Items that are right or wrong, and scores of items of two classes."""
    rng = np.random.default_rng([seed, 4])
    hard = rng.random((60, repetitions))
    one, other = ((hard * 0.6 + 0.4 * rng.random((60, repetitions))) < p for p in (0.6, 0.5))
    generator = np.random.default_rng(0)
    draw = generator.random((2, 2_000_000))
    truth = np.mean((draw[0] * 0.6 + 0.4 * draw[1]) < 0.5) - np.mean((draw[0] * 0.6 + 0.4 * draw[1]) < 0.6)
    pair = sample_of(one.astype(np.float64), other.astype(np.float64))
    yield of_test(pair, "mcnemar", float(truth), "difference of shares right", "60 items")
    label = np.r_[np.ones(40), np.zeros(60)]
    shared = rng.normal(0.0, 0.5, (100, repetitions))
    scores = [shared + rng.normal(0.0, 0.8, shared.shape) + d * label[:, None] for d in (0.8, 1.2)]
    deviation = np.sqrt(2 * (0.25 + 0.64))
    truth = float(ndtr(1.2 / deviation) - ndtr(0.8 / deviation))
    yield of_test(sample_of(*scores), "delong", truth, "difference of areas", "40 and 60 items", label=label)
    area, covariance = areas(scores[0], label)
    errors = np.sqrt(np.diag(covariance))
    ends = area_interval(area, errors, np.full(repetitions, 60.0), np.full(repetitions, 40.0))
    one_area = float(ndtr(0.8 / deviation))
    yield Covered("systems(), ROCAUC", "area", "40 and 60 items", covers(*ends, one_area))


@study(SUBJECT)
def ratios(repetitions: int, seed: int) -> Iterator[Covered]:
    """Effects of an original and its replication on the same topics: their ratio, and the difference of ratios."""
    rng = np.random.default_rng([seed, 22])
    shared = 0.3 * rng.normal(size=(repetitions, 40, 1))
    values = np.array([1.0, 1.5, 2.0, 2.5]) + shared + 0.3 * rng.normal(size=(repetitions, 40, 4))
    inside: list[tuple[float, float]] = []
    for x, y, x2, y2 in values.transpose(0, 2, 1):
        ratio = ratio_of_means(x2, y, paired=True)
        difference = difference_of_ratios((x, y), (x2, y2), paired=True)
        inside.append((ratio.low <= 0.75 <= ratio.high, difference.low <= 0.25 <= difference.high))
    for name, hits in zip(("effect ratio", "ΔRI"), np.array(inside, dtype=np.float64).T, strict=True):
        yield Covered(f"reproduction, {name}", name, "40 topics", hits)
