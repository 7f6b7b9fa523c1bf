"""The conventions of ranking evaluation that change numbers, each named, described and sourced."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ireval_frames.errors import InvalidParameter, UnknownName, nearest


def _choice(default: str, choices: tuple[str, ...], sentence: str, source: str) -> Any:
    return dataclasses.field(default=default, metadata={"choices": choices, "sentence": sentence, "source": source})


@dataclass(frozen=True)
class Policy:
    """The conventions in force for one evaluation of rankings.

    The default is what `trec_eval -c` of version 10 does.  Take a preset by name (`Policy.named("trec_eval-9")`) or
    change single fields (`Policy(ties="doc_id", missing="skip")`).  A measure's own parameter wins over the call's.

    Fields:
        ties: `trec_eval` (score descending, then doc_id descending), `doc_id` (doc_id ascending), `rank` (the run's own
            rank column), `expectation` (the mean over all orders of tied documents; P, R, CG, DCG and nDCG only).
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
    precision: str = _choice("64", ("64", "32"), "Scores are compared as 64-bit floats.", "trec_eval 10; trec_eval 9 and pytrec_eval use 32 bits")
    missing: str = _choice("zero", ("zero", "skip", "error"), "Judged queries that the run lacks count zero.", "trec_eval -c")
    unknown: str = _choice("ignore", ("ignore", "error"), "Queries of the run without judgments are left out.", "trec_eval")
    duplicates: str = _choice("error", ("error", "trust"), "A document twice in one list is an error.", "trec_eval")
    depth: int | None = dataclasses.field(default=None, metadata={"sentence": "All retrieved documents of a query count.", "source": "trec_eval -M"})
    no_relevant: str = _choice("zero", ("zero", "skip", "null"), "Queries without relevant documents count zero.", "trec_eval")
    undefined: str = _choice("declared", ("declared", "null"), "An undefined ratio is what its measure declares.", "trec_eval")
    unjudged: str = _choice("nonrelevant", ("nonrelevant", "removed", "error"), "Unjudged documents are not relevant.", "trec_eval; -J removes them")
    interpolation: str = _choice(
        "trec_eval-10",
        ("trec_eval-10", "trec_eval-9", "exact"),
        "Recall level x is reached at the relevant document number x·R, rounded.",
        "trec_eval 10",
    )

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value, choices = getattr(self, field.name), field.metadata.get("choices")
            if choices and value not in choices:
                raise InvalidParameter(
                    f"Policy {field.name} is {value!r}; allowed: {', '.join(choices)}.", f'Write Policy({field.name}="{choices[0]}").'
                )
        if self.depth is not None and (isinstance(self.depth, bool) or not isinstance(self.depth, int) or self.depth < 1):
            raise InvalidParameter(f"Policy depth is {self.depth!r}; it must be a whole number of at least 1, or None.", "Write Policy(depth=1000).")

    @staticmethod
    def named(preset: str) -> Policy:
        """The preset of that name.

        Raises:
            UnknownName: there is no such preset.
        """
        if preset not in PRESETS:
            raise UnknownName(f"There is no policy preset {preset!r}.", nearest(preset, PRESETS))
        return PRESETS[preset]

    @staticmethod
    def of(policy: Policy | str | Mapping[str, Any] | None) -> Policy:
        """A policy from a policy, the name of a preset, `field=value` pairs in one string, a mapping, or None (the default).

        Raises:
            UnknownName: no such preset or field.
            InvalidParameter: a value that a field does not allow.
        """
        match policy:
            case None:
                return Policy()
            case Policy():
                return policy
            case str():
                return _parsed(policy)
            case _:
                return Policy().with_fields(dict(policy))

    def with_fields(self, changes: dict[str, Any]) -> Policy:
        """The policy with some fields changed."""
        known = [f.name for f in dataclasses.fields(self)]
        for name in changes:
            if name not in known:
                raise UnknownName(f"A policy has no field {name!r}.", nearest(name, known))
        return dataclasses.replace(self, **changes)

    def described(self) -> list[tuple[str, Any, str, str]]:
        """Each field with its value, a sentence about the default, and the source."""
        return [(f.name, getattr(self, f.name), f.metadata["sentence"], f.metadata["source"]) for f in dataclasses.fields(self)]


def _parsed(text: str) -> Policy:
    """`preset`, `field=value,…` or `preset,field=value,…`."""
    policy = Policy()
    for part in filter(None, (p.strip() for p in text.split(","))):
        name, equals, value = part.partition("=")
        if not equals:
            policy = Policy.named(name)
        elif name == "depth":
            if not value.isdigit() and value != "None":
                raise InvalidParameter(f"Policy depth is {value!r}; it must be a whole number or None.", "Write depth=1000.")
            policy = policy.with_fields({name: int(value) if value.isdigit() else None})
        else:
            policy = policy.with_fields({name: value})
    return policy


PRESETS = {
    "trec_eval-10": Policy(),
    "trec_eval-9": Policy(precision="32", interpolation="trec_eval-9"),
}
