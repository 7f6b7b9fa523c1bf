"""Every measure of nuggets with many values of its parameters, and what the oracle says of them."""

from __future__ import annotations

from typing import Any

import ireval_frames as ir
from ireval_frames.declaration import Definition, Measure
from ireval_frames.nuggets import NuggetPolicy
from tests.contract.kit import Frames, Suite, Values, allow_no_overlap, one_at_a_time
from tests.nuggets.cases import Case, make_case
from tests.oracles import nuggets as oracle

# What to try for a parameter of that name.
VALUES: dict[str, tuple[Any, ...]] = {
    "level": ("all", "vital", "weighted", "pyramid"),
    "strict": (True,),
    "beta": (1.0, 5.0),
    "allowance": (20.0,),
    "NumNuggets.level": ("vital",),
}
CASES = {
    "all": make_case(1, tries="all"),
    "nuggetizer": make_case(2, "nuggetizer", failed=True),
    "judges": make_case(3, judges=3),
    "judges that fail": make_case(4, "failed=skip,unassigned=skip", judges=2, failed=True),
    "left out": make_case(5, "missing=skip,failed=skip", failed=True),
}


def variants(definition: Definition, case: Case) -> list[Measure]:
    """The measure with its defaults, and with each parameter changed alone."""
    tried = one_at_a_time(definition, VALUES, "VALUES of tests/nuggets/suite.py")
    return tried if case.tries == "all" else [m for m in tried if not dict(m.values) or "level" in dict(m.values)][:2]


def tables(case: Case, _: Any = None) -> Frames:
    return {"nuggets": case.nuggets(), "assignments": case.assignments(), "answers": case.answers()}


def evaluate(case: Case, frames: Frames, measures: Any, engine: str, **options: Any) -> ir.Evaluation:
    keywords: dict[str, Any] = {"policy": case.policy or None, "engine": engine} | options
    keywords["policy"] = allow_no_overlap(keywords["policy"], NuggetPolicy)
    subject = ir.Nuggets(frames["nuggets"], frames["assignments"], frames["answers"], **keywords)
    return subject.evaluate(measures)


def expected(case: Case, measure: Measure) -> Values:
    """What the oracle says of every run and query."""
    return {
        (str(measure), run, name): oracle.value(measure.name, query, case.conventions, **measure.arguments())
        for run, queries in case.runs.items()
        for name, query in queries.items()
    }


NUGGETS = Suite(
    name="nuggets",
    family="nuggets",
    oracles=oracle.ORACLES.keys(),
    oracle_place="ORACLES of tests/oracles/nuggets.py",
    cases=CASES,
    main=("all",),
    unit="query_id",
    tables=tables,
    evaluate=evaluate,
    variants=variants,
    oracle=expected,
    grouped="nuggets",
    skip={
        "weights": "a query is one unit, which tables of documents weigh",
        "names": "labels and importance are words of ours",
    },
)
SUITES = (NUGGETS,)
DEFINITIONS = NUGGETS.definitions
