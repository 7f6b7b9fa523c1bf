"""The estimators once more, as plain loops over pages; nothing of the package."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
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
class World:
    """A log, a ranking per query (best first), and what is known of positions."""

    log: tuple[Shown, ...]
    run: Mapping[str, tuple[str, ...]]
    propensity: Mapping[int, float]
    alpha: Mapping[int, float]
    beta: Mapping[int, float]


def rank(world: World, query: str, doc: str | None) -> int | None:
    """Where the run has a document."""
    docs = world.run.get(query, ())
    return docs.index(doc) + 1 if doc in docs else None


def pair_mean(world: World, query: str, doc: str | None) -> float:
    """The mean propensity of a document over the pages of a query, 0 where it was not shown."""
    rows = [s for s in world.log if (s.query, s.doc) == (query, doc)]
    pages = {s.serp: s.weight for s in world.log if s.query == query}
    return sum(s.weight * world.propensity[s.position] for s in rows) / sum(pages.values())


def relevance(world: World, query: str, doc: str) -> float:
    """Clicks over the sum of propensities; 0 for what was never shown."""
    rows = [s for s in world.log if (s.query, s.doc) == (query, doc)]
    below = sum(s.weight * world.propensity[s.position] for s in rows)
    return sum(s.weight * s.click for s in rows) / below if below else 0.0


def weight_of(world: World, s: Shown, estimator: str, tau: float = 0.3) -> float:
    """What one shown result counts for, before λ."""
    rho = world.propensity[s.position]
    match estimator:
        case "naive":
            return s.click
        case "clipped":
            return s.click / max(rho, tau)
        case "policy_aware":
            return s.click / pair_mean(world, s.query, s.doc) if s.click else 0.0
        case "affine":
            return (s.click - world.beta[s.position]) / world.alpha[s.position]
        case "DM":
            return 0.0
        case "DR":
            assert s.doc is not None
            return s.click / rho - relevance(world, s.query, s.doc)
        case _:
            return s.click / rho


def estimate(
    world: World, estimator: str, value_of: Callable[[int], float], rows: Iterable[Shown], *, user: bool
) -> dict[str, Any]:
    """The value, its standard error, the clicks that count, and how many of equal weight would tell as much."""
    rows = tuple(rows)
    tops: defaultdict[Any, float] = defaultdict(float)
    bottoms: defaultdict[Any, float] = defaultdict(float)
    times: dict[Any, float] = {}
    pages = {s.serp: s for s in rows}
    for serp, s in pages.items():
        cluster, times_of_page = (s.user, 1.0) if user else (serp, s.weight)
        within = s.weight if user else 1.0
        times[cluster] = times_of_page
        tops[cluster] += 0.0
        bottoms[cluster] += 0.0
        if estimator != "SNIPS":
            bottoms[cluster] += within
        if estimator in ("DM", "DR"):
            for i, doc in enumerate(world.run.get(s.query, ()), 1):
                tops[cluster] += within * value_of(i) * relevance(world, s.query, doc)
    clicks, first, second = 0.0, 0.0, 0.0
    for s in rows:
        if s.doc is None:
            continue
        cluster, within = (s.user, s.weight) if user else (s.serp, 1.0)
        if estimator == "SNIPS" and s.click:
            bottoms[cluster] += within / world.propensity[s.position]
        at = rank(world, s.query, s.doc)
        if at is None:
            continue
        tops[cluster] += within * weight_of(world, s, estimator) * value_of(at)
        if s.click and value_of(at):
            size = weight_of(world, s, estimator if estimator in ("clipped", "policy_aware") else "IPS")
            size = 1.0 if estimator in ("naive", "affine") else size
            clicks, first, second = clicks + s.weight, first + s.weight * size, second + s.weight * size**2
    total = sum(times[c] * bottoms[c] for c in times)
    if not total:
        return {"value": None, "se": None, "n_clicks": clicks, "ess": None}
    value = sum(times[c] * tops[c] for c in times) / total
    n = sum(times.values())
    squares = sum(times[c] * (tops[c] - value * bottoms[c]) ** 2 for c in times)
    se = math.sqrt(n / (n - 1) * squares) / total if n > 1 and clicks and estimator != "DM" else None
    return {"value": value, "se": se, "n_clicks": clicks, "ess": first**2 / second if second else None}
