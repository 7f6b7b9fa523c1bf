"""Small cases of judgments and runs, random from a seed, in every shape that has ever made a measure differ."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import polars as pl

SHAPES = (
    "mixed", "all_tied", "all_unjudged", "no_relevant", "longer", "perfect", "reversed", "one_document", "fractions",
    "only_negative", "missing", "unknown", "nothing_found", "graded",
)  # fmt: skip
# Ids that a careless reader takes for numbers or missing values, and ids whose order depends on how text is compared.
WORDS = (
    "007",
    "7",
    "NA",
    "null",
    "10",
    "9",
    "d 1",
    "Zebra",
    "apple",
    "Äpfel",
    "émile",
    "\U0001f600",
    "ﬀ",
    "-1",
    "1e5",
    "'q'",
    '"q"',
)

Docs = dict[Any, float]
Lists = dict[Any, list[tuple[Any, float]]]


def parts(docs: Docs, seed: object) -> list[Docs]:
    """One to four sets of judgments, of subtopics or assessors, over which the largest grades are the given ones.

    Which document is in which set follows from their positions, so that renamed documents stay where they are.
    """
    rng = random.Random(repr(seed))
    made: list[Docs] = [{} for _ in range(rng.randint(1, 4))]
    for doc, grade in docs.items():
        chosen = rng.sample(made, rng.randint(1, len(made)))
        chosen[0][doc] = grade
        for part in chosen[1:]:
            part[doc] = rng.choice([g for g in (grade, grade, 0.0, -1.0) if g <= grade])
    return [part for part in made if part]


@dataclass
class Case:
    """Judgments by query, and lists of (document, score) by run and query."""

    qrels: dict[Any, Docs] = field(default_factory=dict)
    runs: dict[Any, Lists] = field(default_factory=dict)
    _judged: dict[tuple[Any, ...], Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def judged_by(self, *facets: str) -> dict[Any, Any]:
        """By query the judgments, nested: by assessor, by subtopic, or by assessor and subtopic."""

        def nested(docs: Docs, left: tuple[str, ...], seed: tuple[Any, ...]) -> Any:
            if not left:
                return docs
            split = enumerate(parts(docs, (*seed, left[0])))
            return {self.name(left[0], i): nested(part, left[1:], (*seed, i)) for i, part in split}

        key = (id(self.qrels), *facets)
        if key not in self._judged:
            self._judged[key] = {q: nested(docs, facets, (i,)) for i, (q, docs) in enumerate(self.qrels.items())}
        return self._judged[key]

    def name(self, facet: str, number: int) -> Any:
        """Subtopics are numbers where queries are; assessors have names."""
        return number if self.id_type == pl.Int64 else f"{'Ab' if facet == 'assessor_id' else '1'}{number}"

    def qrels_frame(self, *facets: str) -> pl.DataFrame:
        """The judgments, by subtopic unless other facets, or none (an empty text), are named."""
        facets = tuple(filter(None, facets or ("subtopic_id",)))

        def rows(judged: Any, left: int, keys: tuple[Any, ...]) -> list[tuple[Any, ...]]:
            if not left:
                return [(*keys, float(judged))]
            return [row for key, part in judged.items() for row in rows(part, left - 1, (*keys, key))]

        types = {
            "query_id": self.id_type,
            **dict.fromkeys(facets, self.id_type),
            "doc_id": self.id_type,
            "relevance": pl.Float64,
        }
        return pl.DataFrame(rows(self.judged_by(*facets), len(facets) + 2, ()), schema=types, orient="row")

    def run_frame(self, run_id: Any = None) -> pl.DataFrame:
        """All runs with a run_id column, or one run without."""
        rows = [
            (r, q, d, s)
            for r, lists in self.runs.items()
            if run_id in (None, r)
            for q, docs in lists.items()
            for d, s in docs
        ]
        types = {"run_id": pl.String, "query_id": self.id_type, "doc_id": self.id_type, "score": pl.Float64}
        frame = pl.DataFrame(rows, schema=types, orient="row")
        return frame if run_id is None else frame.drop("run_id")

    @property
    def id_type(self) -> Any:
        return pl.Int64 if any(isinstance(q, int) for q in self.qrels) else pl.String


def make_case(seed: int, queries: int = 40, runs: int = 3, *, integers: bool = False) -> Case:
    """Queries of all shapes in turn; every run answers them differently."""
    rng = random.Random(seed)
    made = Case(runs={f"run{i}": {} for i in range(runs)})
    for number in range(queries):
        shape = SHAPES[number % len(SHAPES)]
        query: Any = number * 7 - 20 if integers else f"{rng.choice(WORDS)}/{number}"
        pool = _pool(rng, integers=integers)
        judged = {} if shape == "unknown" else _judgments(rng, shape, pool)
        if judged:
            made.qrels[query] = judged
        for lists in made.runs.values():
            found = _found(rng, shape, pool, judged)
            if found:
                lists[query] = found
    return made


def _pool(rng: random.Random, *, integers: bool) -> list[Any]:
    size = rng.choice((3, 12, 30))
    if integers:
        return rng.sample(range(-50, 5000), size)
    return [*rng.sample(WORDS, min(3, size)), *(f"doc{i}" for i in rng.sample(range(1000), size))][:size]


def _judgments(rng: random.Random, shape: str, pool: list[Any]) -> Docs:
    grades: tuple[float, ...] = (-2, -1, 0, 0, 0, 1, 1, 2, 3, 4)
    grades = {
        "no_relevant": (-1, 0),
        "fractions": (0, 0.25, 0.5, 1.5, 2.75, 3.999),
        "only_negative": (-1, -2),
        "graded": (0, 1, 2, 3, 4),
    }.get(shape, grades)
    chosen = rng.sample(pool, rng.randint(1, len(pool)))
    return {doc: float(rng.choice(grades)) for doc in chosen}


def _found(rng: random.Random, shape: str, pool: list[Any], judged: Docs) -> list[tuple[Any, float]]:
    unjudged = [doc for doc in pool if doc not in judged]
    docs = rng.sample(pool, rng.randint(1, len(pool)))
    scores: tuple[float, ...] = (0.0, -0.0, 1.0, 2.5, -3.0, 2.5000001, 1e-30)
    match shape:
        case "missing":
            return [] if rng.random() < 0.7 else [(doc, 1.0) for doc in docs]
        case "all_tied":
            scores = (1.5,)
        case "all_unjudged" | "nothing_found":
            docs = unjudged
        case "longer":
            extra = [-1000 - i for i in range(25)] if isinstance(pool[0], int) else [f"extra{i}" for i in range(25)]
            docs = rng.sample([*pool, *extra], len(pool) + 25)
        case "one_document":
            docs = docs[:1]
        case "perfect" | "reversed":
            sign = 1 if shape == "perfect" else -1
            return [(doc, sign * judged.get(doc, 0.0)) for doc in pool]
    if rng.random() < 0.4:
        return [(doc, rng.random()) for doc in docs]
    return [(doc, rng.choice(scores)) for doc in docs]
