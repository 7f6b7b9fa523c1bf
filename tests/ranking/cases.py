"""Small random judgments and runs, of every shape that has made a measure differ."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import polars as pl

SHAPES = (
    "mixed", "all_tied", "all_unjudged", "no_relevant", "longer", "perfect", "reversed", "one_document", "fractions",
    "only_negative", "missing", "unknown", "nothing_found", "graded",
)  # fmt: skip
# Ids that could be read as numbers or missing values, or whose order depends on the comparison of text.
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


def split(docs: Docs, seed: object) -> list[Docs]:
    """One to four sets of judgments, of subtopics or assessors, whose largest grades are those of the documents.

    The sets depend on positions of documents only, so that renamed documents have the same sets.
    """
    rng = random.Random(repr(seed))
    sets: list[Docs] = [{} for _ in range(rng.randint(1, 4))]
    for doc, grade in docs.items():
        selected = rng.sample(sets, rng.randint(1, len(sets)))
        selected[0][doc] = grade
        for part in selected[1:]:
            part[doc] = rng.choice([g for g in (grade, grade, 0.0, -1.0) if g <= grade])
    return [part for part in sets if part]


@dataclass
class Case:
    """Judgments by query, and lists of (document, score) by run and query."""

    qrels: dict[Any, Docs] = field(default_factory=dict)
    runs: dict[Any, Lists] = field(default_factory=dict)
    _judged: dict[tuple[Any, ...], Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def judged_by(self, *facets: str) -> dict[Any, Any]:
        """The judgments by query, nested by assessor, by subtopic, or by assessor and subtopic."""

        def nested(docs: Docs, remaining: tuple[str, ...], seed: tuple[Any, ...]) -> Any:
            if not remaining:
                return docs
            numbered = enumerate(split(docs, (*seed, remaining[0])))
            return {self.name(remaining[0], i): nested(part, remaining[1:], (*seed, i)) for i, part in numbered}

        key = (id(self.qrels), *facets)
        if key not in self._judged:
            self._judged[key] = {q: nested(docs, facets, (i,)) for i, (q, docs) in enumerate(self.qrels.items())}
        return self._judged[key]

    def name(self, facet: str, number: int) -> Any:
        """The id of a subtopic or assessor: a number if queries have numbers."""
        return number if self.id_type == pl.Int64 else f"{'Ab' if facet == 'assessor_id' else '1'}{number}"

    def qrels_frame(self, *facets: str) -> pl.DataFrame:
        """The judgments, by subtopic unless other facets, or none (an empty text), are passed."""
        facets = tuple(filter(None, facets or ("subtopic_id",)))

        def rows(judged: Any, remaining: int, keys: tuple[Any, ...]) -> list[tuple[Any, ...]]:
            if not remaining:
                return [(*keys, float(judged))]
            return [row for key, part in judged.items() for row in rows(part, remaining - 1, (*keys, key))]

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
    """Queries of all shapes in turn, with a random list in each run."""
    rng = random.Random(seed)
    case = Case(runs={f"run{i}": {} for i in range(runs)})
    for number in range(queries):
        shape = SHAPES[number % len(SHAPES)]
        query: Any = number * 7 - 20 if integers else f"{rng.choice(WORDS)}/{number}"
        pool = _pool(rng, integers=integers)
        judged = {} if shape == "unknown" else _judgments(rng, shape, pool)
        if judged:
            case.qrels[query] = judged
        for lists in case.runs.values():
            documents = _retrieved(rng, shape, pool, judged)
            if documents:
                lists[query] = documents
    return case


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
    selected = rng.sample(pool, rng.randint(1, len(pool)))
    return {doc: float(rng.choice(grades)) for doc in selected}


def _retrieved(rng: random.Random, shape: str, pool: list[Any], judged: Docs) -> list[tuple[Any, float]]:
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
