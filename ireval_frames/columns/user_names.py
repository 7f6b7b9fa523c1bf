"""What the user calls the columns of several tables: one mapping for all of them, or one for each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ireval_frames.errors import Argument, Hint, InvalidParameter, MissingColumn, UnknownName, listed, nearest

if TYPE_CHECKING:
    from ireval_frames.columns.schema import Schema

Columns = Mapping[str, "str | Mapping[str, str]"]


class ColumnNames(dict[str, str]):
    """What the user calls the columns of one of several tables, ours → theirs.

    Args:
        of_one: names for this table: they must be there.
        of_all: names for whichever table has them.
        seen: is told the columns of the table, and which of ours were found by name.
    """

    def __init__(
        self,
        of_one: Mapping[str, str],
        of_all: Mapping[str, str],
        seen: Callable[[Sequence[str], Sequence[str]], None],
    ) -> None:
        super().__init__({**of_all, **of_one})
        self.of_one, self._seen = of_one, seen

    def within(self, names: Sequence[str]) -> dict[str, str]:
        """Those that count for a table of these columns."""
        out = {ours: theirs for ours, theirs in self.items() if ours in self.of_one or theirs in names}
        self._seen(names, list(out))
        return out


def within(columns: Mapping[str, str] | None, names: Sequence[str]) -> Mapping[str, str]:
    """What counts of a mapping for a table of these columns."""
    return columns.within(names) if isinstance(columns, ColumnNames) else columns or {}


class TableNames:
    """The argument `columns=` of an evaluation of several tables.

    `{"score": "sim"}` holds for every table that has a score and a column `sim`; `{"run": {"score": "sim"}}` for the
    run alone, and wins.  Whatever is named must be there in one table at least.

    Args:
        columns: the argument.
        schemas: what each table may have; for one that may be of several kinds, all of them.

    Raises:
        InvalidParameter: it is no such mapping.
        UnknownName: it speaks of a table or a column that there is not.
    """

    def __init__(self, columns: Columns | None, schemas: Mapping[str, Sequence[Schema]]) -> None:
        if not isinstance(columns, Mapping | None):
            raise InvalidParameter(f"columns is {columns!r}, which is no mapping.", _write({"doc_id": "their_name"}))
        self._schemas = {
            table: {c.name: None for kind in kinds for c in kind.columns} for table, kinds in schemas.items()
        }
        self._of_one: dict[str, Mapping[str, str]] = {}
        self._of_all: dict[str, str] = {}
        self._used: dict[str, set[str]] = {table: set() for table in schemas}
        self._present: dict[str, list[str]] = {}
        for ours, theirs in (columns or {}).items():
            if isinstance(theirs, Mapping):
                self._of_one[ours] = self._checked_table(ours, theirs)
            else:
                self._of_all[ours] = self._checked(ours, theirs, {c: None for s in self._schemas.values() for c in s})

    def _checked_table(self, table: str, columns: Mapping[str, str]) -> Mapping[str, str]:
        if table not in self._schemas:
            raise UnknownName(
                f"columns= speaks of a table {table!r}; the tables are {listed(self._schemas)}.",
                nearest(str(table), self._schemas),
            )
        return {ours: self._checked(ours, theirs, self._schemas[table], table) for ours, theirs in columns.items()}

    def _checked(self, ours: str, theirs: str, known: Mapping[str, None], table: str = "") -> str:
        if ours not in known:
            where = f"the {table} table does not have" if table else "these tables do not have"
            raise UnknownName(f"columns= names {ours!r}, which {where}.", nearest(str(ours), known))
        if not isinstance(theirs, str):
            raise InvalidParameter(
                f"The column {ours!r} is called {theirs!r}; columns are named by text.", _write({ours: "their_name"})
            )
        return theirs

    def of(self, table: str) -> ColumnNames:
        """What the columns of one table are called."""
        of_all = {ours: theirs for ours, theirs in self._of_all.items() if ours in self._schemas[table]}
        return ColumnNames(self._of_one.get(table, {}), of_all, self._seen(table))

    def left(self, table: str) -> ColumnNames:
        """The names for all tables that were not found in a file, which has our names now."""
        of_all = {ours: theirs for ours, theirs in self.of(table).items() if ours not in self._used[table]}
        return ColumnNames({}, {k: v for k, v in of_all.items() if k in self._of_all}, self._seen(table))

    def _seen(self, table: str) -> Any:
        def seen(names: Sequence[str], used: Sequence[str]) -> None:
            self._present[table] = list(names)
            self._used[table].update(used)

        return seen

    def check_used(self) -> None:
        """Refuse names that no table looked at so far has a column of.

        Raises:
            MissingColumn: there is one.
        """
        for ours, theirs in self._of_all.items():
            if any(ours in used for used in self._used.values()):
                continue
            tables = [t for t, known in self._schemas.items() if ours in known and t in self._present]
            if not tables:
                continue
            present = "; ".join(f"{t}: {listed(self._present[t], 20)}" for t in tables)
            guess = nearest(theirs, [n for t in tables for n in self._present[t]])
            raise MissingColumn(
                f"columns= calls {ours!r} {theirs!r}, but there is no such column ({present}).",
                guess if guess.startswith("Did") else _write({ours: "their_name"}),
            )


def _write(columns: Mapping[str, str]) -> Hint:
    return Hint("Write ", Argument("columns", dict(columns)), ".")


def columns_named(given: str | Iterable[str] | None, what: str = "by or unit") -> tuple[str, ...]:
    """The column or columns of by=, unit= and the like; None is none.

    Raises:
        InvalidParameter: one is named twice, or it is no name.
    """
    names = (
        ()
        if given is None
        else tuple(given)
        if isinstance(given, Iterable) and not isinstance(given, str)
        else (given,)
    )
    for name in names:
        if not isinstance(name, str):
            raise InvalidParameter(
                f"{what} is {given!r}; columns are named by text.",
                'Write the name of a column, "name", or several, ["one", "two"].',
            )
    twice = [n for i, n in enumerate(names) if n in names[:i]]
    if twice:
        raise InvalidParameter(f"{what} names {twice[0]!r} twice.", f"Write {list(dict.fromkeys(names))!r}.")
    return names


def refuse_taken(names: Iterable[str], taken: Iterable[str], what: str = "") -> None:
    """Refuse columns of units and groups that a result has already.

    Args:
        names: the columns.
        taken: those of the result.
        what: the argument that names them, if that is one: "by".

    Raises:
        InvalidParameter: one is such a column.
    """
    known = set(taken)
    for name in names:
        if name in known:
            raise InvalidParameter(
                f"{what}{'=' if what else ''}{name!r} is a column of the result already.",
                f"Rename it: frame.rename({{{name!r}: {f'{name}_group'!r}}})",
            )
