"""The measures of document organization with many values of their parameters, and what the oracle says of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import ireval_frames as ir
from ireval_frames.declaration import Definition, Measure
from tests.contract.kit import Frames, NoValues, Renaming, Suite, Values, allow_no_overlap
from tests.oracles import organization as oracle
from tests.organization.cases import Case, make_case

# What to try for a parameter of that name, alone and with others.
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
class Asked:
    """A case, and the form and the convention under which it is asked."""

    case: Case
    missing: str = "replab"
    form: str = "rows"
    """In how many tables, and how several classes of an item stand there: `rows`, `lists`, `one table`."""


def variants(definition: Definition, made: Asked) -> list[Measure]:
    """All that the case's topics have.

    Raises:
        Untried: a parameter is in none of `TRIED`.
    """
    if untried := set(definition.parameters) - {n for given in VALUES for n in given}:
        raise NoValues(
            f"No value is tried for {untried.pop()} of {definition.name}: write {{...}} with some into VALUES of "
            "tests/organization/suite.py."
        )
    relations = ("all", *made.case.tasks)
    # Where what is missing, or the form of the tables, is all that is another matter, a third of them.
    tried = VALUES if made.missing == "replab" and made.form == "rows" else VALUES[::3]
    fitting = [given for given in tried if all(k in definition.parameters for k in given)]
    return [definition(**given) for given in fitting if given.get("relation", "all") in relations]


def tables(made: Asked, _: Any = None) -> Frames:
    if made.form == "one table":
        return {"gold": made.case.one_table()}
    gold, system = made.case.tables(lists=made.form == "lists")
    return {"gold": gold, "system": system}


def evaluate(made: Asked, frames: Frames, measures: Any, engine: str, **options: Any) -> ir.Evaluation:
    given: dict[str, Any] = {"unit": "query_id", "policy": {"missing": made.missing}, "engine": engine}
    given["overlapping"] = made.case.overlapping and made.form == "rows"
    given |= options
    given["policy"] = allow_no_overlap(given["policy"], ir.organization.OrganizationPolicy)
    return ir.Organization(frames["gold"], frames.get("system"), **given).evaluate(measures)


def expected(made: Asked, measure: Measure) -> Values:
    """What the oracle says of every run and topic."""
    given, of = dict(measure.values), made.case
    return {
        (str(measure), run, topic): oracle.value(
            measure.name, of.documents(run, topic, made.missing), of.tasks, missing=made.missing, **given
        )
        for run in of.runs
        for topic in of.gold
    }


def turned(old: list[str]) -> dict[str, str]:
    """Other names, in another order."""
    return {name: f"{len(old) - i:03d} {name}" for i, name in enumerate(old)}


ASKED = {where: Asked(made) for where, made in CASES.items()}
# What is missing is dropped or alone before all else, whatever the tables.
ASKED |= {f"{where}, skip": Asked(made, "skip") for where, made in CASES.items()}
ASKED |= {f"{where}, singleton": Asked(CASES[where], "singleton") for where in ("mixed", "clusters that overlap")}
ASKED |= {f"{where}, lists": Asked(made, form="lists") for where, made in CASES.items() if made.overlapping}
ASKED |= {
    f"{where}, one table": Asked(CASES[where], form="one table")
    for where in ("mixed", "retrieval", "clusters that overlap")
}
ORGANIZATION = Suite(
    name="organization",
    family="organization",
    oracles=("Reliability", "Sensitivity", "RS", "NumItems"),
    oracle_place="value of tests/oracles/organization.py, and its name in ORGANIZATION of tests/organization/suite.py",
    cases=ASKED,
    main=("retrieval", "mixed", "clusters that overlap"),
    unit="query_id",
    tables=tables,
    evaluate=evaluate,
    variants=variants,
    oracle=expected,
    renamings={
        "classes and clusters": Renaming(("label", "cluster_id"), turned),
        "documents": Renaming(("doc_id",), turned),
    },
    grouped="gold",
    skip={"weights": "documents have no weights, relations have"},
)
SUITES = (ORGANIZATION,)
DEFINITIONS = ORGANIZATION.definitions
NAMES = [d.name for d in DEFINITIONS]
