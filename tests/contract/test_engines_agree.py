"""Polars and DuckDB give the same numbers."""

from __future__ import annotations

from tests.contract.kit import Kind, differences, each, names


@each(engines=False)
def test_polars_equals_duckdb(kind: Kind) -> None:
    wrong, seen = [], 0
    for name in names(kind):
        for where in kind.worlds:
            for measure in kind.of(where, name):
                got, wanted = (kind.found(where, engine)[str(measure)] for engine in ("duckdb", "polars"))
                wrong += [f"{where}: DuckDB: {told}" for told in differences(got, wanted, kind.allowed(measure))]
                seen += len(wanted)
    assert seen > 0
    assert not wrong, f"{len(wrong)} of {seen} differ:\n" + "\n".join(wrong[:10])
