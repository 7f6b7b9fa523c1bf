"""The user's names of columns, in one mapping for several tables or one for each.

In mappings and loops `ours` is a name of the package, such as `query_id`, and `name` the user's name.
"""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ireval_frames.errors import Argument, Hint, InvalidParameter, MissingColumn, UnknownName, listed, nearest

if TYPE_CHECKING:
    from ireval_frames.columns.schema import Schema

Columns = Mapping[str, "str | Mapping[str, str]"]


class ColumnNames(dict[str, str]):
    """The user's names of the columns of one of several tables: ours → the user's.

    Args:
        of_one: names for this table, whose columns must exist.
        of_all: names for each table that has such a column.
        used: called with the columns of the table, and those of ours that were mapped.
    """

    def __init__(
        self,
        of_one: Mapping[str, str],
        of_all: Mapping[str, str],
        used: Callable[[Sequence[str], Sequence[str]], None],
    ) -> None:
        super().__init__({**of_all, **of_one})
        self.of_one, self._used = of_one, used

    def within(self, names: Sequence[str]) -> dict[str, str]:
        """The names that apply to a table with these columns."""
        out = {ours: name for ours, name in self.items() if ours in self.of_one or name in names}
        self._used(names, list(out))
        return out


def within(columns: Mapping[str, str] | None, names: Sequence[str]) -> Mapping[str, str]:
    """The part of a mapping that applies to a table with these columns."""
    return columns.within(names) if isinstance(columns, ColumnNames) else columns or {}


class TableNames:
    """The argument `columns=` of an evaluation of several tables.

    `{"score": "sim"}` is for every table that has a score and a column `sim`; `{"run": {"score": "sim"}}` is for the
    run only, and wins.  At least one table must have a column that is named.

    Args:
        columns: the argument.
        schemas: the possible schemas of each table.

    Raises:
        InvalidParameter: it is not such a mapping.
        UnknownName: it names a table or a column that does not exist.
    """

    def __init__(self, columns: Columns | None, schemas: Mapping[str, Sequence[Schema]]) -> None:
        if not isinstance(columns, Mapping | None):
            raise InvalidParameter(f"columns is {columns!r}, which is no mapping.", _write({"doc_id": "their_name"}))
        self._schemas = {
            table: {c.name: None for schema in of_table for c in schema.columns} for table, of_table in schemas.items()
        }
        self._of_one: dict[str, Mapping[str, str]] = {}
        self._of_all: dict[str, str] = {}
        self._used: dict[str, set[str]] = {table: set() for table in schemas}
        self._present: dict[str, list[str]] = {}
        for ours, name in (columns or {}).items():
            if isinstance(name, Mapping):
                self._of_one[ours] = self._check_table(ours, name)
            else:
                self._of_all[ours] = self._check(ours, name, {c: None for s in self._schemas.values() for c in s})

    def _check_table(self, table: str, columns: Mapping[str, str]) -> Mapping[str, str]:
        if table not in self._schemas:
            raise UnknownName(
                f"columns= names a table {table!r}; the tables are {listed(self._schemas)}.",
                nearest(str(table), self._schemas),
            )
        return {ours: self._check(ours, name, self._schemas[table], table) for ours, name in columns.items()}

    def _check(self, ours: str, name: str, known: Mapping[str, None], table: str = "") -> str:
        if ours not in known:
            where = f"the {table} table does not have" if table else "these tables do not have"
            raise UnknownName(f"columns= names {ours!r}, which {where}.", nearest(str(ours), known))
        if not isinstance(name, str):
            raise InvalidParameter(
                f"The column {ours!r} is called {name!r}; columns are named by text.", _write({ours: "their_name"})
            )
        return name

    def of(self, table: str) -> ColumnNames:
        """The names of the columns of one table."""
        of_all = {ours: name for ours, name in self._of_all.items() if ours in self._schemas[table]}
        return ColumnNames(self._of_one.get(table, {}), of_all, self._recorder(table))

    def unused(self, table: str) -> ColumnNames:
        """The names for all tables that no column of a file had, now that it has our names."""
        of_all = {ours: name for ours, name in self.of(table).items() if ours not in self._used[table]}
        return ColumnNames({}, {k: v for k, v in of_all.items() if k in self._of_all}, self._recorder(table))

    def _recorder(self, table: str) -> Any:
        def record(names: Sequence[str], used: Sequence[str]) -> None:
            self._present[table] = list(names)
            self._used[table].update(used)

        return record

    def check_used(self) -> None:
        """Refuse names of which no table that was opened has a column.

        Raises:
            MissingColumn: there is one.
        """
        for ours, name in self._of_all.items():
            if any(ours in used for used in self._used.values()):
                continue
            tables = [t for t, known in self._schemas.items() if ours in known and t in self._present]
            if not tables:
                continue
            present = "; ".join(f"{t}: {listed(self._present[t], 20)}" for t in tables)
            guess = nearest(name, [n for t in tables for n in self._present[t]])
            raise MissingColumn(
                f"There is no column {name!r} to read as {ours!r} ({present}).",
                guess if guess.startswith("Did") else _write({ours: "their_name"}),
            )


def _write(columns: Mapping[str, str]) -> Hint:
    return Hint("Write ", Argument("columns", dict(columns)), ".")


def named_columns(columns: Mapping[str, str] | None, short: Mapping[str, str | None]) -> dict[str, str]:
    """The user's names of columns: ours → the user's.

    Args:
        columns: the argument of that name.
        short: the arguments that name one column each.

    Raises:
        InvalidParameter: two of them name one column differently, or one is not a name.
    """
    if not isinstance(columns, Mapping | None):
        raise InvalidParameter(
            f"columns is {columns!r}, which is not a mapping.",
            Hint("Write ", Argument("columns", {"item_id": "their_name"}), "."),
        )
    out = dict(columns or {})
    for ours, name in (*out.items(), *short.items()):
        if not isinstance(name, str | None):
            raise InvalidParameter(
                f"The column {ours!r} is called {name!r}; columns are named by text.",
                Hint("Write ", Argument("columns", {ours: "their_name"}), "."),
            )
    for ours, name in short.items():
        if name is not None and out.setdefault(ours, name) != name:
            raise InvalidParameter(
                f"{ours!r} is {out[ours]!r} in columns=, and another argument calls it {name!r}.",
                "Write one of them.",
            )
    return out


def columns_named(value: str | Iterable[str] | None, what: str = "by or unit") -> tuple[str, ...]:
    """The column or columns of by=, unit= and the like; None is none.

    Raises:
        InvalidParameter: one is named twice, or is not a name.
    """
    names = (
        ()
        if value is None
        else tuple(value)
        if isinstance(value, Iterable) and not isinstance(value, str)
        else (value,)
    )
    for name in names:
        if not isinstance(name, str):
            raise InvalidParameter(
                f"{what} is {reprlib.repr(value)}; columns are named by text.",
                'Write the name of a column, "name", or several, ["one", "two"].',
            )
    twice = [n for i, n in enumerate(names) if n in names[:i]]
    if twice:
        raise InvalidParameter(f"{what} names {twice[0]!r} twice.", f"Write {list(dict.fromkeys(names))!r}.")
    return names


def refuse_reserved(names: Iterable[str], reserved: Iterable[str], what: str = "") -> None:
    """Refuse columns of units and groups that the result has already.

    Args:
        names: the columns.
        reserved: the columns of the result.
        what: the argument that names them, if that is one: "by".

    Raises:
        InvalidParameter: one is such a column.
    """
    known = set(reserved)
    for name in names:
        if name in known:
            raise InvalidParameter(
                f"{what}{'=' if what else ''}{name!r} is a column of the result already.",
                f"Rename it: frame.rename({{{name!r}: {f'{name}_group'!r}}})",
            )
