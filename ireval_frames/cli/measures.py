"""`ireval measures`: the catalog, and the page of one measure."""

from __future__ import annotations

import textwrap
from enum import StrEnum
from typing import Annotated

import polars as pl
import typer

from ireval_frames import catalog, listing
from ireval_frames.cli.output import text_table, write_bytes
from ireval_frames.errors import UnknownName
from ireval_frames.measure import REQUIRED, Definition

EXAMPLES = """\b
Examples:
  ireval measures                  the catalog
  ireval measures nDCG             the page of one measure
  ireval measures ndcg_cut_10      trec_eval's names lead there too
  ireval measures clusters         one family
  ireval measures --format json    the catalog for programs
"""


# Families whose unit is the query; that of the others is a group of items.
OF_QUERIES = ("ranking", "similarity")


class Shape(StrEnum):
    """How to write the catalog."""

    table = "table"
    csv = "csv"
    json = "json"


def measures(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", help="The measure whose page to print, or a family.", show_default=False),
    ] = None,
    family: Annotated[str | None, typer.Option("--family", metavar="NAME", help="Only this family's.")] = None,
    format: Annotated[Shape, typer.Option("--format", "-f", help="How to write it.")] = Shape.table,
) -> None:
    """List the measures, or print the page of one."""
    if family is None and name in {d.family for d in catalog.definitions()}:
        name, family = None, name
    frame = listing.measures(family)
    definition = None if name is None else _find(name, family)
    if definition is not None:
        frame = frame.filter((pl.col("family") == definition.family) & (pl.col("name") == definition.name))
    if format is Shape.json:
        write_bytes(frame.write_json().encode() + b"\n", None)
    elif format is Shape.csv:
        write_bytes(frame.with_columns(pl.col(pl.List(pl.String)).list.join(" ")).write_csv().encode(), None)
    elif definition is not None:
        write_bytes(page(definition).encode(), None)
    else:
        text_table(_table(frame))


def _find(name: str, family: str | None) -> Definition:
    names = catalog.trec_names()
    if name in names:
        return names[name][0]
    try:
        return catalog.parse(name, family).definition
    except UnknownName as error:
        several = [d.family for d in catalog.definitions() if name in (d.name, *d.aliases)]
        line = " or ".join(f"ireval measures {name} --family {f}" for f in several)
        raise UnknownName(error.what, f"Write {line}") if family is None and len(several) > 1 else error from None


def _table(frame: pl.DataFrame) -> pl.DataFrame:
    several = frame["family"].n_unique() > 1
    return frame.select(
        *(["family"] if several else []),
        "name",
        pl.concat_list("aliases", "trec_eval").list.join(" ").alias("also"),
        pl.format("{}..{}", _bound("low"), _bound("high")).alias("range"),
        "formula",
        "source",
    )


def _bound(column: str) -> pl.Expr:
    return pl.col(column).map_elements(lambda value: f"{value:g}", return_dtype=pl.String)


def page(d: Definition) -> str:
    """A measure's page: what it is, its parameters, aggregation, undefined values, names, source, engines."""
    written = d.name + (f"@{d.at}" if d.at in d.parameters else "")
    lines = [f"{written}  ({d.family})", "", d.page, ""]
    if d.formula:
        lines.append(f"Formula      {d.formula}")
    lines += ["Parameters" if d.parameters else "Parameters   none"]
    width = max((len(n) for n in d.parameters), default=0)
    for name, p in d.parameters.items():
        default = "required" if p.default is REQUIRED else f"default {p.default!r}"
        first = f"  {name:<{width}}  "
        lines.append(
            textwrap.fill(
                f"{p.what} ({default})",
                100,
                initial_indent=first,
                subsequent_indent=" " * len(first),
                break_long_words=False,
            )
        )
    lines.append(f"Aggregation  {d.aggregation} over {'queries' if d.family in OF_QUERIES else 'units'}")
    lines.append(
        "Undefined    " + ("stays undefined and is counted" if d.undefined is None else f"counts {d.undefined:g}")
    )
    if d.aliases:
        lines.append(f"Aliases      {', '.join(d.aliases)}")
    if d.trec:
        lines.append(f"trec_eval    {', '.join(t.name for t in d.trec)}")
    lines += [f"Source       {d.source}", f"Engines      {', '.join(d.engines)}"]
    lines += [f"In Python    {d.sequential}; no SQL text"] if d.sequential else []
    return "\n".join(lines) + "\n"
