"""Every macro gives what the measure gives in Python: with its defaults, and with every parameter told otherwise."""

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
from ireval_frames.engines.sql_values import literal
from ireval_frames.errors import NotDefined
from ireval_frames.macros.installing import FAMILIES
from ireval_frames.macros.macro import Macro
from ireval_frames.macros.making import measure_macro
from ireval_frames.macros.options import numbers_of
from tests.macros.worlds import items, rankings

# Variants that the defaults do not reach, and measures that need a parameter which decides their plan.
ASKED = {
    "ranking": "nDCG(dcg='exp-log2') nDCG(dcg='jk')@5 DCG(unjudged=0.5) P(relative=True)@5 AP(over='retrieved') "
    "RBP(p=0.5) SDCG(max_rel=3)@10 INST(max_rel=3) BPM(max_rel=3)@5 NERR8(max_rel=3)@7 RR(judged_only=True) "
    "ERR(max_rel=4) NumRet(rel=1)",
    "labels": "F1(average='micro') F1(average='weighted') Kappa(weights='quadratic') ECE(bins=4) "
    "FallOutAtRecall@0.5 ROCAUC(max_fpr=0.4)",
    "clusters": "Entropy(base=2) NMI(normalizer='max') BCubedF(self_pairs=False)",
}
OTHER = {"cutoff": 3, "rel": 2.0}


@dataclass
class Case:
    """A macro, and the measures that its calls are."""

    macro: Macro
    calls: list[tuple[str, Measure]]


def cases(family: str) -> Iterator[Case]:
    """The macros of a family, each called with its defaults and otherwise."""
    asked = [d() for d in catalog.definitions(family)] + catalog.parse_all(ASKED[family], family)
    for measure in asked:
        try:
            macro = measure_macro(measure)
        except NotDefined:
            continue
        yield Case(macro, list(_calls(macro, measure)))


def _calls(macro: Macro, measure: Measure) -> Iterator[tuple[str, Measure]]:
    taken = {option.name for option in macro.options}
    tried = {t.name: t for t in numbers_of(measure) if {t.option.name, f"measure_{t.name}"} & taken}
    needed = {n: OTHER.get(n, t.values[0]) for n, t in tried.items() if not t.option.default}
    yield _told(tried, needed, taken), measure(**needed)
    other = {n: OTHER.get(n, t.values[1]) for n, t in tried.items()}
    if other != needed:
        yield _told(tried, other, taken), measure(**other)


def _told(tried: dict[str, Any], values: dict[str, Any], taken: set[str]) -> str:
    names = {n: t.option.name if t.option.name in taken else f"measure_{n}" for n, t in tried.items()}
    return "".join(f', "{names[n]}" := {literal(v).sql}' for n, v in values.items())


@pytest.fixture(scope="module")
def con() -> duckdb.DuckDBPyConnection:
    con = duckdb.connect(config={"threads": 1})
    tables = dict(zip(("qrels", "run"), rankings(), strict=True))
    tables |= {"several": items(["1", "2", "3", "4"]), "two": items(["yes", "no"])}
    for name, frame in tables.items():
        con.from_arrow(frame.to_arrow()).create(name)
    return con


def _expected(family: str, macro: Macro, measures: list[Measure]) -> pl.DataFrame:
    if family == "ranking":
        return ir.Rankings(*rankings()).evaluate(measures).per_unit()
    several = not any(o.name == "positive" for o in macro.options)
    frame = items(["1", "2", "3", "4"] if several else ["yes", "no"])
    if family == "clusters":
        return (
            ir.Clusters(frame.select("run_id", "unit_id", "label", "cluster_id", "weight"), unit="unit_id")
            .evaluate(measures)
            .per_unit()
        )
    numbers = "CAST(label AS DOUBLE)" in macro.body
    frame = frame.with_columns(pl.col("label", "prediction").cast(pl.Float64)) if numbers else frame
    return ir.Labels(frame, unit="unit_id", positive=None if several else "yes").evaluate(measures).per_unit()


@pytest.mark.parametrize("family", FAMILIES)
def test_macros_give_what_measures_give(family: str, con: duckdb.DuckDBPyConnection) -> None:
    groups: dict[tuple[bool, bool], list[Case]] = {}
    for case in cases(family):
        positive = any(o.name == "positive" for o in case.macro.options)
        groups.setdefault((positive, "CAST(label AS DOUBLE)" in case.macro.body), []).append(case)
    wrong: list[str] = []
    for (positive, _), some in groups.items():
        asked = list(dict.fromkeys(m for case in some for _, m in case.calls))
        expected = _expected(family, some[0].macro, asked)
        keys = expected.columns[:2]
        values = {(*row[:2], row[2]): row[3] for row in expected.iter_rows()}
        for case in some:
            for statement in case.macro.statements("t_"):
                con.execute(statement)
            tables = {"ranking": "'qrels', 'run'"}.get(family, "'two'" if positive else "'several'")
            tables += ", positive := 'yes'" if positive else ""
            for told, measure in case.calls:
                rows = con.sql(f"SELECT {', '.join(keys)}, value FROM t_{case.macro.name}({tables}{told})").fetchall()
                theirs = {key[:2]: v for key, v in values.items() if key[2] == str(measure)}
                wrong += _differ(f"{case.macro.name}({told})", {r[:2]: r[2] for r in rows}, theirs)
    assert wrong == []
    assert sum(map(len, groups.values())) > {"ranking": 50, "labels": 65, "clusters": 44}[family]


def _differ(call: str, mine: dict[Any, Any], theirs: dict[Any, Any]) -> list[str]:
    def alike(one: float | None, other: float | None) -> bool:
        if one is None or other is None:
            return one is other
        return math.isclose(one, other, rel_tol=1e-10, abs_tol=1e-10)

    if mine.keys() != theirs.keys():
        return [f"{call}: units {sorted(mine)[:3]} for {sorted(theirs)[:3]}"]
    return [f"{call} at {k}: {mine[k]} for {v}" for k, v in theirs.items() if not alike(mine[k], v)][:2]
