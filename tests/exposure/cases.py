"""Small hard tables of lists, groups, targets and judgments."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import polars as pl

from tests.oracles.exposure_lists import Query

UNKNOWN = "unknown"


@dataclass(frozen=True)
class Case:
    """Lists by run, query and sample; groups and judgments are the same in all runs."""

    lists: dict[str, dict[Any, list[list[Any]]]]
    groups: dict[Any, dict[Any, float]]
    targets: dict[Any, dict[Any, float]]
    """By query; under None the target of all queries."""
    grades: dict[Any, dict[Any, float]]
    policy: str = ""
    target: str = ""
    samples: bool = False

    @property
    def queries(self) -> list[Any]:
        """Those with a list in any run, and those with judgments."""
        return list(dict.fromkeys([*(q for of_run in self.lists.values() for q in of_run), *self.grades]))

    def query(self, run: str, query: Any) -> Query:
        """What the oracle gets."""
        policy = dict(part.split("=") for part in self.policy.split(",") if part)
        groups = dict(self.groups)
        if policy.get("unknown") == "group":
            docs = {d for of in self.lists.values() for lists in of.values() for r in lists for d in r}
            docs |= {d for of in self.grades.values() for d in of}
            groups |= {d: {UNKNOWN: 1.0} for d in docs if d not in groups}
        target = self.targets.get(query, self.targets.get(None))
        named = {g for of in groups.values() for g in of} | {g for of in self.targets.values() for g in of}
        out = Query(
            self.lists[run].get(query, []),
            groups,
            sorted(named, key=str),
            target,
            self.grades.get(query, {}),
            policy.get("browsing", "log"),
            policy.get("members") == "judged",
        )
        if self.target:
            object.__setattr__(out, "target", self._computed(out))
        return out

    def _computed(self, query: Query) -> dict[Any, float] | None:
        match self.target:
            case "equal":
                docs: list[Any] = []
                return {g: 1 / len(query.all_groups) for g in query.all_groups}
            case "groups":
                docs = list(query.groups)
            case "lists":
                docs = query.members
            case _:
                docs = [d for d in query.grades if query.grade(d) > 0 and d in query.groups]
        return {g: sum(query.share(d, g) for d in docs) / len(docs) for g in query.all_groups} if docs else None

    def frames(self) -> dict[str, pl.DataFrame]:
        """The tables as users have them."""
        rows = [
            (run, query, s, doc, float(100 - i))
            for run, of_run in self.lists.items()
            for query, lists in of_run.items()
            for s, ranking in enumerate(lists)
            for i, doc in enumerate(ranking)
        ]
        run = pl.DataFrame(rows, schema=["run_id", "query_id", "sample", "doc_id", "score"], orient="row")
        groups = [(doc, g, 2 * share) for doc, of in self.groups.items() for g, share in of.items()]
        judged = [(q, doc, grade) for q, of in self.grades.items() for doc, grade in of.items()]
        out = {
            "run": run if self.samples else run.drop("sample"),
            "groups": pl.DataFrame(groups, schema=["doc_id", "group", "share"], orient="row"),
            "relevant": pl.DataFrame(judged, schema=["query_id", "doc_id", "relevance"], orient="row"),
        }
        if not self.target:
            shares = [(q, g, s) for q, of in self.targets.items() for g, s in of.items()]
            target = pl.DataFrame(shares, schema=["query_id", "group", "share"], orient="row")
            out["target"] = target.drop("query_id") if None in self.targets else target
        return out


def drawn(
    seed: int, *, samples: int = 1, integers: bool = False, by_query: bool = False, policy: str = "", target: str = ""
) -> Case:
    """Two runs of five queries, of which one has no list in the second run, and one no relevant document.

    Some documents have no group, some two; some are judged and in no list, some have negative grades.
    """
    dice = random.Random(seed)
    queries: list[Any] = [1, 2, 3, 4, 5] if integers else [f"q{i}" for i in range(5)]
    docs: list[Any] = list(range(10, 22)) if integers else [f"d{i:02d}" for i in range(12)]
    names: list[Any] = [7, 3, 5] if integers else ["new", "known", "other"]
    groups: dict[Any, dict[Any, float]] = {}
    for i, doc in enumerate(docs):
        if i % 5 == 4:
            continue
        one = dice.choice(names)
        groups[doc] = {one: 1.0}
        if i % 4 == 1:
            groups[doc] = {one: 0.75, names[(names.index(one) + 1) % 3]: 0.25}
    lists = {run: {q: [dice.sample(docs, dice.randint(3, 9)) for _ in range(samples)] for q in queries} for run in "ab"}
    del lists["b"][queries[3]]
    # A list of documents without a group.
    lists["a"][queries[0]] = [[doc for i, doc in enumerate(docs) if i % 5 == 4]] * samples
    grades: dict[Any, dict[Any, float]] = {
        q: {doc: dice.choice([0.0, 0.0, 1.0, 1.0, 2.0, -1.0]) for doc in dice.sample(docs, 7)} for q in queries[:4]
    }
    grades[queries[4]] = {docs[0]: 0.0}
    even = dict(zip(names, (0.5, 0.3, 0.2), strict=True))
    targets: dict[Any, dict[Any, float]] = {None: even}
    if by_query:
        targets = {
            q: dict(zip(names, dice.choice([(0.5, 0.5, 0.0), (0.2, 0.3, 0.5)]), strict=True)) for q in queries[:4]
        }
    return Case(lists, groups, {} if target else targets, grades, policy, target, samples > 1)


CASES = {
    "text": drawn(1),
    "samples, integers, targets by query": drawn(2, samples=3, integers=True, by_query=True, policy="members=judged"),
    "unknown group, trecfair": drawn(3, policy="unknown=group,browsing=trecfair", target="relevant"),
    "cascade": drawn(4, policy="browsing=cascade", target="groups"),
    "lists": drawn(5, samples=2, policy="browsing=geometric", target="lists"),
}
