"""The conventions that change numbers, per family, each choice with what it means and who does it so.

One vocabulary serves all families: `skip` leaves out, `error` refuses, `zero` counts zero, `null` makes undefined,
`empty` gives the empty set, `singleton` a class or cluster of one's own, `replab` no relations at all.
"""

from __future__ import annotations

from dataclasses import dataclass

from ireval_frames.conventions.base import OURS, Choice, Conventions, known_units, of_two_tables, one_of, whole_or
from ireval_frames.conventions.coreference import CoreferencePolicy
from ireval_frames.conventions.items import ClusterPolicy, LabelPolicy, OrganizationPolicy, PointPolicy
from ireval_frames.conventions.nuggets import NuggetPolicy
from ireval_frames.conventions.ratings import RatingPolicy
from ireval_frames.conventions.relations import LinkPolicy, RelationPolicy
from ireval_frames.conventions.segmentation import SegmentationPolicy


@dataclass(frozen=True)
class RankingPolicy(Conventions):
    """The conventions in force for one evaluation of rankings.

    The default is what `trec_eval -c` of version 10 does.  Take a preset by name
    (`RankingPolicy.named("trec_eval-9")`) or change single fields (`RankingPolicy(ties="doc_id", missing="skip")`).
    A measure's own parameter wins over the call's.

    Fields:
        ties: how documents of equal score are ordered: `trec_eval` (doc_id descending), `doc_id` (ascending), `rank`
            (the run's own rank column), `expectation` (the mean over all orders; P, R, F, Success, Rprec, RR, AP,
            RBP, FallOut, CG, DCG, nDCG, nCG and AUC only).
        precision: scores are compared as floats of 64 or 32 bits.
        missing: judged queries absent from the run: `zero`, `skip`, `error`.
        unknown: queries of the run without judgments: `skip`, `error`.
        duplicates: the same document twice in a query's list is an `error`, or not checked (`trust`); or its best
            rank counts (`best`), as for passages with the ids of their documents.
        own_document: a document with the id of its query, such as the question itself, counts like any other (`keep`),
            or left out of the list before ranking (`drop`); judgments of it stay.
        depth: keep only the first N documents of every query; None keeps all.
        no_relevant: queries without relevant documents: `zero`, `skip` (those without a document of grade 1 or more),
            `null`.
        undefined: a ratio without a denominator is what the measure declares (`declared`), or None.
        unjudged: documents without judgment are not relevant (`nonrelevant`), removed before ranking
            (`skip`: condensed lists), or an `error`.
        interpolation: when recall level x counts as reached: at x·R relevant documents, rounded (`trec_eval-10`), at
            ⌊x·R+0.9⌋ (`trec_eval-9`), or when recall ≥ x (`exact`, as in textbooks).
        overlap: tables without an id in common are an `error`, tables with few give a warning; or both are evaluated
            without one (`allow`).

    Example:
        >>> from ireval_frames.ranking import RankingPolicy
        >>> RankingPolicy.named("trec_eval-9").precision
        32
    """

    ties: str = one_of(
        Choice(
            "trec_eval",
            "Equal scores are ordered by doc_id descending (bytes of text, size of integers).",
            "trec_eval",
        ),
        Choice("doc_id", "Equal scores are ordered by doc_id ascending.", "Lin and Yang 2019"),
        Choice("rank", "Documents are ordered by the run's own ranks.", "MS MARCO's script"),
        Choice("expectation", "A measure is its mean over all orders of equal scores.", "McSherry and Najork 2008"),
    )
    precision: int = one_of(
        Choice(64, "Scores are compared as 64-bit floats.", "trec_eval 10"),
        Choice(32, "Scores are compared as 32-bit floats.", "trec_eval 9, pytrec_eval"),
    )
    missing: str = one_of(
        Choice("zero", "Judged queries without a list in the run count zero.", "trec_eval -c"),
        Choice("skip", "Judged queries without a list in the run are left out.", "trec_eval without -c"),
        Choice("error", "Judged queries without a list in the run are an error.", "ranx"),
    )
    unknown: str = one_of(
        Choice("skip", "Queries of the run without judgments are left out.", "trec_eval"),
        Choice("error", "Queries of the run without judgments are an error.", "ranx"),
    )
    duplicates: str = one_of(
        Choice("error", "A document twice in one list is an error.", "trec_eval"),
        Choice("trust", "Documents are not checked for being twice in one list.", OURS),
        Choice("best", "Of a document that is several times in a list, the best rank counts.", "BEIR, MaxP"),
    )
    own_document: str = one_of(
        Choice("keep", "A document with the id of the query counts like any other.", "trec_eval"),
        Choice("drop", "A document with the id of the query is left out before ranking.", "BEIR, MTEB"),
    )
    depth: int | None = whole_or(
        Choice(None, "All retrieved documents of a query count.", "trec_eval"),
        Choice(None, "Only the first {} documents of a query count.", "trec_eval -M"),
    )
    no_relevant: str = one_of(
        Choice("zero", "Queries without relevant documents count zero.", "trec_eval"),
        Choice("skip", "Queries without a document of grade 1 or more are left out.", "TREC 2004 Robust, topic 672"),
        Choice("null", "Queries without relevant documents are undefined.", OURS),
    )
    undefined: str | None = one_of(
        Choice("declared", "A ratio without a denominator is what its measure declares.", "trec_eval"),
        Choice(None, "A ratio without a denominator is undefined, and left out of averages.", "SQL"),
    )
    unjudged: str = one_of(
        Choice("nonrelevant", "Unjudged documents are not relevant.", "trec_eval"),
        Choice("skip", "Unjudged documents are left out before ranking.", "Sakai 2007; trec_eval -J"),
        Choice("error", "Unjudged documents are an error.", OURS),
    )
    interpolation: str = one_of(
        Choice(
            "trec_eval-10", "Recall level x is reached at the relevant document number x·R, rounded.", "trec_eval 10"
        ),
        Choice("trec_eval-9", "Recall level x is reached at the relevant document number ⌊x·R+0.9⌋.", "trec_eval 9"),
        Choice("exact", "Recall level x is reached where recall is at least x.", "Manning, Raghavan and Schütze 2008"),
    )
    overlap: str = of_two_tables()


RankingPolicy.presets = {
    "trec_eval-10": RankingPolicy(),
    "trec_eval-9": RankingPolicy(precision=32, interpolation="trec_eval-9"),
}


@dataclass(frozen=True)
class SimilarityPolicy(Conventions):
    """The conventions in force for one comparison of rankings.

    Fields:
        ties: items of equal score are `tied`, or ordered first: `trec_eval` (id descending), `doc_id`
            (ascending).
        items: rank correlations are over the `common` items of two rankings; `same` refuses rankings of different ones.
        missing: queries that only one of two rankings has: undefined (`null`), `skip`, `error`.
        depth: keep only the first N items of every ranking; None keeps all.
        overlap: tables without an id in common are an `error`, tables with few give a warning; or both are evaluated
            without one (`allow`).

    Example:
        >>> from ireval_frames.similarity import SimilarityPolicy
        >>> SimilarityPolicy(depth=1000).missing
        'null'
    """

    ties: str = one_of(
        Choice("tied", "Items of equal score are tied, and every measure defines how it counts ties.", "Kendall 1945"),
        Choice("trec_eval", "Items of equal score are ordered by their ids, descending.", "trec_eval"),
        Choice("doc_id", "Items of equal score are ordered by their ids, ascending.", "Lin and Yang 2019"),
    )
    items: str = one_of(
        Choice("common", "Rank correlations are over the items that both rankings have.", OURS),
        Choice("same", "Two rankings that do not hold the same items are an error.", "SciPy"),
    )
    missing: str = one_of(
        Choice("null", "Every measure is undefined for a query that only one of two rankings has.", OURS),
        Choice("skip", "Queries that only one of two rankings has are left out.", "SQL, inner join"),
        Choice("error", "A query that only one of two rankings has is an error.", "SciPy"),
    )
    depth: int | None = whole_or(
        Choice(None, "All items of a ranking count.", "Webber, Moffat and Zobel 2010"),
        Choice(None, "Only the first {} items of a ranking count.", "trec_eval -M"),
    )
    overlap: str = of_two_tables()


SimilarityPolicy.presets = {"scipy": SimilarityPolicy(items="same", missing="error")}


@dataclass(frozen=True)
class ClickPolicy(Conventions):
    """The conventions in force for one evaluation of a click log.

    Fields:
        positions: the first result of a page has position `one` or `zero`; inside, positions count from 1.
        empty: pages that show nothing are pages without a click (`count`), or left out (`skip`).
        no_click: the reciprocal rank of a page without a click is `zero`, or the page is left out (`skip`).
        duplicates: two results at one position of a page are an `error`, or not checked (`trust`).
        unshown: clicks on documents without a position, which their page did not show, are an `error`, or left out
            (`skip`).
        undefined: a ratio without a denominator is undefined and left out of averages (None), or 0.
        units: rows whose unit is null, which would be one unit together: an `error`, or left out (`drop-null`).

    Example:
        >>> from ireval_frames.clicks import ClickPolicy
        >>> ClickPolicy(positions="zero").positions
        'zero'
    """

    positions: str = one_of(
        Choice("one", "The first result of a page has position 1.", "Craswell, Zoeter, Taylor and Ramsey 2008"),
        Choice("zero", "The first result of a page has position 0.", "User Behavior Insights, some clients"),
    )
    empty: str = one_of(
        Choice("count", "Pages that show nothing are pages without a click.", OURS),
        Choice("skip", "Pages that show nothing are left out.", OURS),
    )
    no_click: str = one_of(
        Choice("zero", "A page without a click has the reciprocal rank 0.", OURS),
        Choice("skip", "Pages without a click are left out of reciprocal ranks.", "Radlinski, Kurup and Joachims 2008"),
    )
    duplicates: str = one_of(
        Choice("error", "Two results at one position of a page are an error.", OURS),
        Choice("trust", "Pages are not checked for two results at one position.", OURS),
    )
    unshown: str = one_of(
        Choice("error", "Clicks on what a page did not show are an error.", OURS),
        Choice("skip", "Clicks on what a page did not show are left out.", "OpenSearch Search Relevance Workbench"),
    )
    undefined: int | None = one_of(
        Choice(None, "A ratio without a denominator is undefined, and left out of averages.", "SQL"),
        Choice(0, "A ratio without a denominator is 0.", OURS),
    )
    units: str = known_units()


# By family, in the order of the pages.
POLICIES: dict[str, type[Conventions]] = {
    "ranking": RankingPolicy,
    "labels": LabelPolicy,
    "clusters": ClusterPolicy,
    "points": PointPolicy,
    "organization": OrganizationPolicy,
    "similarity": SimilarityPolicy,
    "ratings": RatingPolicy,
    "clicks": ClickPolicy,
    "coreference": CoreferencePolicy,
    "relations": RelationPolicy,
    "segmentation": SegmentationPolicy,
    "links": LinkPolicy,
    "nuggets": NuggetPolicy,
}
