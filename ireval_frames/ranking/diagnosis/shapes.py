"""How measures depend on the grades of a list: the bases of bounds where there are too many assignments."""

from __future__ import annotations

from dataclasses import dataclass

from ireval_frames import catalog
from ireval_frames.conventions.rankings import RankingPolicy
from ireval_frames.declaration import Measure
from ireval_frames.ranking.inputs.facets import SHARED

ADDITIVE = ("P", "CG", "DCG", "RBP", "nDCG", "R")
BINARY = ("P", "R", "RR", "Success", "AP")
MONOTONE = ("RR", "Success", "ERR", "AP")


@dataclass(frozen=True)
class Shape:
    """A measure as a ratio whose denominator depends on the judgments alone.

    Attributes:
        additive: the numerator is a sum over documents of a weight that does not rise with the rank times a gain that
            does not fall with the grade; otherwise it only does not fall when a grade in the list rises.
        binary: a document is relevant or not, so the lowest and the highest grade are enough.
        ideal: the denominator, as a measure; None is 1.
    """

    additive: bool
    binary: bool
    ideal: Measure | None = None


def shape(measure: Measure, policy: RankingPolicy) -> Shape | None:
    """The shape of a measure; None if it is unknown."""
    values, name = measure.arguments(), measure.name
    if measure.definition.is_own or name not in (*ADDITIVE, *MONOTONE):
        return None
    if values.get("judged_only") or policy.unjudged == "skip":
        return None
    # With these values the measures are the plain ones of the papers.
    plain = {
        "measurement": "EU",
        "residual": False,
        "gains": (),
        "unjudged": 0.0,
        "relative": False,
        "over": "relevant",
    }
    plain |= {facet: parameter.default for facet, parameter in SHARED.items()}
    if any(values.get(parameter, value) != value for parameter, value in plain.items()):
        return None
    if values.get("max_rel") == "topic":
        return None
    ideal = None
    if name == "nDCG":
        of_ideal = {p: values[p] for p in ("dcg", "base", "cutoff")}
        ideal = catalog.parse("IDCG", "ranking")(**of_ideal)
    elif name in ("R", "AP"):
        ideal = catalog.parse("NumRel", "ranking")(rel=values["rel"])
    binary = name in BINARY or (name == "RBP" and values["max_rel"] is None)
    return Shape(name in ADDITIVE, binary, ideal)
