"""The conventions that change numbers, per family, each named, described and sourced."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from ireval_frames.errors import InvalidParameter, UnknownName, nearest


def _choice(default: str, choices: tuple[str, ...], sentence: str, source: str) -> Any:
    return dataclasses.field(default=default, metadata={"choices": choices, "sentence": sentence, "source": source})


def _whole(sentence: str, source: str) -> Any:
    return dataclasses.field(default=None, metadata={"sentence": sentence, "source": source})


def _word(value: Any) -> Any:
    """A choice as its word: `None` is null, and 0, 0.0 and 1 are written as numbers, too."""
    if value is None:
        return "null"
    if isinstance(value, (int, float)) and not isinstance(value, bool) and value == value // 1:
        return str(int(value))
    return value


@dataclass(frozen=True)
class Conventions:
    """A family's conventions: fields that hold one of a few words, or a whole number or None."""

    presets: ClassVar[dict[str, Any]] = {}

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value, choices = getattr(self, field.name), field.metadata.get("choices")
            if choices and (word := _word(value)) in choices:
                object.__setattr__(self, field.name, word)
                continue
            name = type(self).__name__
            if choices:
                raise InvalidParameter(
                    f"Policy {field.name} is {value!r}; allowed: {', '.join(choices)}.",
                    f'Write {name}({field.name}="{choices[0]}").',
                )
            if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
                raise InvalidParameter(
                    f"Policy {field.name} is {value!r}; it must be a whole number of at least 1, or None.",
                    f"Write {name}({field.name}=1000).",
                )

    @classmethod
    def named(cls, preset: str) -> Self:
        """The preset of that name.

        Raises:
            UnknownName: there is no such preset.
        """
        if preset not in cls.presets:
            raise UnknownName(f"There is no policy preset {preset!r}.", nearest(preset, cls.presets))
        found: Self = cls.presets[preset]
        return found

    @classmethod
    def of(cls, policy: Self | str | Mapping[str, Any] | None) -> Self:
        """A policy from a policy, a preset's name, `field=value` pairs in one string, a mapping, or None (the default).

        Raises:
            UnknownName: no such preset or field.
            InvalidParameter: a value that a field does not allow, or another family's policy.
        """
        if policy is None:
            return cls()
        if isinstance(policy, Conventions):
            if not isinstance(policy, cls):
                raise InvalidParameter(
                    f"The policy is a {type(policy).__name__}; here belongs a {cls.__name__}.",
                    f"Write {cls.__name__}(…).",
                )
            return policy
        if not isinstance(policy, str | Mapping):
            raise InvalidParameter(
                f"The policy is {policy!r}, which is none.", f"Write {cls.__name__}(…), or field=value as text."
            )
        return cls._parsed(policy) if isinstance(policy, str) else cls().with_fields(dict(policy))

    def with_fields(self, changes: dict[str, Any]) -> Self:
        """The policy with some fields changed."""
        known = [f.name for f in dataclasses.fields(self)]
        for name in changes:
            if name not in known:
                raise UnknownName(f"A policy has no field {name!r}.", nearest(name, known))
        return dataclasses.replace(self, **changes)

    def described(self) -> list[tuple[str, Any, str, str]]:
        """Each field with its value, a sentence about the default, and the source."""
        return [
            (f.name, getattr(self, f.name), f.metadata["sentence"], f.metadata["source"])
            for f in dataclasses.fields(self)
        ]

    @classmethod
    def _parsed(cls, text: str) -> Self:
        """`preset`, `field=value,…` or `preset,field=value,…`."""
        policy = cls()
        words = {f.name for f in dataclasses.fields(cls) if "choices" in f.metadata}
        for part in filter(None, (p.strip() for p in text.split(","))):
            name, equals, value = part.partition("=")
            if not equals:
                policy = cls.named(name)
            elif name in words or name not in {f.name for f in dataclasses.fields(cls)}:
                policy = policy.with_fields({name: value})
            elif not value.isdigit() and value != "None":
                raise InvalidParameter(
                    f"Policy {name} is {value!r}; it must be a whole number or None.", f"Write {name}=1000."
                )
            else:
                policy = policy.with_fields({name: int(value) if value.isdigit() else None})
        return policy


@dataclass(frozen=True)
class Policy(Conventions):
    """The conventions in force for one evaluation of rankings.

    The default is what `trec_eval -c` of version 10 does.  Take a preset by name (`Policy.named("trec_eval-9")`) or
    change single fields (`Policy(ties="doc_id", missing="skip")`).  A measure's own parameter wins over the call's.

    Fields:
        ties: `trec_eval` (score descending, then doc_id descending), `doc_id` (doc_id ascending), `rank`
            (the run's own rank column), `expectation` (the mean over all orders of tied documents; P, R,
            CG, DCG, nDCG, nCG and AUC only).
        precision: `64` compares scores as given, `32` as 32-bit floats.
        missing: judged queries absent from the run count `zero`, are left out (`skip`), or are an `error`.
        unknown: queries of the run without judgments are left out (`ignore`) or are an `error`.
        duplicates: the same document twice in a query's list is an `error`, or not looked for (`trust`).
        depth: keep only the first N documents of every query; None keeps all.
        no_relevant: queries without relevant documents count `zero`, are left out (`skip`: those without a
            document of grade 1 or more), or are undefined (`null`).
        undefined: a ratio without a denominator is what the measure declares (`declared`), or `null`.
        unjudged: documents without judgment are not relevant (`nonrelevant`), taken out before ranks are given
            (`removed`, condensed lists), or an `error`.
        interpolation: when recall level x counts as reached: at x·R relevant documents, rounded (`trec_eval-10`), at
            ⌊x·R+0.9⌋ (`trec_eval-9`), or when recall ≥ x (`exact`, as in textbooks).

    Example:
        >>> from ireval_frames import Policy
        >>> Policy.named("trec_eval-9").precision
        '32'
    """

    ties: str = _choice(
        "trec_eval",
        ("trec_eval", "doc_id", "rank", "expectation"),
        "Equal scores are ordered by doc_id descending (bytes of text, size of integers).",
        "trec_eval; McSherry and Najork 2008 for the expectation",
    )
    precision: str = _choice(
        "64",
        ("64", "32"),
        "Scores are compared as 64-bit floats.",
        "trec_eval 10; trec_eval 9 and pytrec_eval use 32 bits",
    )
    missing: str = _choice(
        "zero", ("zero", "skip", "error"), "Judged queries that the run lacks count zero.", "trec_eval -c"
    )
    unknown: str = _choice(
        "ignore", ("ignore", "error"), "Queries of the run without judgments are left out.", "trec_eval"
    )
    duplicates: str = _choice("error", ("error", "trust"), "A document twice in one list is an error.", "trec_eval")
    depth: int | None = _whole("All retrieved documents of a query count.", "trec_eval -M")
    no_relevant: str = _choice(
        "zero", ("zero", "skip", "null"), "Queries without relevant documents count zero.", "trec_eval"
    )
    undefined: str = _choice(
        "declared", ("declared", "null"), "An undefined ratio is what its measure declares.", "trec_eval"
    )
    unjudged: str = _choice(
        "nonrelevant",
        ("nonrelevant", "removed", "error"),
        "Unjudged documents are not relevant.",
        "trec_eval; -J removes them",
    )
    interpolation: str = _choice(
        "trec_eval-10",
        ("trec_eval-10", "trec_eval-9", "exact"),
        "Recall level x is reached at the relevant document number x·R, rounded.",
        "trec_eval 10",
    )


Policy.presets = {
    "trec_eval-10": Policy(),
    "trec_eval-9": Policy(precision="32", interpolation="trec_eval-9"),
}


@dataclass(frozen=True)
class LabelPolicy(Conventions):
    """The conventions in force for one evaluation of labels.

    Fields:
        undefined: a ratio without a denominator is undefined and left out of averages (`null`), `0`, or `1`.
        unlabelled: items whose label is null have an empty set of labels (`empty`), are left out (`skip`), or are an
            `error`.
        missing: of two tables, items that one of them lacks have an empty set there (`empty`), are left out (`skip`),
            or are an `error`.

    Example:
        >>> from ireval_frames import LabelPolicy
        >>> LabelPolicy.named("scikit-learn").undefined
        '0'
    """

    undefined: str = _choice(
        "null",
        ("null", "0", "1"),
        "A ratio without a denominator is undefined, and left out of averages.",
        "SQL; scikit-learn: 0",
    )
    unlabelled: str = _choice(
        "empty",
        ("empty", "skip", "error"),
        "Items without a label have the empty set of labels.",
        "multi-label evaluation",
    )
    missing: str = _choice(
        "empty",
        ("empty", "skip", "error"),
        "Items that one of two tables lacks have the empty set there.",
        "multi-label evaluation",
    )


LabelPolicy.presets = {"scikit-learn": LabelPolicy(undefined="0", unlabelled="error", missing="error")}


@dataclass(frozen=True)
class ClusterPolicy(Conventions):
    """The conventions in force for one evaluation of clusterings.

    Fields:
        missing: items that are in no cluster are clusters of their own (`singleton`), an `error`, left out (`drop`), or
            have precision 1 and recall 0 (`replab`; BCubed only).
        noise: items of the cluster that `noise=` names are clusters of their own (`singleton`), left out (`drop`), or a
            `cluster` like any other.
        unlabelled: items without a class are left out (`drop`), or an `error`.
        undefined: a ratio without a denominator is undefined and left out of averages (`null`), `0`, or `1`.

    Example:
        >>> from ireval_frames import ClusterPolicy
        >>> ClusterPolicy().missing
        'singleton'
    """

    missing: str = _choice(
        "singleton",
        ("singleton", "error", "drop", "replab"),
        "An item in no cluster is a cluster of its own.",
        "PAN 2016",
    )
    noise: str = _choice(
        "singleton", ("singleton", "drop", "cluster"), "Items of the noise cluster are clusters of their own.", "ELKI"
    )
    unlabelled: str = _choice("drop", ("drop", "error"), "Items without a class are left out.", "RepLab 2013")
    undefined: str = _choice(
        "null", ("null", "0", "1"), "A ratio without a denominator is undefined, and left out of averages.", "SQL"
    )


ClusterPolicy.presets = {
    "scikit-learn": ClusterPolicy(missing="error", noise="cluster", unlabelled="error", undefined="0"),
    "replab": ClusterPolicy(missing="replab"),
}


@dataclass(frozen=True)
class PointPolicy(Conventions):
    """The conventions in force for one evaluation of points in clusters.

    Fields:
        missing: points that are in no cluster are an `error`, left out (`drop`), or
            clusters of their own (`singleton`).
        noise: points of the cluster that `noise=` names are left out (`drop`), clusters of their own (`singleton`), or
            a `cluster` like any other.

    Example:
        >>> from ireval_frames import PointPolicy
        >>> PointPolicy(noise="singleton").noise
        'singleton'
    """

    missing: str = _choice("error", ("error", "drop", "singleton"), "Every point is in a cluster.", "scikit-learn")
    noise: str = _choice(
        "drop", ("drop", "singleton", "cluster"), "Points of the noise cluster are left out.", "Ester et al. 1996"
    )


@dataclass(frozen=True)
class OrganizationPolicy(Conventions):
    """The conventions in force for one evaluation of document organization.

    Fields:
        missing: items that one of two tables lacks, or that have no class or no cluster, have no relations there
            (`replab`: not retrieved, of grade 0, in no cluster), are a class or cluster of their own (`singleton`), are
            left out (`drop`), or are an `error`.

    Example:
        >>> from ireval_frames import OrganizationPolicy
        >>> OrganizationPolicy().missing
        'replab'
    """

    missing: str = _choice(
        "replab",
        ("replab", "singleton", "drop", "error"),
        "Items that one side lacks have no relations there: not retrieved, of grade 0, in no cluster.",
        "RepLab 2013",
    )
