"""Measures, units and runs have the same values in one call and in separate calls."""

from __future__ import annotations

import polars as pl

from tests.contract.kit import (
    ENGINES,
    Frames,
    Suite,
    Values,
    assert_same,
    by_measure,
    is_one_measure,
    main_cases,
    measure_names,
    parametrize,
    values,
)


def several_runs(suite: Suite, case: str) -> list[str]:
    """The runs of a case that has several."""
    frames = suite.frames(case)
    runs = sorted({r for f in frames.values() if "run_id" in f.columns for r in f["run_id"].drop_nulls()})
    return runs if len(runs) > 1 else []


@parametrize("name", measure_names, engines=False)
def test_measures_separately(suite: Suite, name: str) -> None:
    """One measure per call, every second one on DuckDB; with `--measure`, each on both engines."""
    case = suite.cases_of(name)[0]
    measure = suite.variants_of(case, name)[-1]
    for engine in ENGINES if is_one_measure() else [ENGINES[suite.position(name) % 2]]:
        actual = suite.compute(case, [measure], engine)[str(measure)]
        assert_same(actual, suite.results(case, engine)[str(measure)], suite.tolerance_of(measure))


@parametrize("case", lambda suite: main_cases(suite)[:1])
def test_order_of_measures(suite: Suite, case: str, engine: str) -> None:
    for batch in suite.batches(suite.first_variants(case)[::-1]):
        actual = by_measure(values(suite.evaluation(case, batch, engine)))
        assert list(actual) == [str(m) for m in batch]
        for m in batch:
            assert_same(actual[str(m)], suite.results(case, engine)[str(m)], suite.tolerance_of(m))


def only(frames: Frames, column: str, value: object) -> Frames:
    """The rows of a unit or run; tables without the column are unchanged."""
    return {n: f.filter(pl.col(column) == value) if column in f.columns else f for n, f in frames.items()}


@parametrize("case", main_cases)
def test_units_separately(suite: Suite, case: str, engine: str) -> None:
    """One unit per call: three units on Polars and one on DuckDB."""
    measures = [m for m in suite.first_variants(case) if m.name not in suite.across_units]
    (batch, *_) = suite.batches(measures)
    frames = suite.frames(case, batch[0])
    units = frames[suite.grouped][suite.unit].unique(maintain_order=True).to_list()
    positions = (0, len(units) // 2, -1) if engine == "polars" else (len(units) // 3,)
    for unit in dict.fromkeys(units[i] for i in positions):
        actual = suite.compute(case, batch, engine, lambda f, unit=unit: only(f, suite.unit, unit))
        for m in batch:
            expected = suite.results(case, engine)[str(m)]
            assert actual[str(m)], unit
            assert_same(actual[str(m)], {k: expected[k] for k in actual[str(m)]}, suite.tolerance_of(m), str(unit))


@parametrize("case", lambda suite: [w for w in main_cases(suite) if several_runs(suite, w)], property="runs")
def test_runs_separately(suite: Suite, case: str, engine: str) -> None:
    """One run per call, in tables without a column of runs."""
    measures = suite.first_variants(case)
    for batch in suite.batches(measures):
        for run in several_runs(suite, case):

            def change(frames: Frames, run: str = run) -> Frames:
                return {n: f.drop("run_id", strict=False) for n, f in only(frames, "run_id", run).items()}

            actual = suite.compute(case, batch, engine, change)
            for m in batch:
                expected: Values = {
                    (k[0], *k[2:]): v for k, v in suite.results(case, engine)[str(m)].items() if k[1] == run
                }
                assert_same(actual[str(m)], expected, suite.tolerance_of(m), run)
