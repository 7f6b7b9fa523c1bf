"""What is known of a value in a statement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Known:
    """What is known of a value.

    Attributes:
        kind: "text", "double", "integer", "boolean"; "" for what is not known, and for other types.
        null: whether it may be null.
        of: what a list holds.
        literal: a double that is made of literals and whole numbers.
    """

    kind: str = ""
    null: bool = True
    of: Known | None = None
    literal: bool = False


Sources = Mapping[str, Mapping[str, Known]]
"""The columns of tables, by the names that the statement has for them."""
