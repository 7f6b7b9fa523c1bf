"""The user's tables of citations under our names: sentences of answers, what they cite, and labels of support."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import polars as pl

from ireval_frames import io
from ireval_frames.citations.labels import level_of, passages_of
from ireval_frames.columns.citations import ANSWERED_QUERIES, CITATIONS, SENTENCES, SUPPORT
from ireval_frames.columns.schema import Schema, grouping_column, number
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.errors import MismatchedTables, MissingColumn, UnknownName, nearest
from ireval_frames.expr import Expr, col, lit
from ireval_frames.items.exchanged import exchanged
from ireval_frames.items.inputs import ItemInputs, ItemNames, aliased, found_in, same_kinds

SCHEMAS = {"sentences": SENTENCES, "citations": CITATIONS, "support": SUPPORT}
# The columns that tables are joined by.
JOINED = {
    ("sentences", "citations"): ("run_id", "query_id", "sentence_id"),
    ("sentences", "support"): ("run_id", "query_id", "sentence_id"),
    ("citations", "support"): ("doc_id",),
}


class CitationInputs(ItemInputs):
    """The answers of one evaluation, with their citations.

    Args:
        tables: the user's, by the names of the arguments; `queries` may be None.
        names: the user's names of columns; the unit is the column of queries of the first table.
        engine: where the plan runs.

    Attributes:
        unit_rows: a row per run and query: the units.
        items: a row per sentence: keys, `item_id`.
        citations: a row per citation: keys, `item_id`, `doc_id`, `rank`; a null doc_id cites nothing.
        support: a row per label: keys, `item_id`, `doc_id`, `passages`, `level` (0, 1, 2), `judge`.
        columns: the user's names of the columns of each table.
        unmatched: the rows of citations before sentences select them, with `known` for sentences that exist.
    """

    ids, item_word = "sentences", "sentence"
    long: ClassVar[tuple[str, ...]] = ("citations", "support")
    reports_overlap = False

    def __init__(self, tables: Mapping[str, Any], names: ItemNames, engine: Engine, labels: str) -> None:
        refuse_unknown(names.columns)
        named = {table: _of(schema, names.columns) for table, schema in SCHEMAS.items()}
        listed = tables.get("queries")
        by = () if listed is not None else names.by
        super().__init__(SENTENCES, tables["sentences"], ItemNames(named["sentences"], by, names.unit), engine)
        self.columns = {"sentences": self.user_columns}
        self.frames = {"sentences": self.frame}
        self._text = {"sentences": self.from_file}
        others = ("citations", "support")
        self.frames |= {table: self.opened(tables[table], table) for table in others}
        for table in others:
            frame = self.frames[table]
            elsewhere = [name for other in self.frames.values() for name in other.columns]
            # Tables may call one thing differently.
            own = {k: v for k, v in named[table].items() if v in frame.columns or v not in elsewhere}
            try:
                self.columns[table] = found_in(SCHEMAS[table], frame, ItemNames(own))
            except MissingColumn as error:
                for other in (t for t in self.frames if t != table):
                    first, second = ((SCHEMAS[t], self.frames[t].columns) for t in SCHEMAS if t in (table, other))
                    error = exchanged(error, first, second)
                raise error from None
            self._text[table] = io.is_text_table(tables[table]) and not engine.names_table(tables[table])
        self._same_runs()
        # Tables of which whole numbers became text.
        self._as_texts: set[str] = set()
        for _ in range(2):
            # The second round has what the first one has changed.
            for (one, other), ours in JOINED.items():
                joined = {self.columns[one][c]: self.columns[other][c] for c in ours if c in self.columns[one]}
                self._as_text(one, other, joined)
                pair = {t: self.frames[t] for t in (one, other)}
                self.frames[one], self.frames[other] = same_kinds(pair, joined)
        self.frame = self.frames["sentences"]
        for table, frame in self.frames.items():
            for column in ("query_id", "sentence_id"):
                self.know_items(frame, self.columns[table][column], table)
        self._rows(labels)
        self._answers(listed, names)

    @property
    def names(self) -> dict[str, str]:
        """The user's names of the key columns, by alias; also that of sentences."""
        return {**super().names, "item_id": self.columns["sentences"]["sentence_id"]}

    @property
    def ranked(self) -> bool:
        """Whether citations have ranks."""
        return "rank" in self.columns["citations"]

    @property
    def judged(self) -> bool:
        """Whether labels have judges."""
        return "judge" in self.columns["support"]

    # ---- within

    def _same_runs(self) -> None:
        """Refuse tables of which some have runs.

        Raises:
            MismatchedTables: there are some.
        """
        having = [t for t, columns in self.columns.items() if "run_id" in columns]
        if having and len(having) < len(self.columns):
            (without, *_) = (t for t in self.columns if t not in having)
            raise MismatchedTables(
                f"The {having[0]} table has a column {self.columns[having[0]]['run_id']!r} of runs, and the {without} "
                "table has none; sentences are those of a run.",
                f'Name the run in each: {without}.with_columns(run_id=pl.lit("my_run"))',
            )

    def _as_text(self, one: str, other: str, joined: Mapping[str, str]) -> None:
        """Make text of whole numbers that are joined with a column of a text file, whose columns are all text."""
        for names in joined.items():
            types = [self.frames[table].dtype(name) for table, name in zip((one, other), names, strict=True)]
            for table, name, dtype, beside in zip((one, other), names, types, (other, one), strict=True):
                if dtype.is_integer() and pl.String in types and (self._text[beside] or beside in self._as_texts):
                    self._as_texts.add(table)
                    self.frames[table] = self.frames[table].with_columns(col(name).cast(pl.String))

    def _key(self, table: str) -> dict[str, Expr]:
        """The run, the query and the sentence of a row."""
        frame, columns = self.frames[table], self.columns[table]
        run = {"run_id": grouping_column(table, frame, columns["run_id"])} if "run_id" in columns else {}
        ids = {"unit_0": columns["query_id"], "item_id": columns["sentence_id"]}
        return run | {ours: grouping_column(table, frame, name) for ours, name in ids.items()}

    def _rows(self, labels: str) -> None:
        """Set the rows of all tables."""
        sentences = (
            self.frames["sentences"].lazy().select(**self._key("sentences"), **aliased(self.frame, self.by_names))
        )
        self.items = self.sentence_rows = sentences.select(*self.keys, "item_id")
        columns, frame = self.columns["citations"], self.frames["citations"]
        rank: Expr = lit(None, dtype=pl.Float64)
        if "rank" in columns:
            name = columns["rank"]
            rank = number("citations", name, frame.dtype(name), text=self._text["citations"])
        doc = grouping_column("citations", frame, columns["doc_id"])
        self.citation_rows = frame.lazy().select(**self._key("citations"), doc_id=doc, rank=rank)
        columns, frame = self.columns["support"], self.frames["support"]
        judge = grouping_column("support", frame, columns["judge"]) if "judge" in columns else lit(0)
        self.support_rows = frame.lazy().select(
            **self._key("support"),
            doc_id=grouping_column("support", frame, columns["doc_id"]),
            passages=passages_of(columns),
            level=level_of(frame, columns["label"], labels),
            label=col(columns["label"]).cast(pl.String),
            judge=judge,
        )
        self.join = tuple(k for k in (*self.keys, "item_id") if k not in self.by)
        known = self.sentence_rows.with_columns(known=lit(1.0))
        self.unmatched = self.engine.join(self.citation_rows, known, self.join, "left")
        self.citations, self.support = self.citation_rows, self.support_rows
        if self.by:
            # Rows of other answers are in no group, and in no unit.
            self.citations = self.unmatched.filter(~col("known").is_null()).drop("known")
            self.support = self.engine.join(self.support_rows, known, self.join, "inner").drop("known")

    def _answers(self, listed: Any, names: ItemNames) -> None:
        """Set the units: every run with every query."""
        if listed is None:
            queries = self.distinct(self.items.select(*self.by, "unit_0"))
        else:
            queries = self._named_queries(listed, names)
        runs = self.distinct(self.sentence_rows.select("run_id")) if "run_id" in self.keys else None
        self.unit_rows = (queries if runs is None else self.engine.join(runs, queries, (), "inner")).select(*self.keys)

    def _named_queries(self, table: Any, names: ItemNames) -> Frame:
        frame = self.opened(table, "queries")
        own = {k: v for k, v in _of(ANSWERED_QUERIES, names.columns).items() if v in frame.columns}
        columns = found_in(ANSWERED_QUERIES, frame, ItemNames(own, names.by))
        query = {columns["query_id"]: self.columns["sentences"]["query_id"]}
        frame, _ = same_kinds({"queries": frame, "sentences": self.frame}, query)
        self.know_items(frame, columns["query_id"], "queries")
        self.by = tuple(f"by_{i}" for i in range(len(names.by)))
        self.by_names = dict(zip(self.by, names.by, strict=True))
        run = ("run_id",) if "run_id" in self.keys else ()
        self.keys = (*run, *self.by, "unit_0")
        queries = self.distinct(frame.lazy().select(**aliased(frame, self.by_names), unit_0=col(columns["query_id"])))
        # Answers to other queries are left out; rows get the groups of their queries.
        for name in ("items", "citations", "support") if self.by else ("items",):
            rows = self.engine.join(getattr(self, name), queries, ("unit_0",), "inner")
            setattr(self, name, rows)
        return queries


def refuse_unknown(columns: Mapping[str, str]) -> None:
    """Refuse names of columns that no table has.

    Raises:
        UnknownName: there is one.
    """
    known = list(dict.fromkeys(c.name for schema in SCHEMAS.values() for c in schema.columns))
    if unknown := [ours for ours in columns if ours not in known]:
        raise UnknownName(f"columns= names {unknown[0]!r}, which these tables do not have.", nearest(unknown[0], known))


def _of(schema: Schema, columns: Mapping[str, str]) -> dict[str, str]:
    """The named columns of such a table."""
    known = {c.name for c in schema.columns}
    return {k: v for k, v in columns.items() if k in known}
