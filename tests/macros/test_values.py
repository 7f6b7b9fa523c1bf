"""Every macro gives the values of the measure in Python, called with other values than its defaults."""

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
from ireval_frames.macros.installing import FAMILIES, measures_of
from ireval_frames.macros.macro import Macro, candidates_of
from ireval_frames.macros.measure_macro import measure_macro
from ireval_frames.macros.shapes import SUFFIXES
from tests.macros.cases import HIERARCHY, by_subtopic, click_model, items, organized, probabilities, rankings, sampled

# Variants that the defaults do not cover.
VARIANTS = {
    "ranking": "nDCG(dcg='jk')@5 DCG(unjudged=0.5) P(relative=True)@5 AP(over='retrieved') RBP(max_rel=4) "
    "RR(judged_only=True) NumRet(rel=1) P(subtopics='mean')@5 AP(assessors='max') uUBM@3 rrDBN(continuation=0.7)",
    "labels": "FallOutAtRecall@0.5 ROCAUC(max_fpr=0.4)",
    "clusters": "Entropy(base=2) NMI(normalizer='max') BCubedF(self_pairs=False)",
    "similarity": "RBO(estimate='minimum')",
}
ARGUMENTS = {"cutoff": 3, "rel": 2.0, "max_rel": 4.0, "min_rel": 1.0, "eps": 0.01, "recall": 0.4, "low": 0.01}


@dataclass
class Case:
    """A macro, its call, the measure of the call, and the subject in Python."""

    macro: Macro
    call: str
    measure: Measure
    subject: str


def cases(family: str) -> Iterator[Case]:
    """The macros of a family, each called with other values than its defaults."""
    for measure in [*measures_of(family), *(catalog.parse(m, family) for m in VARIANTS.get(family, "").split())]:
        for suffix in SUFFIXES.get(family, ("",)):
            try:
                macro = measure_macro(measure, suffix)
            except NotDefined:
                continue
            yield case_of(macro, measure)


def case_of(macro: Macro, measure: Measure) -> Case:
    options = {option.name for option in macro.options}
    candidates = {c.name: c for c in candidates_of(measure) if {c.option.name, f"measure_{c.name}"} & options}
    values = {n: type(t.values[1])(ARGUMENTS.get(n, t.values[1])) for n, t in candidates.items()}
    arguments = [f"'{table}'" for table in macro.tables]
    subject = _subject(macro, measure)
    if subject == "scored":
        arguments[0] = "'two'"
    elif macro.tables[0] == "labels":
        arguments[0] = f"'{subject}'" if subject in ("two", "several", "numbers") else arguments[0]
        arguments[0] = "'several'" if subject == "hierarchy" else arguments[0]
    if subject in ("by_subtopic", "by_assessor", "sampled"):
        arguments[0] = f"'{subject}'"
    if "positive" in options:
        arguments.append("positive := 'yes'")
    for name, value in values.items():
        option = candidates[name].option.name
        arguments.append(f'"{option if option in options else f"measure_{name}"}" := {literal(value).sql}')
    return Case(macro, f"{macro.name}({', '.join(arguments)})", measure(**values), subject)


def _subject(macro: Macro, measure: Measure) -> str:
    """The name of its subject in `evaluated`."""
    family = measure.definition.family
    if family == "labels":
        if len(macro.tables) > 1:
            return macro.tables[1]
        if any(o.name == "positive" for o in macro.options):
            # Of labels with predictions the score must be what they follow from; a macro reads scores alone.
            return "scored" if measure.definition.reads else "two"
        ordered = measure.name == "CEM_ORD" or "weights" in dict(measure.values)
        in_order = ordered or "CAST(label AS DOUBLE)" in macro.body
        return "numbers" if in_order else "several"
    if family == "ranking":
        if "CAST(stratum AS VARCHAR)" in macro.body or "CAST(iprob AS DOUBLE)" in macro.body:
            return "sampled"
        facets = [name for name in ("subtopic", "assessor") if f"CAST({name}_id AS VARCHAR)" in macro.body]
        return f"by_{facets[0]}" if facets else "modelled" if "click_model" in macro.tables else family
    suffix = macro.name.rpartition("_")[2]
    return f"{family}_{suffix}" if suffix in SUFFIXES.get(family, ()) else family


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
        "sampled": sampled(),
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


def evaluated(name: str, frames: dict[str, pl.DataFrame], measures: list[Measure]) -> pl.DataFrame:
    """The values in Python."""
    numbers = pl.col("label", "prediction").cast(pl.Float64)
    subjects: dict[str, Any] = {
        "ranking": lambda: ir.Rankings(frames["qrels"], frames["run"]),
        "modelled": lambda: ir.Rankings(frames["qrels"], frames["run"], click_model=frames["click_model"]),
        "by_subtopic": lambda: ir.Rankings(frames["by_subtopic"], frames["run"]),
        "by_assessor": lambda: ir.Rankings(frames["by_assessor"], frames["run"]),
        "sampled": lambda: ir.Rankings(frames["sampled"], frames["run"]),
        "two": lambda: ir.Labels(frames["two"], unit="unit_id", positive="yes"),
        "scored": lambda: ir.Labels(frames["two"].drop("prediction"), unit="unit_id", positive="yes"),
        "several": lambda: ir.Labels(frames["several"], unit="unit_id"),
        "numbers": lambda: ir.Labels(frames["numbers"].with_columns(numbers), unit="unit_id"),
        "hierarchy": lambda: ir.Labels(frames["several"], unit="unit_id", hierarchy=HIERARCHY),
        "probabilities": lambda: ir.Labels(frames["labels"], unit="unit_id", probabilities=frames["probabilities"]),
        "clusters": lambda: ir.Clusters(frames["clusters"].drop("prediction", "score"), unit="unit_id"),
        "organization": lambda: ir.Organization(frames["gold"], frames["system"]),
        "organization_priority": lambda: ir.Organization(
            frames["gold"].drop("label"), frames["system"].drop("cluster_id")
        ),
        "organization_relatedness": lambda: ir.Organization(
            frames["gold"].drop("relevance"), frames["system"].drop("score")
        ),
        "similarity": lambda: ir.Similarity(frames["run"]),
    }
    values: pl.DataFrame = subjects[name]().evaluate(measures).per_unit()
    return values


@pytest.mark.parametrize("family", FAMILIES)
def test_macros_give_what_measures_give(family: str) -> None:
    con, frames = duckdb.connect(config={"threads": 1}), tables()
    for name, frame in frames.items():
        con.from_arrow(frame.to_arrow()).create(name)
    groups: dict[str, list[Case]] = {}
    for case in cases(family):
        groups.setdefault(case.subject, []).append(case)
    differences: list[str] = []
    for name, some in groups.items():
        expected = evaluated(name, frames, list(dict.fromkeys(case.measure for case in some)))
        keys = [c for c in expected.columns if c not in ("measure", "value")]
        values = {row[: len(keys) + 1]: row[-1] for row in expected.select(*keys, "measure", "value").iter_rows()}
        for case in some:
            con.execute(case.macro.statements("t_")[0])
            rows = con.sql(f"SELECT {', '.join(keys)}, value FROM t_{case.call}").fetchall()
            reference = {key[:-1]: v for key, v in values.items() if key[-1] == str(case.measure)}
            differences += _differences(case.call, {r[:-1]: r[-1] for r in rows}, reference)
    assert differences == []
    least = {"ranking": 76, "labels": 86, "clusters": 46, "organization": 12, "similarity": 9}
    assert sum(map(len, groups.values())) >= least[family]


def _differences(call: str, actual: dict[Any, Any], expected: dict[Any, Any]) -> list[str]:
    def alike(one: float | None, other: float | None) -> bool:
        if one is None or other is None:
            return one is other
        return math.isclose(one, other, rel_tol=1e-10, abs_tol=1e-10)

    if actual.keys() != expected.keys() or not actual:
        return [f"{call}: units {sorted(actual)[:3]} for {sorted(expected)[:3]}"]
    return [f"{call} at {k}: {actual[k]} for {v}" for k, v in expected.items() if not alike(actual[k], v)][:2]
