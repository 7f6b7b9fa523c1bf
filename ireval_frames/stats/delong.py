"""Areas under ROC curves of several systems' scores of the same items, their covariance, and DeLong's test."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ireval_frames.errors import Argument, Hint, InvalidParameter, InvalidValue
from ireval_frames.parameters import Parameter
from ireval_frames.stats.distributions.tails import p_of_z, z_interval
from ireval_frames.stats.moments import BLOCK, row_moments
from ireval_frames.stats.proportions.intervals import wilson_of_area
from ireval_frames.stats.ranks.placements import placements
from ireval_frames.stats.registry import significance_test
from ireval_frames.stats.sample import Array, Options, Outcome, Sample


@significance_test(
    "delong",
    reads={"label": Parameter(None, "1 for positive and 0 for negative items", lambda label: label)},
    effect="",
    statistic="z: difference of the areas over its standard error",
    source="DeLong, DeLong and Clarke-Pearson, Biometrics 1988; Sun and Xu, IEEE Signal Processing Letters 2014",
)
def delong(sample: Sample, options: Options) -> Outcome:
    """DeLong: whether two systems' scores of the same items have one area under the ROC curve.

    z = (A₁ − A₀) / √Var, Var the variance of the differences of both systems' placements over the number of positive
    items, plus that over the number of negative items.

    Args:
        sample: scores of items by system, higher for the positive class; a pair is compared on the items that both
            have scored.
        options: alternative and confidence; `label`: 1 for positive and 0 for negative items, in the order of units.

    Returns:
        z and p.  All numbers of the pair are of the areas, and none of the scores: `mean_baseline` and `mean` are the
        areas, `difference` and the estimate that of the areas, with its interval and its standard error `se`; the areas
        are `area_baseline` and `area`, too, and there are no wins of units.  Equal placements of all items give p = 1
        (status "identical"); other areas that do not vary no p ("undefined"); fewer than two items of a class no test
        ("too_few").

    Raises:
        InvalidParameter: there is no `label`, or not one for each item.
        InvalidValue: a label is neither 0 nor 1.

    Source: DeLong, DeLong and Clarke-Pearson, Biometrics 1988; Sun and Xu, IEEE Signal Processing Letters 2014.

    Example:
        >>> values = np.array([[0.1, 0.2], [0.4, 0.3], [0.35, 0.6], [0.8, 0.7], [0.3, 0.9]])
        >>> found = delong(Sample(values, np.array([[0, 1]])), Options(more={"label": [0, 0, 1, 1, 1]}))
        >>> found.estimate.round(4).tolist(), found.p_value.round(4).tolist()
        ([0.3333], [0.3711])
    """
    positive = _labels(options.more["label"], len(sample.values))
    out = Outcome.empty(sample.n_pairs)
    out.estimate, out.more["se"] = np.full(sample.n_pairs, np.nan), np.full(sample.n_pairs, np.nan)
    out.more |= {name: np.full(sample.n_pairs, np.nan) for name in ("area_baseline", "area")}
    systems = np.ascontiguousarray(sample.values.T)
    complete = not np.isnan(systems).any()
    covariances = placements(systems[:, ~positive], systems[:, positive]) if complete else None
    step = max(1, BLOCK // max(1, len(positive)))
    for start in range(0, sample.n_pairs, step):
        some = slice(start, start + step)
        pairs = sample.pairs[some]
        if covariances is not None:
            classes = [(covariances.above[pairs[:, side]], covariances.below[pairs[:, side]]) for side in (0, 1)]
            units = np.full(len(pairs), len(positive))
        else:
            alone = np.isnan(systems[pairs]).any(axis=1)
            units = np.count_nonzero(~alone, axis=1)
            both = (np.where(alone, np.nan, systems[pairs[:, side]]) for side in (0, 1))
            classes = [(p.above, p.below) for p in (placements(x[:, ~positive], x[:, positive]) for x in both)]
        (above0, below0), (above1, below1) = classes
        n_negative, _, of_negative = row_moments(above1 - above0)
        n_positive, change, of_positive = row_moments(below1 - below0)
        few = np.minimum(n_negative, n_positive) < 2
        with np.errstate(invalid="ignore", divide="ignore"):
            # What is rounding of means of placements, which are in 0 … 1.
            change = np.where(np.abs(change) < 1e-14, 0.0, change)
            se = np.sqrt(of_negative / n_negative + of_positive / n_positive)
            se = np.where(se < 1e-14, 0.0, se)
            same = ~few & (se == 0) & (change == 0)
            z = np.where(few, np.nan, np.where(same, 0.0, change / se))
        for array, values in (
            (out.statistic, z),
            (out.estimate, change),
            (out.more["se"], se),
            (out.more["area_baseline"], row_moments(below0)[1]),
            (out.more["area"], row_moments(below1)[1]),
        ):
            array[some] = np.where(np.minimum(n_negative, n_positive) == 0, np.nan, values)
        status = out.status[some]
        status[se == 0], status[same], status[few] = "undefined", "identical", "too_few"
        status[units == 0] = "no_units"
    p = p_of_z(out.statistic, options.alternative)
    out.p_value = np.where(out.status == "identical", 1.0, np.where(out.status == "undefined", np.nan, p))
    out.ci_low, out.ci_high = z_interval(out.estimate, out.more["se"], options)
    return out


def areas(scores: Array, label: Any) -> tuple[Array, Array]:
    """Areas under the ROC curves of several systems, and the covariance matrix of these areas.

    C = cov(V₁) / n₁ + cov(V₀) / n₀ over the placements V₁ of positive and V₀ of negative items.

    Args:
        scores: items × systems, none missing.
        label: 1 for positive and 0 for negative items.

    Returns:
        The areas, from 0 to 1, undefined (NaN) where a class has no item; their covariance, undefined where one has
        fewer than two.

    Raises:
        InvalidParameter: there is not one label for each item.
        InvalidValue: a label is neither 0 nor 1.

    Source: Sun and Xu, IEEE Signal Processing Letters 2014.

    Example:
        >>> scores = np.array([[0.1, 0.2], [0.4, 0.3], [0.35, 0.6], [0.8, 0.7], [0.3, 0.9]])
        >>> of_systems, covariance = areas(scores, [0, 0, 1, 1, 1])
        >>> of_systems.round(4).tolist(), np.sqrt(np.diag(covariance)).round(4).tolist()
        ([0.6667, 1.0], [0.3727, 0.0])
    """
    positive = _labels(label, len(scores))
    memo = placements(np.ascontiguousarray(scores.T[:, ~positive]), np.ascontiguousarray(scores.T[:, positive]))
    covariance = np.zeros((scores.shape[1],) * 2)
    for of_class in (memo.above, memo.below):
        n = of_class.shape[1]
        if n < 2:
            return memo.area, np.full_like(covariance, np.nan)
        off = of_class - of_class.mean(axis=1, keepdims=True)
        covariance += off @ off.T / (n - 1.0) / n
    return memo.area, covariance


def area_interval(
    area: Array, se: Array, n_negative: Array, n_positive: Array, confidence: float = 0.95
) -> tuple[Array, Array]:
    """The interval of one area, symmetric on the scale of its logit; of an area of 0 or 1, Wilson's.

    logit A ± z · SE / (A (1 − A)), transformed back.

    Args:
        area: from 0 to 1.
        se: its standard error, as `areas` gives its square.
        n_negative: items of the negative class.
        n_positive: items of the positive class.
        confidence: of the interval.

    Returns:
        Both ends, within 0 … 1; undefined (NaN) where the area or its standard error is.

    Source: Pepe, The Statistical Evaluation of Medical Tests 2003; `wilson_of_area` for areas of 0 and 1.

    Example:
        >>> low, high = area_interval(*(np.array([x]) for x in (0.9, 0.05, 40.0, 40.0)))
        >>> low.round(4).tolist(), high.round(4).tolist()
        ([0.7518], [0.9639])
    """
    z = special.ndtri((1.0 + confidence) / 2.0)
    ends = wilson_of_area(area, n_negative, n_positive, confidence)
    with np.errstate(invalid="ignore", divide="ignore"):
        width = z * se / (area * (1.0 - area))
        low, high = (special.expit(special.logit(area) + sign * width) for sign in (-1.0, 1.0))
    extreme = (area == 0) | (area == 1)
    return np.where(extreme, ends[0], low), np.where(extreme, ends[1], high)


def _labels(label: Any, items: int) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which items are positive."""
    if label is None:
        raise InvalidParameter(
            "DeLong's test needs the items' classes.", Hint("Name a column of 0 and 1: ", Argument("label", "y"), ".")
        )
    labels = np.asarray(label)
    if labels.shape != (items,):
        raise InvalidParameter(f"There are {labels.size} labels of {items} items.", "Give one label for each item.")
    wrong = labels[(labels != 0) & (labels != 1)]
    if wrong.size:
        first = "null" if np.isnan(wrong[0]) else f"{wrong[0]:g}"
        raise InvalidValue(f"A label is {first}; labels are 0 and 1.", "Write 1 for the positive class, else 0.")
    return np.asarray(labels == 1)
