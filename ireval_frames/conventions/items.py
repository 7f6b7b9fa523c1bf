"""The conventions of labels, clusters, points and organization, each choice with what it means and who does it so."""

from __future__ import annotations

from dataclasses import dataclass

from ireval_frames.conventions.base import OURS, Choice, Conventions, known_units, of_two_tables, one_of

SKLEARN = "scikit-learn"


@dataclass(frozen=True)
class LabelPolicy(Conventions):
    """The conventions in force for one evaluation of labels.

    Fields:
        undefined: a ratio without a denominator is undefined and left out of averages (None), 0, or 1; or it is
            undefined with all that rests on it (`propagate`): F1 where precision or recall is, and averages over
            classes or items of which one has no value.
        unlabelled: items whose label is null or NaN, whose list of labels is null or has only nulls, or whose rows in a
            separate labels table have no label: `empty` (the empty set of labels), `skip`, `error`.  Items with an
            empty list are labelled: they have no class.
        missing: items that are in one of two tables only, also those without a row in the labels table: `empty`,
            `skip`, `error`.
        overlap: tables without an id in common are an `error`, tables with few give a warning; or both are evaluated
            without one (`allow`).
        units: rows whose unit is null, which would be one unit together: an `error`, or left out (`drop-null`).

    Example:
        >>> from ireval_frames.labels import LabelPolicy
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
        Choice(
            "empty", "Items that one of two tables does not have get the empty set there.", "multi-label evaluation"
        ),
        Choice("skip", "Items that are in one of two tables only are left out.", "SQL, inner join"),
        Choice("error", "Items that are in one of two tables only are an error.", SKLEARN),
    )
    overlap: str = of_two_tables()
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
        overlap: tables without an id in common are an `error`, tables with few give a warning; or both are evaluated
            without one (`allow`).
        units: rows whose unit is null, which would be one unit together: an `error`, or left out (`drop-null`).

    Example:
        >>> from ireval_frames.clusters import ClusterPolicy
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
    overlap: str = of_two_tables()
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
        >>> from ireval_frames.points import PointPolicy
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
        missing: items that are in one of two tables only, or that have no class or no cluster: without relations there
            (`replab`: not retrieved, of grade 0, in no cluster), a class or cluster of their own (`singleton`), `skip`,
            `error`.
        overlap: tables without an id in common are an `error`, tables with few give a warning; or both are evaluated
            without one (`allow`).
        units: rows whose unit is null, which would be one unit together: an `error`, or left out (`drop-null`).

    Example:
        >>> from ireval_frames.organization import OrganizationPolicy
        >>> OrganizationPolicy().missing
        'replab'
    """

    missing: str = one_of(
        Choice(
            "replab",
            "Items that are on one side only have no relations on the other: not retrieved, of grade 0, in no cluster.",
            "RepLab 2013",
        ),
        Choice(
            "singleton", "Items that are on one side only are a class or cluster of their own on the other.", "PAN 2016"
        ),
        Choice("skip", "Items that are on one side only are left out.", OURS),
        Choice("error", "Items that are on one side only are an error.", OURS),
    )
    overlap: str = of_two_tables()
    units: str = known_units()
