"""Small sets of queries with answers: every shape that could make a measure differ."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import polars as pl

from tests.answers.texts import TEXTS
from tests.oracles.answers import Asked, Conventions

SHAPES: tuple[tuple[tuple[str | None, ...], str | None], ...] = (
    (("Denver Broncos",), "The Denver Broncos"),
    (("Santa Clara, California", "Santa Clara", "Levi's Stadium"), "at Levi's Stadium in Santa Clara"),
    (("1976",), "1976."),
    (("gold", "golden"), "silver"),
    ((None,), ""),
    ((None,), "an answer"),
    (("", "the"), "The"),
    (("A",), "anything at all"),
    (("A", "B"), "b"),
    (("a b", "b c d"), "b"),
    (("x y", "y z w v"), "y w"),
    (("some answer",), None),
    (("some answer",), ""),
    ((None, ""), None),
    (("same", "same", "other words"), "same same other"),
    (("police killed the gunman",), "the gunman kills police"),
    (("relational hopping skies flies dying news ponies",), "relate hops sky fly die new pony"),
    (("to be or not to be",), "to be to be to be"),
    (("industry",), "us"),
    (("us",), "industry of us"),
)
WORDS = (
    *("the", "a", "an", "cats", "cat", "running", "runs", "U.S.", "Ähre", "日本", "2020", "relational", "relation"),
    *("--", "of", "(of)", "x_y", "THE"),
)


@dataclass(frozen=True)
class Case:
    """Queries by run; the gold answers of a query are the same in all runs."""

    runs: dict[str, dict[str, Asked]]
    policy: str = ""
    lists: bool = False
    tries: str = "all"
    """The variants of measures that are tried: all, the first, or those of a parameter."""

    @property
    def conventions(self) -> Conventions:
        """What the policy says."""
        presets = {"squad-1.1": Conventions("keep", "zero", "zero"), "squad-2.0": Conventions("drop", "equal", "skip")}
        if self.policy in presets:
            return presets[self.policy]
        return Conventions(**dict(part.split("=") for part in self.policy.split(",") if part))

    def gold(self) -> pl.DataFrame:
        """The table of gold answers: a row per answer, or per query with a list."""
        queries = next(iter(self.runs.values()))
        if self.lists:
            lists: dict[str, Any] = {"query_id": list(queries), "answer": [list(q.golds) for q in queries.values()]}
            return pl.DataFrame(lists, schema={"query_id": pl.String, "answer": pl.List(pl.String)})
        rows = [(name, answer) for name, query in queries.items() for answer in query.golds]
        return pl.DataFrame(rows, schema={"query_id": pl.String, "answer": pl.String}, orient="row")

    def predicted(self) -> pl.DataFrame:
        """The table of predicted answers."""
        rows = [
            (run, name, query.predicted)
            for run, queries in self.runs.items()
            for name, query in queries.items()
            if query.predicted is not None
        ]
        schema = {"run_id": pl.String, "query_id": pl.String, "prediction": pl.String}
        return pl.DataFrame(rows, schema=schema, orient="row")


def of_shapes(policy: str = "", *, lists: bool = False) -> Case:
    """A query of each shape; another run answers with the next query's answer."""
    queries = {f"q{i:02d}": Asked(*shape) for i, shape in enumerate(SHAPES)}
    predicted = [p for _, p in SHAPES]
    turned = {
        name: Asked(query.golds, predicted[(i + 1) % len(predicted)]) for i, (name, query) in enumerate(queries.items())
    }
    return Case({"one": queries, "two": turned}, policy, lists, "first")


def of_texts() -> Case:
    """Texts in which engines might differ, beside themselves and each other."""
    n = len(TEXTS)
    return Case({
        run: {
            f"q{i:02d}": Asked((text, TEXTS[(i + 1) % n]), (TEXTS[(i + by) % n]).upper() if i % 3 else text)
            for i, text in enumerate(TEXTS)
        }
        for run, by in (("one", 0), ("two", 5))
    }, tries="normalize")  # fmt: skip


def of_all(seed: int, n: int = 40) -> Case:
    """The shapes, and answers of a few words, of two runs."""
    rng = random.Random(seed)

    def text() -> str:
        return " ".join(rng.choice(WORDS) for _ in range(rng.randint(0, 7)))

    golds = {f"r{i}": tuple(text() for _ in range(rng.randint(1, 3))) for i in range(n)}
    return Case({
        run: shapes | {name: Asked(answers, text()) for name, answers in golds.items()}
        for run, shapes in of_shapes().runs.items()
    })  # fmt: skip
