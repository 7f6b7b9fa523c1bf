"""`ireval diagnose`: where and why two runs differ."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

from ireval_frames import errors
from ireval_frames.cli.options.arguments import DEFAULT, runs_and_measures
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import By, Measures, OutputOptions, Qrels, at_most_one
from ireval_frames.cli.options.rankings import RankingOptions
from ireval_frames.cli.output.running import working
from ireval_frames.cli.output.tables import Format, say
from ireval_frames.errors import Hint, InvalidParameter, UnknownName, listed, nearest

if TYPE_CHECKING:
    import polars as pl

    from ireval_frames.ranking.diagnosis.result import RankingDiagnosis
    from ireval_frames.ranking.evaluation import RankingEvaluation

EXAMPLES = """\b
Examples:
  ireval diagnose qrels.txt runs/*.run -m nDCG@10 --system lsa --baseline bm25       topics by difference
  ireval diagnose qrels.txt bm25.run lsa.run -m AP --baseline bm25 --query 115    both lists of a topic
  ireval diagnose qrels.txt bm25.run lsa.run -m P@10 --baseline bm25 --unjudged 10
  ireval diagnose qrels.txt bm25.run lsa.run -m P@10 --baseline bm25 --to-judge 10
  ireval diagnose qrels.txt runs/*.run --system lsa --baseline bm25 --by lang --queries topics.tsv
  ireval diagnose qrels.txt runs/*.run --system lsa --baseline bm25 --hardest
  ireval diagnose qrels.txt runs/*.run --system lsa --baseline bm25 --only system --depth 10 --format csv

\b
Runs are named by their files.  Of two runs --baseline names one, and the other is
compared with it.  The measure is nDCG@10 by default.
"""


class Which(StrEnum):
    """One of the two lists."""

    system = "system"
    baseline = "baseline"


@command(epilog=EXAMPLES)
def diagnose(
    qrels: Qrels,
    arguments: Annotated[list[str], Argument(metavar="RUN", help="Two runs or more: files or patterns.")],
    baseline: Annotated[str, Option("--baseline", metavar="NAME", help="The run to compare with.")],
    system: Annotated[str | None, Option("--system", metavar="NAME", help="The run that is compared.")] = None,
    measures: Measures = None,
    query: Annotated[str | None, Option("--query", metavar="ID", help="The lists of this topic side by side.")] = None,
    hardest: Annotated[bool, Option("--hardest", help="The hardest topics over all runs.")] = False,
    unjudged: Annotated[
        int | None,
        Option("--unjudged", metavar="K", help="What the unjudged of the first K documents can change."),
    ] = None,
    to_judge: Annotated[
        int | None,
        Option("--to-judge", metavar="K", help="The unjudged of the first K documents: which to judge first."),
    ] = None,
    only: Annotated[Which | None, Option("--only", help="The documents that only this run retrieved.")] = None,
    by: By = None,
    depth: Annotated[
        int | None, Option("--depth", metavar="N", help="The depth of the lists for --query and --only.")
    ] = None,
    *,
    reading: RankingOptions,
    out: OutputOptions,
) -> None:
    """Show where and why two runs differ: topics by difference, or one of the tables of the options."""
    at_most_one(
        query=query is not None, hardest=hardest, unjudged=unjudged is not None, to_judge=to_judge is not None,
        only=only is not None, by=bool(by),
    )  # fmt: skip
    runs, parsed = runs_and_measures(arguments, measures or (), default=DEFAULT[:1])
    with working("diagnosing"):
        evaluation = reading.rankings(qrels, runs).evaluate(parsed)
        measure = None if len(parsed) > 1 else parsed[0]
        d = evaluation.diagnose(system or _other(evaluation, baseline), baseline, measure)
        if to_judge is not None:
            table = d.to_judge(to_judge)
        else:
            table = _table(d, query, only, by, unjudged, depth, hardest=hardest)
        headline = d.headline if out.shape is Format.table and out.output in (None, "-") else ""
    if headline:
        say(f"{headline}\n")
    out.table(table)


def _table(
    d: RankingDiagnosis,
    query: str | None,
    only: Which | None,
    by: list[str] | None,
    unjudged: int | None,
    depth: int | None,
    *,
    hardest: bool,
) -> pl.DataFrame:
    """The requested table."""
    if query is not None:
        return d.documents(query, depth)
    if only is not None:
        return d.only(only.value, depth)
    if unjudged is not None:
        return d.unjudged(unjudged)
    if by:
        return d.segments(by)
    return d.hardest() if hardest else d.topics()


def _other(evaluation: RankingEvaluation, baseline: str) -> str:
    """The run that is not the baseline, if there are two.

    Raises:
        InvalidParameter: there are more, or only one.
        UnknownName: there is no such baseline.
    """
    wide = evaluation.wide()
    names = [str(name) for name in wide["run_id"]] if "run_id" in wide.columns else []
    if len(names) < 2:
        raise InvalidParameter("There is one run, and two are compared.", "Name the files of both.")
    if baseline not in names:
        raise UnknownName(f"baseline is {baseline!r}, and there is no such run.", nearest(baseline, names))
    others = [name for name in names if name != baseline]
    if len(others) == 1:
        return others[0]
    raise InvalidParameter(
        f"There are {len(names)} runs ({listed(names)}), and --system names none.",
        Hint("Write ", errors.Argument("system", others[0])),
    )
