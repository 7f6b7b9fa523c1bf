"""Polars and DuckDB give the same numbers."""

from __future__ import annotations

from tests.contract.kit import Suite, differences, measure_names, parametrize


@parametrize(engines=False)
def test_polars_equals_duckdb(suite: Suite) -> None:
    wrong, seen = [], 0
    for name in measure_names(suite):
        for case in suite.cases:
            for measure in suite.variants_of(case, name):
                got, expected = (suite.results(case, engine)[str(measure)] for engine in ("duckdb", "polars"))
                wrong += [f"{case}: DuckDB: {told}" for told in differences(got, expected, suite.tolerance_of(measure))]
                seen += len(expected)
    assert seen > 0
    assert not wrong, f"{len(wrong)} of {seen} differ:\n" + "\n".join(wrong[:10])
