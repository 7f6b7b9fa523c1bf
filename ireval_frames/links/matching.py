"""What must be equal of links, and which of them count: matches by name, and the user's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ireval_frames.errors import Argument, Hint, InvalidParameter
from ireval_frames.parameters import Parameter, choice

SPAN = ("start", "end")
# What is compared by default, as far as the tables have it.
DEFAULT = (*SPAN, "kb_id")
# The names of neleval and of the TAC: the columns that must be equal, and which links count.
NAMED: dict[str, tuple[tuple[str, ...], str | None]] = {
    "strong_mention_match": (SPAN, None),
    "strong_typed_mention_match": ((*SPAN, "type"), None),
    "strong_linked_mention_match": (SPAN, "linked"),
    "strong_link_match": ((*SPAN, "kb_id"), "linked"),
    "strong_nil_match": (SPAN, "nil"),
    "strong_all_match": ((*SPAN, "kb_id"), None),
    "strong_typed_link_match": ((*SPAN, "type", "kb_id"), "linked"),
    "strong_typed_nil_match": ((*SPAN, "type"), "nil"),
    "strong_typed_all_match": ((*SPAN, "type", "kb_id"), None),
    "entity_match": (("kb_id",), "linked"),
}
KINDS = ("linked", "nil")
Where = str | tuple[tuple[str, tuple[Any, ...]], ...] | None


def columns_to_compare(value: Any) -> str | tuple[str, ...] | None:
    """A match by its name, or the columns that must be equal.

    Raises:
        ValueError: it is neither.
    """
    if value is None or (isinstance(value, str) and value in NAMED):
        return value
    names = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, Iterable) else ()
    if not names or not all(isinstance(n, str) for n in names) or len(set(names)) < len(names):
        raise ValueError(f"names of columns, such as ['start', 'end', 'kb_id'], or one of {', '.join(NAMED)}")
    return names


ON = Parameter(
    None,
    "what must be equal: columns, or a match by neleval's name; None is what the links have",
    columns_to_compare,
    example="strong_link_match",
)
WHERE = choice(None, *KINDS, what="the links that count: to an entity, or to none (NIL); None is what the links have")
MATCH = choice(
    "strong", "weak", "characters", "max", "sum",
    what="spans are equal; overlap; are counted by characters; or count by the share that the one that covers most of "
    "them (max), or all that overlap (sum), cover",
)  # fmt: skip


def parsed_on(on: Any) -> str | tuple[str, ...] | None:
    """The argument `on` of the subject.

    Raises:
        InvalidParameter: it names no columns.
    """
    parsed: str | tuple[str, ...] | None = ON.check("on", on)
    return parsed


def parsed_where(where: Any) -> Where:
    """The argument `where` of the subject: "linked", "nil", or values by column.

    Raises:
        InvalidParameter: it is none of them.
    """
    if where is None or (isinstance(where, str) and where in KINDS):
        return where
    if isinstance(where, Mapping) and all(isinstance(name, str) for name in where):
        return tuple(
            (name, tuple(values) if isinstance(values, list | tuple | set) else (values,))
            for name, values in where.items()
        )
    raise InvalidParameter(
        f"where is {where!r}; it is 'linked', 'nil', or values by column.",
        Hint("Write ", Argument("where", {"type": "PER"}), "."),
    )
