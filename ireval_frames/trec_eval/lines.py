"""Lines as trec_eval prints them: name, query and value between tabs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat

from ireval_frames.trec_eval.options import Options
from ireval_frames.trec_eval.values import Column

WIDTH = 22


def line(name: str, query: str, value: float | str, *, integer: bool = False) -> str:
    """A line, with four decimals, an integer, or text."""
    shown = value if isinstance(value, str) else f"{int(value)}" if integer else f"{value:6.4f}"
    return f"{name:<{WIDTH}}\t{query}\t{shown}\n"


def lines(queries: Sequence[str], columns: Sequence[Column], run_tag: str, options: Options) -> Iterator[str]:
    """The lines of the output, a query's at a time.

    Args:
        queries: the queries.
        columns: the printed values.
        run_tag: the value of `runid`.
        options: which lines are printed.
    """
    z = options.zscores is not None
    if options.per_query:
        yield from _per_query(queries, [c for c in columns if c.printed.shown != "all"], z=z)
    for column in columns if options.summary else ():
        p = column.printed
        if not p.parts:
            yield line(p.name, "all", run_tag)
        elif p.shown != "query":
            yield line(("Z" if z else "") + _padded(p.name), "all", column.total, integer=p.integer and not z)


def _per_query(queries: Sequence[str], columns: Sequence[Column], *, z: bool) -> Iterator[str]:
    # One format string for all lines of a query: there may be a hundred, for each of thousands of queries.
    form = "".join(_form(c, z=z) for c in columns)
    fields = [field for c in columns for field in (queries, c.values)]
    for row in zip(*fields, strict=True) if fields else repeat((), 0):
        yield form % row


def _form(column: Column, *, z: bool) -> str:
    p = column.printed
    name = _padded(p.name).replace("%", "%%")
    if p.shown == "query":
        return name + "\t%s\t'%s'\n"
    return ("Z" if z else "") + name + ("\t%s\t%d\n" if p.integer and not z else "\t%s\t%6.4f\n")


def _padded(name: str) -> str:
    return f"{name:<{WIDTH}}"
