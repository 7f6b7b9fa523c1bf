"""Fusion of ranked lists, as loops over the lists of each query, by its definitions."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence

Id = str | int
# The scores of a list's documents, by run.
Scores = Mapping[str, Mapping[Id, float]]
Ranks = Mapping[str, Mapping[Id, float]]


def ranks_of(scores: Mapping[Id, float], ties: str = "trec_eval") -> dict[Id, float]:
    """The ranks from 1; of equal scores the larger id first, with "doc_id" the smaller, or all at their mean rank."""
    ids = sorted(sorted(scores, reverse=ties != "doc_id"), key=lambda d: -scores[d])
    ranks = {d: float(rank) for rank, d in enumerate(ids, start=1)}
    if ties != "average":
        return ranks
    return {d: statistics.fmean(r for e, r in ranks.items() if scores[e] == scores[d]) for d in ids}


def normalised(values: Mapping[Id, float], name: str, candidates: int, constant: float = 1.0) -> dict[Id, float]:
    """The values of one list, normalised; for rank and borda they are its ranks."""
    v, n = list(values.values()), len(values)
    low, high, mean = min(v), max(v), sum(v) / n
    sd, norm, total = statistics.pstdev(v), math.sqrt(sum(x * x for x in v)), sum(x - low for x in v)
    out = {}
    for d, x in values.items():
        if name == "minmax":
            out[d] = (x - low) / (high - low) if high > low else constant
        elif name == "max":
            out[d] = x / high
        elif name == "sum":
            out[d] = (x - low) / total if high > low else constant / n
        elif name == "zmuv":
            out[d] = (x - mean) / sd if high > low else 0.0
        elif name == "dbsf":
            out[d] = min(1.0, max(0.0, (x - mean + 3 * sd) / (6 * sd))) if high > low else 0.5
        elif name == "l2":
            out[d] = x / norm if norm else 0.0
        elif name == "rank":
            out[d] = 1 - (x - 1) / n
        elif name == "borda":
            out[d] = 1 - (x - 1) / candidates
        else:
            out[d] = x
    return out


def of_scores(
    lists: Scores,
    method: str,
    normalize: str = "minmax",
    missing: str = "skip",
    *,
    runs: Sequence[str],
    weights: Mapping[str, float] | None = None,
    constant: float = 1.0,
    gamma: float = 0.5,
) -> dict[Id, float]:
    """The fused scores of one query; `lists` has the values of the lists that have it, of `runs` in all."""
    documents = {d for values in lists.values() for d in values}
    by_run = {run: normalised(values, normalize, len(documents), constant) for run, values in lists.items()}
    fused = {}
    for d in documents:
        have = [run for run in sorted(by_run) if d in by_run[run]]
        values: dict[str, float] = {}
        for run in sorted(runs):
            if run in have:
                values[run] = by_run[run][d]
            elif missing == "zero":
                values[run] = 0.0
            elif run in by_run and missing == "min":
                values[run] = min(by_run[run].values())
            elif run in by_run and missing == "own":
                values[run] = 0.5 - (len(by_run[run]) - 1) / (2 * len(documents))
        s, h = list(values.values()), len(have)
        weighted = sum((weights or {}).get(run, 1.0) * x for run, x in values.items())
        fused[d] = {
            "combsum": sum(s), "combmnz": h * sum(s), "combanz": sum(s) / len(s), "combmax": max(s),
            "combmin": min(s), "combmed": statistics.median(s), "combgmnz": h**gamma * sum(s), "wsum": weighted,
            "wmnz": weighted * sum((weights or {}).get(run, 1.0) for run in have), "mixed": math.sqrt(h) * weighted,
        }[method]  # fmt: skip
    return fused


def of_ranks(
    lists: Ranks,
    method: str,
    missing: str = "skip",
    *,
    k: int = 60,
    phi: float = 0.8,
    sigma: float = 0.01,
    weights: Mapping[str, float] | None = None,
) -> dict[Id, float]:
    """The fused scores of one query, from the ranks in each list."""
    documents = {d for ranks in lists.values() for d in ranks}
    c, fused = len(documents), {}
    for d in documents:
        h = sum(d in ranks for ranks in lists.values())
        r = {run: ranks[d] for run, ranks in lists.items() if d in ranks}
        if missing == "last":
            r |= {run: len(ranks) + 1.0 for run, ranks in lists.items() if d not in ranks}
        squares = sum(1 / x**2 for x in r.values())
        fused[d] = {
            "rrf": sum((weights or {}).get(run, 1.0) / (k + x) for run, x in r.items()),
            "isr": h * squares,
            "logisr": math.log(h) * squares,
            "lognisr": math.log(h + sigma) * squares,
            "rbc": sum((1 - phi) * phi ** (x - 1) for x in r.values()),
            "borda": sum(c - ranks[d] + 1 if d in ranks else (c - len(ranks) + 1) / 2 for ranks in lists.values()),
        }[method]
    return fused


def margin(lists: Ranks, one: Id, other: Id) -> int:
    """How many more lists put one document above the other; a document that a list lacks is below those it has."""
    total = 0
    for ranks in lists.values():
        a, b = ranks.get(one, math.inf), ranks.get(other, math.inf)
        total += (a < b) - (a > b)
    return total


def condorcet(lists: Ranks, runs: int) -> dict[Id, float]:
    """Copeland's number, and the sum of margins as a fraction below a half."""
    documents = {d for ranks in lists.values() for d in ranks}
    fused = {}
    for d in documents:
        margins = [margin(lists, d, e) for e in documents if e != d]
        wins = sum(m > 0 for m in margins) - sum(m < 0 for m in margins)
        fused[d] = wins + sum(margins) / (2 * runs * len(documents))
    return fused


def cycles(lists: Ranks) -> set[frozenset[Id]]:
    """The sets of documents between which majorities lead back and forth."""
    documents = {d for ranks in lists.values() for d in ranks}
    beaten = {d: {e for e in documents if e != d and margin(lists, d, e) > 0} for d in documents}
    reached = {d: set(of) for d, of in beaten.items()}
    while True:
        further = {d: of.union(*(beaten[e] for e in of)) for d, of in reached.items()}
        if further == reached:
            return {frozenset(e for e in reached[d] if d in reached[e]) for d in documents if d in reached[d]}
        reached = further
