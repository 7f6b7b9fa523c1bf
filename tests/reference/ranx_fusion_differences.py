"""Where fused scores differ from those of ranx 0.3.21 on purpose: few rows, both numbers, and why."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Scores = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True)
class FusionDifference:
    """One difference.

    Attributes:
        name: our method, or what is different.
        why: in a sentence.
        runs: the scores by run, query and document.
        options: of `ir.fuse`.
        ours: the fused scores here.
        ranx: those of ranx.
        norm: its normalisation.
        method: its method; empty for one that learns.
        qrels: what is learned from.
        arguments: further ones of its function.
        same: options with which its numbers come out here; none where that is not offered.
    """

    name: str
    why: str
    runs: Mapping[str, Scores]
    options: Mapping[str, Any]
    ours: Scores
    ranx: Scores
    norm: str | None = None
    method: str = ""
    qrels: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    arguments: Sequence[Any] = ()
    same: Mapping[str, Any] | None = None


LEARNS: dict[str, Any] = {"folds": None}
ONE_HIT: dict[str, Scores] = {"a": {"q": {"x": 1.0, "y": 0.0}}, "b": {"q": {"z": 1.0}}}
UNEQUAL: dict[str, Scores] = {
    "a": {"p": {"x": 2.0}, "q": {"y": 2.0, "z": 1.0}},
    "b": {"p": {"w": 2.0}, "q": {"w": 2.0, "v": 1.0}},
}
# (1 + ½)/(1 + ½) in the first band, over (0 + ½)/(1 + ½) outside; a fifth of the band is relevant.
BAND, POSTERIOR, ABSENT = math.log(3.0), math.log(0.2 / 0.8), math.log(0.001 / 0.999)
HITS = {"p": {"x": 1}, "q": {"z": 1}}

DIFFERENCES = (
    FusionDifference(
        "one document", "The only document of a list gets 0, as a missing one does.",
        ONE_HIT, {"method": "combsum"},
        {"q": {"x": 1.0, "y": 0.0, "z": 1.0}}, {"q": {"x": 1.0, "y": 0.0, "z": 0.0}},
        norm="min-max", method="sum", same={"constant": 0.0},
    ),
    FusionDifference(
        "zmuv", "A missing document counts as the mean, above half of those that are there.",
        ONE_HIT, {"method": "combsum", "normalize": "zmuv"},
        {"q": {"x": 1.0, "y": -1.0, "z": -1.0}}, {"q": {"x": 1.0, "y": -1.0, "z": 0.0}},
        norm="zmuv", method="sum", same={"missing": "zero"},
    ),
    FusionDifference(
        "mnz after borda", "Points of missing documents count as hits of their lists.",
        ONE_HIT, {"method": "combmnz", "normalize": "borda"},
        {"q": {"x": 1.5, "y": 7 / 6, "z": 4 / 3}}, {"q": {"x": 3.0, "y": 7 / 3, "z": 8 / 3}},
        norm="borda", method="mnz",
    ),
    FusionDifference(
        "posfuse", "The probability at a rank is over the lists that reach it.",
        UNEQUAL, {"method": "posfuse", **LEARNS},
        {"p": {"x": 0.5, "w": 0.0}, "q": {"y": 0.5, "z": 0.5, "w": 0.0, "v": 0.0}},
        {"p": {"x": 0.5, "w": 0.0}, "q": {"y": 0.5, "z": 1.0, "w": 0.0, "v": 0.0}},
        qrels=HITS,
    ),
    FusionDifference(
        "slidefuse", "The same.",
        UNEQUAL, {"method": "slidefuse", "window": 1, **LEARNS},
        {"p": {"x": 0.5, "w": 0.0}, "q": {"y": 0.5, "z": 0.5, "w": 0.0, "v": 0.0}},
        {"p": {"x": 0.5, "w": 0.0}, "q": {"y": 0.75, "z": 0.75, "w": 0.0, "v": 0.0}},
        qrels=HITS, arguments=(1,),
    ),
    FusionDifference(
        "segfuse", "The sizes of segments, 5, 15, 35, …, are taken for their ends: the second one has ten documents.",
        {"a": {"q": {f"d{i}": 7.0 - i for i in range(1, 7)}}, "b": {"q": {"x": 2.0, "y": 1.0}}},
        {"method": "segfuse", **LEARNS},
        {"q": {**{f"d{i}": 0.0 for i in range(1, 6)}, "d6": 1 / 15, "x": 0.0, "y": 0.0}},
        {"q": {**{f"d{i}": 0.0 for i in range(1, 6)}, "d6": 1 / 10, "x": 0.0, "y": 0.0}},
        norm="min-max", qrels={"q": {"d6": 1}},
    ),
    FusionDifference(
        "bayesfuse", "Log odds of relevance in a band, with ln(0.001/0.999) for a missing document; not the paper's "
        "ratio of the probabilities that a relevant document and another one are there.",
        {"a": {"q": {"x": 3.0, "y": 2.0}}, "b": {"q": {"x": 2.0, "z": 1.0}}},
        {"method": "bayesfuse", **LEARNS},
        # Of x, y, z one is relevant: each list has it and one of the two others.
        {"q": {"x": 2 * BAND, "y": BAND, "z": BAND}},
        {"q": {"x": 2 * POSTERIOR, "y": POSTERIOR + ABSENT, "z": POSTERIOR + ABSENT}},
        qrels={"q": {"x": 1}},
    ),
)  # fmt: skip
