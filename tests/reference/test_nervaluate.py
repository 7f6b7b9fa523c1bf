"""The four modes of SemEval 2013 equal nervaluate's, where no span overlaps two others.

Elsewhere it takes the first span in the order of rows; `differences.py` has examples.
"""

from __future__ import annotations

import random
from typing import Any

import polars as pl
import pytest
from nervaluate import Evaluator

import ireval_frames as ir
from tests.planner.engines import ENGINES

TYPES = ("PER", "LOC", "ORG")
MODES = {"strict": "strict", "exact": "exact", "partial": "partial", "type": "ent_type"}
COLUMNS = ["doc_id", "start", "end", "type"]
Row = tuple[int, int, int, str]


def rows() -> tuple[list[Row], list[Row]]:
    """Gold spans with ten positions for each, and for most of them a predicted span near by."""
    rng = random.Random(5)
    gold, predicted = [], []
    for doc in range(30):
        for place in range(0, 10 * rng.randint(1, 6), 10):
            start = place + rng.randint(2, 4)
            span = (doc, start, start + rng.randint(2, 3), rng.choice(TYPES))
            gold += [span] * (rng.random() < 0.9)
            kind = rng.choice(("same", "ends", "type", "both", "none", "far"))
            ends = (rng.randint(-1, 1), rng.randint(0, 1)) if kind in ("ends", "both") else (0, 0)
            of_type = rng.choice(TYPES) if kind in ("type", "both") else span[3]
            if kind == "far":
                predicted.append((doc, place, place + 1, of_type))
            elif kind != "none":
                predicted.append((doc, span[1] + ends[0], span[2] + ends[1], of_type))
    return gold, predicted


def documents(spans: list[Row]) -> list[list[dict[str, Any]]]:
    """Spans as it wants them: by document, the end inclusive."""
    return [[{"label": t, "start": s, "end": e - 1} for d, s, e, t in spans if d == doc] for doc in range(30)]


@pytest.mark.parametrize("engine", ENGINES)
def test_modes(engine: str, agrees: Any) -> None:
    gold, predicted = rows()
    evaluated = Evaluator(documents(gold), documents(predicted), tags=list(TYPES), loader="dict").evaluate()
    frames = [pl.DataFrame(spans, COLUMNS, orient="row") for spans in (gold, predicted)]
    subject = ir.Spans(*frames, documents=list(range(30)), engine=engine)
    for mode, name in MODES.items():
        theirs = evaluated["overall"][name]
        measures = [f"{m}(match={mode!r})" for m in ("Precision", "Recall", "F1")]
        ours = subject.evaluate(measures).summary()["value"].to_list()
        assert ours == pytest.approx([theirs.precision, theirs.recall, theirs.f1], rel=1e-12)
        counts = subject.counts(mode, per_unit=False).select("cor", "inc", "par", "mis", "spu").sum().row(0)
        assert counts == (theirs.correct, theirs.incorrect, theirs.partial, theirs.missed, theirs.spurious)
        filtered = subject.counts(mode, view="filtered", per_unit=False).select(
            "type", "cor", "inc", "par", "mis", "spu"
        )
        of_types = {
            t: (r[name].correct, r[name].incorrect, r[name].partial, r[name].missed, r[name].spurious)
            for t, r in evaluated["entities"].items()
        }
        assert {t: tuple(row) for t, *row in filtered.rows()} == of_types
    agrees("nervaluate", "Precision", "Recall", "F1", family="spans")
