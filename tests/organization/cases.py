"""Small random queries, of every shape that could make a measure differ."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from tests.oracles.organization import Document, document

SHAPES = (
    "mixed", "no_ties", "all_tied", "nothing_retrieved", "all_retrieved", "no_relevant", "all_relevant", "perfect",
    "reversed", "one", "one_lost",
    "singletons", "one_cluster", "same_clusters", "graded", "half_missing",
)  # fmt: skip
# Names that could be read as numbers or missing values.
WORDS = ("007", "7", "NA", "null", "Zebra", "Äpfel", "d 1", "'q'")

Sets = tuple[str, ...]


@dataclass
class Side:
    """A document in the gold table or a system: its grade or score, and its classes or clusters."""

    number: float | None
    sets: Sets


@dataclass
class Case:
    """Documents by query, in the gold table and in each run."""

    gold: dict[str, dict[str, Side]] = field(default_factory=dict)
    runs: dict[str, dict[str, dict[str, Side]]] = field(default_factory=dict)
    ranked: bool = True
    clustered: bool = True
    overlapping: bool = False

    @property
    def tasks(self) -> list[str]:
        """The tasks of the oracle."""
        return ["priority"] * self.ranked + ["relatedness"] * self.clustered

    def documents(self, run: str, query: str, missing: str = "replab") -> list[Document]:
        """A query's documents for the oracle."""
        gold, system = self.gold[query], self.runs[run].get(query, {})
        out = []
        for item in [*gold, *(i for i in system if i not in gold)]:
            gold_side, system_side = gold.get(item), system.get(item)
            classes, clusters = gold_side.sets if gold_side else (), system_side.sets if system_side else ()
            incomplete = gold_side is None or system_side is None or (self.clustered and not (classes and clusters))
            if missing == "skip" and incomplete:
                continue
            grade = (gold_side.number or 0.0) if gold_side and self.ranked else 0.0
            score = system_side.number if system_side and self.ranked else None
            out.append(document(grade, score, classes if self.clustered else (), clusters if self.clustered else ()))
        return out

    def _row(self, item: str, side: Side, *, gold: bool, lists: bool) -> list[dict[str, Any]]:
        row: dict[str, Any] = {"doc_id": item}
        if self.ranked:
            row["relevance" if gold else "score"] = side.number
        if not self.clustered:
            return [row]
        name = "label" if gold else "cluster_id"
        if lists:
            return [row | {name: list(side.sets) or None}]
        return [row | {name: s} for s in side.sets or (None,)]

    def tables(self, *, lists: bool = False) -> tuple[pl.DataFrame, pl.DataFrame]:
        """The gold and system tables; several classes are in lists, or in a row each."""
        dtype: Any = pl.List(pl.String) if lists else pl.String
        types = {
            "query_id": pl.String,
            "doc_id": pl.String,
            "relevance": pl.Float64,
            "score": pl.Float64,
            "label": dtype,
            "cluster_id": dtype,
        }
        gold = [
            {"query_id": t} | row
            for t, items in self.gold.items()
            for i, s in items.items()
            for row in self._row(i, s, gold=True, lists=lists)
        ]
        system = [
            {"run_id": run, "query_id": t} | row
            for run, queries in self.runs.items()
            for t, items in queries.items()
            for i, s in items.items()
            for row in self._row(i, s, gold=False, lists=lists)
        ]
        frames = [pl.DataFrame(rows, schema_overrides=types) for rows in (gold, system)]
        return frames[0].drop("score", "cluster_id", strict=False), frames[1].drop("relevance", "label", strict=False)

    def one_table(self) -> pl.DataFrame:
        """Gold and system in one table, a row per run and document; several classes are in lists."""
        gold, system = self.tables(lists=self.overlapping)
        runs = pl.DataFrame({"run_id": list(self.runs)})
        full = runs.join(gold, how="cross").join(system, on=["run_id", "query_id", "doc_id"], how="full", coalesce=True)
        return full.filter(pl.col("query_id").is_in(list(self.gold)))


def make_case(
    seed: int, *, ranked: bool = True, clustered: bool = True, overlapping: bool = False, runs: int = 2, rounds: int = 1
) -> Case:
    """Queries of all shapes in turn, and a query that only the runs have.

    Args:
        seed: of the random numbers.
        ranked: documents have grades and scores.
        clustered: documents have classes and clusters.
        overlapping: several of them.
        runs: how many systems.
        rounds: how many queries of each shape.
    """
    rng = random.Random(seed)
    case = Case({}, {f"run{i}": {} for i in range(runs)}, ranked, clustered, overlapping)
    for number in range(rounds * len(SHAPES)):
        shape, query = SHAPES[number % len(SHAPES)], f"{number:02d}"
        n = {"one": 1, "one_lost": 1}.get(shape, rng.randint(2, 14))
        items = [f"{rng.choice(WORDS)}{i}" for i in range(n)]
        gold = {i: Side(_grade(rng, shape), _sets(rng, shape, "L", i, several=overlapping)) for i in items}
        case.gold[query] = {
            i: s for i, s in gold.items() if shape != "half_missing" or rng.random() < 0.5 or i == items[0]
        }
        for name, queries in case.runs.items():
            system = {
                i: Side(
                    _score(rng, shape, gold[i].number or 0.0, k), _clusters(rng, shape, gold[i], i, several=overlapping)
                )
                for k, i in enumerate(items)
            }
            subset = {
                i: s for i, s in system.items() if not (shape in ("half_missing", "mixed") and rng.random() < 0.4)
            }
            if shape not in ("one_lost", "nothing_retrieved") or name == "run1":
                queries[query] = subset
    for queries in case.runs.values():
        queries["unknown"] = {"x": Side(1.0, ("C1",))}
    return case


def _grade(rng: random.Random, shape: str) -> float | None:
    match shape:
        case "no_relevant":
            return 0.0
        case "all_relevant":
            return 1.0
        case "graded":
            return float(rng.choice([-1, 0, 1, 2, 3, 3]))
        case "mixed":
            return rng.choice([None, 0.0, 1.0, 2.5])
    return float(rng.random() < 0.4)


def _score(rng: random.Random, shape: str, grade: float, position: int) -> float | None:
    match shape:
        case "no_ties":
            return None if rng.random() < 0.3 else rng.random()
        case "all_tied":
            return 1.0
        case "nothing_retrieved":
            return None
        case "perfect":
            return grade if grade > 0 else None
        case "reversed":
            return -grade
        case "all_retrieved":
            return -float(position)
    return rng.choice([None, -0.0, 0.0, 1.0, 2.0, 7.5, -3.0])


def _sets(rng: random.Random, shape: str, letter: str, item: str, *, several: bool) -> Sets:
    if shape == "one_cluster":
        return (letter,)
    if shape == "mixed" and rng.random() < 0.2:
        return ()
    names = [f"{letter}{w}" for w in WORDS[:4]]
    if shape == "singletons" and letter == "C":
        return (f"{letter}{item}",)
    return tuple(rng.sample(names, rng.choice([1, 1, 2, 3]))) if several else (rng.choice(names),)


def _clusters(rng: random.Random, shape: str, gold: Side, item: str, *, several: bool) -> Sets:
    if shape in ("same_clusters", "perfect"):
        return tuple(f"C{s}" for s in gold.sets)
    return _sets(rng, shape, "C", item, several=several)
