"""`ireval similarity`: rankings compared with each other."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ireval_frames import io
from ireval_frames.cli.arguments import runs_and_measures
from ireval_frames.cli.options import (
    By,
    Columns,
    EngineName,
    Measures,
    OutputFile,
    OutputFormat,
    PerUnit,
    PolicyText,
    at_most_one,
    mapping,
    no_trec,
    of_tables,
)
from ireval_frames.cli.output import chosen, deliver, deliver_table
from ireval_frames.cli.progress import working
from ireval_frames.errors import UnknownName, nearest
from ireval_frames.schema import RUN
from ireval_frames.similarity.conventions import CONVENTIONS

EXAMPLES = """\b
Examples:
  ireval similarity runs/*.run                              Tau RBO Overlap@10
  ireval similarity bm25.run lsa.run "RBO(p=0.95)@100" -q
  ireval similarity runs/*.run -m Tau --matrix
  ireval similarity new.run --against old.run --policy ties=trec_eval

\b
Every two runs are compared, query by query.  `ireval measures similarity` lists the
measures.  Formats: table (four decimals), and csv, json, parquet (in full).
"""
DEFAULT = ("Tau", "RBO", "Overlap@10")


def similarity(
    arguments: Annotated[
        list[str], typer.Argument(metavar="RUN", help="Runs: files, patterns, or - for standard input.")
    ],
    measures: Measures = None,
    against: Annotated[
        list[str] | None,
        typer.Option("--against", metavar="FILE", help="Compare with these runs instead, not with each other."),
    ] = None,
    matrix: Annotated[bool, typer.Option("--matrix", help="A row and a column per run, of one measure.")] = False,
    by: By = None,
    per_unit: PerUnit = False,
    column: Columns = None,
    engine: EngineName = None,
    policy: PolicyText = None,
    format: OutputFormat = None,
    output: OutputFile = None,
) -> None:
    """Compare rankings with each other."""
    at_most_one(per_unit=per_unit, matrix=matrix)
    runs, asked = runs_and_measures(arguments, measures or (), "similarity", DEFAULT)
    shape = no_trec(chosen(format, output))
    (columns,) = of_tables(mapping(column), RUN)
    from ireval_frames.similarity import rank_similarity

    with working("comparing"):
        others = None if against is None else io.scan_run(against, columns=columns)
        found = rank_similarity(
            io.scan_run(runs, columns=columns),
            asked,
            against=others,
            by=by or (),
            engine=engine,
            **_conventions(policy),
        )
        wanted = found.matrix() if matrix else None
        summary, units = found.summary(), found.per_unit() if per_unit else None
    if wanted is not None:
        deliver_table(wanted, shape, output)
    else:
        deliver(summary, units, asked, shape, output)


def _conventions(text: str | None) -> dict[str, Any]:
    """The arguments that `field=value` pairs name.

    Raises:
        UnknownName: there is no such convention.
    """
    pairs = [part.strip().partition("=") for part in (text or "").split(",") if part.strip()]
    for name, *_ in pairs:
        if name not in CONVENTIONS:
            raise UnknownName(f"A comparison has no convention {name!r}.", nearest(name, CONVENTIONS))
    return {name: value for name, _, value in pairs}
