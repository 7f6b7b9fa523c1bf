"""Estimates of the value that a run would have if it had contributed to the pool."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cached_property
from typing import Any

import polars as pl

from ireval_frames.engines.polars.aggregates import in_order
from ireval_frames.errors import InvalidParameter, MismatchedTables
from ireval_frames.ranking.subject import Rankings
from ireval_frames.reusability.contributions import DOCUMENT, Contributions
from ireval_frames.reusability.lists import CollectedLists, collected
from ireval_frames.reusability.merged import Merged, precision_cutoffs
from ireval_frames.reusability.orders import correlations, goodness

RUN = ["measure", "run_id"]
# The columns of the estimates by their names.
ESTIMATES = {"none": "value_without", "webber_park": "webber_park", "lipani": "lipani"}
LIPANI = {"measure": pl.String, "lipani": pl.Float64, "indicator": pl.Float64}


class Estimates:
    """Estimates from the pooled runs.

    Args:
        contributions: of the pooled runs.
        rankings: makes rankings of judgments and runs, with the same conventions.
        qrels: the judgments.
        runs: the pooled runs.
    """

    def __init__(
        self, contributions: Contributions, rankings: Callable[[Any, Any], Rankings], qrels: Any, runs: Any
    ) -> None:
        self._contributions, self._rankings, self._qrels, self._runs = contributions, rankings, qrels, runs
        self._lists = contributions.lists
        self._cutoffs = precision_cutoffs(self._lists)

    @cached_property
    def _pooled(self) -> CollectedLists:
        """The pooled runs, with every row of theirs."""
        return collected(self._rankings(self._qrels, self._runs), self._lists.measures, every_row=True)

    def of_new(self, run: Any, common: Any) -> pl.DataFrame:
        """The table of `PoolBias.estimates`."""
        new = self._new(self._qrels, run)
        adjustment = webber_park(self._contributions, self._lists.values(self._lists.judgments))
        parts = []
        if self._cutoffs:
            pooled, rows = self._pooled, in_numbers_of(self._pooled, new)
            lists = pl.concat([pooled.lists, new.lists], how="vertical_relaxed")
            merged = Merged(pooled.ranked, lists, pooled.judgments, pooled.policy.no_relevant)
            parts = [merged.adjustments(part, self._cutoffs) for part in rows.partition_by("run_id")]
        out = estimated(new.values(new.judgments), adjustment, parts)
        if common is None:
            return out
        out = out.join(self._bias_on(common, run), on=RUN, how="left", maintain_order="left")
        return out.with_columns(webber_park_common=pl.col("value") + pl.col("bias")).drop("bias")

    def held_out(self, values: pl.DataFrame, by_group: pl.DataFrame) -> pl.DataFrame:
        """The table of `PoolBias.held_out`.

        Args:
            values: measure, run_id, value: by all judgments.
            by_group: the same without what each group contributed alone, and `without`, the group.
        """
        parts, groups = [], self._contributions.groups
        for name in self._contributions.names:
            own = groups.filter(pl.col("group") == name).select("run_id")
            without = by_group.filter(pl.col("without") == name).drop("without")
            adjustment = webber_park(self._contributions, without, name)
            of_own = without.join(own, on="run_id", how="semi", maintain_order="left")
            parts.append(estimated(of_own, adjustment, self._lipani_without(name, own)))
        out = pl.concat(parts).rename({"value": "value_without"})
        both = values.join(groups, on="run_id", maintain_order="left").join(out, on=RUN, maintain_order="left")
        columns = ("value", "value_without", "webber_park", "lipani", "indicator")
        return both.select("measure", "run_id", "group", *columns)

    def _lipani_without(self, group: object, own: pl.DataFrame) -> list[pl.DataFrame]:
        """The adjustments of a group's runs by the runs of the other groups."""
        if not self._cutoffs:
            return []
        pooled, judged = self._pooled, self._contributions.without(group).select(DOCUMENT).unique()
        names, numbers = self._lists.documents, pooled.documents
        known = names.join(numbers, on="doc_id", suffix="_pooled").select(doc_id="document", number="document_pooled")
        judged = judged.join(known, on="doc_id").select("query_id", doc_id="number")
        judgments = pooled.judgments.join(judged, on=DOCUMENT, how="semi")
        others = pooled.ranked.join(own, on="run_id", how="anti")
        merged = Merged(others, pooled.lists, judgments, pooled.policy.no_relevant)
        runs = pooled.ranked.join(own, on="run_id", how="semi")
        return [merged.adjustments(part, self._cutoffs) for part in runs.partition_by("run_id")]

    def errors(self, held_out: pl.DataFrame, lower: Collection[str]) -> pl.DataFrame:
        """The table of `PoolBias.errors`.

        Args:
            held_out: the table of `held_out`.
            lower: the measures of which less is better.
        """
        long = held_out.unpivot(
            list(ESTIMATES.values()), index=["measure", "run_id", "value"], variable_name="without", value_name="_by"
        ).drop_nulls()
        error, true = pl.col("_by") - pl.col("value"), long.select("measure", "run_id", "value").unique()
        others = true.select("measure", other="run_id", _other="value").join(long, on="measure")
        others = others.filter(pl.col("other") != pl.col("run_id"))
        # How many of the others are better than the estimate, and than the value.
        better = [goodness(lower, "_other") > goodness(lower, c) for c in ("_by", "value")]
        places = others.group_by("measure", "run_id", "without", maintain_order=True).agg(
            places=(better[0].sum().cast(pl.Int64) - better[1].sum().cast(pl.Int64)).abs()
        )
        rows = long.join(places, on=["measure", "run_id", "without"], how="left")
        out = rows.group_by("measure", "without", maintain_order=True).agg(
            n_runs=pl.len().cast(pl.Int64),
            mean_error=in_order(error.mean()),
            mae=in_order(error.abs().mean()),
            rank_error=pl.col("places").sum(),
        )
        tau = correlations(true, long.select("measure", "run_id", "without", value="_by"), lower)
        out = out.join(tau.drop("tau_ap"), on=["measure", "without"])
        measures = {str(m): i for i, m in enumerate(self._lists.measures)}
        order = {column: i for i, column in enumerate(ESTIMATES.values())}
        out = out.sort(pl.col("measure").replace_strict(measures), pl.col("without").replace_strict(order))
        names = {column: name for name, column in ESTIMATES.items()}
        columns = ("n_runs", "mean_error", "mae", "rank_error", "tau")
        return out.select("measure", pl.col("without").replace_strict(names).alias("estimate"), *columns)

    def _new(self, qrels: Any, run: Any) -> CollectedLists:
        """New runs, with every row of theirs where it is needed.

        Raises:
            InvalidParameter: one has the name of a pooled run.
        """
        every, measures = bool(self._cutoffs), self._lists.measures
        new = collected(self._rankings(qrels, run), measures, every_row=every, name="run")
        known = set(self._contributions.groups["run_id"].cast(pl.String))
        for name in new.runs["run_id"].cast(pl.String).sort():
            if name in known:
                raise InvalidParameter(
                    f"A new run is called {name!r}, as a pooled one is; new runs are those that were not pooled.",
                    'Name it otherwise: run.with_columns(run_id=pl.lit("new"))',
                )
        return new

    def _bias_on(self, common: Any, run: Any) -> pl.DataFrame:
        """measure, run_id, bias: what new runs lose on common queries without what only new runs contributed."""
        new = self._new(common, run)
        pooled = collected(self._rankings(common, self._runs), self._lists.measures)
        depth = self._contributions.depth
        near = pl.lit(value=True) if depth is None else pl.col("rank") <= depth
        contributed = in_numbers_of(new, pooled, pooled.ranked.filter(near))
        alone = new.ranked.filter(near).join(contributed, on=DOCUMENT, how="anti")
        reduced = new.judgments.join(alone, on=DOCUMENT, how="anti")
        both = new.values(new.judgments).join(new.values(reduced), on=RUN, suffix="_without")
        return both.select(*RUN, bias=pl.col("value") - pl.col("value_without"))


def webber_park(contributions: Contributions, values: pl.DataFrame, without: object = None) -> pl.DataFrame:
    """measure, adjustment: what pooled runs lose on average without what only their group contributed.

    Args:
        contributions: of the pooled runs.
        values: measure, run_id, value: by the judgments in force.
        without: a group whose runs, and what they contributed, are left out before.
    """
    runs = contributions.groups
    if without is not None:
        runs = runs.filter(pl.col("group") != without)
    variants = contributions.variants.join(runs, on="run_id", how="semi")
    reduced = contributions.lists.values(contributions.without_each(without), variants)
    both = values.join(reduced, on=RUN, suffix="_without")
    return both.group_by("measure", maintain_order=True).agg(
        adjustment=in_order((pl.col("value") - pl.col("value_without")).mean())
    )


def estimated(values: pl.DataFrame, adjustment: pl.DataFrame, lipani: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """measure, run_id, value, webber_park, lipani, indicator.

    Args:
        values: measure, run_id, value.
        adjustment: measure, adjustment, by Webber and Park.
        lipani: measure, run_id, lipani (the adjustment), indicator, of some measures.
    """
    schema = LIPANI | {"run_id": values.schema["run_id"]}
    of_lipani = pl.concat(lipani) if lipani else pl.DataFrame(schema=schema)
    out = values.join(adjustment, on="measure", how="left", maintain_order="left")
    out = out.join(of_lipani, on=RUN, how="left", maintain_order="left")
    value = pl.col("value")
    return out.select(
        *RUN, "value",
        webber_park=value + pl.col("adjustment"), lipani=value + pl.col("lipani"), indicator="indicator",
    )  # fmt: skip


def in_numbers_of(lists: CollectedLists, other: CollectedLists, rows: pl.DataFrame | None = None) -> pl.DataFrame:
    """Ranked rows of other lists with the numbers that lists have for documents; unknown documents get further ones.

    Args:
        lists: whose numbers they get.
        other: whose numbers they have; of the same judgments.
        rows: the rows; by default all.

    Raises:
        MismatchedTables: the ids are of different types.
    """
    for column, one, two in (("query_id", lists.queries, other.queries), ("doc_id", lists.documents, other.documents)):
        if one.schema[column] != two.schema[column]:
            raise MismatchedTables(
                f"Column {column!r} is {one.schema[column]} in the pooled runs, {two.schema[column]} in the new one.",
                f'Give both one type: frame.with_columns(pl.col("{column}").cast(pl.String)).',
            )
    known = other.documents.join(lists.documents, on="doc_id", how="left", suffix="_known")
    number = pl.coalesce("document_known", lists.documents.height + pl.col("document"))
    rows = other.ranked if rows is None else rows
    columns = rows.columns
    numbered = rows.join(known.select(doc_id="document", number=number), on="doc_id")
    return numbered.with_columns(doc_id="number").select(columns)
