"""Small documents with links, and queries with slots, made at random from a seed."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from tests.oracles.links import Document, Row, Rules

SHAPES = (
    "mixed", "same", "nothing", "no_predictions", "entities", "no_gold", "types", "shifted", "inside", "repeated",
    "nil", "linked", "one", "many",
)  # fmt: skip
TYPES = ("PER", "LOC", "ORG")
ENTITIES = ("Q1", "Q2", "Q3", "NIL1", "NIL2", "NILE", None)
SLOTS = ("title", "child", "spouse")
JUDGMENTS = ("correct", "C", "1", None, "R", "2", "inexact", "3", "W", "-1")
DEFAULT = Rules()
LINKS = {"start": pl.Int64, "end": pl.Int64, "type": pl.String, "kb_id": pl.String}
ANSWERS = {"slot": pl.String, "value": pl.String}
ASSESSED = {"class_id": pl.Int64, "judgment": pl.String}


@dataclass
class Case:
    """Documents by run and id, the rules under which they are compared, and the columns of both tables."""

    units: dict[Any, dict[Any, Document]] = field(default_factory=dict)
    rules: Rules = DEFAULT
    slots: bool = False

    def frames(self) -> dict[str, pl.DataFrame]:
        first = next(iter(self.units.values()))
        columns = ANSWERS if self.slots else LINKS
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
            "gold": pl.DataFrame(gold, schema={**ids, **columns, **(ASSESSED if self.slots else {})}),
            "predicted": pl.DataFrame(predicted, schema={"run_id": pl.String, **ids, **columns}),
            "documents": pl.DataFrame(documents, schema={**ids, "weight": pl.Float64}),
        }

    @property
    def options(self) -> dict[str, Any]:
        rules = self.rules
        policy = {"duplicates": rules.duplicates, "undefined": rules.undefined}
        where = rules.where or {name: list(values) for name, values in rules.values} or None
        on = ["slot", "value"] if self.slots else None if rules.on == DEFAULT.on else list(rules.on)
        return {"policy": policy, "where": where, "on": on, "offsets": "inclusive" if rules.inclusive else "exclusive"}


def make_case(seed: int, *, runs: int = 1, rounds: int = 1, rules: Rules = DEFAULT) -> Case:
    """Documents of mentions."""
    rng = random.Random(seed)
    case = Case({f"run{i}": {} for i in range(runs)}, rules)
    for number in range(rounds * len(SHAPES)):
        shape = SHAPES[number % len(SHAPES)]
        gold, weight = _gold(rng, shape), rng.choice((0.5, 1.0, 2.0))
        for docs in case.units.values():
            docs[f"{number:02d} {shape}"] = Document(gold, _predicted(rng, shape, gold), weight)
    return case


def make_slots(seed: int, *, runs: int = 1, size: int = 14, rules: Rules = DEFAULT) -> Case:
    """Queries with answers, some of them judged; the type of an answer is its slot."""
    rng = random.Random(seed)
    case = Case({f"run{i}": {} for i in range(runs)}, rules, slots=True)
    for number in range(size):
        gold = [_answer(rng) for _ in range(rng.choice((0, 2, 5, 9)))]
        classes: dict[Any, Any] = {}
        for row in gold:
            # An answer is in one class.
            place = classes.setdefault(row["value"], rng.choice((None, 1, 2, 3)))
            row |= {"class_id": place, "judgment": rng.choice(JUDGMENTS)}
        for docs in case.units.values():
            chosen = [row for row in gold if rng.random() < 0.6]
            predicted = [{k: row[k] for k in ANSWERS} for row in chosen] + [_answer(rng) for _ in range(number % 3 + 1)]
            predicted = [] if number in (3, 7) else predicted
            docs[f"q{number:02d}"] = Document(gold, predicted, rng.choice((1.0, 2.0)))
    return case


def _answer(rng: random.Random) -> Row:
    return {"slot": rng.choice(SLOTS), "value": rng.choice(("a", "b", "c d", "Ä"))}


def _row(rng: random.Random) -> Row:
    start = rng.randint(0, 9)
    return {
        "start": start, "end": start + rng.randint(1, 4), "type": rng.choice(TYPES), "kb_id": rng.choice(ENTITIES),
    }  # fmt: skip


def _gold(rng: random.Random, shape: str) -> list[Row]:
    size = {"nothing": 0, "no_gold": 0, "one": 1, "many": 17}.get(shape, rng.randint(3, 9))
    rows = [_row(rng) for _ in range(size)]
    for row in rows:
        if shape in ("nil", "linked"):
            row["kb_id"] = rng.choice(("NIL1", None) if shape == "nil" else ("Q1", "Q2"))
    return rows


def _predicted(rng: random.Random, shape: str, gold: list[Row]) -> list[Row]:
    rows = [dict(row) for row in gold]
    match shape:
        case "nothing" | "no_predictions":
            return []
        case "no_gold":
            return [_row(rng) for _ in range(rng.randint(1, 3))]
        case "same":
            return rows
        case "repeated":
            rows += [dict(rng.choice(rows)) for _ in range(3)] + [_row(rng)] * 2
        case _:
            rows = [row for row in rows if rng.random() < 0.8] + [_row(rng) for _ in range(rng.randint(0, 2))]
    for row in rows:
        changed = rng.random() < 0.5
        if shape in ("entities", "nil", "linked", "many") and changed:
            row["kb_id"] = rng.choice(ENTITIES)
        elif shape == "types" and changed:
            row["type"] = rng.choice(TYPES)
        elif shape in ("shifted", "one", "mixed") and changed:
            row["end"] += 1
        elif shape == "inside" and changed:
            row["end"] = row["start"] + 1
    rng.shuffle(rows)
    return rows
