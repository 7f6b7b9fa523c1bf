"""`ireval recommendations`: lists of items that were recommended to users."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import Arguments, Item, OutputOptions, Score
from ireval_frames.cli.options.documents import DocumentOptions
from ireval_frames.cli.options.evaluation import TableOptions
from ireval_frames.cli.output.running import capture, working
from ireval_frames.errors import InvalidParameter
from ireval_frames.parameters import SEED, whole

EXAMPLES = """\b
Examples:
  ireval recommendations recs.csv --train train.csv --catalogue items.csv "MIUF@10 ItemGini@10"
  ireval recommendations recs.csv --train train.csv --relevant test.csv "MAP@10 NDCG@10 UnseenShare@10"
  ireval recommendations recs.csv --features genres.csv ILD@10 -q -o diversity.parquet
  ireval recommendations recs.csv --users users.csv --by age --train train.csv "ARP@10 PopularityLift@10"
  ireval recommendations recs.csv --catalogue items.csv ItemGini@10 --intervals
  ireval recommendations recs.csv --catalogue items.csv ItemGini@10 --baseline-system popular

\b
Files have a row per user and item: user_id, item_id, and of lists a score or a rank; with a
run_id, many systems at once.  `ireval measures recommendations` lists the measures.
Formats: table (four decimals), and csv, json, parquet (in full).
"""
FILE = "{}: CSV, TSV, JSON lines, Parquet or Arrow."


@dataclass(frozen=True)
class UserOptions(DocumentOptions):
    """The measures, and the users that they are of."""

    arguments: Arguments = None
    doc: Annotated[str | None, Option("--user", metavar="COLUMN", help="The column of users.")] = None
    documents: Annotated[
        str | None,
        Option("--users", metavar="FILE", help="A table of the users; it may have weights and columns of --by."),
    ] = None

    def of_subject(self) -> dict[str, Any]:
        """The users and their groups, as arguments of a subject."""
        return {"user": self.doc, "users": self.documents, "by": self.by or ()}


def _table(name: str, what: str) -> Any:
    return Option(f"--{name}", metavar="FILE", help=FILE.format(what))


@command(epilog=EXAMPLES)
def recommendations(
    recs: Annotated[str, Argument(metavar="RECS", help=FILE.format("The lists, a row per user and item"))],
    train: Annotated[str | None, _table("train", "What users used before")] = None,
    relevant: Annotated[str | None, _table("relevant", "The relevant items of users, such as those used later")] = None,
    catalogue: Annotated[str | None, _table("catalogue", "The items that can be recommended")] = None,
    features: Annotated[str | None, _table("features", "A row per item and feature")] = None,
    distances: Annotated[str | None, _table("distances", "A row per two items, with their distance")] = None,
    baseline: Annotated[str | None, _table("baseline", "The lists of another recommender, or one for all")] = None,
    item: Item = None,
    score: Score = None,
    rank: Annotated[
        str | None, Option("--rank", metavar="COLUMN", help="The column of ranks, by which lists are ordered.")
    ] = None,
    intervals: Annotated[bool, Option("--intervals", help="Intervals, by resampling users.")] = False,
    baseline_system: Annotated[
        str | None,
        Option("--baseline-system", metavar="RUN", help="Differences from this system, on the same draws of users."),
    ] = None,
    resamples: Annotated[int, whole(1000, "how often users are resampled, for intervals and differences")] = 1000,
    seed: Annotated[int, SEED] = 0,
    *,
    items: UserOptions,
    tables: TableOptions,
    out: OutputOptions,
) -> None:
    """Evaluate recommended items: novelty, popularity, coverage, diversity, serendipity, calibration, accuracy."""
    items.at_most_one(intervals=intervals, baseline_system=baseline_system is not None)
    measures = items.parse("recommendations", DEFAULT)
    if (intervals or baseline_system is not None) and items.over:
        raise InvalidParameter("--over is for values without intervals.", "Leave --over out.")
    from ireval_frames.recommendations import Recommendations
    from ireval_frames.resampling import bootstrap

    with working("evaluating"):
        subject = Recommendations(
            recs, train, relevant, catalogue=catalogue, features=features, distances=distances, baseline=baseline,
            item=item, score=score, rank=rank, **items.of_subject(), **tables.arguments(),
        )  # fmt: skip
        if intervals or baseline_system is not None:
            resampled = bootstrap(subject, measures, n_resamples=resamples, seed=seed)
            result: Any = resampled.table() if intervals else resampled.compare(baseline_system)
        else:
            result = items.values(capture(subject.evaluate(measures)), measures)
    out.result(result)


# What lists alone tell.
DEFAULT = "NumRecommended UserCoverage CatalogCoverage ItemGini ItemEntropy Personalization@10"
