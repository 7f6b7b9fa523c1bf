"""The columns of tables of relations and of events, and the names that other tools give to them."""

from __future__ import annotations

from ireval_frames.columns.documents import DOCUMENT, SYSTEM
from ireval_frames.columns.schema import Column, ColumnKind, Schema

# Of a relation: its first and its second argument.  Of an event: its trigger, and one of its arguments.
OTHER_NAMES = {
    "head": ("subject", "subj", "trigger", "arg1", "source"),
    "tail": ("object", "obj", "argument", "arg", "arg2", "target"),
}


def _of_argument(side: str, name: str, kind: ColumnKind) -> Column:
    others = tuple(f"{other}_{name}" for other in OTHER_NAMES[side])
    return Column(f"{side}_{name}", kind, others, required=False)


PARTS: dict[str, ColumnKind] = {
    "start": "integer", "end": "integer", "type": "class", "token": "integer", "id": "class",
}  # fmt: skip
# The type of an event is that of its trigger.
_HEAD_TYPE = Column(
    "head_type", "class", (*_of_argument("head", "type", "class").aliases, "event_type"), required=False
)
_ARGUMENTS = tuple(
    _HEAD_TYPE if (side, name) == ("head", "type") else _of_argument(side, name, kind)
    for side in OTHER_NAMES
    for name, kind in PARTS.items()
)
_LABEL = Column("label", "class", ("relation", "relation_type", "predicate", "role"), required=False)

GOLD = Schema("gold", (DOCUMENT, _LABEL, *_ARGUMENTS), ())
PREDICTED = Schema("predicted", (SYSTEM, DOCUMENT, _LABEL, *_ARGUMENTS), ())
