"""The columns of tables of links and of slots, and the names that other tools give to them."""

from __future__ import annotations

from ireval_frames.columns.documents import DOCUMENT, SYSTEM
from ireval_frames.columns.schema import Column, Schema

_COMPARED = (
    Column("start", "integer", ("begin", "start_char", "start_offset", "offset_start"), required=False),
    Column("end", "integer", ("stop", "end_char", "end_offset", "offset_end"), required=False),
    Column("type", "class", ("entity_type", "label", "slot", "slot_name", "category", "tag"), required=False),
    Column("kb_id", "class", ("kbid", "eid", "entity_id", "entity", "link", "wikidata_id"), required=False),
)
# What is known of answers in the gold: which are the same answer, and what assessors said of them.
_ASSESSED = (
    Column("class_id", "class", ("equivalence_class", "equiv_class", "eclass"), required=False),
    Column("judgment", "class", ("judgement", "assessment"), required=False),
)
GOLD = Schema("gold", (DOCUMENT, *_COMPARED, *_ASSESSED), ())
PREDICTED = Schema("predicted", (SYSTEM, DOCUMENT, *_COMPARED), ())
COMPARED = tuple(c.name for c in _COMPARED)
