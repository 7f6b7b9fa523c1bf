"""The plan of a comparison, and its result."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from ireval_frames import catalog, io
from ireval_frames.built import Built
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine, RankedRows, Ranking
from ireval_frames.engines.sources import refuse_to_pickle
from ireval_frames.errors import InvalidParameter, MismatchedTables, UnknownName, listed, nearest
from ireval_frames.evaluation import Evaluation
from ireval_frames.io import sql as sql_files
from ireval_frames.plan import Plan, Table
from ireval_frames.similarity.context import Pair
from ireval_frames.similarity.inputs import Inputs, duplicate_items, rules, scan
from ireval_frames.similarity.lists import Asked, Lists, kept, part
from ireval_frames.similarity.tables import SimilarityTables

# Pairs of lists are compared in parts of about this many items (of both lists) on Polars, which bounds the memory.
PART_ITEMS = 4_000_000


class Comparison(Evaluation):
    """Measures of similarity for pairs of rankings; an `Evaluation` whose groups are the pairs.

    `per_unit()` has a row per pair, query and measure, `summary()` one per pair and measure, `wide()` one per pair, and
    `matrix()` a row and a column per ranking.
    """

    def matrix(self, measure: str | Measure | None = None) -> pl.DataFrame:
        """The values of one measure: a row per first ranking, a column per second one.

        The diagonal is null unless rankings were compared with themselves (`itself=True`).

        Args:
            measure: which, if several were asked for.

        Raises:
            UnknownName: it was not asked for.
            InvalidParameter: several were asked for, and none is named.
        """
        names = [str(m) for m in self.measures]
        if measure is None and len(names) > 1:
            raise InvalidParameter(
                f"A matrix is of one measure; asked for were {listed(names)}.", f"Write matrix({names[0]!r})."
            )
        wanted = names[0] if measure is None else str(catalog.parse(str(measure), self._family))
        if wanted not in names:
            raise UnknownName(f"{wanted} was not asked for.", nearest(wanted, names))
        summary = self.summary().filter(pl.col("measure") == wanted)
        one, other, *by = (self._built.named.get(g, g) for g in self._built.groups)
        columns = sorted(set(summary[other].to_list()))
        return summary.pivot(on=other, index=[*by, one], values="value", on_columns=columns, maintain_order=True)


@dataclass(frozen=True)
class Build:
    """Makes the plan of one comparison on any engine."""

    given: Mapping[str, Any]
    columns: Mapping[str, str]
    by: tuple[str, ...]
    options: Mapping[str, str]
    depth: int | None
    descending: bool
    itself: bool

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled.

        Raises:
            EngineError: a table is a DuckDB relation.
        """
        refuse_to_pickle(self.given)
        return self.__dict__

    def __call__(
        self,
        engine: Engine,
        measures: Sequence[Measure],
        *,
        ordered: bool = False,
        given: Mapping[str, Any] | None = None,
    ) -> Built:
        """Make the plan."""
        inputs = Inputs(
            self.given if given is None else given, self.columns, self.by, engine, descending=self.descending
        )
        asked = Asked(inputs.by_aliases, inputs.several_units, inputs.two_sides, itself=self.itself, **self.options)
        ranked = self._ranked(engine, inputs, asked)
        plan = Plan(engine, ordered=ordered)
        made = Lists(plan, ranked, asked)
        built = self._built(plan, made.entries, made.pairs, inputs, asked, measures, ranked)

        def parts() -> Sequence[Built]:
            if not engine.in_process:
                return []
            ranges = _ranges(engine.collect(made.pairs.frame()))
            if len(ranges) <= 1:
                return []
            entries, pairs = made.entries.frame(), made.pairs.frame()
            plans = [Plan(engine, ordered=ordered) for _ in ranges]
            chosen = [part(p, entries, pairs, made.pairs.keys, *r) for p, r in zip(plans, ranges, strict=True)]
            return [
                self._built(p, *tables, inputs, asked, measures, ranked)
                for p, tables in zip(plans, chosen, strict=True)
            ]

        return dataclasses.replace(built, parts=parts)

    def _ranked(self, engine: Engine, inputs: Inputs, asked: Asked) -> RankedRows:
        names = inputs.frame.collect_schema().names()
        order = (("value", True), ("item", asked.ties != "doc_id"))
        ranking = Ranking(asked.list_keys, order, depth=self.depth, rules=rules(names), duplicate=duplicate_items)
        return engine.rank(inputs.frame, ranking, None)

    def _built(
        self,
        plan: Plan,
        entries: Table,
        pairs: Table,
        inputs: Inputs,
        asked: Asked,
        measures: Sequence[Measure],
        ranked: RankedRows,
    ) -> Built:
        tables = SimilarityTables(plan, entries, pairs, asked)
        forth, back = {}, {}
        for i, measure in enumerate(measures):
            with plan.asked_by(str(measure)):
                forth[f"v{i}"], directed = _value(tables, measure, swapped=False)
                back[f"v{i}"] = (
                    _value(tables, measure, swapped=True)[0] if directed and not asked.two_sides else forth[f"v{i}"]
                )
        units = _units(tables, asked, forth, back)
        checks = [ranked.check]
        if asked.missing == "error":
            plan.require(pairs, nw.col("pair").is_null(), _missing)
        if asked.items == "same":
            common = tables.common.count(into=tables.measured)
            differs = tables.both_there & ((common != nw.col("size")) | (common != nw.col("other_size")))
            plan.require(tables.results, tables.results.column(differs), _different)
        names = {
            "system": inputs.ranking,
            "other_system": f"other_{inputs.ranking}",
            **dict(zip(inputs.by_aliases, self.by, strict=True)),
        }
        finals = [nw.col(name) for name in forth]
        return Built(plan, units, [str(m) for m in measures], finals, names, [*checks, plan.check], dict, [])

    def file(self, name: Any, path: Any) -> tuple[str, pl.Schema]:  # noqa: ARG002 - both tables are rankings
        """The SELECT that reads a run's file, and its columns."""
        return sql_files.select(io.describe(path, "run"), "run"), scan(path).collect_schema()

    def count_measures(self) -> dict[str, Measure]:
        """What `per_unit(counts=True)` adds."""
        return {"n_common": catalog.parse("NumCommon", "similarity")}


def _value(tables: SimilarityTables, measure: Measure, *, swapped: bool) -> tuple[nw.Expr, bool]:
    """The column of a measure, and whether it treats the two rankings differently."""
    pair = Pair(tables, swapped=swapped)
    value = measure.expression(pair, measure.arguments())
    return tables.results.column(nw.when(tables.both_there).then(value)), pair.directed


def _units(tables: SimilarityTables, asked: Asked, forth: Mapping[str, nw.Expr], back: Mapping[str, nw.Expr]) -> Table:
    """A row per pair of rankings (and query): both ways where rankings of one table are compared."""
    plan, keys = tables.plan, ("system", "other_system", *asked.within)
    same = {k: nw.col(k) for k in keys}
    if asked.two_sides:
        plan.unit = plan.picked("units", keys, tables.results, **same, **forth)
        return plan.unit
    results = kept(tables.results)
    others = plan.picked("others", ("pair",), results, where=nw.col("system") < nw.col("other_system"))
    swapped = same | {"system": nw.col("other_system"), "other_system": nw.col("system")}
    plan.unit = plan.stacked("units", keys, (results, {**same, **forth}), (others, {**swapped, **back}))
    return plan.unit


def _ranges(pairs: pl.DataFrame) -> list[tuple[int | None, int | None]]:
    """Ranges of list numbers whose pairs have about `PART_ITEMS` items together.

    None for pairs that lack their first list.
    """
    there = pairs.filter(pl.col("pair").is_not_null())
    items = (
        there.group_by("list")
        .agg(pl.sum("size", "other_size"))
        .sort("list")
        .with_columns(items=pl.col("size") + pl.col("other_size"))
    )
    number = (items["items"].cum_sum() - items["items"]) // PART_ITEMS
    found = (
        items.with_columns(part=number)
        .group_by("part")
        .agg(low=pl.col("list").min(), high=pl.col("list").max())
        .sort("low")
    )
    ranges: list[tuple[int | None, int | None]] = list(found.select("low", "high").iter_rows())
    return [*ranges, *([(None, None)] if there.height < pairs.height else [])] if len(ranges) > 1 else ranges


def _missing(rows: pl.DataFrame, count: int) -> MismatchedTables:
    where = ", ".join(f"{row['system']!r} and {row['other_system']!r}" for row in rows.head(1).iter_rows(named=True))
    query = f", query {rows['query_id'][0]!r}" if "query_id" in rows.columns else ""
    return MismatchedTables(
        f"In {count} comparisons one of the two rankings is missing: {where}{query}.",
        'Leave them undefined, missing="undefined", or out, missing="skip".',
    )


def _different(rows: pl.DataFrame, count: int) -> MismatchedTables:
    where = ", ".join(f"{row['system']!r} and {row['other_system']!r}" for row in rows.head(1).iter_rows(named=True))
    query = f", query {rows['query_id'][0]!r}" if "query_id" in rows.columns else ""
    return MismatchedTables(
        f"In {count} comparisons the two rankings do not hold the same items: {where}{query}.",
        'Compare those they share: items="common".',
    )
