"""Every measure of citations with many values of its parameters, and what the oracle says of them."""

from __future__ import annotations

from typing import Any

import ireval_frames as ir
from ireval_frames.declaration import Definition, Measure
from tests.citations.cases import Case, make_case
from tests.contract.kit import Frames, Renaming, Suite, Values, one_at_a_time
from tests.oracles import citations as oracle

# What to try for a parameter of that name.
VALUES: dict[str, tuple[Any, ...]] = {
    "convention": ("alce",),
    "first": (2,),
    "partial": (0.0, 1.0),
    "level": ("full", "partial"),
    "sentences": ("cited",),
    "beta": (0.5,),
}
# Measures that the policy decides about, in the cases that differ by it.
BY_POLICY = ("CitationPrecision", "CitationRecall", "JudgedCitations", "NumCitations")
CASES = {
    "all": make_case(1, ""),
    "alce": make_case(2, "missing=skip,out_of_range=sentence,repeated=each,unjudged=unsupported", tries_all=False),
    "some labels": make_case(3, "unjudged=skip,uncited=undefined,together=any", known=0.6, tries_all=False),
    "some labels, sentences": make_case(4, "unjudged=skip,out_of_range=sentence", known=0.6, tries_all=False),
    "three judges": make_case(
        5, "judges=mean,out_of_range=drop,unjudged=unsupported", judges=3, known=0.8, tries_all=False
    ),
}


def variants(definition: Definition, case: Case) -> list[Measure]:
    """The measure with its defaults, and each parameter changed alone; some of these also under ALCE's convention."""
    tried = one_at_a_time(definition, VALUES, "VALUES of tests/citations/suite.py")
    if definition.name in ("CitationPrecision", "CitationRecall"):
        tried += [m(convention="alce") for m in tried[1:] if m.arguments()["convention"] != "alce"]
    return tried if case.tries_all else [m for m in tried if m.name in BY_POLICY]


def reversed_names(old: list[str]) -> dict[str, str]:
    """New names in another order."""
    return {name: f"{len(old) - i:03d} {name}" for i, name in enumerate(old)}


def tables(case: Case, _: Any = None) -> Frames:
    return case.tables()


def evaluate(case: Case, frames: Frames, measures: Any, engine: str, **options: Any) -> ir.Evaluation:
    keywords: dict[str, Any] = {"policy": case.policy, "engine": engine, "queries": frames["queries"]} | options
    return ir.Citations(frames["sentences"], frames["citations"], frames["support"], **keywords).evaluate(measures)


def expected(case: Case, measure: Measure) -> Values:
    """What the oracle says of every run and query."""
    return {
        (str(measure), run, query): oracle.value(measure.name, answer, case.conventions, **measure.arguments())
        for run, queries in case.runs.items()
        for query, answer in queries.items()
    }


CITATIONS = Suite(
    name="citations",
    family="citations",
    oracles=oracle.ORACLES.keys(),
    oracle_place="ORACLES of tests/oracles/citations.py",
    cases=CASES,
    main=("all",),
    unit="query_id",
    tables=tables,
    evaluate=evaluate,
    variants=variants,
    oracle=expected,
    grouped="queries",
    renamings={
        "passages": Renaming(("doc_id",), reversed_names),
        "sentences": Renaming(("sentence_id",), reversed_names),
    },
    skip={"weights": "answers have no weights"},
)
SUITES = (CITATIONS,)
DEFINITIONS = CITATIONS.definitions
