r"""How well a click model predicts the clicks of a log: likelihood and perplexity, by position and over all.

| measure | definition |
|---|---|
| LL | mean of log P(outcome \\| the clicks above), natural logarithm |
| Perplexity | 2^(−mean log₂ P(outcome)), whatever was clicked above, by position; over all their mean |
| ConditionalPerplexity | the same of P(outcome \\| the clicks above) |
| CTRPrediction | root of the mean squared error of click rates of documents at position 1, weighted by impressions |

Conventions: `pyclick` takes the mean of LL over the positions of a page, then over pages, and of perplexities over 10
positions, each over all pages (missing positions count 1); `clickmodels` takes the same mean of LL, and calls
ConditionalPerplexity Perplexity; `clax` and the default take means over rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.clicks.models.counts.blocks import summed
from ireval_frames.clicks.models.counts.pages import Pages
from ireval_frames.clicks.models.declared import PAIR, Array, ClickModel, Codes, Estimates, PageBlock
from ireval_frames.clicks.models.page_blocks import blocks
from ireval_frames.errors import UnknownName, nearest
from ireval_frames.parameters import choice

MEASURES = ("LL", "Perplexity", "ConditionalPerplexity", "CTRPrediction")
CONVENTIONS = ("pyclick", "clickmodels", "clax")
PYCLICK_POSITIONS = 10


def measures_of(measures: str | Iterable[str]) -> list[str]:
    """The names of measures, as the module spells them.

    Raises:
        UnknownName: there is no such measure.
    """
    folded = {m.lower(): m for m in MEASURES}
    out = []
    for name in (
        measures.split() if isinstance(measures, str) else measures if isinstance(measures, Iterable) else [measures]
    ):
        if str(name).lower() not in folded:
            raise UnknownName(f"Click models have no measure {name!r}.", nearest(str(name), MEASURES))
        out.append(folded[str(name).lower()])
    return list(dict.fromkeys(out))


@dataclass
class _Sums:
    """Sums by group and position: of weights, of those that the model allows, and of their log-likelihoods."""

    n: Array
    inside: Array
    log: Array


def outcomes(model: ClickModel[Any], block: PageBlock, *, marginal: bool) -> Array:
    """The probability of each outcome; 0 or NaN where it is outside of the model."""
    p = model.marginal(block) if marginal else model.conditional(block)
    return np.where(block.clicks, p, 1.0 - p)


def evaluated(
    model: ClickModel[Any],
    estimates: Estimates,
    pages: Pages,
    unseen: float,
    measures: Sequence[str],
    convention: str | None,
    firsts: Codes,
) -> pl.DataFrame:
    """[by …] measure position value n_rows n_outside n_unseen.

    `position` is null for all positions together.  Rows that are impossible under the model, or have no value, are
    outside of it: they are counted, but in no mean.  `firsts` are codes of the group, query and document at position 1
    of each page, also of those that the model does not know.
    """
    choice(None, *CONVENTIONS).check("convention", convention)
    if convention == "clickmodels":
        measures = ["ConditionalPerplexity" if m == "Perplexity" else m for m in measures]
    groups, longest = pages.keys.n_groups + 1, pages.longest
    of_pairs = any(p.keys[:2] == PAIR for p in model.parameters)
    by_page = np.zeros((groups, 2))
    sums = {kind: _Sums(*np.zeros((3, groups, longest))) for kind in (True, False)}
    unknown, first = np.zeros((groups, longest)), np.zeros((4, int(firsts.max(initial=-1)) + 1))
    first[3, firsts] = np.where(pages.group < 0, groups - 1, pages.group)
    for of, block in blocks(model, estimates, pages, unseen):
        weight, group = pages.weight[of], pages.group[of]
        docs = pages.docs[:, of]
        for marginal, into in sums.items():
            outcome = outcomes(model, block, marginal=marginal)
            valid = block.shown & (outcome > 0.0)
            with np.errstate(invalid="ignore", divide="ignore"):
                logs = np.where(valid, np.log(outcome), 0.0)
            for j in range(longest):
                into.n[:, j] += _by_group(group, weight * block.shown[j], groups)
                into.inside[:, j] += _by_group(group, weight * valid[j], groups)
                into.log[:, j] += _by_group(group, weight * logs[j], groups)
                if of_pairs and not marginal:
                    unknown[:, j] += _by_group(group, weight * (docs[j] == pages.keys.n_pairs + 1), groups)
            if not marginal:
                counted = valid.sum(axis=0)
                mean = logs.sum(axis=0) / np.maximum(counted, 1)
                by_page[:, 0] += _by_group(group, weight * mean * (counted > 0), groups)
                by_page[:, 1] += _by_group(group, weight * (counted > 0), groups)
        if "CTRPrediction" in measures and longest:
            rate = model.marginal(block)[0]
            known = block.shown[0] & ~np.isnan(rate)
            for i, value in enumerate((weight, weight * block.clicks[0], weight * np.where(known, rate, 0.0))):
                first[i] += summed(firsts[of], value * known, len(first[i]))
    out = []
    for code in _codes(pages):
        for measure in measures:
            for position, value, n, outside, unseen_rows in _rows(
                measure, code, sums, by_page, unknown, first, convention
            ):
                named = pages.keys.groups.row(code, named=True) if pages.keys.by and code < groups - 1 else {}
                out.append(
                    {
                        **{b: named.get(b) for b in pages.keys.by},
                        "measure": measure,
                        "position": position,
                        "value": value,
                        "n_rows": n,
                        "n_outside": outside,
                        "n_unseen": unseen_rows,
                    }
                )
    types = {b: pages.keys.groups.schema[b] for b in pages.keys.by}
    numbers = dict.fromkeys(("value", "n_rows", "n_outside", "n_unseen"), pl.Float64)
    return pl.DataFrame(out, schema={**types, "measure": pl.String, "position": pl.Int64, **numbers})


def _codes(pages: Pages) -> list[int]:
    """The groups with pages; the last number is for groups that the model was not fitted to."""
    return [int(code) for code in np.unique(np.where(pages.group < 0, pages.keys.n_groups, pages.group))]


def _by_group(group: Array | np.ndarray[tuple[int, ...], np.dtype[np.int64]], of: Array, groups: int) -> Array:
    return summed(np.where(group < 0, groups - 1, group).astype(np.intp), of, groups)


_Row = tuple[int | None, float | None, float, float, float]


def _rows(
    measure: str,
    code: int,
    sums: dict[bool, _Sums],
    by_page: Array,
    unknown: Array,
    first: Array,
    convention: str | None,
) -> list[_Row]:
    of = sums[measure == "Perplexity"]
    n, inside, log = of.n[code], of.inside[code], of.log[code]
    outside = n - inside
    totals = (float(n.sum()), float(outside.sum()), float(unknown[code].sum()))
    if measure == "CTRPrediction":
        return [_ctr(code, first, float(unknown[code, :1].sum()))]
    if measure == "LL":
        positions = [
            (j + 1, _over(log[j], inside[j]), float(n[j]), float(outside[j]), float(unknown[code, j]))
            for j in range(len(n))
            if n[j] > 0
        ]
        total = _over(log.sum(), inside.sum())
        if convention in ("pyclick", "clickmodels"):
            total = _over(*by_page[code])
        return [*positions, (None, total, *totals)]
    among = np.full(len(n), n.max() if len(n) else 0.0) if convention == "pyclick" else inside
    with np.errstate(invalid="ignore", divide="ignore"):
        perplexity = np.exp(-log / among)
    out: list[_Row] = [
        (j + 1, _number(perplexity[j]), float(n[j]), float(outside[j]), float(unknown[code, j]))
        for j in range(len(n))
        if n[j] > 0
    ]
    values = [p for _, p, *_ in out if p is not None]
    if convention == "pyclick":
        values = (values + [1.0] * PYCLICK_POSITIONS)[:PYCLICK_POSITIONS]
    return [*out, (None, float(np.mean(values)) if values else None, *totals)]


def _ctr(code: int, first: Array, unseen: float) -> _Row:
    """Over the queries and documents of a group at position 1."""
    n, clicks, rate, of = first
    first_rows = (n > 0) & (of == code)
    error = (clicks[first_rows] - rate[first_rows]) ** 2 / n[first_rows]
    value = float(np.sqrt(error.sum() / n[first_rows].sum())) if first_rows.any() else None
    return 1, value, float(n[first_rows].sum()), 0.0, unseen


def _over(part: float, total: float) -> float | None:
    return float(part) / float(total) if total > 0 else None


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def of_pages(
    model: ClickModel[Any], estimates: Estimates, pages: Pages, unseen: float, measures: Sequence[str]
) -> dict[str, Array]:
    """A value for each page: the mean log-likelihood of its rows, or 2^(−mean log₂ P); NaN without rows inside."""
    out = {measure: np.full(len(pages.n), np.nan) for measure in measures}
    for of, block in blocks(model, estimates, pages, unseen):
        for measure, values in out.items():
            outcome = outcomes(model, block, marginal=measure == "Perplexity")
            valid = block.shown & (outcome > 0.0)
            with np.errstate(invalid="ignore", divide="ignore"):
                mean = np.where(valid, np.log(outcome), 0.0).sum(axis=0) / valid.sum(axis=0)
            values[of] = mean if measure == "LL" else np.exp(-mean)
    return out
