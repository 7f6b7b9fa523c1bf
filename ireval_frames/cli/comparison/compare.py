"""`ireval compare`: which system is better, by how much, and with which certainty."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any

from ireval_frames.cli.options.arguments import runs_and_measures
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import By, Measures, OutputFile, at_most_one, key_values
from ireval_frames.cli.options.evaluation import ValueColumns
from ireval_frames.cli.options.rankings import RankingOptions
from ireval_frames.cli.output.documents import Shape, check_shape, deliver_tables, shape_of
from ireval_frames.cli.output.running import capture, working
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
  ireval compare qrels.txt runs/*.run -m "P@10 R@10" --unanimous
  ireval compare values.parquet --unit user_id --system variant --test welch
  ireval compare values.csv --lower-is-better latency --explain
  ireval compare --values a.txt b.txt -m "map P_10"         two outputs of trec_eval -q

\b
One file is a table of values per unit: long (query_id, run_id, measure, value), with
a column per measure, or with a column per system; --unit, --system and --value name
its columns.  Several are judgments and runs, which are evaluated first.  With --values
each file is the output of trec_eval -q, ir_measures --by_query, ranx or pytrec_eval, or a
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
        bool, Option("--values", help="All files are values per query, as of trec_eval -q; a system each.")
    ] = False,
    set_: Annotated[
        list[str] | None,
        Option("--set", metavar="NAME=VALUE", help="An option of a single test, such as zeros=pratt; repeatable."),
    ] = None,
    systems: Annotated[bool, Option("--systems", help="A row per system: mean, interval, rank.")] = False,
    anova: Annotated[bool, Option("--anova", help="The analysis of variance.")] = False,
    differences: Annotated[bool, Option("--differences", help="A row per pair and unit.")] = False,
    unanimous: Annotated[
        bool, Option("--unanimous", help="How often a system is better by all measures, whatever they weigh.")
    ] = False,
    explain: Annotated[bool, Option("--explain", help="The conventions in force, in words.")] = False,
    by: By = None,
    replicate: Annotated[
        str | None, Option("--replicate", metavar="COLUMN", help="The column of replicates of VALUES.")
    ] = None,
    label: Annotated[
        str | None, Option("--label", metavar="COLUMN", help="The column of the unit's class in VALUES, for delong.")
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
    shown = {"systems": systems, "anova": anova, "differences": differences, "unanimous": unanimous}
    at_most_one(**shown, explain=explain)
    check_shape(shape, **shown, explain=explain)
    run_options = {
        "--measure": measures, "--queries": reading.queries, "--column": reading.column, "--policy": reading.policy,
        **reading.options(),
    }  # fmt: skip
    value_options = {**columns.options(), "--replicate": replicate, "--label": label}
    if values:
        _check_outputs(arguments, {n: v for n, v in {**run_options, **value_options}.items() if n not in _OUTPUTS})
    else:
        _check_options(value_options if len(arguments) > 1 else run_options, runs=len(arguments) > 1)
    more = {name: as_written(v) for name, v in key_values(set_, "--set", "NAME=VALUE", "zeros=pratt").items()}
    options = replace(comparison, more=more).arguments()
    stores, engine = reading.stores, reading.engine
    from ireval_frames.comparison import compare as compare_values

    with working("comparing"):
        if values:
            from ireval_frames.comparison.values.files import read_values, select_measures

            names = [name for text in measures or () for name in text.replace(",", " ").split()]
            rows, falling = select_measures(read_values(arguments, storage_options=stores), names)
            result = compare_values(rows, lower_is_better=[*falling, *columns.lower], engine=engine, **options)
        elif len(arguments) == 1:
            result = compare_values(
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
            runs, parsed = runs_and_measures(arguments[1:], measures or ())
            result = reading.rankings(arguments[0], runs, by=by).evaluate(parsed).compare(**options)
        capture(result)
        if explain:
            write_bytes(f"{result.explain()}\n".encode(), output)
            return
        table = (
            result.systems() if systems
            else result.anova() if anova
            else result.differences() if differences
            else result.unanimous() if unanimous
            else result.table() if shape in (Shape.csv, Shape.json, Shape.parquet)
            else None
        )  # fmt: skip
        tables = displays_of(result)[0] if table is None else None
    if table is not None:
        deliver_table(table, Format(shape) if shape.value in set(Format) else Format.table, output)
    elif tables is not None:
        deliver_tables(tables, shape, output)


# The options of --values besides those of all comparisons.
_OUTPUTS = ("--measure", "--lower-is-better")


def _check_outputs(files: list[str], others: Mapping[str, Any]) -> None:
    """Refuse a single file, and options that do not apply to outputs of other tools.

    Raises:
        InvalidParameter: there is one.
    """
    if len(files) < 2:
        raise InvalidParameter("--values is of several files, and there is one.", "Write --values a.txt b.txt")
    for option, value in others.items():
        if value:
            raise InvalidParameter(f"{option} is not of --values, whose columns are known.", f"Leave {option} out.")


def _check_options(options: Mapping[str, object], *, runs: bool) -> None:
    """Refuse options of the other kind of files.

    Raises:
        InvalidParameter: there is one.
    """
    for name, value in options.items():
        if value and runs:
            raise InvalidParameter(
                f"{name} is of a table of values; here are judgments and runs.", "Leave it out, or pass one file."
            )
        if value:
            raise InvalidParameter(
                f"{name} is of judgments and runs; here is one file, of values.", f"Leave {name} out, or add runs."
            )
