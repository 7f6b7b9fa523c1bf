"""Every measure of click logs with many values of its parameters, and what the oracles say of them."""

from __future__ import annotations

from typing import Any

import polars as pl

import ireval_frames as ir
from ireval_frames.declaration import Definition, Measure
from tests.clicks.cases import Case, make_case
from tests.contract.kit import Frames, Renaming, Suite, Values, one_at_a_time
from tests.oracles.clicks import ORACLES

VALUES: dict[str, tuple[Any, ...]] = {
    "cutoff": (1, 3, 100),
    "per": ("page", "query", "document", "position"),
    "shrinkage": (1, 0.25),
    "rates": (tuple(0.4 / r for r in range(1, 15)),),
    "examination": (tuple(1 / r for r in range(1, 15)),),
    "estimator": ("inverse",),
    "dwell": (0, 3, 90),
    "unknown": (True,),
    "within": (0, 20, 1000),
}
# What the columns of the cases are called.
COLUMNS = {"serp": "serp", "query": "query", "doc": "doc", "user": "user", "session": "session", "time": "time"}


# They count sessions, which have no weights.
UNWEIGHTED = ("QueriesPerSession", "SessionsPerUser", "SessionSuccess")


def variants(definition: Definition, result: Case | None = None) -> list[Measure]:
    """The measure with its defaults, with each of its parameters changed alone, and some with two."""
    if result is not None and result.weighted and definition.name in UNWEIGHTED:
        return []
    out = one_at_a_time(definition, VALUES, "VALUES of tests/clicks/suite.py")
    if definition.name == "CTR":
        out += [definition(cutoff=3, per=p) for p in VALUES["per"]]
    if definition.name == "DebiasedCTR":
        out += [definition(estimator="inverse", examination=e) for e in VALUES["examination"]]
    if "unknown" in definition.parameters:
        out += [definition(unknown=True, dwell=60)]
    return out


def tables(result: Case, _: Any = None) -> Frames:
    return {"impressions": result.frame()}


def evaluate(result: Case, frames: Frames, measures: Any, engine: str, **options: Any) -> ir.Evaluation:
    del result
    log = ir.Impressions(frames["impressions"], **({**COLUMNS, "unit": "user", "engine": engine} | options))
    return log.evaluate(measures)


def expected(result: Case, measure: Measure) -> Values:
    """What the oracle says of every user."""
    source, out = dict(measure.values), {}
    for run, users in result.runs.items():
        for user, pages in users.items():
            key = (str(measure), *([run] if run else []), user)
            out[key] = ORACLES[measure.name](pages, result.log(run), **source)
    return out


def turned(old: list[Any]) -> dict[Any, Any]:
    """Numbers in another order."""
    return {name: i * 7 % 121 for i, name in enumerate(old)}


def written(old: list[Any]) -> dict[Any, Any]:
    """The same as text."""
    return {name: f"é{number}" for name, number in turned(old).items()}


CLICKS = Suite(
    name="clicks",
    family="clicks",
    oracles=ORACLES.keys(),
    oracle_place="ORACLES of tests/oracles/clicks.py",
    cases={
        "text": make_case(1),
        "integers": make_case(2, integers=True, weighted=False),
        "runs": make_case(3, runs=("a", "b")),
    },
    unit="user",
    tables=tables,
    evaluate=evaluate,
    variants=variants,
    oracle=expected,
    renamings={
        "documents are Int64": Renaming(("doc",), turned, pl.Int64),
        "documents are Enum": Renaming(("doc",), written, pl.Enum),
        "queries are String": Renaming(("query",), written),
        "pages are String": Renaming(("serp",), lambda old: {name: f"p{name}" for name in old}),
    },
    grouped="impressions",
    # What is expected of a unit is seen in all of them.
    across_units=("COEC", "DebiasedCTR"),
    skip={"weights": "a weight is one of a page, whose rows are no items: tests/clicks/test_weights.py"},
)
SUITES = (CLICKS,)
DEFINITIONS = CLICKS.definitions
