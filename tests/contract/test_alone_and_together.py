"""Many runs, many measures and many groups in one call give what each gives alone."""

from __future__ import annotations

import polars as pl
import pytest

import ireval_frames as ir
from tests.contract.asked import (
    ENGINES,
    FIRST,
    MIXED,
    NAMES,
    VARIANTS,
    WORLDS,
    by_measure,
    evaluated,
    evaluated_world,
    few,
    judged_by,
    nothing_differs,
    values,
)
from tests.contract.worlds import world

engines = pytest.mark.parametrize("engine", ENGINES)
SEVENTEEN = world(17, 30, 17)
GROUPED = world(8, 60, 2)


@engines
def test_seventeen_runs(engine: str) -> None:
    qrels = SEVENTEEN.qrels_frame()
    asked = few(engine, FIRST)
    together = values(ir.evaluate(qrels, SEVENTEEN.run_frame(), asked, engine=engine))
    assert {r for _, r, _ in together} == set(SEVENTEEN.runs)
    for run_id in list(SEVENTEEN.runs)[:: 4 if engine == "polars" else 8]:
        alone = values(ir.evaluate(qrels, SEVENTEEN.run_frame(run_id), asked, engine=engine))
        nothing_differs({(m, q): v for (m, r, q), v in together.items() if r == run_id}, alone, 1e-12)


@pytest.mark.parametrize("name, engine", [(n, "polars") for n in NAMES] + [(n, "duckdb") for n in NAMES[::5]])
def test_measures_alone(name: str, engine: str) -> None:
    """A measure without company."""
    made, measure = WORLDS[0], VARIANTS[name][-1]
    alone = evaluated(made, measure, engine)
    nothing_differs(alone, evaluated_world(0, engine)[str(measure)], 1e-12)


def test_order_of_measures_does_not_matter() -> None:
    made = WORLDS[0]
    turned = [m for m in MIXED[::-1] if "assessor_id" not in judged_by(m)]
    found = by_measure(values(ir.evaluate(made.qrels_frame(), made.run_frame(), turned)))
    assert list(found) == [str(m) for m in turned]
    for name, values_found in found.items():
        nothing_differs(values_found, evaluated_world(0, "polars")[name], 1e-12)


def segments() -> pl.DataFrame:
    """Two columns that group the judged queries."""
    ids = list(GROUPED.qrels)
    return pl.DataFrame(
        {
            "query_id": ids,
            "segment": [("head", "tail", "torso")[i % 3] for i in range(len(ids))],
            "Day": [i % 2 for i in range(len(ids))],
        }
    )


@engines
@pytest.mark.parametrize("where", ["queries", "qrels"])
def test_groups(where: str, engine: str) -> None:
    """The summary of a group is the summary of its queries evaluated alone."""
    asked = few(engine, FIRST)
    qrels, run, queries = GROUPED.qrels_frame(), GROUPED.run_frame(), segments()
    with_columns = qrels.join(queries, on="query_id")
    given = {"queries": queries} if where == "queries" else {}
    evaluation = ir.evaluate(
        qrels if where == "queries" else with_columns, run, asked, by=["segment", "Day"], engine=engine, **given
    )
    found = evaluation.summary()
    assert found.columns == ["run_id", "segment", "Day", "measure", "value", "n_units", "n_undefined"]
    assert found.height == 2 * 6 * len(asked)
    # On DuckDB two of the six groups stand for all.
    for (segment, day), part in list(queries.group_by("segment", "Day", maintain_order=True))[
        :: 1 if engine == "polars" else 3
    ]:
        alone = ir.evaluate(qrels.join(part, on="query_id", how="semi"), run, asked, engine=engine).summary()
        group = found.filter(pl.col("segment") == segment, pl.col("Day") == day).drop("segment", "Day")
        assert group.drop("value").equals(alone.drop("value"))
        for a, b in zip(group["value"], alone["value"], strict=True):
            assert a == pytest.approx(b, rel=1e-12, abs=1e-12) if b is not None else a is None


@engines
def test_groups_keep_the_units(engine: str) -> None:
    asked = few(engine, FIRST)
    grouped = ir.evaluate(
        GROUPED.qrels_frame(), GROUPED.run_frame(), asked, queries=segments(), by="segment", engine=engine
    ).per_unit()
    plain = ir.evaluate(GROUPED.qrels_frame(), GROUPED.run_frame(), asked, engine=engine).per_unit()
    assert grouped.columns == ["run_id", "segment", "query_id", "measure", "value"]
    keys = ["run_id", "query_id", "measure"]
    both = grouped.join(plain, on=keys, suffix="_plain").join(segments(), on="query_id", suffix="_given")
    assert both.height == grouped.height == plain.height
    assert (both["segment"] == both["segment_given"]).all()
    assert both["value"].equals(both["value_plain"]) or (both["value"] - both["value_plain"]).abs().max() < 1e-12


@engines
def test_groups_by_a_column_of_the_run(engine: str) -> None:
    made = WORLDS[2]
    run = made.run_frame("run0").with_columns(
        language=pl.when(pl.col("query_id").hash(1) % 2 == 0).then(pl.lit("en")).otherwise(pl.lit("pt"))
    )
    found = ir.evaluate(made.qrels_frame(), run, "AP", by="language", policy="missing=skip", engine=engine).summary()
    assert found["language"].to_list() == ["en", "pt"]
    for language in ("en", "pt"):
        alone = ir.evaluate(
            made.qrels_frame(),
            run.filter(pl.col("language") == language).drop("language"),
            "AP",
            policy="missing=skip",
            engine=engine,
        ).summary()
        row = found.filter(pl.col("language") == language)
        assert row["n_units"].item() == alone["n_units"].item() > 10
        assert row["value"].item() == pytest.approx(alone["value"].item(), rel=1e-12)
