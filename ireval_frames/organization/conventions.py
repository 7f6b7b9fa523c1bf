"""The conventions of an evaluation of document organization."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from ireval_frames.policy import Conventions


@dataclass(frozen=True)
class OrganizationPolicy(Conventions):
    """The conventions in force for one evaluation of document organization.

    Fields:
        missing: items that one of two tables lacks, or that have no class or no cluster, have no relations there
            (`replab`: not retrieved, of grade 0, in no cluster), are a class or cluster of their own (`singleton`), are
            left out (`drop`), or are an `error`.

    Example:
        >>> from ireval_frames.organization import OrganizationPolicy
        >>> OrganizationPolicy().missing
        'replab'
    """

    missing: str = dataclasses.field(
        default="replab",
        metadata={
            "choices": ("replab", "singleton", "drop", "error"),
            "sentence": "Items that one side lacks have no relations there: not retrieved, of grade 0, in no cluster.",
            "source": "RepLab 2013",
        },
    )
