"""`ireval similarity`: rankings compared with each other."""

from __future__ import annotations

from typing import Annotated, Any

from ireval_frames.cli.options.arguments import runs_and_measures
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import OutputOptions, columns_argument
from ireval_frames.cli.options.evaluation import TableOptions, ValueOptions
from ireval_frames.cli.options.rankings import RunOptions
from ireval_frames.cli.output.running import capture, working
from ireval_frames.columns.schema import RUN

EXAMPLES = """\b
Examples:
  ireval similarity runs/*.run                              Tau RBO Overlap@10
  ireval similarity bm25.run lsa.run "RBO(p=0.95)@100" -q
  ireval similarity runs/*.run -m Tau --matrix
  ireval similarity new.run --against old.run --policy ties=trec_eval

\b
Every two runs are compared, query by query; a table of ordered items is one ranking or
several.  `ireval measures similarity` lists the measures.  Formats: table (four decimals),
and csv, json, parquet (in full).
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
    reading: RunOptions,
    tables: TableOptions,
    out: OutputOptions,
) -> None:
    """Compare rankings with each other."""
    values.at_most_one(matrix=matrix)
    runs, measures = runs_and_measures(arguments, values.measures or (), "similarity", DEFAULT)
    from ireval_frames.similarity import Similarity

    with working("comparing"):
        options = tables.arguments()
        # Runs that were read here have our names.
        columns = {} if reading.specified else _all_columns(options["columns"])
        subject = Similarity(
            _read(runs, reading, tables),
            against=_read(against, reading, tables),
            by=values.by or (),
            **{**options, "columns": columns},
        )
        evaluation = capture(subject.evaluate(measures))
        result = evaluation.matrix() if matrix else values.values(evaluation, measures)
    out.result(result)


def _read(files: list[str] | None, reading: RunOptions, tables: TableOptions) -> Any:
    """The runs; a single file is not a list, since it may be a table of items."""
    if files is None:
        return None
    return reading.runs(files[0] if len(files) == 1 else files, tables.columns, tables.stores)


def _all_columns(columns: dict[str, str]) -> dict[str, str]:
    """The columns of runs and of tables of items."""
    from ireval_frames.similarity.files import ITEMS

    columns_argument(columns, RUN, ITEMS)
    return {ours.rpartition(".")[2]: name for ours, name in columns.items()}
