"""Every measure of timings with many values of its parameters, and what the oracle says of them."""

from __future__ import annotations

from typing import Any

import ireval_frames as ir
from ireval_frames.declaration import Definition, Measure
from tests.contract.kit import Frames, Suite, Values, one_at_a_time
from tests.oracles import timings as oracle
from tests.oracles.timings import Conventions
from tests.timings.cases import MS, Case, make_case

# What to try for a parameter of that name.
VALUES: dict[str, tuple[Any, ...]] = {
    "p": (95, 0, 37.5, 50, 99.9, 100),
    "definition": ("linear", "weibull", "hazen", "nearest-index"),
    "limit": (16 * MS, 0.0, 1.0),
    "clients": (2, 0.5),
    "per": ("thousand", "total"),
    "price": (0.25,),
}
CASES = {
    "all": make_case(1, Conventions(), runs=2),
    "weights": make_case(2, Conventions(failures="recorded"), weighted=True),
    "schedule": make_case(3, Conventions(failures="skip"), scheduled=True),
    "not sent": make_case(4, Conventions(interval=4 * MS)),
    "medians": make_case(5, Conventions(repetitions="median"), repetitions=3),
    "shortest": make_case(6, Conventions(repetitions="min", since="sent"), repetitions=2, scheduled=True),
    "means": make_case(7, Conventions(repetitions="mean"), repetitions=2),
    "best": make_case(8, Conventions(repetitions="best"), repetitions=3),
}
# Measures that do not read latencies have one value under all conventions.
OF_LATENCIES = ("Latency", "NumLatencies", "MeanLatency", "GeometricMeanLatency", "WithinLimit", "Goodput")


def variants(definition: Definition, case: Case) -> list[Measure]:
    """The measure with its defaults, and with each parameter changed alone."""
    tried = one_at_a_time(definition, VALUES, "VALUES of tests/timings/suite.py")
    if case in (CASES["all"], CASES["weights"]):
        return tried
    return tried[:2] if definition.name in OF_LATENCIES else []


def tables(case: Case, _: Any = None) -> Frames:
    return {"timings": case.frame()}


def evaluate(case: Case, frames: Frames, measures: Any, engine: str, **options: Any) -> ir.Evaluation:
    keywords: dict[str, Any] = {"unit": "part", "engine": engine, "policy": case.policy} | options
    return ir.Timings(frames["timings"], interval=case.conventions.interval, **keywords).evaluate(measures)


def expected(case: Case, measure: Measure) -> Values:
    """What the oracle says of every run and unit."""
    return {
        (str(measure), run, part): oracle.value(measure.name, requests, case.conventions, **measure.arguments())
        for run, units in case.units.items()
        for part, requests in units.items()
    }


TIMINGS = Suite(
    name="timings",
    family="timings",
    oracles=oracle.ORACLES.keys(),
    oracle_place="ORACLES of tests/oracles/timings.py",
    cases=CASES,
    main=("all", "weights"),
    unit="part",
    tables=tables,
    evaluate=evaluate,
    variants=variants,
    oracle=expected,
    constant=("NumWarmUp",),
    grouped="timings",
    weight="weight",
    item="query_id",
    counts_rows=("NumQueries",),
    skip={"names": "a query is a row of the table, whatever its name"},
)
SUITES = (TIMINGS,)
DEFINITIONS = TIMINGS.definitions
