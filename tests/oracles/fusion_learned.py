"""Fusion that learns from judged queries, as loops, by the definitions of its papers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

Id = str | int
# Documents, best first, by query; and the relevant documents of queries that have one.
Lists = Mapping[Id, Sequence[Id]]
Relevant = Mapping[Id, set[Id]]
BANDS = (5, 10, 15, 20, 30, 100, 200, 500, 1000, math.inf)


def average_precision(ranking: Sequence[Id], relevant: set[Id]) -> float:
    """Of one list."""
    hits, total = 0, 0.0
    for rank, d in enumerate(ranking, start=1):
        if d in relevant:
            hits += 1
            total += hits / rank
    return total / len(relevant)


def at_rank(lists: Lists, relevant: Relevant, rank: int) -> float:
    """The share of queries whose document at this rank is relevant."""
    return sum(rank <= len(lists.get(q, ())) and lists[q][rank - 1] in relevant[q] for q in relevant) / len(relevant)


def parts(n: int, segments: int) -> list[range]:
    """The ranks of each segment of a list."""
    size = math.ceil(n / segments)
    return [range(start, min(start + size, n + 1)) for start in range(1, n + 1, size)]


def growing(rank: int) -> tuple[int, range]:
    """The number and the ranks of the segment of a rank: segments have 5, 15, 35, … documents."""
    number, start = 1, 1
    while True:
        size = 10 * 2 ** (number - 1) - 5
        if rank < start + size:
            return number, range(start, start + size)
        number, start = number + 1, start + size


def band(rank: int) -> int:
    """The number of the band of a rank."""
    return next(i for i, end in enumerate(BANDS) if rank <= end)


def log_odds(runs: Mapping[str, Lists], run: str, relevant: Relevant, of: int | None) -> float:
    """Ln (relevant + ½)/(others + ½) of the documents of a band of a run, or of those that it does not retrieve."""
    good = bad = 0.0
    for q in relevant:
        where = {d: rank for rank, d in enumerate(runs[run].get(q, ()), start=1)}
        for d in relevant[q] | {d for lists in runs.values() for d in lists.get(q, ())}:
            if (band(where[d]) if d in where else None) == of:
                good += d in relevant[q]
                bad += d not in relevant[q]
    return math.log((good + 0.5) / (bad + 0.5))


def fused(
    runs: Mapping[str, Lists], relevant: Relevant, query: Id, method: str, *,
    scores: Mapping[str, Mapping[Id, float]], segments: int = 25, window: int = 5,
) -> dict[Id, float]:  # fmt: skip
    """The fused scores of a query, from what the runs did on the queries in `relevant`; `scores` are normalised."""
    out: dict[Id, float] = {}
    for run, lists in sorted(runs.items()):
        ranking = lists.get(query, ())
        for rank, d in enumerate(ranking, start=1):
            if method == "mapfuse":
                precisions = [average_precision(lists.get(q, ()), relevant[q]) for q in relevant]
                term = sum(precisions) / len(precisions) / rank
            elif method == "posfuse":
                term = at_rank(lists, relevant, rank)
            elif method == "probfuse":
                number = 1 + next(i for i, of in enumerate(parts(len(ranking), segments)) if rank in of)
                share = 0.0
                for q in relevant:
                    of_query = parts(len(lists.get(q, ())), segments) if q in lists else []
                    if number <= len(of_query):
                        ranks = of_query[number - 1]
                        share += sum(lists[q][r - 1] in relevant[q] for r in ranks) / len(ranks)
                term = share / len(relevant) / number
            elif method == "segfuse":
                _, ranks = growing(rank)
                term = sum(at_rank(lists, relevant, r) for r in ranks) / len(ranks) * (1 + scores[run][d])
            elif method == "slidefuse":
                around = range(max(1, rank - window), min(len(ranking), rank + window) + 1)
                term = sum(at_rank(lists, relevant, r) for r in around) / len(around)
            else:
                term = log_odds(runs, run, relevant, band(rank)) - log_odds(runs, run, relevant, None)
            out[d] = out.get(d, 0.0) + term
    return out
