"""What the tables of a ranking evaluation must not hold, and how many rows or queries each policy touched."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from ireval_frames.engines.base import Aggregate
from ireval_frames.errors import Argument, Hint, MismatchedTables, listed
from ireval_frames.policy import Policy
from ireval_frames.ranking.rules import duplicate_judgments, qrels_rules
from ireval_frames.ranking.tables import RankingTables
from ireval_frames.ratios import indicator


class Touched:
    """What the policies and checks of one evaluation look at, and how many rows or queries each touched."""

    def __init__(
        self, tables: RankingTables, policy: Policy, *, became_text: bool = False, unread: Sequence[str] = ()
    ) -> None:
        """`became_text`: integer ids of the judgments were turned into the run's text.

        `unread`: columns of them that no measure asked for.
        """
        self.tables, self.policy, self.became_text, self.unread = tables, policy, became_text, tuple(unread)
        self.engine = tables.plan.engine
        self.lists = [k for k in tables.list_keys if k != "query_id"]

    def checks(self) -> list[Callable[[], None]]:
        """In the order in which they run, with the first result."""
        out = [self._qrels, self._by, self.tables.ranked_check, self.tables.plan.check]
        if self.became_text:
            out.append(self._some_common)
        if self.policy.unknown == "error":
            out.append(self._no_unknown)
        if self.policy.missing == "error":
            out.append(self._no_missing)
        if self.policy.unjudged == "error":
            out.append(self._no_unjudged)
        return out

    def counts(self) -> dict[str, str]:
        """By policy field: the rows or queries it touched, in words."""
        lists, rows = self._collected_lists(), self.tables
        graded = self.engine.collect(rows.qrels_frame)
        unknown, missing, n = self._unknown(lists), self._missing(lists), int(lists["n"].sum())
        judged = self.engine.collect(rows.judged.frame().select(nw.len().alias("n"))).item()
        relevant = graded.filter(pl.col("relevance") >= 1)["query_id"].n_unique()
        return {
            "ties": self._ties(),
            "depth": f"{self._rows() - n} rows cut",
            "interpolation": f"{self._between(graded)} queries",
            "missing": f"{missing.height} queries",
            "unknown": f"{unknown.select('query_id').n_unique()} queries",
            "no_relevant": f"{graded['query_id'].n_unique() - relevant} queries",
            "unjudged": f"{n - judged} of {n} rows",
            "duplicates": "checked" if self.policy.duplicates == "error" else "not checked",
        }

    def _rows(self) -> int:
        """How many rows the run has."""
        return int(self.engine.collect(self.tables.run_frame.select(n=nw.len())).item())

    def _between(self, graded: pl.DataFrame) -> int:
        """How many queries have a recall level between two relevant documents, so that a rule must say which."""
        found: set[Any] = set()
        for rel, recall in self.tables.recall_levels:
            relevant = (
                graded.filter(pl.col("relevance") >= max(rel, 0.0))
                .group_by("query_id")
                .agg(n=pl.col("doc_id").n_unique())
            )
            place = pl.col("n") * recall
            found |= set(relevant.filter((place - place.round()).abs() > 1e-9)["query_id"])
        return len(found)

    def _ties(self) -> str:
        """How many rows share their score with another of their list."""
        by = [*self.tables.list_keys, self.tables.order_column]
        same = self.tables.run_frame.counted(*by).filter(nw.col("n") > 1)
        total = self.engine.collect(same.select(nw.col("n").cast(nw.Float64).sum().alias("n"))).item()
        return f"{int(total or 0)} rows share their {self.tables.order_column}"

    def _qrels(self) -> None:
        frame = self.tables.qrels_frame
        rules = qrels_rules(self.tables.facets)
        keys = ("query_id", *self.tables.facets, "doc_id")
        # One pass: what is counted of every document's judgments, and then of all.
        flags = {f"rule{i}": indicator(rule.bad) for i, rule in enumerate(rules)}
        each = [Aggregate(name, "sum", flag) for name, flag in flags.items()]
        documents = self.engine.group(frame, keys, [*each, Aggregate("n", "count", nw.lit(1.0))])
        repeated = nw.when(nw.col("n") > 1).then(nw.col("n")).otherwise(0.0)
        counts = {**{name: nw.col(name) for name in flags}, "repeated": repeated}
        counted = self.engine.group(documents, (), [Aggregate(name, "sum", count) for name, count in counts.items()])
        *broken, rows = self.engine.numbers(counted).values()
        for rule, count in zip(rules, broken, strict=True):
            if count:
                raise rule.error(self.engine.collect(frame.filter(rule.bad).head(10)), int(count))
        if rows:
            twice = frame.counted(*keys).filter(nw.col("n") > 1)
            raise duplicate_judgments(self.engine.collect(twice).sort(keys).head(10), int(rows), self.unread)

    def _by(self) -> None:
        """A column that groups queries is constant within one."""
        frame = self.tables.qrels_frame if self.tables.by_in == "qrels" else self.tables.queries_frame
        if frame is None or not self.tables.by:
            return
        values = frame.select("query_id", *self.tables.by).unique()
        several = self.engine.collect(values.counted("query_id").filter(nw.col("n") > 1))
        if several.height:
            raise MismatchedTables(
                f"The by columns differ within {several.height} queries, such as {several['query_id'].sort()[0]!r}.",
                "Group by columns that are constant within a query.",
            )

    def _some_common(self) -> None:
        """`7` is not `007`: ids that were turned into text must at least meet some of the run's."""
        lists = self._collected_lists()
        if lists.height and lists.join(self._topics(), on="query_id", how="semi").is_empty():
            raise MismatchedTables(
                "The judgments' integer ids became text, and none is a query of the run: "
                f"{listed(self._topics()['query_id'].sort(), 3)} here,"
                f" {listed(lists['query_id'].unique().sort(), 3)} there.",
                'Give both one type: run.with_columns(pl.col("query_id").cast(pl.Int64)).',
            )

    def _no_unknown(self) -> None:
        unknown = self._unknown(self._collected_lists())
        if unknown.height:
            ids = unknown["query_id"].unique().sort()
            raise MismatchedTables(
                f"{ids.len()} queries of the run have no judgments: {listed(ids, 5)}.",
                Hint("Leave them out: ", Argument("policy", "unknown=skip"), "."),
            )

    def _no_missing(self) -> None:
        missing = self._missing(self._collected_lists())
        if missing.height:
            ids = missing["query_id"].unique().sort()
            raise MismatchedTables(
                f"{ids.len()} judged queries are missing from the run: {listed(ids, 5)}.",
                Hint(
                    "Count them zero (",
                    Argument("policy", "missing=zero"),
                    ") or leave them out (",
                    Argument("policy", "missing=skip"),
                    ").",
                ),
            )

    def _no_unjudged(self) -> None:
        lists = self._collected_lists().join(self._topics(), on="query_id", how="semi")
        judged = self.engine.collect(self.tables.judged.frame().select(nw.len().alias("n"))).item()
        if int(lists["n"].sum()) > judged:
            raise MismatchedTables(
                f"{int(lists['n'].sum()) - judged} retrieved documents have no judgment.",
                Hint(
                    "Count them as not relevant (",
                    Argument("policy", "unjudged=nonrelevant"),
                    ") or take them out (",
                    Argument("policy", "unjudged=skip"),
                    ").",
                ),
            )

    def _collected_lists(self) -> pl.DataFrame:
        return self.engine.collect(self.tables.lists.frame().select(*self.tables.list_keys, "n"))

    def _topics(self) -> pl.DataFrame:
        return self.engine.collect(self.tables.qrels_frame.select("query_id").unique())

    def _unknown(self, lists: pl.DataFrame) -> pl.DataFrame:
        return lists.join(self._topics(), on="query_id", how="anti")

    def _missing(self, lists: pl.DataFrame) -> pl.DataFrame:
        topics = self._topics()
        if self.lists:
            topics = lists.select(self.lists).unique().join(topics, how="cross")
        return topics.join(lists, on=[*self.lists, "query_id"], how="anti")
