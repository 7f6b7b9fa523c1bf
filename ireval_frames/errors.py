"""What can go wrong, as a tree of errors.

```
IrevalError
├── DataError              the tables or files are at fault (exit code 1)
│   ├── FileError          missing, a directory, empty, truncated, not text
│   ├── MalformedFile      lines that do not parse, each with its number and text
│   │   └── AmbiguousFile    several layouts fit the lines
│   ├── MissingColumn      a table has no such column
│   ├── WrongType          a column has a type that cannot be meant
│   ├── InvalidValue       null ids, null or NaN scores, grades out of range
│   ├── DuplicateRows      one (run, query, document) several times
│   └── MismatchedTables   judgments and run do not fit together
│       └── NothingInCommon  no id of one table is in the other
├── UsageError             the call is at fault (exit code 2)
│   ├── UnknownName        a measure, parameter or option that does not exist
│   ├── InvalidParameter   a value outside what a parameter allows
│   ├── NotDefined         a combination that has no meaning, such as ERR under tie expectation
│   ├── FailingMeasure     the function of a measure of one's own raises, or gives no expression
│   └── WrongTable         a column of a plan is read from a table that does not have it
└── EngineError            the engine cannot do it, or its connection is closed, busy or foreign (exit code 1)

IrevalWarning              there is a result, and something to know about it
├── OverlapWarning         tables meet in part only
├── SampleWarning          judgments are a sample, and a measure takes them as complete
├── ReadingWarning         rows of a file were left out, or it holds less than it seems to
├── SplitWarning         users or times do not allow the split that was meant
├── ConvergenceWarning     an iterative fit stopped before it was done, or has no finite maximum
├── PluginWarning          what another package adds is missing, as it cannot be imported
└── StoreWarning           a file of a store was left out, or a name changed its evaluation
```

Every message says what failed, what is allowed, and the line to write.  Where that line is an argument, the hint
carries it as one (`Hint`, `Argument`), so that Python, the command line and others write it their own way.
"""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from ireval_frames.escaping import lines

_WITHIN = (str(Path(__file__).parent / "_")[:-1], functools.__file__)


@dataclass(frozen=True)
class Argument:
    """An argument to give, as Python writes it.

    Args:
        name: its name.
        value: its value.
        written: the Python code around it, such as `ir.Labels(…, {})`.
        option: the command's option and its value, where these are others.
    """

    name: str
    value: object = True
    written: str = "{}"
    option: tuple[str, object] | None = None

    def __str__(self) -> str:
        return self.written.format(f"{self.name}={literal(self.value)}")


@dataclass(frozen=True)
class Code:
    """A line of Python, and what to do in words, for faces that are not Python.

    Args:
        line: the line.
        words: what it does, of files.
    """

    line: str
    words: str

    def __str__(self) -> str:
        return self.line


class Hint(str):
    """What to do about an error: texts, arguments and code, one after another.  It is the text for Python."""

    __slots__ = ("parts",)
    parts: tuple[str | Argument | Code, ...]

    def __new__(cls, *parts: str | Argument | Code) -> Self:
        """The text, with the arguments as Python writes them; parts of hints among them are its own."""
        out = super().__new__(cls, "".join(map(str, parts)))
        out.parts = tuple(p for part in parts for p in (part.parts if isinstance(part, Hint) else (part,)))
        return out

    def __reduce__(self) -> tuple[Any, ...]:
        return Hint, self.parts

    def rendered(self, write: Callable[[Argument | Code], str]) -> str:
        """The text, with the arguments and the code as another face writes them."""
        return "".join(part if isinstance(part, str) else write(part) for part in self.parts)


def literal(value: object) -> str:
    """A value as examples write it: text between double quotes."""
    if isinstance(value, str):
        return '"' + repr(value)[1:-1].replace("\\'", "'").replace('"', '\\"') + '"'
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{literal(k)}: {literal(v)}" for k, v in value.items()) + "}"
    if isinstance(value, type):
        return value.__name__
    return f"[{', '.join(map(literal, value))}]" if isinstance(value, list) else repr(value)


class IrevalError(Exception):
    """The base of all errors raised on purpose."""

    exit_code = 1

    def __init__(self, what: str, hint: str = "") -> None:
        self.what, self.hint = what, hint
        super().__init__(what, hint)

    def __str__(self) -> str:
        # Names and lines of files may hold what a terminal obeys.
        return lines(f"{self.what}\n  {self.hint}" if self.hint else self.what)


class DataError(IrevalError, ValueError):
    """The tables or files are at fault."""


class FileError(DataError):
    """A file cannot be read at all."""


class MalformedFile(DataError):
    """Lines of a file do not parse."""


class AmbiguousFile(MalformedFile):
    """Several layouts fit the lines of a file."""


class MissingColumn(DataError):
    """A table has no such column."""


class WrongType(DataError):
    """A column has a type that cannot be meant."""


class InvalidValue(DataError):
    """A column holds a value it must not hold."""


class DuplicateRows(DataError):
    """Rows that must be unique are not."""


class MismatchedTables(DataError):
    """Two tables do not fit together."""


class NothingInCommon(MismatchedTables):
    """No id of one table is in the other."""


class UsageError(IrevalError, ValueError):
    """The call is at fault."""

    exit_code = 2


class UnknownName(UsageError):
    """A name that does not exist."""


class InvalidParameter(UsageError):
    """A parameter's value is not allowed."""


class NotDefined(UsageError):
    """What was requested has no meaning."""


class FailingMeasure(UsageError):
    """The function of a measure raises, or gives no expression."""


class WrongTable(UsageError):
    """A column of a plan is read from a table that does not have it."""


class EngineError(IrevalError, RuntimeError):
    """The engine cannot do it."""


class IrevalWarning(UserWarning):
    """The base of all warnings: there is a result, and something to know about it."""


class OverlapWarning(IrevalWarning):
    """Tables meet in part only."""


class ReadingWarning(IrevalWarning):
    """Rows of a file were left out, or it holds less than it seems to; or what it holds was repaired."""


class SampleWarning(IrevalWarning):
    """Judgments are a sample, and a measure takes them as complete; or a part of the pool was not sampled."""


class SplitWarning(IrevalWarning):
    """Users have too few rows for a split, times do not tell which row is later, or a part has no rows."""


class ConvergenceWarning(IrevalWarning):
    """An iterative fit stopped before it was done, or has no finite maximum."""


class PluginWarning(IrevalWarning):
    """What another package adds by an entry point is missing, as importing it fails."""


class StoreWarning(IrevalWarning):
    """A file of a store is damaged or foreign and left out, or a name is another evaluation's than before."""


def is_one(name: object, names: Container[str]) -> bool:
    """Whether it is one of the names; what is no text is none of them."""
    return isinstance(name, str) and name in names


def nearest(name: object, names: Iterable[str]) -> str:
    """The end of a sentence that proposes the nearest of the allowed names, or lists them when they are few."""
    known = list(dict.fromkeys(names))
    folded: dict[str, str] = {}
    for one in known:
        folded.setdefault(one.lower(), one)
    # No name is near to what is no text.
    lowered = name.lower() if isinstance(name, str) else ""
    # Each letter more or less is at least one edit.
    near = [n for n in folded if abs(len(n) - len(lowered)) <= _typos(lowered, n)]
    ranked = sorted((d, abs(len(n) - len(lowered)), n) for n in near if (d := _edits(lowered, n)) <= _typos(lowered, n))
    close = [folded[n] for d, _, n in ranked[:3] if d == ranked[0][0] or d <= 1]
    if close:
        return "Did you mean " + " or ".join(close) + "?"
    return "Allowed: " + ", ".join(sorted(known)) + "." if len(known) <= 20 else ""


def _typos(name: str, known: str) -> int:
    """How many edits may lie between a name and what was meant: a third of the letters; any number after a start."""
    if min(len(name), len(known)) >= 3 and (known.startswith(name) or name.startswith(known)):
        return abs(len(name) - len(known))
    return max(1, min(len(name), len(known)) // 3) if min(len(name), len(known)) > 1 else 0


def _edits(one: str, other: str) -> int:
    """The number of letters to insert, delete, change, or swap with the next, from one word to the other."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        row = [i]
        for j, b in enumerate(other, 1):
            row.append(min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a != b)))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                row[j] = min(row[j], before[j - 2] + 1)
        before, last = last, row
    return last[-1]


_TESTS = {
    ".is_null()": "null", ".is_nan()": "NaN", ".is_infinite()": "infinite", " < 0": "below 0",
    " % 1 != 0": "no whole number", ".cast(pl.Float64, strict=False).is_null()": "no number",
}  # fmt: skip


def rows_to_fix(table: str, column: str, *tests: str) -> Hint:
    """The line that leaves out invalid rows: those for which one of the tests of a column is true.

    Example:
        >>> str(rows_to_fix("run", "score", ".is_null()", ".is_nan()"))
        'Fix these rows, or leave them out: run.remove(pl.col("score").is_null() | pl.col("score").is_nan())'
    """
    matches = [f'pl.col("{column}"){test}' for test in tests]
    conditions = [f"({c})" if " " in c and len(matches) > 1 else c for c in matches]
    problem = " or ".join(_TESTS.get(test, test.strip(" .")) for test in tests)
    words = f"those in which {column} is {problem}"
    return Hint("Fix these rows, or leave them out: ", Code(f"{table}.remove({' | '.join(conditions)})", words))


def best_of_each(table: str, keys: Iterable[str], by: str, *, smallest: bool = False) -> Hint:
    """The line that keeps the row with the largest number of each, or the smallest."""
    names = ", ".join(f'"{key}"' for key in keys)
    order = "nulls_last=True" if smallest else "descending=True, nulls_last=True"
    line = f'{table}.sort("{by}", {order}).unique([{names}], keep="first")'
    return Hint("Keep the best of each: ", Code(line, f"the row with the {'smallest' if smallest else 'largest'} {by}"))


def listed(values: Iterable[object], limit: int = 10, count: int | None = None) -> str:
    """The first values, comma-separated, and how many were left out; of `count`, where these are not all."""
    shown = [str(v) for v in values]
    more = (len(shown) if count is None else count) - min(limit, len(shown))
    return ", ".join(shown[:limit]) + (f" and {more} more" if more > 0 else "")


def warn(text: str, category: type[Warning]) -> None:
    """A warning that names the caller's own line, however deep in the package it is raised."""
    depth, frame = 1, inspect.currentframe()
    # A property that is cached calls through functools.
    while frame is not None and frame.f_back is not None and frame.f_code.co_filename.startswith(_WITHIN):
        depth, frame = depth + 1, frame.f_back
    warnings.warn(lines(text), category, stacklevel=depth)
