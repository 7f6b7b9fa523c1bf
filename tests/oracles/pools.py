"""Pools as loops over the ranked lists of each query, by their definitions."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

Id = str | int
# Documents, best first, by run.
Lists = Mapping[str, Sequence[Id]]


def ranked(scores: Mapping[Id, float], depth: int, ties: str = "trec_eval") -> list[Id]:
    """The documents by descending score; of equal ones the larger id first, or with "doc_id" the smaller."""
    ids = sorted(scores, reverse=ties != "doc_id")
    return sorted(ids, key=lambda d: -scores[d])[:depth]


def places(lists: Lists) -> dict[Id, dict[str, int]]:
    """The rank of each document in each run that has it."""
    out: dict[Id, dict[str, int]] = {}
    for run, documents in lists.items():
        for rank, document in enumerate(documents, start=1):
            out.setdefault(document, {})[run] = rank
    return out


def by_depth(lists: Lists) -> list[Id]:
    """By best rank, then by the number of runs."""
    where = places(lists)
    return sorted(where, key=lambda d: (min(where[d].values()), -len(where[d]), d))


def mean_ranks(lists: Lists) -> dict[Id, Fraction]:
    """The mean over all runs of the query; a missing document is one rank below the longest list."""
    missing = 1 + max(map(len, lists.values()))
    return {
        d: Fraction(sum(ranks.get(run, missing) for run in lists), len(lists)) for d, ranks in places(lists).items()
    }


def reciprocal_ranks(lists: Lists, k: int = 60) -> dict[Id, Fraction]:
    """Σ 1/(k + rank)."""
    return {d: sum((Fraction(1, k + r) for r in ranks.values()), Fraction(0)) for d, ranks in places(lists).items()}


def portable_hash(text: str, seed: int) -> int:
    """The last half of the MD5 of seed and text, from its low end, without its lowest bit."""
    return int.from_bytes(hashlib.md5(f"{seed}:{text}".encode()).digest()[8:], "little") >> 1


def sampled(
    query: Id, lists: Lists, strata: Mapping[int, float], seed: int, judged: Sequence[Id] = ()
) -> dict[Id, tuple[int, float, bool]]:
    """The stratum of each document, its inclusion probability, and whether it is drawn."""
    where = places(lists)
    out: dict[Id, tuple[int, float, bool]] = {}
    above = 0
    for number, (last, rate) in enumerate(sorted(strata.items()), start=1):
        inside = [d for d in where if above < min(where[d].values()) <= last and d not in judged]
        inside.sort(key=lambda d: (portable_hash(f"{query} {d}", seed), d))
        size = max(1, math.floor(Fraction(str(rate)) * len(inside) + Fraction(1, 2)))
        for place, d in enumerate(inside):
            out[d] = (number, size / len(inside), place < size)
        above = last
    return out


def uniform(query: Id, stream: int, seed: int) -> float:
    """A number of a query and a stream: SplitMix64."""
    z = (portable_hash(str(query), seed) + 0x9E3779B97F4A7C15 * (stream + 1)) % 2**64
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
    return ((z ^ z >> 31) >> 11) / 2**53


def beta_quantile(p: float, a: int, b: int) -> float:
    """Where Beta(a, b) reaches p, by halving: up to x it has the chance of a or more of a + b − 1 hits of chance x."""
    n = a + b - 1
    low, high = 0.0, 1.0
    for _ in range(50):
        x = (low + high) / 2
        below = sum(math.comb(n, j) * x**j * (1 - x) ** (n - j) for j in range(a, n + 1)) < p
        low, high = (x, high) if below else (low, x)
    return (low + high) / 2


class Judging:
    """One query, judged document by document.

    Args:
        query: its id.
        runs: the ids of all runs of the pool, in order; some may not have the query.
        lists: the lists of those that have it.
        grades: what the assessor would say.
        rel: the lowest relevant grade.
        known: grades from before.
        seed: of draws.
    """

    def __init__(
        self,
        query: Id,
        runs: Sequence[str],
        lists: Lists,
        grades: Mapping[Id, float],
        *,
        rel: float = 1,
        known: Mapping[Id, float] | None = None,
        seed: int = 0,
    ) -> None:
        self.query, self.runs, self.lists, self.grades, self.rel, self.seed = query, runs, lists, grades, rel, seed
        self.known = dict(known or {})
        self.order: list[tuple[Id, str | None]] = []
        self.priority = {run: uniform(query, i, seed) for i, run in enumerate(runs)}

    def left(self, run: str) -> Id | None:
        """The best document of a run that nobody judged."""
        judged = {d for d, _ in self.order} | self.known.keys()
        return next((d for d in self.lists.get(run, ()) if d not in judged), None)

    def relevant(self, document: Id) -> bool:
        """Whether the assessor says so."""
        return self.known.get(document, self.grades.get(document, 0)) >= self.rel

    def best(self, value: Mapping[str, float]) -> str | None:
        """The run of the largest value that has a document left."""
        runs = [r for r in self.runs if self.left(r) is not None]
        return min(runs, key=lambda r: (-value[r], self.priority[r]), default=None)

    def counts(self, credit: str) -> tuple[dict[str, int], dict[str, int]]:
        """The numbers of relevant and of other judged documents of each run."""
        counts: tuple[dict[str, int], dict[str, int]] = dict.fromkeys(self.runs, 0), dict.fromkeys(self.runs, 0)
        if credit == "chosen":
            pairs = [(d, r) for d, r in self.order if r is not None]
        else:
            judged = {d for d, _ in self.order} | self.known.keys()
            pairs = [(d, r) for r in self.lists for d in self.lists[r] if d in judged]
        for d, r in pairs:
            counts[0 if self.relevant(d) else 1][r] += 1
        return counts

    def move_to_front(self) -> tuple[Id, str] | None:
        """On with the last run while it gives relevant documents; else the run with the fewest failures."""
        if self.order:
            document, run = self.order[-1]
            assert run is not None
            if self.relevant(document) and (following := self.left(run)) is not None:
                return following, run
        failures = dict.fromkeys(self.runs, 0.0)
        for d, r in self.order:
            if r is not None and not self.relevant(d):
                failures[r] -= 1
        return self._of(self.best(failures))

    def thompson(self, credit: str = "chosen") -> tuple[Id, str] | None:
        """The run with the largest draw from its distribution."""
        good, bad = self.counts(credit)
        place = len(self.order) + 1
        drawn = {
            r: beta_quantile(uniform(self.query, place * len(self.runs) + i, self.seed), 1 + good[r], 1 + bad[r])
            for i, r in enumerate(self.runs)
        }
        return self._of(self.best(drawn))

    def max_mean(self, credit: str = "chosen") -> tuple[Id, str] | None:
        """The run with the largest expected share of relevant documents."""
        good, bad = self.counts(credit)
        return self._of(self.best({r: (1 + good[r]) / (2 + good[r] + bad[r]) for r in self.runs}))

    def hedge(self, depth: int, factor: float = 0.1) -> tuple[Id, None] | None:
        """The document with the largest weighted sum of the values of its ranks."""
        judged = {d for d, _ in self.order} | self.known.keys()
        where = places(self.lists)
        loss = dict.fromkeys(self.runs, 0.0)
        for d in judged & where.keys():
            for r, rank in where[d].items():
                loss[r] += (-1 if self.relevant(d) else 1) * 0.5 * math.log((depth + 1) / rank)
        left = sorted(where.keys() - judged, key=lambda d: d)
        if not left:
            return None
        score = {d: sum(factor ** loss[r] * 0.5 * math.log((depth + 1) / i) for r, i in where[d].items()) for d in left}
        # Sums that differ by rounding alone are ties.
        largest = max(score.values())
        return next(d for d in left if score[d] >= largest * (1 - 1e-12)), None

    def _of(self, run: str | None) -> tuple[Id, str] | None:
        document = None if run is None else self.left(run)
        return None if run is None or document is None else (document, run)

    def judged(
        self, choose: Callable[[], tuple[Id, str | None] | None], budget: int = 10**9
    ) -> list[tuple[Id, str | None]]:
        """The documents in the order in which they are judged, and the run that each is taken from."""
        while len(self.order) < budget and (choice := choose()) is not None:
            self.order.append(choice)
        return self.order
