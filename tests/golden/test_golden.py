"""A changed number, text, row or order is reported with its place and both sides."""

from __future__ import annotations

import polars as pl

from tests.contract.kit import all_suites
from tests.golden import compare, make


def golden() -> pl.DataFrame:
    """What a clustering measure gives in one case, and an error."""
    suite = next(k for k in all_suites() if k.family == "clusters")
    case = next(iter(suite.cases))
    rows = list(
        make.evaluated(suite, case, "polars", suite.variants_of(case, "Purity"), "per unit", lambda e: e.per_unit())
    )
    rows.append(make.of_text(suite, case, "polars", "Purity", "error", make.outcome(lambda: suite.case("none"))))
    return pl.DataFrame(rows, schema=make.SCHEMA, orient="row")


def reported(before: pl.DataFrame, after: pl.DataFrame, tolerance: float = 0.0, *, classes: bool = False) -> list[str]:
    return list(compare.report(compare.differing(before, after, tolerance=tolerance, classes=classes)))


def test_differences_are_reported() -> None:
    before = golden()
    assert reported(before, before) == []
    last = before.filter(pl.col("value").is_not_null()).tail(1)
    (value,), (unit,) = last["value"], last["unit"]
    here = (pl.col("unit") == unit) & pl.col("value").is_not_null()
    after = before.with_columns(pl.when(here).then(value + 1e-14).otherwise("value").alias("value"))
    place = f"Purity, clusters, text, polars, per unit, {unit}"
    assert reported(before, after) == ["value: 1 differ", f"  {place}: {value!r} before, {value + 1e-14!r} after"]
    assert reported(before, after, 1e-12) == []
    undefined = before.with_columns(pl.when(~here).then("value"))
    assert reported(before, undefined, 1e-12)[1] == f"  {place}: {value!r} before, None after"
    assert reported(before, before.filter(~here))[0] == "only before: 1 differ"
    assert reported(before.filter(~here), before)[0] == "only after: 1 differ"
    changed = before.with_columns(pl.col("row") + pl.when(here).then(1).otherwise(0))
    assert reported(before, changed)[0] == "order of rows: 1 differ"


def test_texts_are_compared_whole_or_by_the_class_of_error() -> None:
    before = golden()
    assert before["text"].str.starts_with("KeyError: ").sum() == 1
    after = before.with_columns(pl.col("text").str.replace("none", "nothing"))
    assert reported(before, after)[2:] == ["    @@ -1 +1 @@", "    -KeyError: 'none'", "    +KeyError: 'nothing'"]
    assert reported(before, after, classes=True) == []
    other = before.with_columns(pl.col("text").str.replace("KeyError", "ValueError"))
    assert reported(before, other, classes=True)[0] == "text: 1 differ"
