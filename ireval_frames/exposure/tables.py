"""The tables of an evaluation of exposure.

```
queries    a row per query: the unit               lists        a row per list of a query: one, or one per sample
rows       a row per document of a list            documents    a row per query and document of its lists
groups     a row per document and group            memberships  a row per query, document and group
all_groups a row per group                         grid         a row per query and group, also without documents
placed     a row per document with a group of a list, and its place among these
```

In all of them `item_id` is the query.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

import polars as pl

from ireval_frames.conventions.exposure import ExposurePolicy
from ireval_frames.documents.units import UnitTables
from ireval_frames.engines.base import Ranking
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.ranked_rows import RankedRows
from ireval_frames.errors import Argument, DuplicateRows, Hint, NotDefined, best_of_each
from ireval_frames.exposure.inputs import ExposureInputs
from ireval_frames.expr import Expr, col, lit
from ireval_frames.plan import Plan, Table
from ireval_frames.ratios import indicator

# What the tables that can be missing hold, and the line that hands them in.
HOLDS = {
    "groups": ("the groups of documents", "groups.csv"),
    "relevant": ("judgments", "qrels.txt"),
    "target": ("the shares that groups should have", "target.csv"),
}


class ExposureTables(UnitTables):
    """The tables, made from the canonical inputs."""

    inputs: ExposureInputs
    policy: ExposurePolicy
    units = "queries"

    def __init__(self, plan: Plan, inputs: ExposureInputs, policy: ExposurePolicy) -> None:
        super().__init__(plan, inputs, policy)
        self.list_keys = self.base.list_keys
        self._numbers: dict[object, int] = {}

    @property
    def sampled(self) -> bool:
        """Whether queries have several lists."""
        return "sample" in self.list_keys

    @property
    def base(self) -> ExposureInputs:
        """The inputs with all queries, each once."""
        return self.inputs.base or self.inputs

    def needed(self, name: str) -> Frame:
        """A table that may not have been passed.

        Raises:
            NotDefined: it was not; the error names the argument.
        """
        frame: Frame | None = getattr(self.base, name)
        if frame is None:
            what, file = HOLDS[name]
            raise NotDefined(
                f"{self.plan.requested_by or 'exposure()'} reads {what}, and there is no {name} table.",
                Hint("Hand it in: ", Argument(name, file), "."),
            )
        return frame

    # ---- lists

    @cached_property
    def ranked(self) -> RankedRows:
        """The lists with ranks."""
        ranking = Ranking(
            self.list_keys,
            (("value", True), ("doc_id", self.policy.ties == "trec_eval")),
            duplicate=_document_twice(self.base.user_columns, sampled=self.sampled),
        )
        return self.plan.engine.rank(self.base.lists, ranking, None)

    @cached_property
    def rows(self) -> Table:
        """A row per document of a list, with its rank."""
        columns = (*self.base.lists.columns, "rank")
        keys = (*self.list_keys, "doc_id")
        return self.plan.input("rows", keys, self.ranked.rows, columns=columns, order="rank")

    @cached_property
    def rank(self) -> Expr:
        """In `rows`: the rank, from 1."""
        return self.rows.column(col("rank").cast(pl.Float64), "at_rank")

    @cached_property
    def lists(self) -> Table:
        """A row per list."""
        return self.plan.grouped("lists", self.rows, *self.list_keys)

    @cached_property
    def retrieved(self) -> Table:
        """A row per query and document of its lists: the rows themselves where queries have one list."""
        if not self.sampled:
            return self.rows
        return self.plan.grouped("retrieved", self.rows, *self.keys, "doc_id")

    # ---- judgments

    @cached_property
    def relevant(self) -> Table:
        """A row per query and judged document."""
        return self.plan.input("relevant", ("item_id", "doc_id"), self.needed("relevant"))

    @cached_property
    def grade(self) -> Expr:
        """In `relevant`: the grade; those below 0 are 0."""
        return self.relevant.column(col("relevance").clip(lower_bound=0.0), "grade")

    @cached_property
    def judged(self) -> Table:
        """A row per query and judged document of it, in each run."""
        keys = (*self.keys, "doc_id")
        rows = self.plan.joined("judgments", keys, self.documents, self.relevant, on=("item_id",))
        return self.plan.compute_once(
            self.plan.selected("judged", keys, rows, grade=col("relevance").clip(lower_bound=0.0))
        )

    @cached_property
    def retrieved_or_judged(self) -> Table:
        """A row per query and document that its lists have, or that is judged."""
        keys = (*self.keys, "doc_id")
        columns = {k: col(k) for k in keys}
        if not self.sampled and self.base.relevant is None:
            return self.rows
        both = self.plan.concat("both", keys, (self.retrieved, columns), (self.judged, columns))
        return self.plan.grouped("retrieved_or_judged", both, *keys)

    @property
    def members(self) -> Table:
        """A row per query and document that is a member of groups under the policy."""
        judged = self.policy.members == "judged" and self.base.relevant is not None
        return self.retrieved_or_judged if judged else self.retrieved

    # ---- groups

    @cached_property
    def groups(self) -> Table:
        """A row per document and group, with its share."""
        return self.plan.compute_once(self.plan.input("groups", ("doc_id", "group"), self.needed("groups")))

    @cached_property
    def grouped_documents(self) -> Table:
        """A row per document that has a group."""
        return self.plan.grouped("grouped_documents", self.groups, "doc_id")

    def memberships(self, documents: Table) -> Table:
        """A row per query, document and group, of documents that have a group."""
        name = f"memberships_of_{documents.name}"
        return self.plan.joined(name, (*documents.keys, "group"), documents, self.groups, on=("doc_id",))

    @cached_property
    def target(self) -> Table | None:
        """A row per group, and query if it differs by query, with the target's share; None where it is no table."""
        frame = self.base.target
        if frame is None:
            return None
        keys = ("item_id", "group") if "item_id" in frame.columns else ("group",)
        return self.plan.input("target", keys, frame)

    @cached_property
    def all_groups(self) -> Table:
        """A row per group that a document or the target has."""
        parts = [self.groups, *([self.target] if self.target is not None else [])]
        named = self.plan.concat("named_groups", ("group",), *((part, {"group": col("group")}) for part in parts))
        return self.plan.compute_once(self.plan.grouped("all_groups", named, "group"))

    @cached_property
    def all_documents(self) -> Table:
        """One row for all documents that have a group."""
        return self.plan.grouped("all_documents", self.grouped_documents)

    @cached_property
    def grid(self) -> Table:
        """A row per query and group."""
        grid = self.plan.joined("grid", (*self.keys, "group"), self.documents, self.all_groups)
        return self.plan.compute_once(grid)

    # ---- places among the documents that have a group

    @cached_property
    def placed(self) -> Table:
        """A row per document of a list that has a group."""
        known = self.rows.lookup(self.groups.count(into=self.grouped_documents), of=self.grouped_documents)
        return self.plan.selected("placed", self.rows.keys, self.rows, where=~self.rows.column(known).is_null())

    @cached_property
    def place(self) -> Expr:
        """In `placed`: the place among the documents of the list that have a group, from 1."""
        one = self.placed.column(lit(1.0), "one")
        return self.placed.over(one.cum_sum(), self.list_keys, ["rank"], "place")

    def share_of(self, group: object, table: Table) -> Expr:
        """In a table with documents: the share of the document that is in a group, null if it is not in it."""
        own = self.plan.selected(
            f"members_of_{self.name_of(group)}", ("doc_id",), self.groups, col("group") == lit(group), part=col("share")
        )
        return table.lookup(col("part"), of=own)

    def name_of(self, group: object) -> str:
        """A part of names of tables that are of one group; groups may be called anything."""
        return f"group_{self._numbers.setdefault(group, len(self._numbers) + 1)}"

    def share_up_to(self, share: Expr) -> Expr:
        """In `placed`: the sum of a share over the documents down to this one."""
        return self.placed.over(self.placed.column(share).cum_sum(), self.list_keys, ["rank"], "share_so_far")

    @cached_property
    def prefixes(self) -> Table:
        """A row per document of a list that has a group, and group; `part` is the sum of shares down to it."""
        keys = (*self.placed.keys, "group")
        return self.plan.joined("prefixes", keys, self.placed, self.all_groups)

    @cached_property
    def part(self) -> Expr:
        """In `prefixes`: the sum of the shares of a group over the documents down to this one."""
        share = self.prefixes.lookup(col("share"), of=self.groups).fill_null(0.0)
        keys = (*self.list_keys, "group")
        return self.prefixes.over(self.prefixes.column(share).cum_sum(), keys, ["rank"], "part")


def within(value: Expr, rank: Expr, cutoff: int | None) -> Expr:
    """A value down to a rank, 0 below."""
    return value if cutoff is None else value * indicator(rank <= float(cutoff))


def _document_twice(names: Mapping[str, str], *, sampled: bool) -> Callable[[pl.DataFrame, int], DuplicateRows]:
    """The error, which holds no table: deferred frames hold it, and Python cannot collect what these hold in turn."""

    def error(rows: pl.DataFrame, count: int) -> DuplicateRows:
        keys = [names[c] for c in ("run_id", "query_id", "sample", "doc_id") if c in names]
        best = best_of_each("run", keys, names.get("score") or names["rank"], smallest="score" not in names)
        several = [
            *([] if "run_id" in names else ["lists of several systems, name them in a column run_id"]),
            *([] if sampled else ["samples of one system, name their column: samples="]),
        ]
        hint = "".join(f"If these are {what}. " for what in several)
        return DuplicateRows(
            f"A list of the query {rows['item_id'][0]!r} has the document {rows['doc_id'][0]!r} several times "
            f"({count:,} such rows).",
            Hint(hint, *best.parts),
        )

    return error
