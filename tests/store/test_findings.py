"""Tables of results are stored row by row, and read again."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, NotDefined, UnknownName, WrongType
from tests.store.cases import QRELS, run

RUNS = pl.concat([run("one"), run("two", -5.0)])


def interleaved() -> ir.interleaving.Interleaving:
    pages = {"serp_id": [1, 1, 2, 2, 3, 3], "query_id": ["q"] * 6, "doc_id": ["x", "y"] * 3, "position": [1, 2] * 3}
    return ir.interleaving.Interleaving(pl.DataFrame({**pages, "click": [1, 0, 0, 1, 1, 0], "team": ["a", "b"] * 3}))


def experiment() -> Any:
    return ir.Experiment(ir.examples.experiment(), baseline="a", by="country").analyze(
        "Mean(revenue) Ratio(clicks, pages)"
    )


def reproduced() -> ir.replication.Reproduction:
    ev = ir.evaluate(QRELS, RUNS, "AP RR")
    return ir.replication.reproduction(ev, ev)


# What is stored, which of its tables, and the columns that are stored under another name.
FOUND: dict[str, tuple[Callable[[], Any], tuple[str, ...], dict[str, str]]] = {
    "Analysis": (experiment, ("table",), {"measure": "metric", "run_id": "variant", "p_value": "p_value", "n": "n"}),
    "Interleaving": (interleaved, ("summary",), {"run_id": "run", "difference": "delta", "ci_low": "low"}),
    "FittedModel": (
        lambda: ir.Impressions(ir.examples.click_log()).fit("SDBN"),
        ("parameters",),
        {"measure": "parameter", "value": "value", "ci_high": "high"},
    ),
    "Reproduction": (reproduced, ("table", "effects"), {"measure": "measure", "run_id": "system"}),
    "Aggregation": (lambda: ir.Ratings(ir.examples.ratings()).aggregate("majority"), ("consensus", "raters"), {}),
    "Jackknife": (
        lambda: ir.resampling.jackknife(ir.Labels(ir.examples.labels()), "Accuracy"), ("table",), {"value": "value"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", FOUND)
def test_rows_are_kept_as_they_are_reported(tmp_path: Path, kind: str) -> None:
    make, parts, named = FOUND[kind]
    result, store = make(), ir.Store(tmp_path)
    added = store.add(result, name="spring", collection="c", tags={"k": 1})
    assert store.add(make(), name="spring", collection="c", tags={"k": 1}) == added
    rows = store.findings("spring", collection="c").collect()
    assert {*rows["kind"]} == {kind}
    assert rows["place"].to_list() == [*range(rows.height)]
    for part in parts:
        table, mine = getattr(result, part)(), rows.filter(part=part)
        assert [json.loads(r) for r in mine["row"]] == json.loads(table.write_json())
        for column, other in named.items():
            if other in table.columns:
                assert mine[column].to_list() == table[other].to_list()
    assert rows["part"].unique(maintain_order=True).to_list() == [*parts]


def test_ids_do_not_depend_on_last_digits(tmp_path: Path) -> None:
    store, effects = ir.Store(tmp_path), pl.DataFrame({"measure": ["AP", "RR"], "value": [0.1 + 0.2, 1e-12]})
    added = store.add(effects, name="effects")
    for factor in (1 + 2**-52, 1 - 2**-53):
        assert store.add(effects.with_columns(value=effects["value"] * factor), name="effects") == added
    assert store.add(effects.with_columns(value=effects["value"] * (1 + 1e-8)), name="effects") != added


def test_groups_and_histories(tmp_path: Path) -> None:
    store = ir.Store(tmp_path)
    for day in (2, 1):
        store.add(experiment(), name="spring", at=datetime(2026, 1, day, tzinfo=UTC))
    rows = store.findings("spring", measure="Mean(revenue)").collect()
    assert rows["made_at"].dt.day().to_list() == sorted(rows["made_at"].dt.day().to_list())
    assert {json.loads(g)["country"] for g in rows["groups"]} == {*ir.examples.experiment()["country"]}
    with pytest.raises(UnknownName, match=r"no findings of the name 'sprung'\.\n  Did you mean spring"):
        store.findings("sprung")
    # Packed, merged and exported as all else.
    store.compact()
    other = ir.Store(tmp_path / "other")
    assert other.merge(store) == 0
    assert other.findings().collect().equals(store.findings().collect())
    query = "SELECT name, count(*) AS n FROM findings WHERE row->>'metric' LIKE 'Mean%' GROUP BY ALL"
    assert store.sql(query).rows() == [("spring", rows.height)]
    assert store.check().is_empty()


def test_tables_are_kept_under_a_name(tmp_path: Path) -> None:
    store = ir.Store(tmp_path)
    frame = pl.DataFrame({"value": [0.5, None, float("nan")], "day": [date(2026, 1, 1)] * 3, "l": [[1]] * 3})
    store.add(frame, name="days")
    rows = store.findings(kind="table").collect()
    assert rows["value"].to_list() == [0.5, None, None]
    assert json.loads(rows["row"][0]) == {"value": 0.5, "day": "2026-01-01", "l": [1]}
    with pytest.raises(InvalidParameter, match="needs a name"):
        store.add(frame)
    with pytest.raises(InvalidParameter, match="no rows"):
        store.add(frame.head(0), name="none")
    with pytest.raises(WrongType, match="'b' of the table is Binary"):
        store.add(pl.DataFrame({"b": [b"x"]}), name="bytes")
    # An error of the result itself is raised, and no table of another kind is made of it.
    with pytest.raises(NotDefined):
        store.add(ir.resampling.bootstrap(ir.Timings(ir.examples.timings()), "Throughput"))
    assert store.findings().collect().height == 3
