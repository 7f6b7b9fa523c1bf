"""The user's tables about exposure under our names, on one engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from ireval_frames.columns.exposure import TABLES
from ireval_frames.columns.schema import missing
from ireval_frames.columns.user_names import TableNames
from ireval_frames.conventions.exposure import ExposurePolicy
from ireval_frames.documents.lists import ListInputs
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame, concat
from ireval_frames.errors import Argument, Hint, MissingColumn, listed
from ireval_frames.exposure.memberships import UNKNOWN, memberships, shares_of_target
from ireval_frames.expr import col, lit
from ireval_frames.items.class_types import is_list, named_by, side_type
from ireval_frames.items.inputs import same_kinds

# Targets that are computed: equal shares, the documents of the table of groups, of the list, or the relevant ones.
TARGETS = ("equal", "groups", "lists", "relevant")


@dataclass(frozen=True)
class ListOptions:
    """How lists are read.

    Attributes:
        ranked: whether they are ordered by a column of ranks; by default where they have no scores.
        samples: the column that distinguishes the lists of a query, if it has several.
        attributes: the columns of the groups; of several each combination is a group.
        target: one of `TARGETS`, if the target is no table.
    """

    ranked: bool = False
    samples: str | None = None
    attributes: tuple[str, ...] = ()
    target: str = ""


class ExposureInputs(ListInputs):
    """The tables of one evaluation.

    Attributes:
        lists: a row per document of a list: keys, `item_id` (the query), `sample` if there are samples, `doc_id`,
            `value`, larger for better ones.
        groups: `doc_id`, `group`, `share`: of a document these add up to 1.
        target: `item_id` if it differs by query, `group`, `share`.
        relevant: `item_id`, `doc_id`, `relevance`.
        group_type: the type of groups.
        list_keys: what identifies a list.
    """

    lists: Frame
    groups: Frame | None = None
    target: Frame | None = None
    relevant: Frame | None = None
    long = ("lists", "groups", "target", "relevant")
    ids, item_word = "queries", "query"
    schemas = TABLES
    table_of_units, unit_id = "queries", "query_id"
    id_columns = {"query_id": "item_id", "doc_id": "doc_id"}  # noqa: RUF012 - as the base declares it
    words = {"query_id": "query", "doc_id": "document", "sample": "sample"}  # noqa: RUF012
    alike = (("query_id",), ("doc_id",))
    files = {"run": "run", "relevant": "qrels"}  # noqa: RUF012

    def __init__(
        self,
        tables: Mapping[str, Any],
        names: TableNames,
        by: tuple[str, ...],
        engine: Engine,
        policy: ExposurePolicy,
        options: ListOptions,
    ) -> None:
        super().__init__(tables, names, by, engine)
        self.group_type: Any = None
        if options.samples is not None and options.samples not in self.frame.columns:
            raise MissingColumn(
                f"The run table has no column {options.samples!r} of samples= (it has: "
                f"{listed(self.frame.columns, 20)}).",
                "Name the column that tells the lists of a query apart, or leave samples= out.",
            )
        if "groups" in self.frames:
            attributes = self._attributes("groups", options.attributes)
            for name in attributes:
                if is_list(self.frames["groups"], name):
                    self.frames["groups"] = self.frames["groups"].lazy().explode(name)
            if "target" in self.frames:
                for ours, theirs in zip(attributes, self._attributes("target", options.attributes), strict=True):
                    self._columns_in_one_type({"groups": ours, "target": theirs})
            self._set_groups(attributes, policy, options)
        names.check_used()
        sample = {}
        if options.samples is not None:
            sample = {"sample": self.id_of("run", "sample")}
        value = self.order_of("run", ranked=options.ranked)
        lists = self.frame.lazy().select(**self.groups_of_lists, **self.ids_of("run"), **sample, value=value)
        if "relevant" in self.frames:
            self.relevant = self._relevant()
        others = [self.relevant] if self.relevant is not None and not self.by else []
        self.lists = self.set_units(lists, *others)
        self.list_keys = (*self.keys, "item_id", *sample)
        if self.groups is not None and policy.unknown == "group":
            self.groups = self._with_unknown()

    def _attributes(self, table: str, attributes: Sequence[str]) -> tuple[str, ...]:
        """The user's columns of groups of a table.

        Raises:
            MissingColumn: it has not all of them.
        """
        names = list(self.frames[table].columns)
        if not attributes:
            if "group" not in self.columns[table]:
                raise missing(TABLES[table][0], "group", names, self.columns[table].values())
            return (self.columns[table]["group"],)
        if table == "target" and len(attributes) == 1 and attributes[0] not in names:
            # Of one attribute its table may call the column otherwise.
            return self._attributes(table, ())
        for name in attributes:
            if name not in names:
                raise MissingColumn(
                    f"The {table} table has no column {name!r} of group= (it has: {listed(names, 20)}).",
                    Hint("Name its columns: ", Argument("group", names[-1]), "."),
                )
        return tuple(attributes)

    def _columns_in_one_type(self, columns: Mapping[str, str]) -> None:
        (one, first), (other, second) = columns.items()
        pair = {one: self.frames[one], other: self.frames[other]}
        self.frames[one], self.frames[other] = same_kinds(pair, {first: second})

    def _set_groups(self, attributes: Sequence[str], policy: ExposurePolicy, options: ListOptions) -> None:
        frame = self.frames["groups"]
        several = len(attributes) > 1 or policy.unknown == "group"
        self.group_type = pl.String() if several else side_type(frame.dtype(attributes[0]), attributes[0])

        def values(names: Sequence[str]) -> dict[str, Any]:
            return {f"attribute_{i}": named_by(col(name), self.group_type) for i, name in enumerate(names)}

        def weight(table: str) -> Any:
            return self.number_of(table, "share", low=0.0) if "share" in self.columns[table] else lit(1.0)

        rows = frame.lazy().select(doc_id=self.id_of("groups", "doc_id"), **values(attributes), weight=weight("groups"))
        self.groups = memberships(self.engine, rows, len(attributes))
        if "target" in self.frames:
            of_target = self._attributes("target", options.attributes)
            query = {"item_id": self.id_of("target", "query_id")} if "query_id" in self.columns["target"] else {}
            shares = self.frames["target"].lazy().select(**query, **values(of_target), weight=weight("target"))
            run = self.frame.lazy().select(of_run=col(self.user_columns["doc_id"]))
            named = {"item_id": self.columns["target"]["query_id"]} if query else {}
            self.target, checks = shares_of_target(self.engine, shares, len(of_target), named, run)
            self.checks += checks

    def _relevant(self) -> Frame:
        has_grades = "relevance" in self.columns["relevant"]
        grade = self.number_of("relevant", "relevance") if has_grades else lit(1.0)
        rows = self.frames["relevant"].lazy().select(**self.ids_of("relevant"), relevance=grade)
        return self.unique("relevant", rows, ("item_id", "doc_id"))

    def _with_unknown(self) -> Frame:
        """The groups, with the documents of lists and judgments that have none in a group of their own."""
        groups = self.groups
        assert groups is not None  # noqa: S101 - the caller has looked
        tables = [self.lists, *([self.relevant] if self.relevant is not None else [])]
        documents = self.distinct(concat([table.select("doc_id") for table in tables]))
        known = self.distinct(groups.select("doc_id")).with_columns(known=lit(1.0))
        unknown = self.engine.join(documents, known, ("doc_id",), "left").filter(col("known").is_null())
        return concat([groups, unknown.select("doc_id", group=lit(UNKNOWN), share=lit(1.0))])
