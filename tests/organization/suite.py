"""The suite of measures of document organization."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import ireval_frames as ir
from ireval_frames.declaration import Definition, Measure
from tests.contract.kit import Frames, NoValues, Renaming, Suite, Values, allow_no_overlap
from tests.oracles import organization as oracle
from tests.organization.cases import Case, make_case

# Parameters of variants.
VALUES: tuple[dict[str, Any], ...] = (
    {},
    {"weights": "hyperbolic"},
    {"weights": "uniform"},
    {"n": 2.0, "W": 0.5},
    {"pair_weight": "product"},
    {"pair_weight": "product", "n": 3.0, "weights": "hyperbolic", "types": "pooled"},
    {"strict": False},
    {"strict": False, "pair_weight": "product", "unrelated": "undefined"},
    {"unrelated": "undefined"},
    {"types": "pooled"},
    {"types": "pooled", "overlap": "pairs", "unrelated": "undefined"},
    {"overlap": "pairs"},
    {"overlap": "pairs", "pair_weight": "product", "n": 1.0},
    {"relation": "priority"},
    {"relation": "relatedness", "n": 4.0},
    {"alpha": 0.2},
    {"alpha": 0.0},
)
CASES = {
    "retrieval": make_case(1, clustered=False),
    "clusters": make_case(2, ranked=False),
    "mixed": make_case(3),
    "overlaps": make_case(4, overlapping=True),
    "clusters that overlap": make_case(5, ranked=False, overlapping=True),
}


@dataclass(frozen=True, eq=False)
class SuiteCase:
    """A case, with the policy and the form of its tables."""

    case: Case
    missing: str = "replab"
    form: str = "rows"
    """`rows` or `lists`, of several classes of an item, or `one table`."""


def variants(definition: Definition, suite_case: SuiteCase) -> list[Measure]:
    """The variants that apply to a case.

    Raises:
        NoValues: a parameter is in none of `VALUES`.
    """
    if missing := set(definition.parameters) - {n for values in VALUES for n in values}:
        raise NoValues(
            f"No value is tried for {missing.pop()} of {definition.name}: write {{...}} with some into VALUES of "
            "tests/organization/suite.py."
        )
    relations = ("all", *suite_case.case.tasks)
    # A third of the variants in cases that differ only in policy or form.
    selected = VALUES if suite_case.missing == "replab" and suite_case.form == "rows" else VALUES[::3]
    accepted = [values for values in selected if all(k in definition.parameters for k in values)]
    return [definition(**values) for values in accepted if values.get("relation", "all") in relations]


def tables(suite_case: SuiteCase, _: Any = None) -> Frames:
    if suite_case.form == "one table":
        return {"gold": suite_case.case.one_table()}
    gold, system = suite_case.case.tables(lists=suite_case.form == "lists")
    return {"gold": gold, "system": system}


def evaluate(suite_case: SuiteCase, frames: Frames, measures: Any, engine: str, **options: Any) -> ir.Evaluation:
    keywords: dict[str, Any] = {"unit": "query_id", "policy": {"missing": suite_case.missing}, "engine": engine}
    keywords["overlapping"] = suite_case.case.overlapping and suite_case.form == "rows"
    keywords |= options
    keywords["policy"] = allow_no_overlap(keywords["policy"], ir.organization.OrganizationPolicy)
    return ir.Organization(frames["gold"], frames.get("system"), **keywords).evaluate(measures)


def expected(suite_case: SuiteCase, measure: Measure) -> Values:
    """The oracle's value for every run and query."""
    parameters, case = dict(measure.values), suite_case.case
    return {
        (str(measure), run, query): oracle.value(
            measure.name,
            case.documents(run, query, suite_case.missing),
            case.tasks,
            missing=suite_case.missing,
            **parameters,
        )
        for run in case.runs
        for query in case.gold
    }


def reversed_names(old: list[str]) -> dict[str, str]:
    """New names in another order."""
    return {name: f"{len(old) - i:03d} {name}" for i, name in enumerate(old)}


SUITE_CASES = {name: SuiteCase(case) for name, case in CASES.items()}
# Policies for missing documents.
SUITE_CASES |= {f"{name}, skip": SuiteCase(case, "skip") for name, case in CASES.items()}
SUITE_CASES |= {
    f"{name}, singleton": SuiteCase(CASES[name], "singleton") for name in ("mixed", "clusters that overlap")
}
SUITE_CASES |= {f"{name}, lists": SuiteCase(case, form="lists") for name, case in CASES.items() if case.overlapping}
SUITE_CASES |= {
    f"{name}, one table": SuiteCase(CASES[name], form="one table")
    for name in ("mixed", "retrieval", "clusters that overlap")
}
ORGANIZATION = Suite(
    name="organization",
    family="organization",
    oracles=("Reliability", "Sensitivity", "RS", "NumItems"),
    oracle_place="value of tests/oracles/organization.py, and its name in ORGANIZATION of tests/organization/suite.py",
    cases=SUITE_CASES,
    main=("retrieval", "mixed", "clusters that overlap"),
    unit="query_id",
    tables=tables,
    evaluate=evaluate,
    variants=variants,
    oracle=expected,
    renamings={
        "classes and clusters": Renaming(("label", "cluster_id"), reversed_names),
        "documents": Renaming(("doc_id",), reversed_names),
    },
    grouped="gold",
    skip={"weights": "documents have no weights, relations have"},
)
SUITES = (ORGANIZATION,)
DEFINITIONS = ORGANIZATION.definitions
NAMES = [d.name for d in DEFINITIONS]
