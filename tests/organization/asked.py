"""The measures of document organization with many values of their parameters, and what the oracle says of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import ireval_frames as ir
from ireval_frames.declaration import Definition, Measure
from tests.contract.kit import Frames, Kind, Renamed, Untried, Values, whatever_meets
from tests.oracles import organization as oracle
from tests.organization.worlds import World, world

# What to try for a parameter of that name, alone and with others.
TRIED: tuple[dict[str, Any], ...] = (
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
WORLDS = {
    "retrieval": world(1, clustered=False),
    "clusters": world(2, ranked=False),
    "mixed": world(3),
    "overlaps": world(4, overlapping=True),
    "clusters that overlap": world(5, ranked=False, overlapping=True),
}


@dataclass(frozen=True, eq=False)
class Asked:
    """A world, and the form and the convention under which it is asked."""

    world: World
    missing: str = "replab"
    form: str = "rows"
    """In how many tables, and how several classes of an item stand there: `rows`, `lists`, `one table`."""


def variants(definition: Definition, made: Asked) -> list[Measure]:
    """All that the world's topics have.

    Raises:
        Untried: a parameter is in none of `TRIED`.
    """
    if untried := set(definition.parameters) - {n for given in TRIED for n in given}:
        raise Untried(
            f"No value is tried for {untried.pop()} of {definition.name}: write {{...}} with some into TRIED of "
            "tests/organization/asked.py."
        )
    relations = ("all", *made.world.tasks)
    # Where what is missing, or the form of the tables, is all that is another matter, a third of them.
    tried = TRIED if made.missing == "replab" and made.form == "rows" else TRIED[::3]
    fitting = [given for given in tried if all(k in definition.parameters for k in given)]
    return [definition(**given) for given in fitting if given.get("relation", "all") in relations]


def tables(made: Asked, _: Any = None) -> Frames:
    if made.form == "one table":
        return {"gold": made.world.one_table()}
    gold, system = made.world.tables(lists=made.form == "lists")
    return {"gold": gold, "system": system}


def evaluate(made: Asked, frames: Frames, measures: Any, engine: str, **options: Any) -> ir.Evaluation:
    given: dict[str, Any] = {"unit": "query_id", "policy": {"missing": made.missing}, "engine": engine}
    given["overlapping"] = made.world.overlapping and made.form == "rows"
    given |= options
    given["policy"] = whatever_meets(given["policy"], ir.organization.OrganizationPolicy)
    return ir.Organization(frames["gold"], frames.get("system"), **given).evaluate(measures)


def expected(made: Asked, measure: Measure) -> Values:
    """What the oracle says of every run and topic."""
    given, of = dict(measure.values), made.world
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


ASKED = {where: Asked(made) for where, made in WORLDS.items()}
# What is missing is dropped or alone before all else, whatever the tables.
ASKED |= {f"{where}, skip": Asked(made, "skip") for where, made in WORLDS.items()}
ASKED |= {f"{where}, singleton": Asked(WORLDS[where], "singleton") for where in ("mixed", "clusters that overlap")}
ASKED |= {f"{where}, lists": Asked(made, form="lists") for where, made in WORLDS.items() if made.overlapping}
ASKED |= {
    f"{where}, one table": Asked(WORLDS[where], form="one table")
    for where in ("mixed", "retrieval", "clusters that overlap")
}
ORGANIZATION = Kind(
    name="organization",
    family="organization",
    oracles=("Reliability", "Sensitivity", "RS", "NumItems"),
    oracle_place="value of tests/oracles/organization.py, and its name in ORGANIZATION of tests/organization/asked.py",
    worlds=ASKED,
    main=("retrieval", "mixed", "clusters that overlap"),
    unit="query_id",
    tables=tables,
    evaluate=evaluate,
    variants=variants,
    oracle=expected,
    renamed={
        "classes and clusters": Renamed(("label", "cluster_id"), turned),
        "documents": Renamed(("doc_id",), turned),
    },
    grouped="gold",
    without={"weights": "documents have no weights, relations have"},
)
KINDS = (ORGANIZATION,)
DEFINITIONS = ORGANIZATION.definitions
NAMES = [d.name for d in DEFINITIONS]
