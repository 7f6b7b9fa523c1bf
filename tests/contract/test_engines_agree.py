"""Polars and DuckDB give the same numbers."""

from __future__ import annotations

from tests.contract.kit import Kind, differences, each, names


@each("name", names, engines=False)
def test_polars_equals_duckdb(kind: Kind, name: str) -> None:
    wrong = []
    for where in kind.worlds:
        for measure in kind.of(where, name):
            got, wanted = (kind.found(where, engine)[str(measure)] for engine in ("duckdb", "polars"))
            wrong += [f"{where}: DuckDB: {told}" for told in differences(got, wanted, kind.allowed(measure))]
    assert not wrong, f"{len(wrong)} differ:\n" + "\n".join(wrong[:10])
