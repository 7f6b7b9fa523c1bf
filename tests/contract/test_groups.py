"""Groups (`by=`) do not change values of units, and their summary is an aggregate of their units."""

from __future__ import annotations

import polars as pl

from ireval_frames.declaration import AGGREGATIONS
from tests.contract.kit import Frames, Suite, assert_same, by_measure, main_cases, parametrize
from tests.oracles.evaluate import summary


@parametrize("case", main_cases)
def test_groups(suite: Suite, case: str, engine: str) -> None:
    """Two columns that group the units, of which one is a number."""

    def change(frames: Frames) -> Frames:
        table = frames[suite.grouped]
        units = table[suite.unit].unique(maintain_order=True)
        of = (
            pl.DataFrame({suite.unit: units})
            .with_row_index("n")
            .select(
                suite.unit,
                segment=pl.concat_str(pl.lit("s"), pl.col("n") % 3),
                Day=(pl.col("n") % 2).cast(pl.Int64),
            )
        )
        segments.update({u: (s, d) for u, s, d in of.rows()})
        return frames | {suite.grouped: table.join(of, on=suite.unit, how="left", nulls_equal=True)}

    segments: dict = {}
    aggregations = {m: AGGREGATIONS[i % len(AGGREGATIONS)] for i, m in enumerate(suite.first_variants(case))}
    for batch in suite.batches(aggregations):
        aggregated = [m(aggregation=aggregations[m]) for m in batch]
        grouped = suite.evaluation(case, aggregated, engine, change, by=["segment", "Day"])
        units, actual = grouped.per_unit(), grouped.summary()
        keys = [c for c in units.columns if c not in ("segment", "Day", "measure", "value")]
        assert units.select("segment", "Day").rows() == [segments[u] for u in units[suite.unit]]
        values = by_measure(dict(zip(units.select("measure", *keys).rows(), units["value"].to_list(), strict=True)))
        for m, measure in zip(batch, aggregated, strict=True):
            plain = {(str(measure), *key[1:]): value for key, value in suite.results(case, engine)[str(m)].items()}
            assert_same(values[str(measure)], plain, suite.tolerance_of(m), "units in groups")
        systems = [c for c in keys if c != suite.unit]
        assert actual.columns == [*systems, "segment", "Day", "measure", "value", "n_units", "n_undefined"]
        of_group = {k: part["value"].to_list() for k, part in units.group_by(*systems, "segment", "Day", "measure")}
        assert len(of_group) == actual.height
        measures = {str(m): m for m in aggregated}
        for row in actual.iter_rows():
            *group, value, n_units, n_undefined = row
            of = of_group[tuple(group)]
            expected = summary(of, measures[group[-1]].aggregation)
            assert_same({tuple(group): value}, {tuple(group): expected}, 1e-11, "summary")
            assert (n_units, n_undefined) == (len(of), of.count(None))
