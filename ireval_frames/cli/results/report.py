"""`ireval report`: an evaluation of runs as one page."""

from __future__ import annotations

import shlex
from typing import Annotated

from ireval_frames.cli.options.arguments import runs_and_measures
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import INTERACTIVE, REPORT_OUTPUT, BuiltPage, By, Measures, Qrels
from ireval_frames.cli.options.rankings import RankingOptions
from ireval_frames.cli.output.running import say_how_to_open, working

EXAMPLES = """\b
Examples:
  ireval report qrels.txt runs/*.run -m "nDCG@10 AP" -o report.html
  ireval report qrels.txt runs/*.run -m nDCG@10 --baseline bm25 -o report.html
  ireval report qrels.txt bm25.run -m "P@1 P@5 P@10 P@20" --title "BM25" -o report.html
  ireval report qrels.txt runs/*.run --queries topics.tsv --by lang -o by-language.html
  ireval report qrels.txt runs/*.run -m AP --interactive -o report   (a folder, with SQL over its tables in the browser)

\b
The page is one file, without scripts unless --interactive, and loads nothing from the network.  Its first
sentence says which run is best, by how much, and with which certainty.
"""


@command(epilog=EXAMPLES)
def report(
    qrels: Qrels,
    arguments: Annotated[list[str], Argument(metavar="RUN", help="Runs: files or patterns; measures may follow them.")],
    output: Annotated[
        str,
        Option("-o", "--output", metavar="FILE", help=REPORT_OUTPUT),
    ] = "report.html",
    measures: Measures = None,
    baseline: Annotated[
        str | None, Option("--baseline", metavar="NAME", help="Compare all others with it, not every two.")
    ] = None,
    title: Annotated[str | None, Option("--title", metavar="TEXT", help="The title of the page.")] = None,
    interactive: Annotated[bool, Option("--interactive", help=INTERACTIVE)] = False,
    page: BuiltPage = None,
    by: By = None,
    *,
    reading: RankingOptions,
) -> None:
    """Write an evaluation of runs as one page: tables, plots, and the findings in words."""
    runs, parsed = runs_and_measures(arguments, measures or ())
    from ireval_frames.reporting import report as write_report

    line = ["ireval", "report", qrels, *runs]
    line += [part for m in parsed for part in ("-m", str(m))]
    named = {
        "--baseline": baseline, "--queries": reading.queries, "--policy": reading.policy, "--engine": reading.engine,
    }  # fmt: skip
    line += [part for name, value in named.items() if value is not None for part in (name, value)]
    line += [part for name in by or () for part in ("--by", name)]
    line += ["--interactive"] if interactive else []
    line += [
        part for name, value in reading.options().items() if value for part in (name, str(value)) if part != "True"
    ]
    command = shlex.join(line)
    with working("reporting"):
        evaluation = reading.rankings(qrels, runs, by=by).evaluate(parsed)
        path = write_report(
            evaluation, output, baseline=baseline, title=title, command=command, interactive=interactive, page=page
        )
    if path.is_dir():
        say_how_to_open(path)
