"""The document lists of an original and of its replica, query by query."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from ireval_frames import catalog
from ireval_frames.columns.user_names import TableNames
from ireval_frames.conventions.rankings import SimilarityPolicy
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine, Ranking
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.polars.aggregates import in_order
from ireval_frames.engines.row_checks import run_checks
from ireval_frames.errors import MismatchedTables, MissingColumn, NotDefined, listed
from ireval_frames.expr import col, lit, when
from ireval_frames.ranking import Rankings
from ireval_frames.similarity import Similarity, SimilarityEvaluation
from ireval_frames.similarity.files import KINDS
from ireval_frames.similarity.inputs import SimilarityInputs, duplicate_items, rules
from ireval_frames.subject import request_of

KEYS = ("system", "query_id")
# Measures over the items of both lists; the others also count items of one list.
CORRELATIONS = frozenset({"Tau", "Spearman", "TauAP", "WeightedTau"})


@dataclass(frozen=True, eq=False)
class Runs:
    """Two tables of runs, and the names of their columns.

    Attributes:
        original, replica: frames, paths or relations.
        engine: where they are compared.
        columns: their names of our columns, by `runs` and `against`.
    """

    original: Any
    replica: Any
    engine: Engine
    columns: Mapping[str, Mapping[str, str]]

    @classmethod
    def of(cls, original: Any, replica: Any) -> Runs:
        """The runs of two evaluations.

        Raises:
            NotDefined: one of them is not an evaluation of rankings.
        """
        one, other = (getattr(side, "subject", None) for side in (original, replica))
        if not (isinstance(one, Rankings) and isinstance(other, Rankings)):
            raise NotDefined(
                "Values alone have no lists of documents.",
                "Pass the runs: runs=(run, replica_run), or evaluations of rankings.",
            )
        columns = {"runs": one.names.of("run"), "against": other.names.of("run")}
        return cls(
            request_of(one).user_tables["run"],
            request_of(other).user_tables["run"],
            one.engine,
            {k: dict(v) for k, v in columns.items()},
        )


def compared(
    runs: Runs, systems: Mapping[Any, Any], measures: Iterable[Measure], *, depth: int | None, union: bool
) -> tuple[SimilarityEvaluation, SimilarityEvaluation | None]:
    """The comparison of the lists, and for rank correlations that of lists with missing documents tied at their ends.

    Raises:
        MissingColumn: the runs have no queries.
        MismatchedTables: they have other systems.
    """
    requested = list(measures)
    lists = _lists(runs, systems, depth)
    completed = [m for m in requested if union and m.definition.name in CORRELATIONS]
    plain = [*(m for m in requested if m not in completed), catalog.parse("NumCommon", "similarity")]
    plain_comparison = _similarity(runs.engine, lists).evaluate(plain)
    return plain_comparison, _similarity(runs.engine, _completed(runs.engine, lists)).evaluate(
        completed
    ) if completed else None


def _similarity(engine: Engine, lists: Frame) -> Similarity:
    sides = [
        lists.filter(col("side") == i).select(*KEYS, doc_id="item", score="value", run_id=lit(name)).to_native()
        for i, name in enumerate(("original", "replica"))
    ]
    # In asymmetric measures the original is the reference.
    return Similarity(sides[1], against=sides[0], by="system", engine=engine, policy=SimilarityPolicy(overlap="allow"))


def _lists(runs: Runs, systems: Mapping[Any, Any], depth: int | None) -> Frame:
    """The lists of the common systems: side, system, query_id, item, value; larger values come first."""
    engine = runs.engine
    tables = {"runs": runs.original, "against": runs.replica}
    with engine.errors():
        inputs = SimilarityInputs(tables, TableNames(runs.columns, KINDS), (), engine, descending=True)
        if not inputs.several_units:
            raise MissingColumn("The runs have no column 'query_id'.", "Pass runs: query_id, doc_id, score.")
        frame = inputs.frame.with_columns(name=col("system").cast(pl.String)).drop("system")
        names = engine.from_polars(_names(engine.collect(frame.select("side", "name").unique()), systems))
        lists = engine.join(frame, names, ("side", "name"), "inner").drop("name")
        all_rules = (*rules(("query_id", "item", "value")), *inputs.score_rules)
        order = (("value", True), ("item", True))
        ranking = Ranking(("side", *KEYS), order, depth=depth, rules=all_rules, duplicate=duplicate_items)
        ranked = engine.rank(lists, ranking, None)
        run_checks(engine, inputs.checks)
        ranked.check()
        return engine.shared(ranked.rows().select("side", *KEYS, "item", "value"))


def _names(run_names: pl.DataFrame, systems: Mapping[Any, Any]) -> pl.DataFrame:
    """The system of each run of either side."""
    sides = [sorted(run_names.filter(pl.col("side") == i)["name"].drop_nulls().to_list()) for i in range(2)]
    rows = []
    for side, named in enumerate((systems, systems.values())):
        # The run of a table of one run may have no name.
        is_one = len(sides[side]) == len(systems) == 1
        system_of = {str(name): str(own) for own, name in zip(systems, named, strict=True)}
        rows += [
            {"side": side, "name": name, "system": next(iter(system_of.values())) if is_one else system_of[name]}
            for name in sides[side]
            if is_one or name in system_of
        ]
    missing = [i for i in range(2) if not any(row["side"] == i for row in rows)]
    if missing:
        which = ("original", "replica")[missing[0]]
        raise MismatchedTables(
            f"The run of the {which} has none of the systems compared ({listed(map(str, systems), 5)}); it has: "
            f"{listed(sides[missing[0]], 5)}.",
            "Give its runs the names of the values, in a column run_id.",
        )
    return pl.DataFrame(rows, schema={"side": pl.Int64, "name": pl.String, "system": pl.String})


def _completed(engine: Engine, lists: Frame) -> Frame:
    """Each list with the documents of only the other tied after its last, for common queries."""
    sides = [lists.filter(col("side") == i) for i in range(2)]
    queries = [side.select(*KEYS).unique() for side in sides]
    both = engine.join(queries[0], queries[1], KEYS, "inner")
    items = engine.join(lists.select(*KEYS, "item").unique(), both, KEYS, "inner")
    lowest = lit(-math.inf)
    parts = [
        engine.join(items, side.drop("side"), (*KEYS, "item"), "left").with_columns(
            side=lit(i).cast(pl.Int64), value=when(col("value").is_null()).then(lowest).otherwise("value")
        )
        for i, side in enumerate(sides)
    ]
    return functools.reduce(lambda one, other: one.concat([other]), parts)


def per_query(
    plain: SimilarityEvaluation, completed: SimilarityEvaluation | None, measures: Iterable[Measure]
) -> pl.DataFrame:
    """A row per system and query: n_common, and a column per measure."""
    frame = plain.per_unit(wide=True).rename({"NumCommon": "n_common"}).drop("run_id", "other_run_id")
    if completed is not None:
        columns = completed.per_unit(wide=True).drop("run_id", "other_run_id")
        frame = frame.join(columns, on=KEYS, how="left", nulls_equal=True, maintain_order="left")
    return frame.select(*KEYS, pl.col("n_common").cast(pl.Int64), *(str(m) for m in measures))


def means(frame: pl.DataFrame, measures: Iterable[Measure]) -> pl.DataFrame:
    """A row per system and measure: the mean over queries, their number, and on how many it is undefined."""
    parts = [
        frame.group_by("system", maintain_order=True).agg(
            measure=pl.lit(str(m)),
            value=in_order(pl.col(str(m)).mean()),
            n_units=pl.len().cast(pl.Int64),
            n_undefined=pl.col(str(m)).null_count().cast(pl.Int64),
        )
        for m in measures
    ]
    return pl.concat(parts)
