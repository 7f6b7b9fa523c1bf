"""The conventions that change numbers, per family, each choice with what it means and who does it so.

One vocabulary serves all families: `skip` leaves out, `error` refuses, `zero` counts zero, `null` makes undefined,
`empty` gives the empty set, `singleton` a class or cluster of one's own, `replab` no relations at all.
"""

from __future__ import annotations

from dataclasses import dataclass

from ireval_frames.conventions import Choice, Conventions, known_units, one_of, whole_or
from ireval_frames.rating_policy import RatingPolicy

# A convention that no tool has: it stands here because someone may want it.
OURS = "ireval-frames"
SKLEARN = "scikit-learn"


def _overlap() -> str:
    """The field of families that read two tables of the same ids."""
    found: str = one_of(
        Choice("error", "Tables that have no id in common are an error; what little they have is told.", OURS),
        Choice("allow", "Tables that have few ids in common, or none, are evaluated without a word.", "ir_measures"),
    )
    return found


@dataclass(frozen=True)
class Policy(Conventions):
    """The conventions in force for one evaluation of rankings.

    The default is what `trec_eval -c` of version 10 does.  Take a preset by name (`Policy.named("trec_eval-9")`) or
    change single fields (`Policy(ties="doc_id", missing="skip")`).  A measure's own parameter wins over the call's.

    Fields:
        ties: how documents of equal score are ordered: `trec_eval` (doc_id descending), `doc_id` (ascending), `rank`
            (the run's own rank column), `expectation` (the mean over all orders; P, R, F, Success, Rprec, RR, AP,
            RBP, FallOut, CG, DCG, nDCG, nCG and AUC only).
        precision: scores are compared as floats of 64 or 32 bits.
        missing: judged queries absent from the run: `zero`, `skip`, `error`.
        unknown: queries of the run without judgments: `skip`, `error`.
        duplicates: the same document twice in a query's list is an `error`, or not looked for (`trust`); or its best
            place counts (`best`), as where passages stand for their documents.
        own_document: a document with the id of its query, such as the question itself, is one like any other (`keep`),
            or left out of the list before ranks are given (`drop`); judgments of it stay.
        depth: keep only the first N documents of every query; None keeps all.
        no_relevant: queries without relevant documents: `zero`, `skip` (those without a document of grade 1 or more),
            `null`.
        undefined: a ratio without a denominator is what the measure declares (`declared`), or None.
        unjudged: documents without judgment are not relevant (`nonrelevant`), taken out before ranks are given
            (`skip`: condensed lists), or an `error`.
        interpolation: when recall level x counts as reached: at x·R relevant documents, rounded (`trec_eval-10`), at
            ⌊x·R+0.9⌋ (`trec_eval-9`), or when recall ≥ x (`exact`, as in textbooks).
        overlap: tables that have no id in common are an `error`, and of those that have few a warning tells; or all is
            evaluated without a word (`allow`).

    Example:
        >>> from ireval_frames import Policy
        >>> Policy.named("trec_eval-9").precision
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
        Choice("zero", "Judged queries that the run lacks count zero.", "trec_eval -c"),
        Choice("skip", "Judged queries that the run lacks are left out.", "trec_eval without -c"),
        Choice("error", "Judged queries that the run lacks are an error.", "ranx"),
    )
    unknown: str = one_of(
        Choice("skip", "Queries of the run without judgments are left out.", "trec_eval"),
        Choice("error", "Queries of the run without judgments are an error.", "ranx"),
    )
    duplicates: str = one_of(
        Choice("error", "A document twice in one list is an error.", "trec_eval"),
        Choice("trust", "Documents that stand twice in one list are not looked for.", OURS),
        Choice("best", "Of a document that stands several times in a list, the best place counts.", "BEIR, MaxP"),
    )
    own_document: str = one_of(
        Choice("keep", "A document with the id of the query is one like any other.", "trec_eval"),
        Choice("drop", "A document with the id of the query is left out before ranks are given.", "BEIR, MTEB"),
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
        Choice("skip", "Unjudged documents are left out before ranks are given.", "Sakai 2007; trec_eval -J"),
        Choice("error", "Unjudged documents are an error.", OURS),
    )
    interpolation: str = one_of(
        Choice(
            "trec_eval-10", "Recall level x is reached at the relevant document number x·R, rounded.", "trec_eval 10"
        ),
        Choice("trec_eval-9", "Recall level x is reached at the relevant document number ⌊x·R+0.9⌋.", "trec_eval 9"),
        Choice("exact", "Recall level x is reached where recall is at least x.", "Manning, Raghavan and Schütze 2008"),
    )
    overlap: str = _overlap()


Policy.presets = {
    "trec_eval-10": Policy(),
    "trec_eval-9": Policy(precision=32, interpolation="trec_eval-9"),
}


@dataclass(frozen=True)
class LabelPolicy(Conventions):
    """The conventions in force for one evaluation of labels.

    Fields:
        undefined: a ratio without a denominator is undefined and left out of averages (None), 0, or 1; or it is
            undefined with all that rests on it (`propagate`): F1 where precision or recall is, and averages over
            classes or items of which one has no value.
        unlabelled: items whose label is null or NaN, whose list of labels is null or holds nothing else, or whose rows
            of a labels table of its own all hold none: `empty` (the empty set of labels), `skip`, `error`.  An empty
            list is no such case: the item is known to have no class.
        missing: of two tables, items that one of them lacks (an item that the labels table does not have is one,
            too): `empty`, `skip`, `error`.
        overlap: tables that have no id in common are an `error`, and of those that have few a warning tells; or all is
            evaluated without a word (`allow`).
        units: rows whose unit is null, which would be one unit together: an `error`, or left out (`drop-null`).

    Example:
        >>> from ireval_frames import LabelPolicy
        >>> LabelPolicy.named("scikit-learn").undefined
        0
    """

    undefined: int | str | None = one_of(
        Choice(None, "A ratio without a denominator is undefined, and left out of averages.", "SQL"),
        Choice(0, "A ratio without a denominator is 0.", SKLEARN),
        Choice(1, "A ratio without a denominator is 1.", f"{SKLEARN}, zero_division=1"),
        Choice(
            "propagate",
            "A ratio without a denominator is undefined, and so is what rests on it: F1 where precision or recall is, "
            "an average where a class or item is.",
            "NA in R",
        ),
    )
    unlabelled: str = one_of(
        Choice("empty", "Items without a label have the empty set of labels.", "multi-label evaluation"),
        Choice("skip", "Items without a label are left out.", OURS),
        Choice("error", "Items without a label are an error.", SKLEARN),
    )
    missing: str = one_of(
        Choice("empty", "Items that one of two tables lacks have the empty set there.", "multi-label evaluation"),
        Choice("skip", "Items that one of two tables lacks are left out.", "SQL, inner join"),
        Choice("error", "Items that one of two tables lacks are an error.", SKLEARN),
    )
    overlap: str = _overlap()
    units: str = known_units()


LabelPolicy.presets = {"scikit-learn": LabelPolicy(undefined=0, unlabelled="error", missing="error")}


@dataclass(frozen=True)
class ClusterPolicy(Conventions):
    """The conventions in force for one evaluation of clusterings.

    Fields:
        missing: items that are in no cluster: clusters of their own (`singleton`), `error`, `skip`, or of precision 1
            and recall 0 (`replab`; BCubed only).
        noise: items of the cluster that `noise_cluster=` names: clusters of their own (`singleton`), `skip`, or a
            `cluster` like any other.
        unlabelled: items without a class: `skip`, `error`.
        undefined: a ratio without a denominator is undefined and left out of averages (None), 0, or 1.
        overlap: tables that have no id in common are an `error`, and of those that have few a warning tells; or all is
            evaluated without a word (`allow`).
        units: rows whose unit is null, which would be one unit together: an `error`, or left out (`drop-null`).

    Example:
        >>> from ireval_frames import ClusterPolicy
        >>> ClusterPolicy().missing
        'singleton'
    """

    missing: str = one_of(
        Choice("singleton", "An item in no cluster is a cluster of its own.", "PAN 2016"),
        Choice("error", "Items in no cluster are an error.", SKLEARN),
        Choice("skip", "Items in no cluster are left out.", OURS),
        Choice("replab", "An item in no cluster has precision 1 and recall 0.", "RepLab 2013"),
    )
    noise: str = one_of(
        Choice("singleton", "Items of the noise cluster are clusters of their own.", "ELKI"),
        Choice("skip", "Items of the noise cluster are left out.", OURS),
        Choice("cluster", "The noise cluster is a cluster like any other.", SKLEARN),
    )
    unlabelled: str = one_of(
        Choice("skip", "Items without a class are left out.", "RepLab 2013"),
        Choice("error", "Items without a class are an error.", SKLEARN),
    )
    undefined: int | None = one_of(
        Choice(None, "A ratio without a denominator is undefined, and left out of averages.", "SQL"),
        Choice(0, "A ratio without a denominator is 0.", SKLEARN),
        Choice(1, "A ratio without a denominator is 1.", OURS),
    )
    overlap: str = _overlap()
    units: str = known_units()


ClusterPolicy.presets = {
    "scikit-learn": ClusterPolicy(missing="error", noise="cluster", unlabelled="error", undefined=0),
    "replab": ClusterPolicy(missing="replab"),
}


@dataclass(frozen=True)
class PointPolicy(Conventions):
    """The conventions in force for one evaluation of points in clusters.

    Fields:
        missing: points that are in no cluster: `error`, `skip`, or clusters of their own (`singleton`).
        noise: points of the cluster that `noise_cluster=` names: `skip`, clusters of their own (`singleton`), or a
            `cluster` like any other.
        units: rows whose unit is null, which would be one unit together: an `error`, or left out (`drop-null`).

    Example:
        >>> from ireval_frames import PointPolicy
        >>> PointPolicy(noise="singleton").noise
        'singleton'
    """

    missing: str = one_of(
        Choice("error", "Points in no cluster are an error.", SKLEARN),
        Choice("skip", "Points in no cluster are left out.", OURS),
        Choice("singleton", "A point in no cluster is a cluster of its own.", OURS),
    )
    noise: str = one_of(
        Choice("skip", "Points of the noise cluster are left out.", "Ester et al. 1996"),
        Choice("singleton", "Points of the noise cluster are clusters of their own.", "ELKI"),
        Choice("cluster", "The noise cluster is a cluster like any other.", SKLEARN),
    )
    units: str = known_units()


@dataclass(frozen=True)
class OrganizationPolicy(Conventions):
    """The conventions in force for one evaluation of document organization.

    Fields:
        missing: items that one of two tables lacks, or that have no class or no cluster: without relations there
            (`replab`: not retrieved, of grade 0, in no cluster), a class or cluster of their own (`singleton`), `skip`,
            `error`.
        overlap: tables that have no id in common are an `error`, and of those that have few a warning tells; or all is
            evaluated without a word (`allow`).
        units: rows whose unit is null, which would be one unit together: an `error`, or left out (`drop-null`).

    Example:
        >>> from ireval_frames import OrganizationPolicy
        >>> OrganizationPolicy().missing
        'replab'
    """

    missing: str = one_of(
        Choice(
            "replab",
            "Items that one side lacks have no relations there: not retrieved, of grade 0, in no cluster.",
            "RepLab 2013",
        ),
        Choice("singleton", "Items that one side lacks are a class or cluster of their own there.", "PAN 2016"),
        Choice("skip", "Items that one side lacks are left out.", OURS),
        Choice("error", "Items that one side lacks are an error.", OURS),
    )
    overlap: str = _overlap()
    units: str = known_units()


@dataclass(frozen=True)
class SimilarityPolicy(Conventions):
    """The conventions in force for one comparison of rankings.

    Fields:
        ties: items of equal score are `tied`, or put in an order first: `trec_eval` (id descending), `doc_id`
            (ascending).
        items: rank correlations are over the `common` items of two rankings; `same` refuses rankings of different ones.
        missing: queries that one of two rankings lacks: undefined (`null`), `skip`, `error`.
        depth: keep only the first N items of every ranking; None keeps all.
        overlap: tables that have no id in common are an `error`, and of those that have few a warning tells; or all is
            evaluated without a word (`allow`).

    Example:
        >>> from ireval_frames import SimilarityPolicy
        >>> SimilarityPolicy(depth=1000).missing
        'null'
    """

    ties: str = one_of(
        Choice("tied", "Items of equal score are tied, and every measure says what it makes of ties.", "Kendall 1945"),
        Choice("trec_eval", "Items of equal score are put in descending order of their ids first.", "trec_eval"),
        Choice("doc_id", "Items of equal score are put in ascending order of their ids first.", "Lin and Yang 2019"),
    )
    items: str = one_of(
        Choice("common", "Rank correlations are over the items that both rankings have.", OURS),
        Choice("same", "Two rankings that do not hold the same items are an error.", "SciPy"),
    )
    missing: str = one_of(
        Choice("null", "Where one of two rankings lacks a query, every measure is undefined there.", OURS),
        Choice("skip", "Queries that one of two rankings lacks are left out.", "SQL, inner join"),
        Choice("error", "A query that one of two rankings lacks is an error.", "SciPy"),
    )
    depth: int | None = whole_or(
        Choice(None, "All items of a ranking count.", "Webber, Moffat and Zobel 2010"),
        Choice(None, "Only the first {} items of a ranking count.", "trec_eval -M"),
    )
    overlap: str = _overlap()


SimilarityPolicy.presets = {"scipy": SimilarityPolicy(items="same", missing="error")}


@dataclass(frozen=True)
class ClickPolicy(Conventions):
    """The conventions in force for one evaluation of a click log.

    Fields:
        positions: the first result of a page has position `one` or `zero`; inside, positions count from 1.
        empty: pages that show nothing are pages without a click (`count`), or left out (`skip`).
        no_click: the reciprocal rank of a page without a click is `zero`, or the page is left out (`skip`).
        duplicates: two results at one position of a page are an `error`, or not looked for (`trust`).
        unshown: clicks on documents without a position, which their page did not show, are an `error`, or left out
            (`skip`).
        undefined: a ratio without a denominator is undefined and left out of averages (None), or 0.
        units: rows whose unit is null, which would be one unit together: an `error`, or left out (`drop-null`).

    Example:
        >>> from ireval_frames import ClickPolicy
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
        Choice("trust", "Two results at one position of a page are not looked for.", OURS),
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
    "ranking": Policy,
    "labels": LabelPolicy,
    "clusters": ClusterPolicy,
    "points": PointPolicy,
    "organization": OrganizationPolicy,
    "similarity": SimilarityPolicy,
    "ratings": RatingPolicy,
    "clicks": ClickPolicy,
}
