"""Small documents with mentions, made at random from a seed: one for every shape that could make a measure differ."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from tests.oracles.coreference import Document, document

Span = tuple[int, int]
Mentions = dict[Span, Any]
SHAPES = (
    "mixed", "same", "renamed", "one entity", "one predicted entity", "all alone", "all alone on both sides",
    "predicted alone", "one mention", "one mention on both sides", "two mentions", "other mentions", "missed",
    "spurious", "spurious alone", "no gold", "no predictions", "nothing", "split", "merged", "crossed", "many",
    "nested",
)  # fmt: skip
WORDS = ("007", "7", "NA", "null", "Zebra", "apple", "Äpfel", "10", "9", "d 1", "'q'", "1:a")


@dataclass
class Case:
    """The mentions of gold and predictions with their entities, by document; predictions by run."""

    gold: dict[str, Mentions] = field(default_factory=dict)
    predicted: dict[str, dict[str, Mentions]] = field(default_factory=dict)
    types: tuple[Any, Any] = (pl.String, pl.String)

    @property
    def runs(self) -> tuple[str, ...]:
        return tuple(self.predicted)

    def frames(self) -> dict[str, pl.DataFrame]:
        """The tables; several runs are named."""
        schema = {"doc_id": pl.String, "start": pl.Int64, "end": pl.Int64}
        gold = [(d, *span, entity) for d, mentions in self.gold.items() for span, entity in mentions.items()]
        predicted = [
            (run, d, *span, entity)
            for run, documents in self.predicted.items()
            for d, mentions in documents.items()
            for span, entity in mentions.items()
        ]
        table = pl.DataFrame(
            predicted, schema={"run_id": pl.String, **schema, "cluster_id": self.types[1]}, orient="row"
        )
        return {
            "gold": pl.DataFrame(gold, schema={**schema, "cluster_id": self.types[0]}, orient="row"),
            "predicted": table if len(self.runs) > 1 else table.drop("run_id"),
            "documents": pl.DataFrame({"doc_id": list(self.gold)}),
        }

    def documents(self, run: str, weights: Mapping[str, float] | None = None) -> dict[str, Document]:
        """What the oracle takes."""
        return {
            d: document(mentions.items(), self.predicted[run][d].items(), (weights or {}).get(d, 1.0))
            for d, mentions in self.gold.items()
        }


def make_case(seed: int, *, runs: int = 1, rounds: int = 1, integers: bool = False) -> Case:
    """Documents of all shapes in turn; with `integers` predicted entities are numbers."""
    rng = random.Random(seed)
    case = Case(types=(pl.String, pl.Int64 if integers else pl.String))
    pool: list[Any] = list(range(-1, 11)) if integers else list(WORDS)
    case.predicted = {f"run{i}": {} for i in range(runs)}
    for number in range(rounds * len(SHAPES)):
        shape = SHAPES[number % len(SHAPES)]
        doc = f"{number:02d} {shape}"
        case.gold[doc] = _gold(rng, shape)
        for documents in case.predicted.values():
            documents[doc] = _predicted(rng, shape, case.gold[doc], pool)
    return case


def _spans(rng: random.Random, n: int, first: int = 0) -> list[Span]:
    """Distinct spans, some within others."""
    starts = sorted(rng.sample(range(first, first + 3 * n), n))
    return [(start, start + rng.randint(1, 4)) for start in starts]


def _gold(rng: random.Random, shape: str) -> Mentions:
    size = {"one mention": 1, "one mention on both sides": 1, "two mentions": 2, "many": 24}.get(
        shape, rng.randint(5, 10)
    )
    k = 8 if shape == "many" else rng.randint(2, 4)
    spans = [] if shape in ("no gold", "nothing") else _spans(rng, size)
    if shape == "nested":
        spans = [(0, n) for n in range(1, size)] + [(n, size) for n in range(1, size)]
    entities = [rng.choice(WORDS[:k]) for _ in spans]
    if shape == "one entity":
        entities = [WORDS[0]] * len(spans)
    if shape in ("all alone", "all alone on both sides"):
        entities = [f"e{i}" for i in range(len(spans))]
    if shape == "crossed":
        entities = [WORDS[i % 2] for i in range(len(spans))]
    return dict(zip(spans, entities, strict=True))


def _predicted(rng: random.Random, shape: str, gold: Mentions, pool: list[Any]) -> Mentions:  # noqa: PLR0912
    names = dict(zip(dict.fromkeys([*gold.values(), *WORDS]), rng.sample(pool, len(pool)) * 3, strict=False))
    noisy = {span: rng.choice(pool[:4]) for span in gold}
    more = dict.fromkeys(_spans(rng, 4, 100))
    match shape:
        case "same" | "renamed" | "one entity" | "one mention on both sides":
            return {span: names[e] for span, e in gold.items()}
        case "all alone on both sides" | "predicted alone":
            return {span: pool[i % len(pool)] for i, span in enumerate(list(gold)[: len(pool)])}
        case "one predicted entity":
            return dict.fromkeys(gold, pool[3])
        case "other mentions":
            return {span: rng.choice(pool[:3]) for span in more}
        case "missed":
            return {span: names[e] for span, e in gold.items() if rng.random() < 0.5}
        case "spurious":
            return {span: names[e] for span, e in gold.items()} | {span: rng.choice(pool[:3]) for span in more}
        case "spurious alone":
            return {span: names[e] for span, e in gold.items()} | dict(zip(more, pool[-4:], strict=True))
        case "no gold":
            return {span: rng.choice(pool[:3]) for span in more}
        case "no predictions" | "nothing":
            return {}
        case "split":
            return {span: pool[(WORDS.index(e) * 2 + rng.randint(0, 1)) % len(pool)] for span, e in gold.items()}
        case "merged":
            return {span: pool[0] if e in WORDS[:2] else names[e] for span, e in gold.items()}
        case "crossed":
            return {span: pool[i // 2 % 2] for i, span in enumerate(gold)}
        case "many":
            return {span: rng.choice(pool) for span in gold if rng.random() < 0.8} | {s: rng.choice(pool) for s in more}
        case "mixed":
            kept = {span: e for span, e in noisy.items() if rng.random() < 0.7}
            return kept | {span: rng.choice(pool[:5]) for span in more}
    return noisy
