"""`ireval reproduce`: whether an experiment was reproduced."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import polars as pl

from ireval_frames.cli.options.arguments import runs_and_measures
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import By, Measures, OutputOptions, at_most_one, key_values
from ireval_frames.cli.options.evaluation import ValueColumns
from ireval_frames.cli.options.rankings import RankingOptions
from ireval_frames.cli.output.running import capture, working
from ireval_frames.cli.output.tables import Format, write_bytes
from ireval_frames.errors import InvalidParameter
from ireval_frames.replication.options import ReproductionOptions

EXAMPLES = """\b
Examples:
  ireval reproduce qrels.txt --original "first/*.run" --replica "again/*.run" -m AP --margin 0.01
  ireval reproduce qrels.txt --original bm25.run --replica mine.run --map bm25=mine --rankings "Tau RBO"
  ireval reproduce qrels.txt --original "first/*.run" --replica "again/*.run" --effects --baseline bm25
  ireval reproduce old.txt --original a.run --replica a2.run --replica-qrels new.txt -m AP
  ireval reproduce first.csv again.csv --unit user_id --system variant

\b
Two files are tables of values per unit, the original's and the replica's; one is the
judgments of both runs' topics.  Units of the same name are the same, unless
--design is unpaired.
"""


@command(epilog=EXAMPLES)
def reproduce(
    arguments: Annotated[
        list[str], Argument(metavar="QRELS | ORIGINAL REPLICA", help="Judgments, or two tables of values.")
    ],
    original: Annotated[
        list[str] | None, Option("--original", metavar="RUN", help="The original's runs; repeatable.")
    ] = None,
    replica: Annotated[
        list[str] | None, Option("--replica", metavar="RUN", help="The replica's runs; repeatable.")
    ] = None,
    replica_qrels: Annotated[
        str | None, Option("--replica-qrels", metavar="FILE", help="The replica's judgments, if they differ.")
    ] = None,
    measures: Measures = None,
    map_: Annotated[
        list[str] | None,
        Option("--map", metavar="ORIGINAL=REPLICA", help="The replica's name of a system; repeatable."),
    ] = None,
    effects: Annotated[bool, Option("--effects", help="A row per pair: effect ratio, ΔRI.")] = False,
    correlations: Annotated[bool, Option("--correlations", help="The order of the systems.")] = False,
    rankings_of: Annotated[
        str | None,
        Option("--rankings", metavar="MEASURES", help="The lists of documents: means of measures of similarity."),
    ] = None,
    explain: Annotated[bool, Option("--explain", help="The conventions in force, in words.")] = False,
    by: By = None,
    *,
    reproduction_options: ReproductionOptions,
    columns: ValueColumns,
    reading: RankingOptions,
    out: OutputOptions,
) -> None:
    """Compare an experiment with its replica: scores, effects, orders of systems, lists of documents."""
    at_most_one(effects=effects, correlations=correlations, rankings=rankings_of is not None, explain=explain)
    systems = key_values(map_, "--map", "ORIGINAL=REPLICA", "bm25=mine") or None
    options = replace(reproduction_options, systems=systems).arguments()
    from ireval_frames.replication import reproduction

    with working("comparing"):
        if len(arguments) == 2 and not (original or replica):
            result = reproduction(
                arguments[0],
                arguments[1],
                by=by or (),
                lower_is_better=columns.lower,
                engine=reading.engine,
                storage_options=reading.stores,
                **columns.arguments(),
                **options,
            )
        elif len(arguments) == 1 and original and replica:
            sides = [
                reading.rankings(qrels, runs, by=by).evaluate(runs_and_measures(runs[:1], measures or ())[1])
                for qrels, runs in ((arguments[0], original), (replica_qrels or arguments[0], replica))
            ]
            result = reproduction(sides[0], sides[1], **options)
        else:
            raise InvalidParameter(
                f"There are {len(arguments)} files, {len(original or ())} runs of --original, {len(replica or ())} of "
                "--replica.",
                "Write judgments and runs: qrels.txt --original a.run --replica b.run; or two tables of values.",
            )
        capture(result)
        table: pl.DataFrame | None = None
        if effects:
            table = result.effects()
        elif correlations:
            table = result.correlations()
        elif rankings_of is not None:
            table = result.rankings(rankings_of, summary=True)
        elif out.shape is not Format.table:
            table = result.table()
        text = result.explain() if explain else str(result) if table is None else ""
    if table is None or explain:
        write_bytes(f"{text}\n".encode(), out.output)
    else:
        out.table(table)
