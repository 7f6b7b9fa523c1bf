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
from ireval_frames.engines.row_checks import run_checks
from ireval_frames.errors import MismatchedTables, MissingColumn, NotDefined, listed
from ireval_frames.expr import col, lit, when
from ireval_frames.ranking import Rankings
from ireval_frames.similarity import Similarity, SimilarityEvaluation
from ireval_frames.similarity.inputs import SimilarityInputs, duplicate_items, rules
from ireval_frames.similarity.schemas import KINDS
from ireval_frames.subject import request_of

KEYS = ("system", "query_id")
# Of two lists these see the items that both have; the others see what only one has.
CORRELATIONS = frozenset({"Tau", "Spearman", "TauAP", "WeightedTau"})


@dataclass(frozen=True, eq=False)
class Runs:
    """Two tables of runs, and what their columns are called.

    Attributes:
        original, replica: frames, paths or relations.
        engine: where they are compared.
        columns: what they call our columns, by `runs` and `against`.
    """

    original: Any
    replica: Any
    engine: Engine
    columns: Mapping[str, Mapping[str, str]]

    @classmethod
    def of(cls, original: Any, replica: Any) -> Runs:
        """The runs of two evaluations.

        Raises:
            NotDefined: one of them is no evaluation of rankings.
        """
        one, other = (getattr(side, "subject", None) for side in (original, replica))
        if not (isinstance(one, Rankings) and isinstance(other, Rankings)):
            raise NotDefined(
                "Values alone have no lists of documents.",
                "Hand in the runs: runs=(run, replica_run), or evaluations of rankings.",
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
    """The lists compared as they are, and for rank correlations with the documents that they lack tied at their ends.

    Raises:
        MissingColumn: the runs are of no queries.
        MismatchedTables: they are of other systems.
    """
    wanted = list(measures)
    lists = _lists(runs, systems, depth)
    completed = [m for m in wanted if union and m.definition.name in CORRELATIONS]
    plain = [*(m for m in wanted if m not in completed), catalog.parse("NumCommon", "similarity")]
    whole = _similarity(runs.engine, lists).evaluate(plain)
    return whole, _similarity(runs.engine, _completed(runs.engine, lists)).evaluate(completed) if completed else None


def _similarity(engine: Engine, lists: Frame) -> Similarity:
    sides = [
        lists.filter(col("side") == i).select(*KEYS, doc_id="item", score="value", run_id=lit(name)).to_native()
        for i, name in enumerate(("original", "replica"))
    ]
    # Of measures that treat the two differently, the original is the reference.
    return Similarity(sides[1], against=sides[0], by="system", engine=engine, policy=SimilarityPolicy(overlap="allow"))


def _lists(runs: Runs, systems: Mapping[Any, Any], depth: int | None) -> Frame:
    """The lists of the systems that both have: side, system, query_id, item, value; the larger the higher."""
    engine = runs.engine
    given = {"runs": runs.original, "against": runs.replica}
    with engine.errors():
        inputs = SimilarityInputs(given, TableNames(runs.columns, KINDS), (), engine, descending=True)
        if not inputs.several_units:
            raise MissingColumn("The runs have no column 'query_id'.", "Hand in runs: query_id, doc_id, score.")
        frame = inputs.frame.with_columns(name=col("system").cast(pl.String)).drop("system")
        names = engine.from_polars(_names(engine.collect(frame.select("side", "name").unique()), systems))
        lists = engine.join(frame, names, ("side", "name"), "inner").drop("name")
        held = (*rules(("query_id", "item", "value")), *inputs.score_rules)
        order = (("value", True), ("item", True))
        ranking = Ranking(("side", *KEYS), order, depth=depth, rules=held, duplicate=duplicate_items)
        ranked = engine.rank(lists, ranking, None)
        run_checks(engine, inputs.checks)
        ranked.check()
        return engine.shared(ranked.rows().select("side", *KEYS, "item", "value"))


def _names(there: pl.DataFrame, systems: Mapping[Any, Any]) -> pl.DataFrame:
    """Which run of either side is of which system."""
    sides = [sorted(there.filter(pl.col("side") == i)["name"].drop_nulls().to_list()) for i in range(2)]
    rows = []
    for side, named in enumerate((systems, systems.values())):
        # A table of one run may have no name for it.
        alone = len(sides[side]) == len(systems) == 1
        found = {str(name): str(own) for own, name in zip(systems, named, strict=True)}
        rows += [
            {"side": side, "name": name, "system": next(iter(found.values())) if alone else found[name]}
            for name in sides[side]
            if alone or name in found
        ]
    missing = [i for i in range(2) if not any(row["side"] == i for row in rows)]
    if missing:
        which = ("original", "replica")[missing[0]]
        raise MismatchedTables(
            f"The run of the {which} has none of the systems compared ({listed(map(str, systems), 5)}); it has: "
            f"{listed(sides[missing[0]], 5)}.",
            "Give its runs the names that the values have, in a column run_id.",
        )
    return pl.DataFrame(rows, schema={"side": pl.Int64, "name": pl.String, "system": pl.String})


def _completed(engine: Engine, lists: Frame) -> Frame:
    """Each list with the documents that only the other has, tied after its last, for queries that both have."""
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
    whole: SimilarityEvaluation, completed: SimilarityEvaluation | None, measures: Iterable[Measure]
) -> pl.DataFrame:
    """A row per system and query: n_common, and a column per measure."""
    frame = whole.per_unit(wide=True).rename({"NumCommon": "n_common"}).drop("run_id", "other_run_id")
    if completed is not None:
        more = completed.per_unit(wide=True).drop("run_id", "other_run_id")
        frame = frame.join(more, on=KEYS, how="left", nulls_equal=True, maintain_order="left")
    return frame.select(*KEYS, pl.col("n_common").cast(pl.Int64), *(str(m) for m in measures))


def means(frame: pl.DataFrame, measures: Iterable[Measure]) -> pl.DataFrame:
    """A row per system and measure: the mean over queries, how many there are, and on how many it is undefined."""
    parts = [
        frame.group_by("system", maintain_order=True).agg(
            measure=pl.lit(str(m)),
            value=pl.col(str(m)).mean(),
            n_units=pl.len().cast(pl.Int64),
            n_undefined=pl.col(str(m)).null_count().cast(pl.Int64),
        )
        for m in measures
    ]
    return pl.concat(parts)
