"""Writing an evaluation into a store: its rows first, then the occasion, then the evaluation itself."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl

from ireval_frames import io
from ireval_frames.columns.schema import QUERIES, resolve
from ireval_frames.engines.inputs.frames import Read, polars_rows
from ireval_frames.errors import Argument, DuplicateRows, Hint, InvalidParameter, UnknownName, WrongType, nearest
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.store.evaluations import Rows, canonical, short
from ireval_frames.store.folder.files import Listing, write
from ireval_frames.store.folder.marks import holds
from ireval_frames.store.frames import rows_of
from ireval_frames.store.tables import TABLES

ORDER = ("values", "units", "summaries", "measures", "inputs", "runs", "queries")


@dataclass(frozen=True)
class Occasion:
    """When something is added, and under which names.

    Attributes:
        columns: further columns of `occasions`.
        made_at: the time.
        timed: whether the caller named the time.
    """

    columns: Mapping[str, str | None]
    made_at: datetime
    timed: bool

    @classmethod
    def of(
        cls, *, collection: str, tags: Mapping[str, Any] | None, at: datetime | None, who: bool, command: str | None
    ) -> Occasion:
        """The occasion of these arguments.

        Raises:
            InvalidParameter: a name is not text, a tag not a plain value, or a time has no zone.
        """
        check_text("collection", collection, "stdlib")
        if command is not None:
            check_text("command", command, "ireval store add")
        if not isinstance(tags, Mapping | None):
            raise InvalidParameter(
                f"tags is {tags!r}; it must be a mapping.", Hint("Write ", Argument("tags", {"model": "bm25"}), ".")
            )
        for name, value in (tags or {}).items():
            plain = is_text(value) or isinstance(value, int | bool | None)
            if not is_text(name) or not (plain or (isinstance(value, float) and math.isfinite(value))):
                raise InvalidParameter(
                    f"The tag {name!r} is {value!r}; it must be text, a finite number, true, false or None.",
                    Hint("Write ", Argument("tags", {"model": "bm25", "k1": 1.2}), "."),
                )
        if at is not None and (not isinstance(at, datetime) or at.tzinfo is None):
            raise InvalidParameter(
                f"at is {at!r}; it must be a time with its zone.", "Write at=datetime.now(timezone.utc)."
            )
        try:
            made_at = (at or datetime.now(UTC)).astimezone(UTC)
        except OverflowError:
            raise InvalidParameter(
                f"at is {at!r}, a year that UTC does not have.", "Write at=datetime.now(timezone.utc)."
            ) from None
        columns = {"collection": collection, "tags": canonical(dict(tags or {})), "command": command}
        columns |= _who() if who else {"host": None, "user": None}
        return cls(columns, made_at, at is not None)

    @property
    def at(self) -> str | None:
        """The time that the caller named; it is part of ids."""
        return self.made_at.isoformat() if self.timed else None

    def row(self, evaluation_id: str) -> pl.DataFrame:
        """The row of `occasions`."""
        values = {**self.columns, "evaluation_id": evaluation_id}
        row = {**values, "occasion_id": short({**values, "at": self.at}), "made_at": self.made_at}
        return pl.DataFrame([row], schema=TABLES["occasions"].schema)


def is_text(value: object) -> bool:
    """Whether a value is text that a file can hold, which a lone surrogate is not."""
    return isinstance(value, str) and not any("\ud800" <= c <= "\udfff" for c in value)


def check_text(what: str, value: object, example: str) -> None:
    """Refuse an argument that is not text.

    Raises:
        InvalidParameter: it is not.
    """
    if not is_text(value):
        raise InvalidParameter(f"{what} is {value!r}; it must be text.", Hint("Write ", Argument(what, example), "."))


def _who() -> dict[str, str | None]:
    import getpass
    import platform

    try:
        user = getpass.getuser()
    except (OSError, KeyError):
        user = None
    return {"host": platform.node(), "user": user}


def add_rows(root: Path, listing: Listing, rows: Rows, occasion: Occasion) -> None:
    """Write the rows that the store does not have yet.

    Raises:
        FileError: the disk refuses.
    """
    if rows.id not in listing.ids:
        for name in ORDER:
            frame = rows.tables[name]
            if isinstance(frame, pl.LazyFrame) or frame.height:
                write(root, name, rows.id, frame)
    elif (
        isinstance(queries := rows.tables["queries"], pl.DataFrame)
        and queries.height
        and rows_of(listing, "queries", [rows.id]).head(1).collect().is_empty()
    ):
        write(root, "queries", rows.id, queries)
    row = occasion.row(rows.id)
    name = stem(row.row(0, named=True))
    # Occasions are known by the names of their files; in packs of older releases by their ids.
    names = {name for path in listing.files["occasions"] for name in holds(path)}
    if names.isdisjoint((name, row["occasion_id"][0])):
        write(root, "occasions", name, row)
    if rows.id not in listing.ids:
        write(root, "evaluations", rows.id, rows.tables["evaluations"])


def stem(row: Mapping[str, Any]) -> str:
    """The name of the file of an occasion or a tag."""
    suffix = row["occasion_id"] if "occasion_id" in row else short([row["name"], row["made_at"].isoformat()])
    return f"{row['evaluation_id']}-{suffix}"


def tag_file(root: Path, name: str, evaluation_id: str) -> None:
    """Write the file of a tag.

    Raises:
        InvalidParameter: the name is empty or not text.
    """
    if not is_text(name) or not name:
        raise InvalidParameter(f"The tag is {name!r}; it must be text.", 'Write store.tag("main", id).')
    now = datetime.now(UTC)
    row = pl.DataFrame([{"name": name, "evaluation_id": evaluation_id, "made_at": now}], schema=TABLES["tags"].schema)
    write(root, "tags", stem(row.row(0, named=True)), row)


def query_table(evaluation: Evaluation, queries: Any) -> pl.DataFrame | None:
    """The queries that are stored with an evaluation; by default those of the evaluation.

    Raises:
        MissingColumn: the table has no query_id.
        DuplicateRows: a query has several rows.
        WrongType: a column has a type that JSON lacks.
        UnknownName: the evaluation has no queries.
    """
    subject = evaluation.subject
    if queries is None:
        queries = getattr(subject, "_user_tables", {}).get("queries")
    elif evaluation.family not in ("ranking", "similarity"):
        raise UnknownName(f"An evaluation of {evaluation.family} has no queries.", nearest("queries", ["tags"]))
    if queries is None:
        return None
    read = Read(io.scan_queries)
    if evaluation.engine.names_table(queries):
        frame = evaluation.engine.collect(evaluation.engine.open_table(queries, "queries", read))
    else:
        frame = polars_rows(queries, "queries", read).lazy().collect()
    query_id = resolve(QUERIES, frame.columns, {})["query_id"]
    frame = frame.rename({query_id: "query_id"}).unique(maintain_order=True)
    for name, dtype in frame.schema.items():
        if dtype in (pl.Binary, pl.Object):
            raise WrongType(
                f"Column {name!r} of the queries is {dtype}, which cannot be stored.",
                f"Leave it out: queries.drop({name!r})",
            )
    duplicates = frame.filter(pl.col("query_id").is_duplicated())["query_id"]
    if duplicates.len():
        raise DuplicateRows(
            f"The queries have several rows of {duplicates[0]!r}.", 'Keep one of each: queries.unique("query_id")'
        )
    return frame
