"""`ireval similarity`: rankings compared with each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from ireval_frames.cli.options.arguments import runs_and_measures
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import (
    By,
    Columns,
    EngineName,
    Measures,
    OutputFile,
    OutputFormat,
    Over,
    PerUnit,
    PolicyText,
    StorageOptions,
    at_most_one,
    mapping,
    no_trec,
    of_tables,
    storage,
)
from ireval_frames.cli.options.reading import RunReading
from ireval_frames.cli.output.capture import found as kept
from ireval_frames.cli.output.progress import working
from ireval_frames.cli.output.tables import chosen, deliver, deliver_table
from ireval_frames.schema import RUN

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
    measures: Measures = None,
    against: Annotated[
        list[str] | None,
        Option("--against", metavar="FILE", help="Compare with these runs instead, not with each other."),
    ] = None,
    matrix: Annotated[bool, Option("--matrix", help="A row and a column per run, of one measure.")] = False,
    by: By = None,
    over: Over = None,
    per_unit: PerUnit = False,
    column: Columns = None,
    engine: EngineName = None,
    storage_option: StorageOptions = None,
    policy: PolicyText = None,
    format: OutputFormat = None,
    output: OutputFile = None,
    *,
    reading: RunReading,
) -> None:
    """Compare rankings with each other."""
    at_most_one(per_unit=per_unit, matrix=matrix)
    runs, asked = runs_and_measures(arguments, measures or (), "similarity", DEFAULT)
    shape, named, stores = no_trec(chosen(format, output)), mapping(column), storage(storage_option)
    # What is read here has our names.
    columns = {} if reading.given else _of_both(named)
    from ireval_frames.similarity import Similarity

    with working("comparing"):
        subject = Similarity(
            _read(runs, reading, named, stores),
            against=_read(against, reading, named, stores),
            by=by or (),
            columns=columns,
            engine=engine,
            policy=policy,
            storage_options=stores,
        )
        found = kept(subject.evaluate(asked))
        wanted = found.matrix() if matrix else None
        summary, units = found.summary(over=over or ()), found.per_unit() if per_unit else None
    if wanted is not None:
        deliver_table(wanted, shape, output)
    else:
        deliver(summary, units, asked, shape, output)


def _read(
    files: list[str] | None, reading: RunReading, columns: Mapping[str, str], stores: Mapping[str, str] | None
) -> Any:
    """Runs as it is said that they are read; tables of items are handed in one by one."""
    if files is None:
        return None
    return reading.runs(files[0] if len(files) == 1 else files, columns, stores)


def _of_both(columns: dict[str, str]) -> dict[str, str]:
    """The columns of runs, and of tables of items."""
    from ireval_frames.similarity.schemas import ITEMS

    return {ours: theirs for named in of_tables(columns, RUN, ITEMS) for ours, theirs in (named or {}).items()}
