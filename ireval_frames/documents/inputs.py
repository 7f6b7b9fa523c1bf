"""The user's tables of what is in documents under our names: a row per document, and the rows of both sides."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import polars as pl

from ireval_frames import io
from ireval_frames.columns.documents import DOCUMENTS, SYSTEM
from ireval_frames.columns.schema import Column, Schema, grouping_column, number
from ireval_frames.columns.user_names import refuse_reserved
from ireval_frames.documents.units import UnitInputs
from ireval_frames.engines.base import Aggregate, Engine
from ireval_frames.engines.frame import Frame, concat
from ireval_frames.engines.opening import Computed
from ireval_frames.engines.row_checks import Check
from ireval_frames.errors import Argument, Hint, InvalidValue, MissingColumn, UnknownName, listed, nearest
from ireval_frames.expr import Expr, col, lit
from ireval_frames.items.exchanged import exchanged
from ireval_frames.items.inputs import ItemNames, aliased, found_in, same_kinds

SIDES = ("gold", "predicted")
# What a column of systems is called.
SYSTEM_NAMES = (SYSTEM.name, *SYSTEM.aliases)


class DocumentInputs(UnitInputs, ABC):
    """The documents of one evaluation, and what gold and predictions have in them.

    Args:
        schemas: of the gold and of the predicted table.
        tables: the user's, by the names of the arguments: gold, predicted, and documents or None.
        names: the user's names of columns.
        engine: where the plan runs.

    Attributes:
        items: a row per document (`item_id`) with the keys, and `weight` if the documents have weights.
        gold, predicted: rows of the keys, `item_id`, and what `row` gives.
        rows: the same by side, a row per row of the user's table: those of the gold are in no run.
        columns: the user's names of the columns of each side.
        listed: whether the user named the documents.
    """

    gold: Frame
    predicted: Frame
    rows: dict[str, Frame]
    long: ClassVar[tuple[str, ...]] = SIDES
    ids, item_word = "documents", "document"
    # The column of the user's tables that identifies documents.
    document: ClassVar[str] = "doc_id"
    # What the tables of both sides are called, in errors and in SQL text.
    table_names: ClassVar[Mapping[str, str]] = {side: side for side in SIDES}
    # Further columns of a table of documents, which are numbers.
    of_documents: ClassVar[tuple[Column, ...]] = ()
    # Whether the documents are those of the gold, which alone needs the columns of `by`; else those of both tables.
    documents_of_gold: ClassVar[bool] = False

    def __init__(
        self, schemas: tuple[Schema, Schema], tables: Mapping[str, Any], names: ItemNames, engine: Engine
    ) -> None:
        self._tables, self.listed = tables, tables.get("documents") is not None
        of_rows = () if self.listed else names.by
        of_predicted = () if self.documents_of_gold else of_rows
        named = [
            ItemNames(_of(schema, names.columns), by)
            for schema, by in zip(schemas, (of_rows, of_predicted), strict=True)
        ]
        self._refuse_unknown(schemas, names.columns)
        try:
            super().__init__(schemas[0], tables["gold"], named[0], engine)
            second = self.opened(tables["predicted"], self.table_names["predicted"])
            self._refuse_ungrouped(second, named[1].by)
            self.columns = {"gold": self.user_columns, "predicted": found_in(schemas[1], second, named[1])}
        except MissingColumn as error:
            if not hasattr(self, "frame") or any(tables[side] is None for side in SIDES):
                raise
            opened = [self.opened(tables[side], self.table_names[side]).columns for side in SIDES]
            raise exchanged(error, *zip(schemas, opened, strict=True)) from None
        self.schemas = dict(zip(SIDES, schemas, strict=True))
        self._is_text = {s: io.is_text_table(tables[s]) and not engine.names_table(tables[s]) for s in SIDES}
        self.frames = {"gold": self.frame, "predicted": second}
        self._refuse_systems_of_gold()
        ids = {side: self.columns[side][self.document] for side in SIDES}
        refuse_reserved(names.by, [ids["gold"]], "by")
        for side in SIDES:
            self.know_items(self.frames[side], ids[side], self.table_names[side])
        of_documents = None
        if self.listed:
            of_documents = self._named_documents(tables["documents"], names)
        self._in_one_type(ids, of_predicted, of_documents)
        self.unit_names = {"item_id": ids["gold"]}
        self._rows(ids)
        if of_documents is None and self.documents_of_gold:
            self._select_those_of_gold(ids)
        elif of_documents is None:
            both = [getattr(self, side).select(*self.keys, "item_id") for side in SIDES]
            of_sides = [self.distinct(frame) for frame in both]
            # Every run is evaluated on the documents of all.
            rows = self.distinct(concat([frame.select(*self.by, "item_id") for frame in of_sides]))
            self.items = rows if self._runs is None else self.engine.join(self._runs, rows, (), "inner")
            self._know_sides(dict(zip(SIDES, of_sides, strict=True)), ids)

    @abstractmethod
    def row(self, side: str) -> dict[str, Expr]:
        """What a row of gold or predictions has besides its document, from the user's columns of that side."""

    def key_of(self, side: str, *columns: str) -> tuple[str, ...]:
        """The columns that identify what is in the user's rows of a side (`rows`): those of the gold are in no run."""
        present = self.rows[side].columns
        return (*(k for k in self.keys if k in present), "item_id", *columns)

    def number_of(self, side: str, column: str, allowed: str = "numbers") -> Expr:
        """A column of numbers of one side, as floats.

        Raises:
            WrongType: it has another type.
        """
        name = self.columns[side][column]
        dtype = self.frames[side].dtype(name)
        return number(self.schemas[side].name, name, dtype, text=self._is_text[side], allowed=allowed)

    # ---- within

    def _refuse_unknown(self, schemas: Sequence[Schema], columns: Mapping[str, str]) -> None:
        """Refuse names of columns that no table has.

        Raises:
            UnknownName: there is one.
        """
        known = {c.name for schema in schemas for c in schema.columns}
        of_documents = {c.name for c in (*DOCUMENTS.columns[1:], *self.of_documents)} - known
        for ours in columns:
            if ours in of_documents and not self.listed:
                raise UnknownName(
                    f"columns= names {ours!r}, which a table of {self.ids} has, and there is none.",
                    Hint("Hand it in: ", Argument("documents", "documents.csv"), "."),
                )
            if ours not in known | of_documents:
                raise UnknownName(
                    f"columns= names {ours!r}, which these tables do not have.",
                    nearest(ours, sorted(known | (of_documents if self.listed else set()))),
                )

    def _refuse_ungrouped(self, predicted: Frame, by: Sequence[str]) -> None:
        """Refuse groups that the predicted table does not have.

        Raises:
            MissingColumn: it lacks a column of them.
        """
        present = list(predicted.columns)
        for name in by:
            if name not in present:
                raise MissingColumn(
                    f"The {self.table_names['predicted']} table has no column {name!r} of by= "
                    f"(it has: {listed(present, 20)}).",
                    Hint(
                        f"Name the {self.ids} and their groups once, in a table of the two columns: ",
                        Argument("documents", "documents.csv"),
                        ".",
                    ),
                )

    def _refuse_systems_of_gold(self) -> None:
        """The gold is not of several systems where the predictions are of none: the tables may be exchanged."""
        used = {*self.columns["gold"].values(), *self.by_names.values()}
        names = [c for c in SYSTEM_NAMES if c in self.frame.columns and c not in used]
        if "run_id" in self.columns["predicted"] or not names:
            return
        gold, predicted = (self.table_names[side] for side in SIDES)
        systems = self.distinct(self.frame.lazy().select(system=col(names[0])).filter(~col("system").is_null()))
        counted = self.engine.group(systems, (), [Aggregate("n", "count", lit(1.0))])

        def error(rows: pl.DataFrame, count: int) -> InvalidValue:
            del count
            return InvalidValue(
                f"The {gold} table has {int(rows['n'][0])} systems in its column {names[0]!r}, and the {predicted} "
                "table has none.",
                f"If they are exchanged, write the {gold} first; if the column means something else, leave it out: "
                f'{gold}.drop("{names[0]}")',
            )

        self.checks.append(Check(counted, col("n") > 1, error))

    def _named_documents(self, table: Any, names: ItemNames) -> tuple[Frame, dict[str, str]]:
        """The table of documents, and its columns; groups and weights are there."""
        document = replace(
            DOCUMENTS.columns[0], name=self.document, aliases=self.schemas["gold"][self.document].aliases
        )
        columns = (document, *DOCUMENTS.columns[1:], *self.of_documents)
        schema = replace(DOCUMENTS, columns=columns, key=(self.document,))
        frame = self.opened(table, "documents")
        of_documents = found_in(schema, frame, ItemNames(_of(schema, names.columns), names.by))
        self.know_items(frame, of_documents[self.document], "documents")
        self._is_text["documents"] = io.is_text_table(table) and not self.engine.names_table(table)
        self.by = tuple(f"by_{i}" for i in range(len(names.by)))
        self.by_names = dict(zip(self.by, names.by, strict=True))
        if "weight" in of_documents:
            self.user_columns["weight"] = of_documents["weight"]
        return frame, of_documents

    def _in_one_type(self, ids: Mapping[str, str], by: tuple[str, ...], documents: Any) -> None:
        """The columns that tables are joined by, in one type."""
        joined = {**{name: name for name in by}, ids["gold"]: ids["predicted"]}
        one, other = self.table_names.values()
        gold, predicted = same_kinds({one: self.frames["gold"], other: self.frames["predicted"]}, joined)
        if documents is not None:
            frame, columns = documents
            for _ in SIDES:
                # The second round has what the first one has changed.
                gold, frame = same_kinds({one: gold, "documents": frame}, {ids["gold"]: columns[self.document]})
                predicted, frame = same_kinds(
                    {other: predicted, "documents": frame}, {ids["predicted"]: columns[self.document]}
                )
            self._documents = frame, columns
        self.frames = {"gold": gold, "predicted": predicted}
        self.frame = gold

    def _rows(self, ids: Mapping[str, str]) -> None:
        """Set the rows of both sides, and the named documents."""
        runs: Frame | None = None
        self.keys, self.rows = self.by, {}
        if "run_id" in self.columns["predicted"]:
            self.keys = ("run_id", *self.by)
            runs = self._systems()
        for side in SIDES:
            frame, system = self.frames[side], {}
            grouped = not self.listed and (side == "gold" or not self.documents_of_gold)
            groups = self.by_names if grouped else {}
            if side == "predicted" and runs is not None:
                system = {"run_id": col(self.columns[side]["run_id"])}
            item = grouping_column(self.table_names[side], frame, ids[side])
            rows = frame.lazy().select(**system, **aliased(frame, groups), item_id=item, **self.row(side))
            self.rows[side] = rows
            # Every run is compared with the same gold.
            setattr(self, side, self.engine.join(runs, rows, (), "inner") if side == "gold" and runs else rows)
        if self.listed:
            self._select_documents(runs)
            # That a named document has rows of one side only is no surprise.
            self.reports_overlap = False
            self._know_sides({s: self.distinct(getattr(self, s).select(*self.keys, "item_id")) for s in SIDES}, ids)
        self._runs = runs

    def _know_sides(self, documents: Mapping[str, Frame], ids: Mapping[str, str]) -> None:
        """Set which documents each table has, for what both have in common."""
        self.sides = {self.table_names[side]: (frame, ids[side]) for side, frame in documents.items()}

    def _systems(self) -> Frame:
        """A row per system."""
        table = self._tables["predicted"]
        if isinstance(table, Computed) and table.systems:
            return self.engine.from_polars(pl.DataFrame({"run_id": table.systems}))
        return self.distinct(self.frames["predicted"].lazy().select(run_id=col(self.columns["predicted"]["run_id"])))

    def _select_those_of_gold(self, ids: Mapping[str, str]) -> None:
        """Set the documents of the gold, and give predicted rows their groups; rows of other documents are left out."""
        rows = self.distinct(aliased_rows(self.frame, self.by_names, ids["gold"]))
        self.items = rows if self._runs is None else self.engine.join(self._runs, rows, (), "inner")
        predicted = self.engine.join(self.predicted, rows, ("item_id",), "inner")
        # Rows of other documents are in no group.
        of_predicted = predicted if self.by else self.predicted
        sides = {"gold": self.items, "predicted": self.distinct(of_predicted.select(*self.keys, "item_id"))}
        self._know_sides(sides, ids)
        self.predicted = predicted

    def _select_documents(self, runs: Frame | None) -> None:
        """Set the named documents, and give rows their groups; rows of other documents are an error."""
        frame, columns = self._documents
        text = self._is_text["documents"]
        numbers = {
            ours: number("documents", name, frame.dtype(name), text=text)
            for ours, name in columns.items()
            if ours == "weight" or ours in {c.name for c in self.of_documents}
        }
        item = grouping_column("documents", frame, columns[self.document])
        documents = frame.lazy().select(**aliased(frame, self.by_names), item_id=item, **numbers)
        self.items = documents if runs is None else self.engine.join(runs, documents, (), "inner")
        if self.valid >= {*self.table_names.values(), "documents"} and not self.by:
            return
        self._once(documents, columns[self.document])
        known = documents.select(*self.by, "item_id").with_columns(known=lit(1.0))
        for side in SIDES:
            rows = self.engine.join(getattr(self, side), known, ("item_id",), "left")
            # Rows of the gold are in no run.
            own = self.engine.join(self.rows[side], known, ("item_id",), "left") if runs and side == "gold" else rows
            self.checks.append(Check(own, col("known").is_null(), self._unknown(side)))
            setattr(self, side, rows.drop("known"))

    def _once(self, documents: Frame, column: str) -> None:
        """A document named twice is an error with the first result."""

        def error(rows: pl.DataFrame, count: int) -> InvalidValue:
            more = f" ({count:,} documents are named several times)" if count > 1 else ""
            return InvalidValue(
                f"The documents table names {rows['item_id'][0]!r} {rows['n'][0]:.0f} times{more}.",
                f'Name each once: documents.unique("{column}")',
            )

        counted = self.engine.group(documents, ("item_id",), [Aggregate("n", "count", lit(1.0))])
        self.checks.append(Check(counted, col("n") > 1, error))

    def _unknown(self, side: str) -> Any:
        column, (frame, columns) = self.columns[side][self.document], self._documents
        table = self.table_names[side]
        # Ids become a table of one column.
        one = len(frame.columns) == 1
        known = "documents" if one else f'documents["{columns[self.document]}"]'

        def error(rows: pl.DataFrame, count: int) -> InvalidValue:
            n, ids = f"{count:,} row{'s' * (count > 1)}", listed(map(repr, dict.fromkeys(rows["item_id"])), 3)
            return InvalidValue(
                f"{n} of the {table} table {'are' if count > 1 else 'is'} of {self.ids} that documents= does not name: "
                f"{ids}.",
                f'Name all {self.ids}, or leave these rows out: {table}.filter(pl.col("{column}").is_in({known}))',
            )

        return error


def aliased_rows(frame: Frame, by: Mapping[str, str], document: str) -> Frame:
    """The groups and the document of each row."""
    return frame.lazy().select(**aliased(frame, by), item_id=col(document))


def _of(schema: Schema, columns: Mapping[str, str]) -> dict[str, str]:
    """The named columns of such a table."""
    known = {c.name for c in schema.columns}
    return {k: v for k, v in columns.items() if k in known}
