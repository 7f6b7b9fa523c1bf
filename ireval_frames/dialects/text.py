"""A result as a statement over tables of another database, as a view, or as a dbt model.

Frames, files and relations are tables there by the names of the arguments; tables of a connection keep their names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames.dialects.known import Known
from ireval_frames.dialects.translating import DUCKDB, dialect_named, translated
from ireval_frames.engines.base import RankedRows, Ranking
from ireval_frames.engines.duckdb.statement_text import Files, SQLText
from ireval_frames.engines.duckdb.types import types_of
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.inputs.frames import Read, is_relation
from ireval_frames.engines.quoting import all_quoted, identifier, parts, qualified
from ireval_frames.engines.sql.frame import DuckDBFrame
from ireval_frames.engines.sql.statement import Step
from ireval_frames.engines.sql.values import nothing_of
from ireval_frames.errors import NotDefined
from ireval_frames.expr import reading

if TYPE_CHECKING:
    from ireval_frames.dialects.dialect import Dialect

Made = Callable[[Any], tuple[Frame, Callable[[str], str]]]
"""Makes the plan of a result on an engine: its rows, and who asked for a column of it."""
_KINDS = {"String": "text", "Categorical": "text", "Enum": "text", "Boolean": "boolean"}
_JINJA = re.compile(r"\{[{%#]")


class TableText(SQLText):
    """Writes the statement over tables alone, and notes what their columns hold.

    Args:
        engine: the engine of the evaluation.
        files: the columns of a path with their types.
        numbered: tables get names of ours, for which others are put in later: `refs` has the names that they have.
    """

    def __init__(self, engine: Any, files: Files, *, numbered: bool = False) -> None:
        super().__init__(engine, files)
        self.refs: dict[str, str] = {}
        self._numbered = numbered
        self._origins: dict[str, str] = {}
        self._opened: dict[str, Step] = {}
        self._never_null: dict[str, set[str]] = {}

    def open_table(self, given: Any, name: str, read: Read) -> Frame:
        """A table of the database.

        Raises:
            NotDefined: another table has the same name there.
        """
        origin, standing = f"the {name} table", self.engine.session_table(given)
        if is_relation(given):
            with self.locked():
                frame = self._tabled(name, types_of(given))
        elif standing is not None:
            there, types = standing
            frame = self._tabled(qualified(there) if there else name, types)
            origin = there or origin
        elif self.names_table(given):
            frame, origin = self.table(given), given
        elif isinstance(given, (str, list, tuple)) or hasattr(given, "__fspath__"):
            _, types = self._files(name, given)
            frame = self._tabled(name, dict(types))
        else:
            opened = super().open_table(given, name, read)
            frame = self._tabled(name, opened.collect_schema())
        name = frame.settled().name
        self._refuse_another(name, origin)
        if self._numbered:
            number = f"ireval_ref_{len(self.refs)}"
            self.refs[number] = parts(name)[-1]
            frame = self._tabled(number, frame.settled().types)
        self._opened[frame.settled().name] = frame.settled()
        return frame

    def by_bytes(self, step: Step) -> DuckDBFrame:
        """The table as it is: a dialect says itself how it compares text."""
        return DuckDBFrame(self, step)

    def _refuse_another(self, name: str, origin: str) -> None:
        """Refuse two tables that the text cannot tell apart: dbt knows tables by the last part of their names."""
        spoken = parts(name)[-1] if self._numbered else ".".join(parts(name))
        other = self._origins.setdefault(spoken.lower(), origin)
        if other.lower() != origin.lower():
            raise NotDefined(
                f"Two tables would be called {spoken!r} there: {other} and {origin}.",
                "Give one of them another name: CREATE VIEW judged AS FROM a_schema.qrels",
            )

    def rank(self, frame: Frame, ranking: Ranking, partner: Frame | None) -> RankedRows:
        """As DuckDB's; what an evaluation refuses to be null is never null in the text."""
        table = frame.source.step if isinstance(frame, DuckDBFrame) else None
        if isinstance(frame, DuckDBFrame) and table is not None and table.external:
            refused = {reading.null_test(rule.bad) for rule in ranking.rules}
            mine = {theirs for ours, theirs in frame.plain.items() if ours in refused}
            self._never_null.setdefault(table.name, set()).update(mine)
        return super().rank(frame, ranking, partner)

    def sources(self) -> dict[str, dict[str, Known]]:
        """What the columns of the tables hold."""
        return {
            ".".join(parts(name)): {
                c: Known(_kind(t), c not in self._never_null.get(name, ()), _inner(t)) for c, t in step.types.items()
            }
            for name, step in self._opened.items()
        }

    def _tabled(self, name: str, types: Mapping[str, Any]) -> DuckDBFrame:
        empty = ", ".join(f"{nothing_of(t)} AS {identifier(c)}" for c, t in types.items())
        self._empty[name] = f"SELECT {empty} WHERE FALSE"
        return DuckDBFrame(self, Step((), tuple(types), name, external=True, types=dict(types)))


def statement(
    engine: Any, files: Files, made: Made, dialect: str, *, view: str | None = None, dbt: bool = False
) -> str:
    """The statement of a result.

    Args:
        engine: the engine of the evaluation.
        files: the columns of a path with their types.
        made: the plan of the result.
        dialect: the database.
        view: the name of the view that it becomes.
        dbt: it becomes a dbt model.

    Raises:
        UnknownName: there is no such dialect.
        NotDefined: something of it cannot be said there.
    """
    words = None if dialect == DUCKDB else dialect_named(dialect)
    text = TableText(engine, files, numbered=dbt)
    with text.errors(), all_quoted() if words is not None else nullcontext():
        frame, asked = made(text)
        out = text.text(frame)
    with text.errors():
        if words is not None:
            ordered = words.orders_views or (view is None and not dbt)
            out = translated(out, words, text.sources(), asked, ordered=ordered)
    if view is not None:
        out = f"CREATE VIEW {_view(view, words)} AS\n{out}"
    return _model(out, text.refs) if dbt else out


def _view(name: str, words: Dialect | None) -> str:
    if words is None:
        return qualified(name)
    from ireval_frames.dialects.naming import table_written

    return table_written(name, words)


def _model(text: str, refs: Mapping[str, str]) -> str:
    """A statement as a dbt model: what Jinja would read is written so that it does not, and tables are refs."""
    out = _JINJA.sub(lambda found: "{{ '" + found[0] + "' }}", text)
    return re.sub(r"ireval_ref_\d+", lambda found: _ref(refs[found[0]]) if found[0] in refs else found[0], out)


def _ref(name: str) -> str:
    """A ref with the name as a text of Jinja."""
    escaped = name.replace("\\", "\\\\").replace("'", "\\'")
    return "{{ ref('" + escaped + "') }}"


def _kind(dtype: Any) -> str:
    if dtype.is_integer():
        return "integer"
    return "double" if dtype.is_float() else _KINDS.get(type(dtype).__name__, "")


def _inner(dtype: Any) -> Known | None:
    return Known(_kind(_made(dtype.inner))) if isinstance(dtype, (pl.List, pl.Array)) else None


def _made(dtype: Any) -> Any:
    return dtype() if isinstance(dtype, type) else dtype
