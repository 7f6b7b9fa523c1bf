"""Small documents with relations and events, made at random from a seed: a document for every hard shape."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from tests.oracles.relations import Document, Row, Rules

SHAPES = (
    "mixed", "same", "nothing", "no_gold", "no_predictions", "labels", "types", "shifted", "turned", "repeated",
    "triggers", "arguments", "entities", "one", "many", "tokens",
)  # fmt: skip
LABELS = ("born_in", "spouse", "works_for", "part of", "Ä")
TYPES = ("PER", "LOC", "ORG", "NULL")
SCHEMA = {
    "label": pl.String, "head_start": pl.Int64, "head_end": pl.Int64, "head_type": pl.String, "head_token": pl.Int64,
    "head_id": pl.String, "tail_start": pl.Int64, "tail_end": pl.Int64, "tail_type": pl.String, "tail_token": pl.Int64,
    "tail_id": pl.String,
}  # fmt: skip
TAIL = ("label", "tail_start", "tail_end", "tail_type", "tail_token", "tail_id")
DEFAULT = Rules()


@dataclass
class Case:
    """Documents by run and id, and the rules under which they are compared."""

    units: dict[Any, dict[Any, Document]] = field(default_factory=dict)
    rules: Rules = DEFAULT

    def frames(self) -> dict[str, pl.DataFrame]:
        first = next(iter(self.units.values()))
        gold = [{"doc_id": d, **row} for d, doc in first.items() for row in doc.gold]
        predicted = [
            {"run_id": run, "doc_id": d, **row}
            for run, docs in self.units.items()
            for d, doc in docs.items()
            for row in doc.predicted
        ]
        documents = [{"doc_id": d, "weight": doc.weight} for d, doc in first.items()]
        ids = {"doc_id": pl.String}
        return {
            "gold": pl.DataFrame(gold, schema={**ids, **SCHEMA}),
            "predicted": pl.DataFrame(predicted, schema={"run_id": pl.String, **ids, **SCHEMA}),
            "documents": pl.DataFrame(documents, schema={**ids, "weight": pl.Float64}),
        }

    @property
    def options(self) -> dict[str, Any]:
        policy = {"duplicates": self.rules.duplicates, "undefined": self.rules.undefined}
        return {"undirected": self.rules.undirected, "policy": policy}


def make_case(seed: int, *, runs: int = 1, rounds: int = 1, rules: Rules = DEFAULT) -> Case:
    rng = random.Random(seed)
    case = Case({f"run{i}": {} for i in range(runs)}, rules)
    for number in range(rounds * len(SHAPES)):
        shape = SHAPES[number % len(SHAPES)]
        gold, weight = _gold(rng, shape), rng.choice((0.5, 1.0, 2.0))
        for docs in case.units.values():
            docs[f"{number:02d} {shape}"] = Document(gold, _predicted(rng, shape, gold), weight)
    return case


def _row(rng: random.Random) -> Row:
    row: Row = {"label": rng.choice(LABELS)}
    for side in ("head", "tail"):
        start = rng.randint(0, 3)
        end = start + rng.randint(1, 2)
        row |= {f"{side}_start": start, f"{side}_end": end, f"{side}_type": rng.choice(TYPES)}
        row |= {f"{side}_token": rng.choice((None, start)), f"{side}_id": f"e{rng.randint(1, 4)}"}
    if rng.random() < 0.2:
        row |= dict.fromkeys(TAIL)
    return row


def _gold(rng: random.Random, shape: str) -> list[Row]:
    size = {"nothing": 0, "no_gold": 0, "one": 1, "many": 17}.get(shape, rng.randint(4, 11))
    return [_row(rng) for _ in range(size)]


def _predicted(rng: random.Random, shape: str, gold: list[Row]) -> list[Row]:
    rows = [dict(row) for row in gold]
    match shape:
        case "nothing" | "no_predictions":
            return []
        case "no_gold":
            return [_row(rng) for _ in range(rng.randint(1, 3))]
        case "mixed" | "many" | "one":
            rows = [row for row in rows if rng.random() < 0.6] + [_row(rng) for _ in range(rng.randint(0, 2))]
        case "repeated":
            rows += [dict(rng.choice(rows)) for _ in range(3)] + [_row(rng)] * 2
        case "same":
            return rows
    changed = {
        "labels": ("label",), "types": ("head_type", "tail_type"), "shifted": ("head_start", "tail_end"),
        "triggers": ("head_start", "head_end", "head_type"), "arguments": ("tail_start", "tail_end", "label"),
        "entities": ("head_id", "tail_id"), "tokens": ("head_token", "tail_token"),
    }.get(shape, ())  # fmt: skip
    for row in rows:
        if shape == "turned" and row["label"] is not None:
            for name in ("start", "end", "type", "token", "id"):
                row[f"head_{name}"], row[f"tail_{name}"] = row[f"tail_{name}"], row[f"head_{name}"]
        for name in changed:
            if row[name] is not None and rng.random() < 0.4:
                row[name] = _changed(rng, row, name)
    rng.shuffle(rows)
    return rows


def _changed(rng: random.Random, row: Row, name: str) -> Any:
    if name == "label":
        return rng.choice(LABELS)
    if name.endswith("type"):
        return rng.choice(TYPES)
    if name.endswith("id"):
        return f"e{rng.randint(1, 4)}"
    return row[name] + (1 if name.endswith("end") else -1)
