"""`ireval gate`: whether a candidate may replace a baseline."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from ireval_frames.cli.comparison.gate_sides import GateRequest, named, ruled, sides
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import By, OutputFile, Seed, key_values
from ireval_frames.cli.options.rankings import RankingOptions
from ireval_frames.cli.options.values import ValueColumns
from ireval_frames.cli.output.progress import working
from ireval_frames.cli.output.tables import Format, chosen, deliver_table, write_bytes
from ireval_frames.errors import FileError
from ireval_frames.stats.sample import N_RESAMPLES

if TYPE_CHECKING:
    from ireval_frames.gating import Gate
    from ireval_frames.store import Store

EXAMPLES = """\b
Examples:
  ireval gate qrels.txt --baseline main.run --candidate new.run -m "nDCG@10 AP"
  ireval gate qrels.txt --baseline main.run --candidate new.run \\
      -r "nDCG@10 not worse by 0.02" -r "AP drop <= 1%" -r "units AP worst <= 5"
  ireval gate qrels.txt --baseline baseline.parquet --candidate new.run --rules gate.toml
  ireval gate --baseline old.csv --candidate new.csv --unit user_id -r "no harm"
  ireval gate qrels.txt --candidate new.run -r "nDCG@10 >= 0.38"
  ireval gate store:nightly qrels.txt new.run --store results --keep
  ireval gate … --junit gate.xml --markdown gate.md --github

\b
Rules: MEASURE >= X, MEASURE <= X (the mean), MEASURE drop <= X (or X%), MEASURE no
harm (by default, of all measures), MEASURE not worse by X, MEASURE same within X,
units MEASURE worst <= N [by X].  Behind them may stand "over all units" or "in each
segment" (of --by), and "undecided passes" or "undecided fails" after a comma.
About earlier evaluations in the store: MEASURE drop <= X from best of last N, from
median of last N, from last passed; MEASURE as usual in last N.

\b
With judgments, --baseline and --candidate are runs, or tables of values per unit,
such as ireval evaluate -q -o baseline.parquet writes; without, tables of values.
store:NAME is a stored evaluation by its tag, its id or the beginning of it, and
store:NAME/RUN one of its runs; before the judgments it is the baseline.  What
stands behind the judgments is the candidate.

\b
Exit codes: 0 all rules pass, 1 the data are at fault, 2 the command is, 3 a rule
failed, 4 something could not be compared (other judgments, conventions or units).
"""

# Bytes that GitHub takes of a step's summary, and the most that one sign of text is.
SUMMARY, WIDEST = 1 << 20, 4
SUMMARY_FILE = "GITHUB_STEP_SUMMARY"


class Shape(StrEnum):
    """How a gate is written."""

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
        list[str] | None, Option("--baseline", metavar="FILE", help="Runs or values; runs are repeatable.")
    ] = None,
    candidate: Annotated[
        list[str] | None, Option("--candidate", metavar="FILE", help="Runs or values; runs are repeatable.")
    ] = None,
    rule: Annotated[
        list[str] | None, Option("-r", "--rule", metavar="TEXT", help='A rule; repeatable; by default "no harm".')
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
    cluster: Annotated[
        str | None, Option("--cluster", metavar="COLUMN", help="Of units: its groups are compared by means.")
    ] = None,
    test: Annotated[str | None, Option("--test", metavar="NAME", help="auto (default), t or randomization.")] = None,
    confidence: Annotated[float | None, Option("--confidence", help="Of intervals; 0.95 by default.")] = None,
    n_resamples: Annotated[int, N_RESAMPLES] = 10_000,
    seed: Seed = 0,
    store: Annotated[
        str, Option("--store", metavar="FOLDER", envvar="IREVAL_STORE", help="Where store:NAME and --keep are.")
    ] = "results",
    keep: Annotated[
        bool, Option("--keep", help="Keep the candidate's evaluation, its judgments and the verdicts.")
    ] = False,
    collection: Annotated[str, Option("--collection", metavar="NAME", help="With --keep: what was searched.")] = "",
    set_: Annotated[
        list[str] | None, Option("--set", metavar="NAME=VALUE", help="With --keep: a tag, such as commit=3f2a.")
    ] = None,
    junit: Annotated[str | None, Option("--junit", metavar="FILE", help="Write JUnit's XML besides.")] = None,
    markdown: Annotated[str | None, Option("--markdown", metavar="FILE", help="Write Markdown besides.")] = None,
    json: Annotated[str | None, Option("--json", metavar="FILE", help="Write JSON besides.")] = None,
    gitlab: Annotated[
        str | None, Option("--gitlab", metavar="FILE", help="Write GitLab's report of code quality besides.")
    ] = None,
    github: Annotated[
        bool, Option("--github", help="Annotate what did not pass, and add to the step's summary.")
    ] = False,
    azure: Annotated[bool, Option("--azure", help="Annotate what did not pass, for Azure Pipelines.")] = False,
    teamcity: Annotated[bool, Option("--teamcity", help="Annotate what did not pass, for TeamCity.")] = False,
    format: Annotated[
        Shape | None, Option("--format", "-f", help="How to write the result; by default as -o's name tells.")
    ] = None,
    output: OutputFile = None,
    *,
    columns: ValueColumns,
    reading: RankingOptions,
) -> None:
    """Hold a candidate against a baseline by rules; the exit code tells whether it may pass."""
    shape = _shape(format, output)
    files = named(arguments or (), baseline, candidate)
    tags = key_values(set_, "--set", "NAME=VALUE", "commit=3f2a")
    from ireval_frames.gating import gate as judged

    given = {"by": by, "cluster": cluster, "test": test, "confidence": confidence}
    given["lower_is_better"] = columns.lower or None
    asked = ruled(rules, rule, measures, values=files.qrels is None)
    asked |= {name: v for name, v in given.items() if v is not None}
    if keep:
        _opened(store)
    with working("judging"):
        made = sides(files, GateRequest(asked["rules"], measures, asked.get("by"), baseline_qrels, store), reading)
        found = judged(
            made["baseline"],
            made["candidate"],
            n_resamples=n_resamples,
            seed=seed,
            engine=reading.engine,
            storage_options=reading.stores,
            store=store,
            **columns.arguments(),
            **asked,
        )
    _deliver(found, shape, output)
    besides = {Shape.junit: junit, Shape.markdown: markdown, Shape.json: json, Shape.gitlab: gitlab}
    for kind, path in besides.items():
        if path is not None:
            _deliver(found, kind, path)
    # A document on standard output stays whole: commands go beside it, where services read them too.
    beside = shape is not Shape.table and output in (None, "-")
    for service, asked_for in (("github", github), ("azure", azure), ("teamcity", teamcity)):
        if asked_for:
            click.echo(found.annotations(service), nl=False, err=beside)
    if github:
        _summarise(found)
    if keep:
        _keep(found, made["candidate"], store, collection, tags)
    raise click.exceptions.Exit(found.exit_code)


def _opened(folder: str) -> Store:
    """The store, made if it is not there."""
    from ireval_frames.store import Store

    return Store(folder)


def _keep(found: Gate, candidate: Any, folder: str, collection: str, tags: dict[str, str]) -> None:
    """Keep the candidate with its judgments, if it was evaluated here, and the verdicts; tell their ids."""
    from ireval_frames.evaluation.evaluation import Evaluation

    store, command = _opened(folder), shlex.join(["ireval", *sys.argv[1:]])
    if isinstance(candidate, Evaluation):
        added = store.add(candidate, collection=collection, tags=tags, command=command)
        click.echo(f"kept evaluation {added} in {folder}", err=True)
        # A later gate then tells which judgments are others.
        store.keep(candidate, only="qrels")
    added = store.add(found, collection=collection, tags=tags, command=command)
    click.echo(f"kept gate {added} in {folder}", err=True)


def _shape(format: Shape | None, output: str | None) -> Shape:
    """The format asked for, else the one that the file's name tells."""
    suffix = Path(output).suffix.lower() if output else ""
    if format is None and suffix in _SUFFIXES:
        return _SUFFIXES[suffix]
    if format is not None and format.value not in set(Format):
        return format
    return Shape(chosen(None if format is None else Format(format.value), output).value)


def _deliver(found: Gate, shape: Shape, output: str | None) -> None:
    from ireval_frames.gating import telling

    match shape:
        case Shape.csv | Shape.parquet:
            deliver_table(found.table(), Format(shape.value), output)
        case Shape.markdown:
            write_bytes(found.to_markdown().encode(), output)
        case Shape.json:
            write_bytes(found.to_json().encode(), output)
        case Shape.junit:
            write_bytes(found.to_junit().encode(), output)
        case Shape.gitlab:
            write_bytes(found.to_gitlab().encode(), output)
        case _:
            write_bytes(f"{telling.text(found.written(), _width(output))}\n".encode(), output)


def _width(output: str | None) -> int | None:
    """How wide the terminal is; None where the output goes elsewhere."""
    return shutil.get_terminal_size().columns if output in (None, "-") and sys.stdout.isatty() else None


def _summarise(found: Gate) -> None:
    """Add to the summary of the step, where GitHub says where that is, and as much as it takes.

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
                stream.write(found.to_markdown(room))
    except OSError as error:
        # What other steps wrote stays as it was.
        with suppress(OSError):
            os.truncate(path, before)
        raise FileError(
            f"{path}: {error.strerror or error}.", f"Unset {SUMMARY_FILE}, or leave --github out."
        ) from None
