"""A click log as canonical frames of one engine.

All that read a log (measures, click models, counterfactual evaluation) take it from here:

```
inputs = log.inputs(by=("locale",))     # on the log's engine; names and types are checked now
checks.check(inputs)                    # raises the errors of the data (clicks/checks.py)
frame = inputs.impressions              # a lazy `engines.frame.Frame`: a row per shown result
```

Its columns are `inputs.keys` (`run_id` if there is one, then `by_0`, `by_1` …, whose names are in
`inputs.by_names`), `serp_id`, `query_id`, `doc_id`, `position` (Int64, from 1), `click` (Int64, 0 or 1),
and those of `weight`, `user_id`, `session_id`, `timestamp`, `page_dwell`, `dwell`, `click_time`, `grade` and
`propensity` that the log has: `"weight" in inputs.impressions.columns`.  `inputs.needs("query_id", "…")` refuses a log
without a column.  Ids are text or integers, times are as passed (text becomes seconds), other numbers are Float64.
Computations go through `inputs.engine` (`group`, `join`, `materialise`, `collect` …), or a `Plan` with
`plan.input("impressions", keys, frame)`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import polars as pl

from ireval_frames.columns.schema import IMPRESSIONS, OF_PAGES, OF_RESULTS, PAGES, Schema, canonical, missing, number
from ireval_frames.columns.suggestions import likely
from ireval_frames.conventions.rankings import ClickPolicy
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame, concat
from ireval_frames.engines.row_checks import Check
from ireval_frames.errors import Argument, Hint, InvalidValue, MismatchedTables, MissingColumn, WrongType, listed
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.items.class_types import as_lists, is_list
from ireval_frames.items.inputs import ItemInputs, ItemNames, aliased, found_in, free_name, same_kinds
from ireval_frames.items.iso_times import is_iso, seconds
from ireval_frames.ratios import indicator

# The arguments of a log that name columns, and the columns they name.
GIVEN = {
    "serp": "serp_id",
    "query": "query_id",
    "doc": "doc_id",
    "position": "position",
    "click": "click",
    "user": "user_id",
    "session": "session_id",
    "time": "timestamp",
    "weight": "weight",
    "grade": "grade",
}
# Texts in files for a result that was clicked, and for one that was not.
CLICKED = r"^\s*([0-9]*[1-9][0-9]*(\.0*)?|[tT](rue|RUE)?)\s*$"
NOT_CLICKED = r"^\s*(0+(\.0*)?|[fF](alse|ALSE)?)\s*$"


_OF_A_RESULT = ("click", "position", *(c.name for c in OF_RESULTS))


class ClickInputs(ItemInputs):
    """The canonical frames of one log.

    Args:
        given: `impressions`, and `pages` or None.
        names: the names of the columns.
        engine: where the plan runs.
        policy: the conventions.

    Attributes:
        raw: a row per row of the table, as `impressions`, but with unchecked positions and clicks.
        loose: `log`, but positions are floats, which may have fractions.
        log: `impressions`, and a row without document and position for pages that show nothing; `shown` is 1.0 or
            0.0.
        impressions: a row per shown result.
        columns: the columns of the log.
    """

    def __init__(self, given: Mapping[str, Any], names: ItemNames, engine: Engine, policy: ClickPolicy) -> None:
        super().__init__(IMPRESSIONS, given["impressions"], names, engine, policy.units)
        self.policy = policy
        if is_list(self.frame, self.user_columns["doc_id"]):
            self._unnest()
        if "position" not in self.user_columns:
            raise missing(IMPRESSIONS, "position", list(self.frame.columns), self.user_columns.values())
        # A column that groups rows is not read as one of ours by its name, unless it is named explicitly.
        grouping = {*names.by, *names.unit} - {*names.columns.values()}
        for ours in [c.name for c in OF_RESULTS if self.user_columns.get(c.name) in grouping]:
            del self.user_columns[ours]
        self._numbers_that_group()
        self.raw = self.frame.lazy().select(
            **self.keyed, **self._typed(IMPRESSIONS, self.frame, self.user_columns, text=self.from_file)
        )
        # A click on an unshown document has no position; a page that shows nothing has no document, either.
        unshown = col("position").is_null() & (col("click") > 0) & ~col("doc_id").is_null()
        rows = self.raw.filter(~unshown.fill_null(value=False)) if policy.unshown == "skip" else self.raw
        columns = {c: col(c) for c in self.raw.columns}
        columns["position"] = col("position") + (1 if policy.positions == "zero" else 0)
        columns["click"] = indicator(col("click") > 0).cast(pl.Int64)
        is_shown = ~(col("doc_id").is_null() & col("position").is_null())
        self.loose = rows.select(**columns, shown=indicator(is_shown))
        if given.get("pages") is not None:
            self.loose = self._with_pages(self.loose, given["pages"], names)
        self.log = self.loose.with_columns(position=col("position").cast(pl.Int64))
        self.columns = [c for c in self.log.columns if c != "shown"]
        self.impressions = self.items = self.log.filter(col("shown") > 0).select(*self.columns)

    def _numbers_that_group(self) -> None:
        """Numbers of ours in text files are numbers also where they group rows."""
        kinds = {c.name: c.kind for c in (*IMPRESSIONS.columns, *OF_RESULTS)}
        ours = {self.user_columns.get(name, name): kind for name, kind in kinds.items() if name != "click"}
        types = self.frame.collect_schema()
        for alias, own in self.names.items():
            if self.from_file and ours.get(own) in ("integer", "number") and types[own] == pl.String:
                number = col(own).cast(pl.Float64)
                self.keyed[alias] = number.cast(pl.Int64) if ours[own] == "integer" else number

    def _unnest(self) -> None:
        """A row per shown result, of a row per page with lists."""
        lists = [c for c in ("doc_id", *_OF_A_RESULT) if is_list(self.frame, self.user_columns.get(c))]
        documents = as_lists(self.frame, self.user_columns["doc_id"]).list.len().fill_null(0)
        for column in lists[1:]:
            name = self.user_columns[column]
            bad = as_lists(self.frame, name).list.len().fill_null(0) != documents
            self.checks.append(Check(self.frame, bad, _other_length(name, self.user_columns)))
        if "click" not in lists:
            raise WrongType(
                f"Column {self.user_columns['doc_id']!r} holds lists of documents, and "
                f"{self.user_columns['click']!r} does not.",
                "Give a list of clicks for each list of documents, of 0 and 1 in their order.",
            )
        place = free_name("position", self.frame)
        self.frame = self.frame.explode_lists([self.user_columns[c] for c in lists], place)
        if "position" not in lists:
            self.user_columns["position"] = place

    def _typed(self, schema: Schema, frame: Frame, found: Mapping[str, str], *, text: bool) -> dict[str, Expr]:
        """The columns of a table under our names: ids, and numbers as floats; times as they are."""
        types, out = frame.collect_schema(), {}
        for ours, name in found.items():
            if ours in self.keys:
                continue
            kind, dtype = schema[ours].kind, types[name]
            if kind == "id":
                (out[ours],) = canonical(schema, frame, {ours: name})
            elif kind == "time" and isinstance(dtype, pl.Datetime):
                out[ours] = col(name)
            elif kind == "time" and dtype == pl.String:
                out[ours] = self._of_text(schema, frame, name, text=text)
            elif dtype == pl.Boolean and ours == "click":
                out[ours] = col(name).cast(pl.Int64).cast(pl.Float64)
            elif ours == "click" and text and dtype == pl.String:
                yes, no = (col(name).str.contains(p) for p in (CLICKED, NOT_CLICKED))
                out[ours] = when(yes).then(1.0).when(no).then(0.0).otherwise(None)
            else:
                out[ours] = number(schema.name, name, dtype, text=text)
        return out

    def _of_text(self, schema: Schema, frame: Frame, name: str, *, text: bool) -> Expr:
        """Times that are text, in seconds; in text files numbers are text, too."""
        text_column = col(name)
        if not text:
            self.checks.append(Check(frame, ~text_column.is_null() & ~is_iso(text_column), _no_time(schema.name, name)))
            return seconds(text_column)
        plain = when(is_iso(text_column)).then(lit("0")).otherwise(text_column)
        return when(is_iso(text_column)).then(seconds(text_column)).otherwise(plain.cast(pl.Float64))

    def _with_pages(self, rows: Frame, given: Any, names: ItemNames) -> Frame:
        """The rows, and one of no document for each page of a second table."""
        frame = self.opened(given, "pages")
        known = {c.name for c in PAGES.columns}
        theirs = ItemNames({k: v for k, v in names.columns.items() if k in known}, names.by, names.unit)
        found = {k: v for k, v in found_in(PAGES, frame, theirs).items() if k in rows.columns}
        for column in (c.name for c in (*OF_PAGES, PAGES["run_id"])):
            if column in rows.columns and column not in found:
                raise MissingColumn(
                    f"The impressions table has a column {column!r}, and the pages table has none.",
                    "Both tables need the columns of pages.",
                )
        keyed = aliased(frame, self.by_names | self.unit_names)
        if "run_id" in self.keys:
            keyed["run_id"] = col(found["run_id"])
        pages = frame.lazy().select(**keyed, **self._typed(PAGES, frame, found, text=False))
        shared = [*keyed, *(c for c in found if c not in keyed)]
        rows, pages = same_kinds({"impressions": rows, "pages": pages}, {c: c for c in shared})
        types = rows.collect_schema()
        empty = {c: lit(None, dtype=types[c]) for c in rows.columns}
        nothing = {"click": lit(0).cast(pl.Int64), "shown": lit(0.0)}
        return concat([rows, pages.select(**{**empty, **{c: col(c) for c in shared}, **nothing})])

    def needs(self, *columns: str) -> None:
        """Refuse a log that lacks a column.

        Raises:
            MissingColumn: it lacks one.
        """
        for column in columns:
            if column not in self.columns:
                present = list(self.frame.columns)
                (guess,) = likely([column], [n for n in present if n not in self.user_columns.values()])
                raise MissingColumn(
                    f"The impressions table has no column {column!r} (it has: {listed(present, 20)}).",
                    Hint("Name it: ", Argument("columns", {column: guess}), "."),
                )

    def seconds(self, later: Expr, earlier: Expr) -> Expr:
        """The seconds between two times of the log."""
        if self.log.collect_schema()["timestamp"].is_numeric():
            return later - earlier
        return (later - earlier).dt.total_microseconds() / 1e6


def _no_time(table: str, column: str) -> Callable[[pl.DataFrame, int], InvalidValue]:
    """The error that a text is no time."""

    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        return InvalidValue(
            f"Column {column!r} of the {table} table holds {rows[column][0]!r}"
            + (f" ({count} rows do)" if count > 1 else "")
            + "; a time as text is written as 2026-03-01T12:00:00Z.",
            f'Convert it: frame.with_columns(pl.col("{column}").str.to_datetime())',
        )

    return error


def _other_length(column: str, found: Mapping[str, str]) -> Callable[[pl.DataFrame, int], MismatchedTables]:
    """The error that a list of a page is not as long as that of its documents."""

    def error(rows: pl.DataFrame, count: int) -> MismatchedTables:
        page, documents = rows[found["serp_id"]][0], rows[found["doc_id"]][0]
        return MismatchedTables(
            f"The page {page!r} has {0 if documents is None else len(documents)} documents, and its list in {column!r} "
            f"has another length{f'; {count} pages do' if count > 1 else ''}.",
            "Each list has an element for each document, in the same order.",
        )

    return error
