"""Which run and which group contributed which judged document."""

from __future__ import annotations

from functools import cached_property

import polars as pl

from ireval_frames.reusability.lists import CollectedLists
from ireval_frames.reusability.options import PoolBiasOptions

DOCUMENT = ["query_id", "doc_id"]


class Contributions:
    """The judged documents that runs retrieved down to a depth, and without whom they would not be judged.

    Args:
        lists: the runs and their judgments.
        groups: run_id, group.
        options: what counts as a contribution.
    """

    def __init__(self, lists: CollectedLists, groups: pl.DataFrame, options: PoolBiasOptions) -> None:
        self.lists, self.groups, self._options = lists, groups, options
        self.depth, self.rel = options.depth, options.rel

    @cached_property
    def grades(self) -> pl.DataFrame:
        """A row per judged document with its largest grade; negative is pooled but not judged."""
        return self.lists.judgments.group_by(DOCUMENT, maintain_order=True).agg(
            pl.col("relevance").cast(pl.Float64).max()
        )

    @cached_property
    def rows(self) -> pl.DataFrame:
        """A row per run and judged document that it contributed: run_id, group, the document, rank, relevance."""
        near = pl.lit(value=True) if self.depth is None else pl.col("rank") <= self.depth
        return self.lists.ranked.filter(near).join(self.grades, on=DOCUMENT).join(self.groups, on="run_id")

    @cached_property
    def documents(self) -> pl.DataFrame:
        """A row per judged document: its grade, n_runs, n_groups, best_rank, and the one group and run, if only one."""
        by_document = self.rows.group_by(DOCUMENT, maintain_order=True).agg(
            n_runs=pl.len().cast(pl.Int64),
            n_groups=pl.col("group").n_unique().cast(pl.Int64),
            best_rank=pl.col("rank").min(),
            only_group=pl.col("group").min(),
            only_run=pl.col("run_id").min(),
            last_group=pl.col("group").max(),
        )
        one_group, one_run = pl.col("n_groups") == 1, pl.col("n_runs") == 1
        out = self.grades.join(by_document, on=DOCUMENT, how="left").with_columns(
            pl.col("n_runs", "n_groups").fill_null(0),
            first_group=pl.when(pl.col("n_groups") <= 2).then("only_group"),
            last_group=pl.when(pl.col("n_groups") <= 2).then("last_group"),
            only_group=pl.when(one_group).then("only_group"),
            only_run=pl.when(one_run).then("only_run"),
        )
        return out.sort(DOCUMENT)

    def without(self, *groups: object) -> pl.DataFrame:
        """The judgments without the documents that only these groups contributed; of one group or two."""
        removed = self._removable.filter(pl.col("first_group").is_in(groups) & pl.col("last_group").is_in(groups))
        return self.lists.judgments.join(removed, on=DOCUMENT, how="anti")

    def without_each(self, also: object = None) -> pl.DataFrame:
        """The judgments of a variant for each group: those without what only it (and another group) contributed.

        `variant` is the number of the group in `names`.
        """
        names = [name for name in self.names if name != also]
        numbers = {name: i for i, name in enumerate(self.names)}
        return pl.concat(
            self.without(*([name] if also is None else [name, also])).with_columns(
                variant=pl.lit(numbers[name], pl.Int64)
            )
            for name in names
        )

    @cached_property
    def _removable(self) -> pl.DataFrame:
        """The documents that may be removed, by the groups that contributed them."""
        some = pl.col("first_group").is_not_null()
        relevant = pl.col("relevance") >= self.rel
        return self.documents.filter(some & relevant if self._options.removed == "relevant" else some)

    @cached_property
    def names(self) -> list[object]:
        """The groups in their order."""
        return self.groups["group"].unique().sort().to_list()

    @cached_property
    def variants(self) -> pl.DataFrame:
        """run_id, variant: each run with the number of its group."""
        numbers = pl.DataFrame({"group": self.groups["group"].unique().sort()}).with_row_index("variant")
        of_runs = self.groups.join(numbers, on="group")
        return of_runs.select("run_id", pl.col("variant").cast(pl.Int64))

    def emptied(self) -> pl.DataFrame:
        """group, n_queries_emptied: the queries all of whose relevant documents only that group contributed."""
        relevant = self.documents.filter(pl.col("relevance") >= self.rel)
        of_query = relevant.with_columns(_all=pl.len().over("query_id"))
        alone = of_query.drop_nulls("only_group").group_by("query_id", "only_group", maintain_order=True).agg(
            emptied=pl.len() == pl.col("_all").first()
        )  # fmt: skip
        counts = alone.group_by(group="only_group", maintain_order=True).agg(
            n_queries_emptied=pl.col("emptied").sum().cast(pl.Int64)
        )
        out = self.groups.select("group").unique().join(counts, on="group", how="left")
        return out.with_columns(pl.col("n_queries_emptied").fill_null(0))

    def judged_to(self) -> pl.DataFrame:
        """run_id, judged_to: the rank down to which all documents are judged, in half of the run's lists or more."""
        judged = self.grades.filter(pl.col("relevance") >= 0)
        rows = self.lists.ranked.join(judged.select(DOCUMENT), on=DOCUMENT, how="semi").sort("rank")
        in_a_row = pl.col("rank") == pl.int_range(1, pl.len() + 1)
        of_lists = rows.group_by("run_id", "query_id", maintain_order=True).agg(judged_to=in_a_row.sum().cast(pl.Int64))
        every = self.lists.lists.filter(pl.col("n") > 0).join(of_lists, on=["run_id", "query_id"], how="left")
        median = pl.col("judged_to").fill_null(0).quantile(0.5, "lower").cast(pl.Int64)
        return every.group_by("run_id").agg(median).sort("run_id")

    def unique(self, by: str, *, per_query: bool) -> pl.DataFrame:
        """How many judged and relevant documents each run or group contributed, and alone (`PoolBias.unique`)."""
        name = "run_id" if by == "run" else "group"
        keys = [name, *(["query_id"] if per_query else [])]
        rows = self.rows.filter(pl.col("relevance") >= 0).unique([name, *DOCUMENT])
        only = self.documents.select(*DOCUMENT, only="only_run" if by == "run" else "only_group")
        rows = rows.join(only, on=DOCUMENT).with_columns(alone=(pl.col("only") == pl.col(name)).fill_null(value=False))
        relevant = pl.col("relevance") >= self.rel
        counts = rows.group_by(keys, maintain_order=True).agg(
            n_judged=pl.len().cast(pl.Int64),
            n_relevant=relevant.sum().cast(pl.Int64),
            n_unique=pl.col("alone").sum().cast(pl.Int64),
            n_unique_relevant=(pl.col("alone") & relevant).sum().cast(pl.Int64),
        )
        every = self.groups.select(name).unique()
        if per_query:
            every = every.join(self.lists.queries.select(query_id="query"), how="cross")
        out = every.join(counts, on=keys, how="left").with_columns(pl.col("^n_.*$").fill_null(0))
        all_relevant = self.grades.filter(pl.col("relevance") >= self.rel)
        if per_query:
            of_query = all_relevant.group_by("query_id", maintain_order=True).agg(_all=pl.len())
            out = out.join(of_query, on="query_id", how="left")
        else:
            out = out.with_columns(_all=pl.lit(all_relevant.height))
        share = pl.when(pl.col("_all") > 0).then(pl.col("n_unique_relevant") / pl.col("_all"))
        out = out.with_columns(share=share).drop("_all").sort(keys)
        return (
            out.join(self.judged_to(), on="run_id", how="left", maintain_order="left")
            if by == "run" and not per_query
            else out
        )
