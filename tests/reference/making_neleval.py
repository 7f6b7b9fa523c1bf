"""Writes `neleval_3.1.1.json`: what neleval makes of a few documents with links.

Run by hand where neleval 3.1.1 can be imported: `python -m tests.reference.making_neleval`.  It is written for a Python
whose `collections` has `Sequence`, so that is put there first.
"""

from __future__ import annotations

import collections
import collections.abc
import importlib
import json
import random
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "neleval_3.1.1.json"
STRONG = (
    "strong_mention_match", "strong_typed_mention_match", "strong_linked_mention_match", "strong_link_match",
    "strong_nil_match", "strong_all_match", "strong_typed_link_match", "strong_typed_nil_match",
    "strong_typed_all_match", "entity_match",
)  # fmt: skip
OVERLAPS = (
    "overlap-maxmax::span", "overlap-sumsum::span", "overlap-maxmax:is_linked:span+kbid", "overlap-sumsum::span+type",
)  # fmt: skip
VALUES = ("precision", "recall", "fscore")
Row = tuple[str, int, int, str, str]


def mentions(draw: random.Random, document: str) -> list[Row]:
    """Mentions that do not overlap; ends are their last characters."""
    out, at = [], 0
    for _ in range(draw.randint(2, 7)):
        start = at + draw.randint(1, 3)
        end = start + draw.randint(0, 3)
        out.append(
            (document, start, end, draw.choice(("PER", "LOC", "ORG")), draw.choice(("Q1", "Q2", "NIL1", "NIL2")))
        )
        at = end
    return out


def changed(draw: random.Random, rows: list[Row]) -> list[Row]:
    """Some of them left out, and some with another type, entity or end."""
    out = []
    for document, start, end, kind, entity in rows:
        if draw.random() < 0.8:
            shorter = end - 1 if end > start and draw.random() < 0.3 else end
            other = draw.choice(("Q1", "Q2", "NIL1")) if draw.random() < 0.3 else entity
            out.append((document, start, shorter, draw.choice((kind, kind, "LOC")), other))
    return out


def main() -> None:
    """Write the file."""
    collections.Sequence = collections.abc.Sequence  # type: ignore[attr-defined]
    annotation = importlib.import_module("neleval.annotation").Annotation
    document = importlib.import_module("neleval.document").Document
    evaluate = importlib.import_module("neleval.evaluate").Evaluate
    draw = random.Random(4)
    gold = [row for i in range(8) for row in mentions(draw, f"d{i}")]
    predicted = [*changed(draw, gold), *mentions(draw, "d8")]

    def documents(rows: list[Row], *, cut: bool = False) -> list[Any]:
        of: dict[str, list[Any]] = {}
        for name, start, end, kind, entity in rows:
            places = [(i, i + 1) for i in range(start, end + 1)] if cut else [(start, end)]
            for one, other in places:
                text = f"{name}\t{one}\t{other}\t{entity}\t1.0\t{kind}"
                of.setdefault(name, []).append(annotation.from_string(text))
        return [document(name, annotations) for name, annotations in of.items()]

    def values(measures: tuple[str, ...], *, cut: bool = False) -> dict[str, list[float]]:
        results = evaluate(documents(predicted, cut=cut), documents(gold, cut=cut), measures=list(measures))()
        return {name: [float(results[name][v]) for v in VALUES] for name in measures}

    stored = {
        "gold": gold, "predicted": predicted, "strong": values(STRONG), "overlaps": values(OVERLAPS),
        "characters": values(STRONG[:-1], cut=True),
    }  # fmt: skip
    FILE.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
