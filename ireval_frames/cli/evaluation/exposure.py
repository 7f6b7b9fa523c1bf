"""`ireval exposure`: the attention that rankings give to documents and to groups of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import Arguments, OutputOptions, Seed
from ireval_frames.cli.options.documents import DocumentOptions
from ireval_frames.cli.options.evaluation import TableOptions
from ireval_frames.cli.output.running import capture, working
from ireval_frames.errors import InvalidParameter
from ireval_frames.kernels.browsing import BROWSING
from ireval_frames.parameters import whole

EXAMPLES = """\b
Examples:
  ireval exposure bm25.run --groups groups.csv --target equal
  ireval exposure bm25.run --groups groups.csv --target target.csv "AWRF GroupExposure(group='new')@10"
  ireval exposure bm25.run --groups groups.csv --target equal --policy trecfair --table -f csv
  ireval exposure samples.csv --samples sample --relevant qrels.txt "EED EER EEL" --browsing geometric
  ireval exposure bm25.run --groups groups.csv "ExposureRatio(aggregation='pooled')" --intervals
  ireval exposure bm25.run --relevant qrels.txt NumRetrieved --queries queries.csv --by country --gaps

\b
Lists are files of runs, or tables of query_id, doc_id, and a score or a rank.  Groups have a row per
doc_id and group, with a share if documents are in several.  `ireval measures exposure` lists the
measures.  Formats: table (four decimals), and csv, json, parquet (in full).
"""


@dataclass(frozen=True)
class QueryOptions(DocumentOptions):
    """The measures, and the queries that they are of."""

    arguments: Arguments = None
    doc: Annotated[str | None, Option("--query", metavar="COLUMN", help="The column of queries, or of users.")] = None
    documents: Annotated[
        str | None,
        Option("--queries", metavar="FILE", help="A table of the queries; it may have weights and columns of --by."),
    ] = None

    def of_subject(self) -> dict[str, Any]:
        """The queries and their groups, as arguments of a subject."""
        return {"queries": self.documents, "by": self.by or ()}


def _table(name: str, what: str) -> Any:
    return Option(f"--{name}", metavar="FILE", help=f"{what}: CSV, TSV, JSON lines, Parquet or Arrow.")


@command(epilog=EXAMPLES)
def exposure(
    run: Annotated[str, Argument(metavar="RUN", help="The lists: a run, or a table.")],
    groups: Annotated[str | None, _table("groups", "A row per document and group")] = None,
    target: Annotated[
        str | None,
        Option("--target", metavar="FILE|WORD", help="Shares of groups; or equal, groups, lists, relevant."),
    ] = None,
    relevant: Annotated[
        str | None, Option("--relevant", metavar="FILE", help="Judgments: a file of them, or a table.")
    ] = None,
    samples: Annotated[
        str | None, Option("--samples", metavar="COLUMN", help="The column that tells lists of a query apart.")
    ] = None,
    browsing: Annotated[
        str | None,
        Option("--browsing", metavar="WORD", help=f"How attention falls with the rank: {', '.join(BROWSING.choices)}."),
    ] = None,
    group: Annotated[
        list[str] | None, Option("--group", metavar="COLUMN", help="The column of groups; of several, combinations.")
    ] = None,
    rank: Annotated[
        str | None, Option("--rank", metavar="COLUMN", help="The column of ranks, by which lists are ordered.")
    ] = None,
    table: Annotated[bool, Option("--table", help="The exposure of each group, beside its target.")] = False,
    intervals: Annotated[bool, Option("--intervals", help="Intervals, by resampling queries.")] = False,
    baseline_system: Annotated[
        str | None,
        Option("--baseline-system", metavar="RUN", help="Differences from this system, on the same draws of queries."),
    ] = None,
    gaps: Annotated[bool, Option("--gaps", help="The gap between the groups of --by, with its interval.")] = False,
    resamples: Annotated[
        int, whole(1000, "how often queries are resampled, for intervals, differences and gaps")
    ] = 1000,
    seed: Seed = 0,
    *,
    items: QueryOptions,
    tables: TableOptions,
    out: OutputOptions,
) -> None:
    """Evaluate the exposure of documents and of groups of them: targets, ratios, expected exposure."""
    resampled = {"intervals": intervals, "baseline_system": baseline_system is not None, "gaps": gaps}
    items.at_most_one(table=table, **resampled)
    default = "ExposureRatio ExposureGap" + (" AWRF" if target else "") if groups else "EED EER EEL"
    measures = items.parse("exposure", default)
    if any(resampled.values()) and items.over:
        raise InvalidParameter("--over is for values without intervals.", "Leave --over out.")
    from ireval_frames.exposure import FairExposure
    from ireval_frames.exposure import gaps as gaps_of
    from ireval_frames.resampling import bootstrap

    with working("evaluating"):
        named = tables.arguments()
        if items.doc:
            named["columns"] = {"query_id": items.doc, **named["columns"]}
        subject = FairExposure(
            run, groups, target, relevant, samples=samples, browsing=browsing, group=group, rank=rank,
            **items.of_subject(), **named,
        )  # fmt: skip
        if table:
            result: Any = subject.exposure()
        elif gaps:
            result = gaps_of(subject.evaluate(measures), n_resamples=resamples, seed=seed)
        elif any(resampled.values()):
            drawn = bootstrap(subject, measures, n_resamples=resamples, seed=seed)
            result = drawn.table() if intervals else drawn.compare(baseline_system)
        else:
            result = items.values(capture(subject.evaluate(measures)), measures)
    out.result(result)
