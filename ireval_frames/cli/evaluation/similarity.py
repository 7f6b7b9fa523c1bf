"""`ireval similarity`: rankings compared with each other."""

from __future__ import annotations

from typing import Annotated, Any

from ireval_frames.cli.options.arguments import runs_and_measures
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import Written, of_tables
from ireval_frames.cli.options.evaluation import TableOptions, ValueOptions
from ireval_frames.cli.options.reading import RunReading
from ireval_frames.cli.output.capture import found as kept
from ireval_frames.cli.output.progress import working
from ireval_frames.columns.schema import RUN

EXAMPLES = """\b
Examples:
  ireval similarity runs/*.run                              Tau RBO Overlap@10
  ireval similarity bm25.run lsa.run "RBO(p=0.95)@100" -q
  ireval similarity runs/*.run -m Tau --matrix
  ireval similarity new.run --against old.run --policy ties=trec_eval

\b
Every two runs are compared, query by query; a table of items in an order is one ranking
or several.  `ireval measures similarity` lists the
measures.  Formats: table (four decimals), and csv, json, parquet (in full).
"""
DEFAULT = ("Tau", "RBO", "Overlap@10")


@command(epilog=EXAMPLES)
def similarity(
    arguments: Annotated[list[str], Argument(metavar="RUN", help="Runs: files, patterns, or - for standard input.")],
    against: Annotated[
        list[str] | None,
        Option("--against", metavar="FILE", help="Compare with these runs instead, not with each other."),
    ] = None,
    matrix: Annotated[bool, Option("--matrix", help="A row and a column per run, of one measure.")] = False,
    *,
    values: ValueOptions,
    reading: RunReading,
    tables: TableOptions,
    written: Written,
) -> None:
    """Compare rankings with each other."""
    values.at_most_one(matrix=matrix)
    runs, measures = runs_and_measures(arguments, values.measures or (), "similarity", DEFAULT)
    from ireval_frames.similarity import Similarity

    with working("comparing"):
        given = tables.arguments()
        subject = Similarity(
            _read(runs, reading, tables),
            against=_read(against, reading, tables),
            by=values.by or (),
            # What is read here has our names.
            **{**given, "columns": {} if reading.given else _of_both(given["columns"])},
        )
        evaluation = kept(subject.evaluate(measures))
        found = evaluation.matrix() if matrix else values.values(evaluation, measures)
    written.result(found)


def _read(files: list[str] | None, reading: RunReading, tables: TableOptions) -> Any:
    """Runs as it is said that they are read; tables of items are handed in one by one."""
    if files is None:
        return None
    return reading.runs(files[0] if len(files) == 1 else files, tables.columns, tables.stores)


def _of_both(columns: dict[str, str]) -> dict[str, str]:
    """The columns of runs, and of tables of items."""
    from ireval_frames.similarity.files import ITEMS

    return {ours: theirs for named in of_tables(columns, RUN, ITEMS) for ours, theirs in (named or {}).items()}
