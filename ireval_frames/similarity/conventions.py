"""What can be chosen when rankings are compared, each with what it means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ireval_frames.errors import InvalidParameter

# By option: the values it may have, the default first, and a sentence about each.
CONVENTIONS: dict[str, dict[str, str]] = {
    "ties": {
        "tied": "Items of equal score are tied, and every measure says what it makes of ties.",
        "trec_eval": "Items of equal score are put in descending order of their ids before anything is compared.",
        "doc_id": "Items of equal score are put in ascending order of their ids before anything is compared.",
    },
    "items": {
        "common": "Rank correlations are over the items that both rankings have.",
        "same": "Two rankings of one query that do not hold the same items are an error.",
    },
    "missing": {
        "undefined": "Where one of two rankings lacks a query, every measure is undefined there.",
        "skip": "Queries that one of two rankings lacks are left out.",
        "error": "A query that one of two rankings lacks is an error.",
    },
}


def check(options: Mapping[str, Any]) -> None:
    """Refuse values that an option does not have.

    Raises:
        InvalidParameter: the message lists those it has.
    """
    for name, value in options.items():
        if value not in CONVENTIONS[name]:
            allowed = list(CONVENTIONS[name])
            raise InvalidParameter(
                f"{name} is {value!r}; allowed: {', '.join(allowed)}.", f'Write {name}="{allowed[0]}".'
            )


def described(options: Mapping[str, Any]) -> list[tuple[str, Any, str, str]]:
    """Each option with its value and what it means."""
    return [(name, value, CONVENTIONS[name][value], "a choice of rank_similarity") for name, value in options.items()]
