"""Every measure of links and of slots with many values of its parameters, and what the oracles say of them."""

from __future__ import annotations

from typing import Any

import polars as pl

import ireval_frames as ir
from ireval_frames.declaration import Definition, Measure
from tests.contract.kit import Frames, Renaming, Suite, Values, one_at_a_time
from tests.links.cases import Case, make_case, make_slots
from tests.oracles import links as oracle
from tests.oracles.links import Rules

PLACE = "VALUES of tests/links/suite.py"
VALUES: dict[str, tuple[Any, ...]] = {
    "on": (("kb_id", "type"),),
    "F1.on": ("strong_typed_nil_match", "strong_link_match", "entity_match", ("start", "end")),
    "where": (),
    "F1.where": ("linked", "nil"),
    "NumCorrect.where": ("linked",),
    "match": ("weak", "sum"),
    "F1.match": ("weak", "characters", "max", "sum"),
    "F.on": (),
    "F.match": ("max",),
    "average": (),
    "beta": (2, 0),
}
OF_SLOTS: dict[str, tuple[Any, ...]] = {
    "on": (("value",),),
    "where": (),
    "match": (),
    "average": ("macro", "weighted"),
    "beta": (2, 0),
}
TYPED = ("start", "end", "type")


def variants(definition: Definition, case: Case | None = None) -> list[Measure]:
    """The measure with its defaults, and with each parameter changed alone; with averages, types are compared."""
    if case is not None and case.slots:
        return one_at_a_time(definition, OF_SLOTS, PLACE)
    out = one_at_a_time(definition, VALUES, PLACE)
    if definition.name == "F1":
        out += [definition(on=TYPED, average="macro", match=m) for m in ("strong", "max", "characters")]
        out += [definition(on="strong_typed_all_match", average="weighted", match=m) for m in ("weak", "sum")]
    return out


def tables(case: Case, _: Any = None) -> Frames:
    frames = case.frames()
    return {**frames, "documents": frames["documents"].drop("weight")}


def evaluate(case: Case, frames: Frames, measures: Any, engine: str, **options: Any) -> ir.Evaluation:
    links = ir.Links(
        frames["gold"], frames["predicted"], **{"documents": frames["documents"], "engine": engine} | case.options
        | options,
    )  # fmt: skip
    return links.evaluate(measures)


def expected(case: Case, measure: Measure) -> Values:
    """What the oracle says of every run and document."""
    arguments = {"where": None, **measure.arguments()}
    return {
        (str(measure), run, unit): oracle.value(measure.name, [as_types(d) if case.slots else unweighted(d)],
                                                case.rules, **arguments)
        for run, units in case.units.items()
        for unit, d in units.items()
    }  # fmt: skip


def unweighted(d: oracle.Document) -> oracle.Document:
    return oracle.Document(d.gold, d.predicted)


def as_types(d: oracle.Document) -> oracle.Document:
    """A slot is the type of its answers."""
    return oracle.Document(*([{**row, "type": row["slot"]} for row in rows] for rows in (d.gold, d.predicted)))


def turned(old: list[Any]) -> dict[Any, Any]:
    """Other text, in another order."""
    return {name: f"{len(old) - i:03d} {name}"[::-1] for i, name in enumerate(old)}


def numbered(old: list[Any]) -> dict[Any, Any]:
    """Numbers in another order."""
    return {name: 7 * i % len(old) if len(old) % 7 else -i for i, name in enumerate(old)}


LINKS = Suite(
    name="links",
    family="links",
    oracles=oracle.ORACLES.keys(),
    oracle_place="ORACLES of tests/oracles/links.py",
    cases={
        "inclusive": make_case(2, runs=2, rules=Rules(inclusive=True)),
        "people": make_case(
            3,
            rules=Rules(
                values=(("type", ("PER", "LOC")),),
                on=("start", "end", "type", "kb_id"),
                duplicates="spurious",
                undefined=0.0,
            ),
        ),
        "judged": make_slots(1, runs=2, size=24, rules=Rules(on=("type", "value"))),
        "tac": make_slots(2, rules=Rules(on=("type", "value"), duplicates="spurious", undefined=0.0)),
    },
    main=("inclusive", "judged"),
    unit="doc_id",
    tables=tables,
    evaluate=evaluate,
    variants=variants,
    oracle=expected,
    renamings={
        "types are an enum": Renaming(("type", "slot", "value"), turned, pl.Enum),
        "documents are numbers": Renaming(("doc_id", "class_id"), numbered, pl.Int64),
    },
    grouped="documents",
    skip={"weights": "documents have weights, and a document is in one row: tests/links/test_pooled.py"},
)
SUITES = (LINKS,)
DEFINITIONS = LINKS.definitions
