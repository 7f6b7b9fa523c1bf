"""The estimators once more, as plain loops over pages; nothing of the package."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True)
class Shown:
    """A result that was shown; doc None is a page that shows nothing."""

    serp: int
    query: str
    doc: str | None
    position: int
    click: int
    user: str
    weight: float


@dataclass(frozen=True)
class Case:
    """A log, a ranking per query (best first), and what is known of positions."""

    log: tuple[Shown, ...]
    run: Mapping[str, tuple[str, ...]]
    propensity: Mapping[int, float]
    alpha: Mapping[int, float]
    beta: Mapping[int, float]


Rows = Sequence[Shown]


def rank(case: Case, query: str, doc: str | None) -> int | None:
    """Where the run has a document."""
    docs = case.run.get(query, ())
    return docs.index(doc) + 1 if doc in docs else None


def pair_mean(rows: Rows, of: Case, query: str, doc: str | None) -> float:
    """The mean propensity of a document over the pages of a query, 0 where it was not shown."""
    pages = {s.serp: s.weight for s in rows if s.query == query}
    return sum(s.weight * of.propensity[s.position] for s in rows if (s.query, s.doc) == (query, doc)) / sum(
        pages.values()
    )


def relevance(rows: Rows, of: Case, query: str, doc: str) -> float:
    """Clicks over the sum of propensities; 0 for what was never shown."""
    shown = [s for s in rows if (s.query, s.doc) == (query, doc)]
    below = sum(s.weight * of.propensity[s.position] for s in shown)
    return sum(s.weight * s.click for s in shown) / below if below else 0.0


def weight_of(rows: Rows, of: Case, s: Shown, estimator: str, tau: float = 0.3) -> float:
    """What one shown result counts for, before λ."""
    rho = of.propensity[s.position]
    match estimator:
        case "naive":
            return s.click
        case "clipped":
            return s.click / max(rho, tau)
        case "policy_aware":
            return s.click / pair_mean(rows, of, s.query, s.doc) if s.click else 0.0
        case "affine":
            return (s.click - of.beta[s.position]) / of.alpha[s.position]
        case "DM":
            return 0.0
        case "DR":
            assert s.doc is not None
            return s.click / rho - relevance(rows, of, s.query, s.doc)
        case _:
            return s.click / rho


def sums(rows: Rows, of: Case, estimator: str, value_of: Callable[[int], float]) -> tuple[float, float]:
    """The two sums whose ratio is the value of a ranking."""
    top, bottom = 0.0, 0.0
    for s in {s.serp: s for s in rows}.values():
        bottom += 0.0 if estimator == "SNIPS" else s.weight
        for i, doc in enumerate(of.run.get(s.query, ()) if estimator in ("DM", "DR") else (), 1):
            top += s.weight * value_of(i) * relevance(rows, of, s.query, doc)
    for s in (s for s in rows if s.doc is not None):
        if estimator == "SNIPS" and s.click:
            bottom += s.weight / of.propensity[s.position]
        if (at := rank(of, s.query, s.doc)) is not None:
            top += s.weight * weight_of(rows, of, s, estimator) * value_of(at)
    return top, bottom


def estimate(
    of: Case, estimator: str, value_of: Callable[[int], float], rows: Iterable[Shown], *, user: bool
) -> dict[str, Any]:
    """The value, its standard error, the clicks that count, and how many of equal weight would tell as much.

    The variance is that of a ratio of sums, whose parts are what is lost when a page (or all of a user) is left out.
    """
    rows = tuple(rows)
    clicks, first, second = 0.0, 0.0, 0.0
    for s in rows:
        at = rank(of, s.query, s.doc)
        if s.click and at is not None and value_of(at):
            size = weight_of(rows, of, s, estimator if estimator in ("clipped", "policy_aware") else "IPS")
            size = 1.0 if estimator in ("naive", "affine") else size
            clicks, first, second = clicks + s.weight, first + s.weight * size, second + s.weight * size**2
    top, bottom = sums(rows, of, estimator, value_of)
    if not bottom:
        return {"value": None, "se": None, "n_clicks": clicks, "ess": None}
    # Of a page that counts several times one is left out.
    clusters = {(s.user if user else s.serp): 1.0 if user else s.weight for s in rows}
    n, squares = sum(clusters.values()), 0.0
    for cluster, times in clusters.items():
        one = 1.0 if user else min(1.0, times)
        if user:
            left = tuple(s for s in rows if s.user != cluster)
        else:
            left = tuple(replace(s, weight=s.weight - one * (s.serp == cluster)) for s in rows)
        less = sums(tuple(s for s in left if s.weight), of, estimator, value_of)
        squares += times * (((top - less[0]) - top / bottom * (bottom - less[1])) / one) ** 2
    se = math.sqrt(n / (n - 1) * squares) / bottom if n > 1 and clicks and estimator != "DM" else None
    return {"value": top / bottom, "se": se, "n_clicks": clicks, "ess": first**2 / second if second else None}
