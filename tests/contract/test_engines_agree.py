"""Polars and DuckDB give the same values."""

from __future__ import annotations

from tests.contract.kit import Suite, differences, measure_names, parametrize


@parametrize(engines=False)
def test_polars_equals_duckdb(suite: Suite) -> None:
    failures, num_values = [], 0
    for name in measure_names(suite):
        for case in suite.cases_of(name):
            for measure in suite.variants_of(case, name):
                actual, expected = (suite.results(case, engine)[str(measure)] for engine in ("duckdb", "polars"))
                failures += [
                    f"{case}: DuckDB: {text}" for text in differences(actual, expected, suite.tolerance_of(measure))
                ]
                num_values += len(expected)
    assert num_values > 0
    assert not failures, f"{len(failures)} of {num_values} differ:\n" + "\n".join(failures[:10])
