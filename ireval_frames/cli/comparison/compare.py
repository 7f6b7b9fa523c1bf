"""`ireval compare`: which system is better, by how much, and how sure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any

from ireval_frames.cli.options.arguments import runs_and_measures
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import By, Measures, OutputFile, at_most_one, key_values
from ireval_frames.cli.options.rankings import RankingOptions
from ireval_frames.cli.options.values import ValueColumns
from ireval_frames.cli.output.capture import found as kept
from ireval_frames.cli.output.documents import Shape, deliver_written, shape_of, written_so
from ireval_frames.cli.output.progress import working
from ireval_frames.cli.output.tables import Format, deliver_table, write_bytes
from ireval_frames.comparison.options import ComparisonOptions
from ireval_frames.displayed import displays_of
from ireval_frames.errors import InvalidParameter
from ireval_frames.parameters import as_written

EXAMPLES = """\b
Examples:
  ireval compare qrels.txt runs/*.run -m "nDCG@10 AP"       every two runs
  ireval compare qrels.txt runs/*.run -m AP --baseline bm25 --test randomization
  ireval compare qrels.txt runs/*.run -m AP --test t,wilcoxon --set zeros=pratt
  ireval compare qrels.txt runs/*.run --queries topics.tsv --by lang --format csv
  ireval compare qrels.txt runs/*.run -m "nDCG@10 AP RR" --format latex
  ireval compare values.parquet --unit user_id --system variant --test welch
  ireval compare values.csv --lower-is-better latency --explain
  ireval compare --values a.txt b.txt -m "map P_10"         two outputs of trec_eval -q

\b
One file is a table of values per unit: long (query_id, run_id, measure, value), with
a column per measure, or with a column per system; --unit, --system and --value name
its columns.  Several are judgments and runs, which are evaluated first.  With --values
each file is what trec_eval -q, ir_measures --by_query, ranx or pytrec_eval wrote, or a
table of query_id, measure and value, and is a system of the file's name.

\b
Formats: table (means with marks, and each pair), markdown, latex and html for
papers and pages, and csv, json, parquet (a row per pair and test, in full).
"""


@command(epilog=EXAMPLES)
def compare(
    arguments: Annotated[
        list[str],
        Argument(
            metavar="QRELS RUN... | VALUES", help="Judgments and runs, a table of values, or with --values several."
        ),
    ],
    measures: Measures = None,
    values: Annotated[
        bool, Option("--values", help="All files hold values per query, as trec_eval -q writes; a system each.")
    ] = False,
    set_: Annotated[
        list[str] | None,
        Option("--set", metavar="NAME=VALUE", help="What one test alone reads, such as zeros=pratt; repeatable."),
    ] = None,
    systems: Annotated[bool, Option("--systems", help="A row per system: mean, interval, rank.")] = False,
    anova: Annotated[bool, Option("--anova", help="The analysis of variance.")] = False,
    differences: Annotated[bool, Option("--differences", help="A row per pair and unit.")] = False,
    explain: Annotated[bool, Option("--explain", help="The conventions in force, in words.")] = False,
    by: By = None,
    replicate: Annotated[
        str | None, Option("--replicate", metavar="COLUMN", help="Of VALUES: what tells replicates apart.")
    ] = None,
    label: Annotated[
        str | None, Option("--label", metavar="COLUMN", help="Of VALUES: the unit's class, for delong.")
    ] = None,
    format: Annotated[
        Shape | None, Option("--format", "-f", help="How to write the result; by default as -o's name tells.")
    ] = None,
    output: OutputFile = None,
    *,
    comparison: ComparisonOptions,
    columns: ValueColumns,
    reading: RankingOptions,
) -> None:
    """Compare systems: differences, tests, intervals, effect sizes."""
    shape = shape_of(format, output)
    at_most_one(systems=systems, anova=anova, differences=differences, explain=explain)
    written_so(shape, systems=systems, anova=anova, differences=differences, explain=explain)
    of_runs = {
        "--measure": measures, "--queries": reading.queries, "--column": reading.column, "--policy": reading.policy,
        **reading.options(),
    }  # fmt: skip
    of_values = {**columns.options(), "--replicate": replicate, "--label": label}
    if values:
        _of_written(arguments, {n: v for n, v in {**of_runs, **of_values}.items() if n not in _OF_WRITTEN})
    else:
        _read(of_values if len(arguments) > 1 else of_runs, runs=len(arguments) > 1)
    more = {name: as_written(v) for name, v in key_values(set_, "--set", "NAME=VALUE", "zeros=pratt").items()}
    options = replace(comparison, more=more).arguments()
    stores, engine = reading.stores, reading.engine
    from ireval_frames.comparison import compare as compared

    with working("comparing"):
        if values:
            from ireval_frames.comparison.values.files import read_values, select_measures

            names = [name for text in measures or () for name in text.replace(",", " ").split()]
            rows, falling = select_measures(read_values(arguments, storage_options=stores), names)
            told = [*falling, *columns.lower]
            found = compared(rows, lower_is_better=told, engine=engine, **options)
        elif len(arguments) == 1:
            found = compared(
                arguments[0],
                by=by or (),
                replicate=replicate,
                label=label,
                lower_is_better=columns.lower,
                engine=engine,
                storage_options=stores,
                **columns.arguments(),
                **options,
            )
        else:
            runs, wanted = runs_and_measures(arguments[1:], measures or ())
            subject = reading.rankings(arguments[0], runs, by=by)
            found = subject.evaluate(wanted).compare(**options)
        kept(found)
        if explain:
            write_bytes(f"{found.explain()}\n".encode(), output)
            return
        table = (
            found.systems() if systems
            else found.anova() if anova
            else found.differences() if differences
            else None
        )  # fmt: skip
        if table is None and shape in (Shape.csv, Shape.json, Shape.parquet):
            table = found.table()
        made = displays_of(found)[0] if table is None else None
    if table is not None:
        deliver_table(table, Format(shape) if shape.value in set(Format) else Format.table, output)
    elif made is not None:
        deliver_written(made, shape, output)


# What several files of values take besides what all comparisons do.
_OF_WRITTEN = ("--measure", "--lower-is-better")


def _of_written(files: list[str], others: Mapping[str, Any]) -> None:
    """Refuse one file, and options that such files do not take.

    Raises:
        InvalidParameter: there is one.
    """
    if len(files) < 2:
        raise InvalidParameter("--values is of several files, and there is one.", "Write --values a.txt b.txt")
    for option, given in others.items():
        if given:
            raise InvalidParameter(f"{option} is not of --values, whose columns are known.", f"Leave {option} out.")


def _read(given: Mapping[str, object], *, runs: bool) -> None:
    """Refuse options of the other kind of files.

    Raises:
        InvalidParameter: one is given.
    """
    for name, value in given.items():
        if value and runs:
            raise InvalidParameter(
                f"{name} is of a table of values; here are judgments and runs.", "Leave it out, or hand in one file."
            )
        if value:
            raise InvalidParameter(
                f"{name} is of judgments and runs; here is one file, of values.", f"Leave {name} out, or add runs."
            )
