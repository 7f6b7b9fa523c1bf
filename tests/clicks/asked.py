"""Every measure of click logs with many values of its parameters, and what the oracles say of them."""

from __future__ import annotations

from typing import Any

import polars as pl

import ireval_frames as ir
from ireval_frames.declaration import Definition, Measure
from tests.clicks.worlds import World, world
from tests.contract.kit import Frames, Kind, Renamed, Values, alone
from tests.oracles.clicks import ORACLES

TRIED: dict[str, tuple[Any, ...]] = {
    "cutoff": (1, 3, 100),
    "shrinkage": (1, 0.25),
}
# What the columns of the worlds are called.
COLUMNS = {"serp": "serp", "query": "query", "doc": "doc", "user": "user", "session": "session", "time": "time"}


def variants(definition: Definition, _: Any = None) -> list[Measure]:
    """The measure with its defaults, and with each of its parameters changed alone."""
    return alone(definition, TRIED, "TRIED of tests/clicks/asked.py")


def tables(made: World, _: Any = None) -> Frames:
    return {"impressions": made.frame()}


def evaluate(made: World, frames: Frames, measures: Any, engine: str, **options: Any) -> ir.Evaluation:
    del made
    log = ir.Impressions(frames["impressions"], **({**COLUMNS, "unit": "user", "engine": engine} | options))
    return log.evaluate(measures)


def expected(made: World, measure: Measure) -> Values:
    """What the oracle says of every user."""
    given, out = dict(measure.values), {}
    for run, users in made.runs.items():
        for user, pages in users.items():
            key = (str(measure), *([run] if run else []), user)
            out[key] = ORACLES[measure.name](pages, made.log(run), **given)
    return out


def turned(old: list[Any]) -> dict[Any, Any]:
    """Numbers in another order."""
    return {name: i * 7 % 121 for i, name in enumerate(old)}


def written(old: list[Any]) -> dict[Any, Any]:
    """The same as text."""
    return {name: f"é{number}" for name, number in turned(old).items()}


CLICKS = Kind(
    name="clicks",
    family="clicks",
    oracles=ORACLES.keys(),
    oracle_place="ORACLES of tests/oracles/clicks.py",
    worlds={
        "text": world(1),
        "integers": world(2, integers=True, weighted=False),
        "runs": world(3, runs=("a", "b")),
    },
    unit="user",
    tables=tables,
    evaluate=evaluate,
    variants=variants,
    oracle=expected,
    renamed={
        "documents are Int64": Renamed(("doc",), turned, pl.Int64),
        "documents are Enum": Renamed(("doc",), written, pl.Enum),
        "queries are String": Renamed(("query",), written),
        "pages are String": Renamed(("serp",), lambda old: {name: f"p{name}" for name in old}),
    },
    grouped="impressions",
    # What is expected of a unit is seen in all of them.
    together=("COEC",),
    without={"weights": "a weight is one of a page, whose rows are no items: tests/clicks/test_weights.py"},
)
KINDS = (CLICKS,)
DEFINITIONS = CLICKS.definitions
