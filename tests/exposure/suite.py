"""Every measure of exposure with many values of its parameters, and what the oracle says of them."""

from __future__ import annotations

from typing import Any

import ireval_frames as ir
from ireval_frames.declaration import Definition, Measure
from ireval_frames.exposure import ExposurePolicy
from tests.contract.kit import Frames, Suite, Values, allow_no_overlap, one_at_a_time
from tests.exposure.cases import CASES, Case
from tests.oracles import exposure as oracle

# What to try for a parameter of that name; groups are those of each case.
VALUES: dict[str, tuple[Any, ...]] = {
    "browsing": ("geometric", "cascade", "trecfair", "none"),
    # Read with some browsing only: see `variants`.
    "p": (),
    "stop": (),
    "cutoff": (3,),
    "distance": ("js-bits", "l1", "l2"),
    "rel": (2.0,),
    "spread": ("mad", "variance"),
    "of": ("treatment", "impact"),
    "smooth": (0.01,),
    "step": (2,),
    "normalized": (False,),
    "pairs": ("intra", "inter"),
    "convention": ("trecfair",),
    "grouped": (True,),
    "complete": (True,),
    # Attention is computed in one place.
    "AWRF.browsing": ("cascade",),
    "nDCG_AWRF.browsing": ("cascade",),
    "nDCG_AWRF.distance": ("l1",),
    "TreatmentRatio.browsing": ("geometric",),
    "ImpactRatio.browsing": ("none",),
    "ExposureGap.browsing": ("reciprocal",),
    "ExposureRatio.browsing": ("reciprocal",),
    "EED.browsing": ("log",),
    "EER.browsing": ("geometric",),
    "EEL.browsing": ("cascade",),
    "EquityOfAttention.browsing": ("geometric",),
}


def _groups(case: Case) -> tuple[Any, ...]:
    text = isinstance(next(iter(case.groups)), str)
    return ("new",) if text else (7,)


def variants(definition: Definition, case: Case) -> list[Measure]:
    """The measure with its defaults, and with each parameter changed alone."""
    tried = one_at_a_time(definition, VALUES | {"group": _groups(case)}, "VALUES of tests/exposure/suite.py")
    if definition.name in ("GroupExposure", "EEL", "EquityOfAttention"):
        tried += [tried[0](browsing="geometric", p=0.8), tried[0](browsing="cascade", stop=0.9)]
    if "step" in definition.parameters:
        # Lists are shorter than the default.
        tried = [m if dict(m.values).get("step") else m(step=3) for m in tried]
    cascade = "browsing=cascade" in case.policy
    tried = [m for m in tried if not (dict(m.values).get("convention") == "trecfair" and cascade)]
    return tried if case is CASES["text"] else [tried[0], *tried[2::4]]


def tables(case: Case, _: Any = None) -> Frames:
    return case.frames()


def evaluate(case: Case, frames: Frames, measures: Any, engine: str, **options: Any) -> ir.Evaluation:
    keywords: dict[str, Any] = {"policy": case.policy or None, "engine": engine} | options
    keywords["policy"] = allow_no_overlap(keywords["policy"], ExposurePolicy)
    if case.samples:
        keywords["samples"] = "sample"
    if case.target:
        keywords["target"] = case.target
    return ir.FairExposure(**frames, **keywords).evaluate(measures)


def expected(case: Case, measure: Measure) -> Values:
    """What the oracle says of every run and query."""
    return {
        (str(measure), run, query): oracle.value(measure.name, [case.query(run, query)], **measure.arguments())
        for run in case.lists
        for query in case.queries
    }


EXPOSURE = Suite(
    name="exposure",
    family="exposure",
    oracles=oracle.ORACLES,
    oracle_place="ORACLES of tests/oracles/exposure.py",
    cases=CASES,
    main=("text", "samples, integers, targets by query"),
    unit="query_id",
    tables=tables,
    evaluate=evaluate,
    variants=variants,
    oracle=expected,
    grouped="run",
    skip={
        "weights": "queries have weights, which count where they are pooled: tests/exposure/test_pooled.py",
        "names": "groups are named by parameters",
    },
)
SUITES = (EXPOSURE,)
