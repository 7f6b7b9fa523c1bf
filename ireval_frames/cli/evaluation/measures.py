"""`ireval measures`: the catalog, and the page of one measure."""

from __future__ import annotations

import re
import textwrap
from enum import StrEnum
from typing import Annotated

import polars as pl

from ireval_frames import catalog
from ireval_frames.catalog import listing
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.output.tables import text_table, write_bytes
from ireval_frames.declaration import Definition
from ireval_frames.errors import UnknownName, nearest
from ireval_frames.parameters import REQUIRED

EXAMPLES = """\b
Examples:
  ireval measures                  the catalog
  ireval measures nDCG             the page of one measure
  ireval measures ndcg_cut_10      trec_eval's names work, too
  ireval measures gain discount    the measures that mention these words
  ireval measures clusters         one family
  ireval measures --format json    the catalog for programs
"""


# Families whose unit is the query; other units are groups of items.
OF_QUERIES = ("ranking", "similarity", "nuggets")


class Shape(StrEnum):
    """The format of the catalog."""

    table = "table"
    csv = "csv"
    json = "json"


@command(epilog=EXAMPLES)
def measures(
    words: Annotated[
        list[str] | None,
        Argument(metavar="[NAME | WORDS]", help="A measure, whose page to print; a family; or words to search for."),
    ] = None,
    family: Annotated[str | None, Option("--family", metavar="NAME", help="Only this family's.")] = None,
    format: Annotated[Shape, Option("--format", "-f", help="The format.")] = Shape.table,
) -> None:
    """List the measures, search them, or print the page of one."""
    words = words or []
    if family is None and len(words) == 1 and words[0] in {d.family for d in catalog.definitions()}:
        words, family = [], words[0]
    frame = listing.measures(family)
    definition = _find(words[0], family) if len(words) == 1 else None
    if definition is not None:
        frame = frame.filter(family=definition.family, name=definition.name)
    elif words:
        frame = _search(frame, words, family)
    if format is Shape.json:
        write_bytes(frame.write_json().encode() + b"\n", None)
    elif format is Shape.csv:
        write_bytes(_flat(frame).write_csv().encode(), None)
    elif definition is not None:
        write_bytes(page(definition).encode(), None)
    else:
        text_table(_table(frame))


def _find(name: str, family: str | None) -> Definition | None:
    """The measure of that name.

    Raises:
        UnknownName: several families have it.
    """
    names = catalog.trec_names()
    if name in names:
        return names[name][0]
    try:
        return catalog.parse(name, family).definition
    except UnknownName as error:
        several = [d.family for d in catalog.definitions() if name in (d.name, *d.aliases)]
        if family is None and len(several) > 1:
            line = " or ".join(f"ireval measures {name} --family {f}" for f in several)
            raise UnknownName(error.what, f"Write {line}") from None
        return None


def _search(frame: pl.DataFrame, words: list[str], family: str | None) -> pl.DataFrame:
    """The measures that mention all words: in names, sentence, formula and source, or else on their pages.

    Raises:
        UnknownName: there is none.
    """
    for texts in (_headlines(frame), [d.page.partition("Example:")[0] for d in catalog.definitions(family)]):
        matches = [all(re.search(rf"\b{re.escape(w)}", text, re.IGNORECASE) for w in words) for text in texts]
        if any(matches):
            return frame.filter(pl.Series(matches))
    known = [n for d in catalog.definitions(family) for n in (d.name, *d.aliases)]
    guesses = [guess for w in words if (guess := nearest(w, known))]
    one = f"There is no measure {words[0]!r}, and none mentions it."
    what = one if len(words) == 1 else f"No measure mentions all of {', '.join(map(repr, words))}."
    raise UnknownName(what, " ".join(guesses) or "List them: ireval measures")


def _headlines(frame: pl.DataFrame) -> list[str]:
    names = pl.concat_list("name", "aliases", "trec_eval").list.join(" ")
    return frame.select(pl.concat_str(names, "sentence", "formula", "source", separator="\n")).to_series().to_list()


def _flat(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame without lists."""
    return frame.with_columns(_range().alias("range"), pl.col(pl.List(pl.String)).list.join(" "))


def _range() -> pl.Expr:
    ends = pl.col("range").list.eval(pl.element().map_elements(lambda x: f"{x:.3g}", return_dtype=pl.String))
    return ends.list.join("..")


def _table(frame: pl.DataFrame) -> pl.DataFrame:
    better = pl.col("direction").replace_strict({"higher": " ↑", "lower": " ↓"}, default="")
    return frame.select(
        *(["family"] if frame["family"].n_unique() > 1 else []),
        "name",
        (_range() + better).alias("range"),
        pl.col("sentence").alias("what it is"),
    )


def page(d: Definition) -> str:
    """A measure's page: description, parameters, aggregation, undefined values, names, source, engines."""
    name = d.name + (f"@{d.at}" if d.at in d.parameters else "")
    lines = [f"{name}  ({d.family})", "", d.page, ""]
    if d.formula:
        lines.append(f"Formula      {d.formula}")
    lines += ["Parameters" if d.parameters else "Parameters   none"]
    width = max((len(n) for n in d.parameters), default=0)
    for parameter, p in d.parameters.items():
        default = "required" if p.default is REQUIRED else f"default {p.default!r}"
        first = f"  {parameter:<{width}}  "
        wrapper = textwrap.TextWrapper(100, first, " " * len(first), break_long_words=False)
        lines.append(wrapper.fill(f"{p.what} ({default})"))
    lines.append(f"Aggregation  {d.aggregation} over {'queries' if d.family in OF_QUERIES else 'units'}")
    lines.append(
        "Undefined    " + ("stays undefined and is counted" if d.undefined is None else f"counts {d.undefined:g}")
    )
    if d.aliases:
        aliases = ", ".join(a for a in d.aliases if a not in d.named)
        fixed = [f"{name} is {d(**values)}" for name, values in d.named.items()]
        lines.append("Aliases      " + "\n             ".join(filter(None, [aliases, *fixed])))
    if d.trec:
        lines.append(f"trec_eval    {', '.join(t.name for t in d.trec)}")
    lines += [f"Source       {d.source}"]
    lines += [f"In Python    {d.cost}"] if d.cost else []
    return "\n".join(lines) + "\n"
