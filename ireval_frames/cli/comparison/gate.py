"""`ireval gate`: whether a candidate may replace a baseline."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click
from click.core import ParameterSource

from ireval_frames.cli.comparison.gate_sides import RuleSet, SideFiles, rules_and_options, sides
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import By, OutputFile, key_values
from ireval_frames.cli.options.evaluation import ValueColumns
from ireval_frames.cli.options.rankings import RankingOptions
from ireval_frames.cli.output.running import working
from ireval_frames.cli.output.tables import Format, deliver_table, format_of, write_bytes
from ireval_frames.errors import FileError
from ireval_frames.gating.options import GateOptions

if TYPE_CHECKING:
    from ireval_frames.evaluation.evaluation import Evaluation
    from ireval_frames.gating import Gate
    from ireval_frames.store import Store

EXAMPLES = """\b
Examples:
  ireval gate qrels.txt --baseline main.run --candidate new.run -m "nDCG@10 AP"
  ireval gate qrels.txt --baseline main.run --candidate new.run \\
      -r "nDCG@10 non-inferior within 0.02" -r "AP drop <= 1%" -r "units AP worst <= 5"
  ireval gate qrels.txt --baseline baseline.parquet --candidate new.run --rules gate.toml
  ireval gate --baseline old.csv --candidate new.csv --unit user_id -r "no significant loss"
  ireval gate qrels.txt --candidate new.run -r "nDCG@10 >= 0.38"
  ireval gate store:nightly qrels.txt new.run --store results --keep
  ireval gate … --junit gate.xml --markdown gate.md --github

\b
Rules: MEASURE >= X, MEASURE <= X (the mean), MEASURE drop <= X (or X%), MEASURE no
significant loss (by default, of all measures), MEASURE non-inferior within X,
MEASURE same within X, units MEASURE worst <= N [by X].  They may end with "over all
units" or "in each segment" (of --by), and with ", undecided passes" or ", undecided
fails".
About earlier evaluations in the store: MEASURE drop <= X from best of last N, from
median of last N, from last passed; MEASURE as usual in last N.

\b
With judgments, --baseline and --candidate are runs, or tables of values per unit,
such as ireval evaluate -q -o baseline.parquet writes; without, tables of values.
store:NAME is a stored evaluation by its tag, its id or the beginning of it, and
store:NAME/RUN one of its runs; before the judgments it is the baseline.  Runs
after the judgments are the candidate.

\b
Exit codes: 0 all rules pass, 1 the data are at fault, 2 the command is, 3 a rule
failed, 4 something could not be compared (other judgments, conventions or units).
"""

COMMANDLINE = ParameterSource.COMMANDLINE
# The size in bytes that a step's summary on GitHub may have, and that of the longest character.
SUMMARY, WIDEST = 1 << 20, 4
SUMMARY_FILE = "GITHUB_STEP_SUMMARY"


class Shape(StrEnum):
    """The format of the result."""

    table = "table"
    markdown = "markdown"
    json = "json"
    junit = "junit"
    gitlab = "gitlab"
    csv = "csv"
    parquet = "parquet"


_SUFFIXES = {".md": Shape.markdown, ".json": Shape.json, ".xml": Shape.junit}


@command(epilog=EXAMPLES)
def gate(
    arguments: Annotated[
        list[str] | None,
        Argument(metavar="[store:NAME] [QRELS] [RUN…]", help="Baseline, judgments of both sides, candidate."),
    ] = None,
    baseline: Annotated[
        list[str] | None,
        Option("--baseline", metavar="FILE", help="The baseline: a table of values, or runs; repeatable."),
    ] = None,
    candidate: Annotated[
        list[str] | None,
        Option("--candidate", metavar="FILE", help="The candidate: a table of values, or runs; repeatable."),
    ] = None,
    rule: Annotated[
        list[str] | None,
        Option("-r", "--rule", metavar="TEXT", help='A rule; repeatable; by default "no significant loss".'),
    ] = None,
    rules: Annotated[str | None, Option("--rules", metavar="FILE", help="A TOML file of rules.")] = None,
    measures: Annotated[
        list[str] | None,
        Option("-m", "--measure", metavar="TEXT", help="Measures of rules that name none; repeatable."),
    ] = None,
    baseline_qrels: Annotated[
        str | None, Option("--baseline-qrels", metavar="FILE", help="The baseline's judgments, if others.")
    ] = None,
    by: By = None,
    store: Annotated[
        str, Option("--store", metavar="FOLDER", envvar="IREVAL_STORE", help="The store of store:NAME and --keep.")
    ] = "results",
    keep: Annotated[
        bool, Option("--keep", help="Store the candidate's evaluation, its judgments and the verdicts.")
    ] = False,
    collection: Annotated[
        str, Option("--collection", metavar="NAME", help="The name of the collection, with --keep.")
    ] = "",
    set_: Annotated[
        list[str] | None,
        Option("--set", metavar="NAME=VALUE", help="A tag, such as commit=3f2a, with --keep; repeatable."),
    ] = None,
    junit: Annotated[str | None, Option("--junit", metavar="FILE", help="Also write JUnit's XML.")] = None,
    markdown: Annotated[str | None, Option("--markdown", metavar="FILE", help="Also write Markdown.")] = None,
    json: Annotated[str | None, Option("--json", metavar="FILE", help="Also write JSON.")] = None,
    gitlab: Annotated[
        str | None, Option("--gitlab", metavar="FILE", help="Also write GitLab's report of code quality.")
    ] = None,
    github: Annotated[
        bool, Option("--github", help="Annotate what did not pass, and add to the step's summary.")
    ] = False,
    azure: Annotated[bool, Option("--azure", help="Annotate what did not pass, for Azure Pipelines.")] = False,
    teamcity: Annotated[bool, Option("--teamcity", help="Annotate what did not pass, for TeamCity.")] = False,
    format: Annotated[
        Shape | None, Option("--format", "-f", help="The format of the result; by default that of -o's name.")
    ] = None,
    output: OutputFile = None,
    *,
    options: GateOptions,
    columns: ValueColumns,
    reading: RankingOptions,
    context: click.Context,
) -> None:
    """Compare a candidate with a baseline by rules; the exit code says whether it passes."""
    shape = _shape(format, output)
    files = SideFiles.parse(arguments or (), baseline, candidate)
    tags = key_values(set_, "--set", "NAME=VALUE", "commit=3f2a")
    from ireval_frames.gating import gate as run_gate

    parsed, file_options = rules_and_options(rules, rule, measures, of_values=files.qrels is None)
    # An option of the command line takes precedence over the file's, also if it is the default.
    own = {n: v for n, v in options.arguments().items() if context.get_parameter_source(n) is COMMANDLINE}
    own |= {n: v for n, v in {"by": by, "lower_is_better": columns.lower}.items() if v}
    merged = {**file_options, **own}
    if keep:
        # Fails before the evaluation, if it does.
        _store(store)
    with working("judging"):
        both = sides(files, RuleSet(parsed, measures, merged.get("by"), baseline_qrels, store), reading)
        result = run_gate(
            both["baseline"],
            both["candidate"],
            parsed,
            engine=reading.engine,
            storage_options=reading.stores,
            store=store,
            **columns.arguments(),
            **merged,
        )
    _deliver(result, shape, output)
    for kind, path in {Shape.junit: junit, Shape.markdown: markdown, Shape.json: json, Shape.gitlab: gitlab}.items():
        if path is not None:
            _deliver(result, kind, path)
    # Documents on standard output stay valid: annotations go to standard error, which services read, too.
    to_stderr = shape is not Shape.table and output in (None, "-")
    for service, requested in (("github", github), ("azure", azure), ("teamcity", teamcity)):
        if requested:
            click.echo(result.annotations(service), nl=False, err=to_stderr)
    if github:
        _summarise(result)
    if keep:
        _keep(result, both["candidate"], store, collection, tags)
    raise click.exceptions.Exit(result.exit_code)


def _store(folder: str) -> Store:
    """The store in a folder, which is created if needed."""
    from ireval_frames.store import Store

    return Store(folder)


def _keep(result: Gate, candidate: str | Evaluation | None, folder: str, collection: str, tags: dict[str, str]) -> None:
    """Store the candidate with its judgments, if it was evaluated here, and the verdicts; report their ids."""
    store, command = _store(folder), shlex.join(["ireval", *sys.argv[1:]])
    if candidate is not None and not isinstance(candidate, str):
        added = store.add(candidate, collection=collection, tags=tags, command=command)
        click.echo(f"kept evaluation {added} in {folder}", err=True)
        # A later gate can then list the judgments that differ.
        store.keep(candidate, only="qrels")
    added = store.add(result, collection=collection, tags=tags, command=command)
    click.echo(f"kept gate {added} in {folder}", err=True)


def _shape(format: Shape | None, output: str | None) -> Shape:
    """The requested format, else that of the file's name."""
    suffix = Path(output).suffix.lower() if output else ""
    if format is None and suffix in _SUFFIXES:
        return _SUFFIXES[suffix]
    if format is not None and format.value not in set(Format):
        return format
    return Shape(format_of(None if format is None else Format(format.value), output).value)


def _deliver(result: Gate, shape: Shape, output: str | None) -> None:
    match shape:
        case Shape.csv | Shape.parquet:
            deliver_table(result.table(), Format(shape.value), output)
        case Shape.markdown:
            write_bytes(result.to_markdown().encode(), output)
        case Shape.json:
            write_bytes(result.to_json().encode(), output)
        case Shape.junit:
            write_bytes(result.to_junit().encode(), output)
        case Shape.gitlab:
            write_bytes(result.to_gitlab().encode(), output)
        case _:
            terminal = output in (None, "-") and sys.stdout.isatty()
            width = shutil.get_terminal_size().columns if terminal else None
            write_bytes(f"{result.to_text(width)}\n".encode(), output)


def _summarise(result: Gate) -> None:
    """Add to the step's summary, if GitHub names its file, up to the size that it allows.

    Raises:
        FileError: the file cannot be written.
    """
    path = os.environ.get(SUMMARY_FILE)
    if not path:
        return
    before = Path(path).stat().st_size if Path(path).is_file() else 0
    try:
        with Path(path).open("a", encoding="utf-8") as stream:
            room = (SUMMARY - before) // WIDEST
            if room > 0:
                stream.write(result.to_markdown(room))
    except OSError as error:
        # Leaves what other steps wrote.
        with suppress(OSError):
            os.truncate(path, before)
        raise FileError(
            f"{path}: {error.strerror or error}.", f"Unset {SUMMARY_FILE}, or leave --github out."
        ) from None
