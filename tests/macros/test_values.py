"""Every macro gives what the measure gives in Python, with its parameters told otherwise than they are by default."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.declaration import Measure
from ireval_frames.engines.sql.values import literal
from ireval_frames.errors import NotDefined
from ireval_frames.macros.installing import FAMILIES, _measures_of
from ireval_frames.macros.macro import Macro
from ireval_frames.macros.making import measure_macro
from ireval_frames.macros.options import numbers_of
from ireval_frames.macros.shapes import SAID
from tests.macros.cases import HIERARCHY, by_subtopic, click_model, items, organized, probabilities, rankings

# Variants that the defaults do not reach.
ASKED = {
    "ranking": "nDCG(dcg='jk')@5 DCG(unjudged=0.5) P(relative=True)@5 AP(over='retrieved') RBP(max_rel=4) "
    "RR(judged_only=True) NumRet(rel=1) P(subtopics='mean')@5 AP(assessors='max') uUBM@3 rrDBN(continuation=0.7)",
    "labels": "FallOutAtRecall@0.5 ROCAUC(max_fpr=0.4)",
    "clusters": "Entropy(base=2) NMI(normalizer='max') BCubedF(self_pairs=False)",
    "similarity": "RBO(estimate='minimum')",
}
OTHER = {"cutoff": 3, "rel": 2.0, "max_rel": 4.0, "min_rel": 1.0, "eps": 0.01, "recall": 0.4, "low": 0.01}


@dataclass
class Case:
    """A macro, how it is called, the measure that the call is, and the subject in Python."""

    macro: Macro
    call: str
    measure: Measure
    subject: str


def cases(family: str) -> Iterator[Case]:
    """The macros of a family, each called with other values than its defaults."""
    for measure in [*_measures_of(family), *(catalog.parse(m, family) for m in ASKED.get(family, "").split())]:
        for says in SAID.get(family, ("",)):
            try:
                macro = measure_macro(measure, says)
            except NotDefined:
                continue
            yield _case(macro, measure)


def _case(macro: Macro, measure: Measure) -> Case:
    taken = {option.name for option in macro.options}
    tried = {t.name: t for t in numbers_of(measure) if {t.option.name, f"measure_{t.name}"} & taken}
    values = {n: type(t.values[1])(OTHER.get(n, t.values[1])) for n, t in tried.items()}
    told = [f"'{table}'" for table in macro.tables]
    subject = _subject(macro, measure)
    if subject == "scored":
        told[0] = "'two'"
    elif macro.tables[0] == "labels":
        told[0] = f"'{subject}'" if subject in ("two", "several", "numbers") else told[0]
        told[0] = "'several'" if subject == "hierarchy" else told[0]
    if subject in ("by_subtopic", "by_assessor"):
        told[0] = f"'{subject}'"
    if "positive" in taken:
        told.append("positive := 'yes'")
    for name, value in values.items():
        option = tried[name].option.name
        told.append(f'"{option if option in taken else f"measure_{name}"}" := {literal(value).sql}')
    return Case(macro, f"{macro.name}({', '.join(told)})", measure(**values), subject)


def _subject(macro: Macro, measure: Measure) -> str:
    """Which of the subjects it is asked of."""
    family = measure.definition.family
    if family == "labels":
        if len(macro.tables) > 1:
            return macro.tables[1]
        if any(o.name == "positive" for o in macro.options):
            # Of labels with predictions the score must be what they follow from; a macro reads scores alone.
            return "scored" if measure.definition.reads else "two"
        in_order = "CAST(label AS DOUBLE)" in macro.body or "weights" in dict(measure.values)
        return "numbers" if in_order else "several"
    if family == "ranking":
        found = [name for name in ("subtopic", "assessor") if f"CAST({name}_id AS VARCHAR)" in macro.body]
        return f"by_{found[0]}" if found else "modelled" if "click_model" in macro.tables else family
    kind = macro.name.rpartition("_")[2]
    return f"{family}_{kind}" if kind in SAID.get(family, ()) else family


def tables() -> dict[str, pl.DataFrame]:
    """The tables by the names that the calls use."""
    qrels, run = rankings()
    labels, chances = probabilities()
    gold, system = organized()
    return {
        "qrels": qrels,
        "run": run,
        "runs": run,
        "click_model": click_model(),
        "by_subtopic": by_subtopic(),
        "by_assessor": by_subtopic().rename({"subtopic_id": "assessor_id"}).drop("subtopic_weight"),
        "several": items(["1", "2", "3", "4"]),
        "two": items(["yes", "no"]),
        "numbers": items(["1", "2", "3", "4"]),
        "clusters": items(["1", "2", "3", "4"]),
        "labels": labels,
        "probabilities": chances,
        "hierarchy": pl.DataFrame(list(HIERARCHY.items()), ["label", "parent"], orient="row"),
        "gold": gold,
        "system": system,
    }


def evaluated(name: str, given: dict[str, pl.DataFrame], measures: list[Measure]) -> pl.DataFrame:
    """The values in Python."""
    sides = pl.col("label", "prediction").cast(pl.Float64)
    made: dict[str, Any] = {
        "ranking": lambda: ir.Rankings(given["qrels"], given["run"]),
        "modelled": lambda: ir.Rankings(given["qrels"], given["run"], click_model=given["click_model"]),
        "by_subtopic": lambda: ir.Rankings(given["by_subtopic"], given["run"]),
        "by_assessor": lambda: ir.Rankings(given["by_assessor"], given["run"]),
        "two": lambda: ir.Labels(given["two"], unit="unit_id", positive="yes"),
        "scored": lambda: ir.Labels(given["two"].drop("prediction"), unit="unit_id", positive="yes"),
        "several": lambda: ir.Labels(given["several"], unit="unit_id"),
        "numbers": lambda: ir.Labels(given["numbers"].with_columns(sides), unit="unit_id"),
        "hierarchy": lambda: ir.Labels(given["several"], unit="unit_id", hierarchy=HIERARCHY),
        "probabilities": lambda: ir.Labels(given["labels"], unit="unit_id", probabilities=given["probabilities"]),
        "clusters": lambda: ir.Clusters(given["clusters"].drop("prediction", "score"), unit="unit_id"),
        "organization": lambda: ir.Organization(given["gold"], given["system"]),
        "organization_priority": lambda: ir.Organization(
            given["gold"].drop("label"), given["system"].drop("cluster_id")
        ),
        "organization_relatedness": lambda: ir.Organization(
            given["gold"].drop("relevance"), given["system"].drop("score")
        ),
        "similarity": lambda: ir.Similarity(given["run"]),
    }
    values: pl.DataFrame = made[name]().evaluate(measures).per_unit()
    return values


@pytest.mark.parametrize("family", FAMILIES)
def test_macros_give_what_measures_give(family: str) -> None:
    con, given = duckdb.connect(config={"threads": 1}), tables()
    for name, frame in given.items():
        con.from_arrow(frame.to_arrow()).create(name)
    groups: dict[str, list[Case]] = {}
    for case in cases(family):
        groups.setdefault(case.subject, []).append(case)
    wrong: list[str] = []
    for name, some in groups.items():
        expected = evaluated(name, given, list(dict.fromkeys(case.measure for case in some)))
        keys = [c for c in expected.columns if c not in ("measure", "value")]
        values = {row[: len(keys) + 1]: row[-1] for row in expected.select(*keys, "measure", "value").iter_rows()}
        for case in some:
            con.execute(case.macro.statements("t_")[0])
            rows = con.sql(f"SELECT {', '.join(keys)}, value FROM t_{case.call}").fetchall()
            theirs = {key[:-1]: v for key, v in values.items() if key[-1] == str(case.measure)}
            wrong += _differ(case.call, {r[:-1]: r[-1] for r in rows}, theirs)
    assert wrong == []
    least = {"ranking": 76, "labels": 86, "clusters": 46, "organization": 12, "similarity": 9}
    assert sum(map(len, groups.values())) >= least[family]


def _differ(call: str, mine: dict[Any, Any], theirs: dict[Any, Any]) -> list[str]:
    def alike(one: float | None, other: float | None) -> bool:
        if one is None or other is None:
            return one is other
        return math.isclose(one, other, rel_tol=1e-10, abs_tol=1e-10)

    if mine.keys() != theirs.keys() or not mine:
        return [f"{call}: units {sorted(mine)[:3]} for {sorted(theirs)[:3]}"]
    return [f"{call} at {k}: {mine[k]} for {v}" for k, v in theirs.items() if not alike(mine[k], v)][:2]
