"""Small sets of answers with citations: every shape that could make a measure differ."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass
from typing import Any

import polars as pl

from tests.oracles.citations import Conventions, Sentence

IDS = {"run_id": pl.String, "query_id": pl.String, "sentence_id": pl.String}
# What sentences cite: nothing, one passage, several, repeated ones, and ones that do not exist.
SHAPES: tuple[tuple[str | None, ...], ...] = (
    (), ("a",), ("b", "a"), ("a", "b", "c"), ("a", "a"), ("a", "a", "b"), (None,), (None, "a"), ("b", None, "c", None),
)  # fmt: skip


@dataclass(frozen=True)
class Case:
    """Answers by run and query; no sentences are no answer."""

    runs: dict[str, dict[str, list[Sentence]]]
    policy: str = "labels=graded"
    tries_all: bool = True
    """Whether all measures are tried, or those that the policy decides about."""

    @property
    def conventions(self) -> Conventions:
        """What the policy says."""
        return Conventions(**dict(part.split("=") for part in self.policy.split(",") if part))

    def _sentences(self) -> list[tuple[str, str, str, Sentence]]:
        return [
            (run, query, f"s{i}", sentence)
            for run, queries in self.runs.items()
            for query, answer in queries.items()
            for i, sentence in enumerate(answer)
        ]

    def tables(self) -> dict[str, pl.DataFrame]:
        """The three tables, and that of queries."""
        rows: dict[str, list[tuple[Any, ...]]] = {"sentences": [], "citations": [], "support": []}
        for *key, s in self._sentences():
            rows["sentences"].append((*key,))
            rows["citations"] += [(*key, doc, rank) for rank, doc in enumerate(s.cites, start=1)]
            labels = [("alone", d, levels) for d, levels in s.alone.items()]
            labels += [("together", None, s.together)] if s.together else []  # type: ignore[list-item]
            labels += [("without", d, levels) for d, levels in s.without.items()]
            rows["support"] += [
                (*key, doc, level, about, f"j{j}") for about, doc, levels in labels for j, level in enumerate(levels)
            ]
        schemas: dict[str, dict[str, Any]] = {
            "sentences": IDS,
            "citations": {**IDS, "doc_id": pl.String, "rank": pl.Int64},
            "support": {**IDS, "doc_id": pl.String, "label": pl.Int64, "passages": pl.String, "judge": pl.String},
        }
        frames = {name: pl.DataFrame(of, schema=schemas[name], orient="row") for name, of in rows.items()}
        queries = sorted({q for of in self.runs.values() for q in of})
        return {**frames, "queries": pl.DataFrame({"query_id": queries}, schema={"query_id": pl.String})}


def sentence(rng: random.Random, cites: tuple[str | None, ...], *, judges: int = 1, known: float = 1.0) -> Sentence:
    """A sentence with labels of all that it cites."""

    def labels() -> list[int]:
        return [rng.choice((0, 1, 2)) for _ in range(judges)]

    docs = sorted({d for d in cites if d is not None})
    is_known = [rng.random() < known for _ in range(2 * len(docs) + 1)]
    alone = {d: labels() for d, k in zip([*docs, "uncited"], [*is_known, True], strict=False) if k}
    without = {d: labels() for d, k in zip(docs, is_known[len(docs) :], strict=False) if k and len(docs) > 1}
    return Sentence(cites, alone, labels() if docs and is_known[-1] else None, without)


def make_case(seed: int, policy: str, *, judges: int = 1, known: float = 1.0, tries_all: bool = True) -> Case:
    """Answers of every shape of sentences, of an answer without citations, and none; of two runs."""
    rng = random.Random(seed)

    def answer(n: int) -> list[Sentence]:
        return [sentence(rng, rng.choice(SHAPES), judges=judges, known=known) for _ in range(n)]

    runs = {}
    for run in ("one", "two"):
        answers = {f"q{i:02d}": [sentence(rng, s, judges=judges, known=known)] for i, s in enumerate(SHAPES)}
        answers |= {f"r{i}": answer(n) for i, n in enumerate(itertools.islice(itertools.cycle((2, 3, 6)), 9))}
        runs[run] = answers | {"uncited": [Sentence(), Sentence()], f"t_{run}": answer(2), "t_none": []}
    runs["one"]["t_two"] = runs["two"]["t_one"] = []
    return Case(runs, f"labels=graded,{policy}" if policy else "labels=graded", tries_all)
