"""Corrections of p-values for several tests of one family."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ireval_frames.errors import InvalidParameter, UnknownName, is_one, nearest
from ireval_frames.stats.sample import Array


@dataclass(frozen=True)
class Correction:
    """A correction of p-values.

    Attributes:
        name: what `correction=` calls it.
        description: the formula over the sorted p-values p(1) ≤ … ≤ p(N).
        controls: the rate it holds below α: "FWER" of any false rejection, "FDR" of their share among all rejections,
            or "nothing".
        dependence: between which tests it does so.
        function: from sorted p-values to corrected ones.
        source: where it is from.
        aliases: its other names.
    """

    name: str
    description: str
    controls: str
    dependence: str
    function: Callable[[Array], Array]
    source: str
    aliases: tuple[str, ...] = ()


def _none(p: Array) -> Array:
    return p


def _bonferroni(p: Array) -> Array:
    return p * len(p)


def _complement(p: Array, times: Array | float) -> Array:
    """1 − (1 − p)^times, without cancellation where p is small."""
    with np.errstate(divide="ignore"):
        return np.asarray(-np.expm1(times * np.log1p(-p)))


def _down(p: Array) -> Array:
    """N, N − 1 … 1."""
    return np.arange(len(p), 0, -1, dtype=np.float64)


def _sidak(p: Array) -> Array:
    return _complement(p, float(len(p)))


def _holm(p: Array) -> Array:
    return np.maximum.accumulate(p * _down(p))


def _holm_sidak(p: Array) -> Array:
    return np.maximum.accumulate(_complement(p, _down(p)))


def _from_the_top(p: Array) -> Array:
    """The smallest of each p-value and all after it."""
    return np.asarray(np.minimum.accumulate(p[::-1])[::-1])


def _hochberg(p: Array) -> Array:
    return _from_the_top(p * _down(p))


def _bh(p: Array) -> Array:
    return _from_the_top(p * len(p) / np.arange(1, len(p) + 1))


def _by(p: Array) -> Array:
    return _from_the_top(len(p) * p * (1.0 / np.arange(1, len(p) + 1)).sum() / np.arange(1, len(p) + 1))


def _hommel(p: Array) -> Array:
    # Simes' p-value of the largest k is a lower bound for these k; all others take the place of the smallest.
    size = len(p)
    out = np.full(size, (size * p / np.arange(1, size + 1)).min())
    for k in range(size - 1, 1, -1):
        low = size - k + 1
        least = (k * p[low:] / np.arange(2, k + 1)).min()
        out[low:] = np.maximum(out[low:], least)
        out[:low] = np.maximum(out[:low], np.minimum(least, k * p[:low]))
    return np.asarray(np.maximum(out, p))


_ANY, _POSITIVE = "any", "independent or positively dependent"
CORRECTIONS = {
    c.name: c
    for c in (
        Correction("none", "p as it is", "nothing", _ANY, _none, ""),
        Correction("bonferroni", "min(1, N p)", "FWER", _ANY, _bonferroni, "Bonferroni 1936"),
        Correction("sidak", "1 − (1 − p)^N", "FWER", _POSITIVE, _sidak, "Šidák, JASA 1967"),
        Correction("holm", "max over j ≤ i of (N − j + 1) p(j)", "FWER", _ANY, _holm, "Holm, Scand. J. Stat. 1979"),
        Correction(
            "holm-sidak",
            "max over j ≤ i of 1 − (1 − p(j))^(N − j + 1)",
            "FWER",
            _POSITIVE,
            _holm_sidak,
            "Holland and Copenhaver, Biometrics 1987",
        ),
        Correction(
            "hochberg", "min over j ≥ i of (N − j + 1) p(j)", "FWER", _POSITIVE, _hochberg, "Hochberg, Biometrika 1988"
        ),
        Correction(
            "hommel",
            "the largest of Simes' p-values over all sets with the test",
            "FWER",
            _POSITIVE,
            _hommel,
            "Hommel, Biometrika 1988",
        ),
        Correction(
            "bh",
            "min over j ≥ i of N p(j) / j",
            "FDR",
            _POSITIVE,
            _bh,
            "Benjamini and Hochberg, JRSS B 1995",
            ("benjamini-hochberg", "fdr_bh"),
        ),
        Correction(
            "by",
            "min over j ≥ i of N p(j) / j, times the sum of 1/k over k ≤ N",
            "FDR",
            _ANY,
            _by,
            "Benjamini and Yekutieli, Annals of Statistics 2001",
            ("benjamini-yekutieli", "fdr_by"),
        ),
    )
}
_NAMED = {name: c for c in CORRECTIONS.values() for name in (c.name, *c.aliases)}


def find_correction(name: str) -> Correction:
    """The correction of that name or alias.

    Raises:
        UnknownName: there is no such correction.
    """
    if not is_one(name, _NAMED):
        raise UnknownName(f"There is no correction {name!r}.", nearest(name, _NAMED))
    return _NAMED[name]


def corrected(p: Array, method: str = "holm", *, count_undefined: bool = False) -> Array:
    """P-values corrected for the number of tests in their family.

    `CORRECTIONS` has the formula of each, which error it controls, and for which dependence of the tests.  Rejecting
    where the corrected p-value is at most α holds that error at α.

    Args:
        p: the family's p-values, in any order.
        method: none, bonferroni, sidak, holm, holm-sidak, hochberg, hommel, bh or by.
        count_undefined: whether undefined p-values count as tests of the family, as if they were 1.

    Returns:
        The corrected p-values in the order of `p`, from `p` to 1.  Undefined (NaN) where `p` is.  Time grows as N log N
        in the number of tests, for hommel as N².

    Raises:
        UnknownName: there is no such method.
        InvalidParameter: a p-value is not in 0 … 1.

    Source: formulas as in R's p.adjust; the papers are in `CORRECTIONS`.

    Example:
        >>> import numpy as np
        >>> corrected(np.array([0.01, 0.04, np.nan, 0.03]), "holm").round(4).tolist()
        [0.03, 0.06, nan, 0.06]
        >>> corrected(np.array([0.01, 0.04, np.nan, 0.03]), "holm", count_undefined=True).round(4).tolist()
        [0.04, 0.09, nan, 0.09]
    """
    correction = find_correction(method)
    p = np.asarray(p, dtype=np.float64)
    wrong = p[(p < 0) | (p > 1)]
    if wrong.size:
        raise InvalidParameter(f"A p-value is {wrong[0]:g}; p-values are from 0 to 1.", "Correct what a test gave.")
    undefined = np.isnan(p)
    counted = np.where(undefined, 1.0, p) if count_undefined else p[~undefined]
    out = np.full(p.shape, np.nan)
    if counted.size:
        order = np.argsort(counted, kind="stable")
        adjusted = np.empty_like(counted)
        # Powers round downwards: 1 − (1 − p)¹ may be less than p.
        adjusted[order] = np.clip(np.maximum(correction.function(counted[order]), counted[order]), 0.0, 1.0)
        out[~undefined] = adjusted[~undefined] if count_undefined else adjusted
    return out
