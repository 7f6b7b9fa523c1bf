"""Files to canonical frames and back.

A file is described (`describe`: format, compression, separator, header), parsed chunk by chunk (`whitespace`,
`delimited`, `json_lines`) or scanned by Polars (`tables`), and returned as a lazy frame with canonical columns (`runs`,
`qrels`, `queries`). Bad lines of text are reported together when the frame is collected; `unwrap` finds that error
inside another one.
"""

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from ireval_frames import lazy as _lazy

if _TYPE_CHECKING:
    from ireval_frames.io.any_table import is_text_table, scan_table
    from ireval_frames.io.coreference import read_coreference
    from ireval_frames.io.detect.description import FORMATS, Description
    from ireval_frames.io.detect.file import describe
    from ireval_frames.io.documents import read_documents, scan_documents
    from ireval_frames.io.generated.citations import read_citations
    from ireval_frames.io.generated.nuggets import read_nuggets
    from ireval_frames.io.qrels import read_qrels, scan_qrels
    from ireval_frames.io.queries import read_queries, scan_queries
    from ireval_frames.io.raters.battles import read_battles
    from ireval_frames.io.raters.ratings import read_ratings
    from ireval_frames.io.runs import read_run, scan_run
    from ireval_frames.io.spans import read_spans
    from ireval_frames.io.storage.failures import unwrap
    from ireval_frames.io.storage.places import Located, is_remote, located
    from ireval_frames.io.tags import read_tags
    from ireval_frames.io.writing.rankings import write_qrels, write_run
    from ireval_frames.io.writing.tables import write_table
    from ireval_frames.io.writing.texts import write_documents, write_queries

__all__ = [
    "FORMATS",
    "Description",
    "Located",
    "describe",
    "is_remote",
    "is_text_table",
    "located",
    "read_battles",
    "read_citations",
    "read_coreference",
    "read_documents",
    "read_nuggets",
    "read_qrels",
    "read_queries",
    "read_ratings",
    "read_run",
    "read_spans",
    "read_tags",
    "scan_documents",
    "scan_qrels",
    "scan_queries",
    "scan_run",
    "scan_table",
    "unwrap",
    "write_documents",
    "write_qrels",
    "write_queries",
    "write_run",
    "write_table",
]

_MODULES = {
    "any_table": "is_text_table scan_table",
    "raters.battles": "read_battles",
    "generated.citations": "read_citations",
    "coreference": "read_coreference",
    "detect.description": "FORMATS Description",
    "detect.file": "describe",
    "documents": "read_documents scan_documents",
    "generated.nuggets": "read_nuggets",
    "qrels": "read_qrels scan_qrels",
    "queries": "read_queries scan_queries",
    "raters.ratings": "read_ratings",
    "runs": "read_run scan_run",
    "spans": "read_spans",
    "storage.failures": "unwrap",
    "storage.places": "Located is_remote located",
    "tags": "read_tags",
    "writing.rankings": "write_qrels write_run",
    "writing.tables": "write_table",
    "writing.texts": "write_documents write_queries",
}


def __getattr__(name: str) -> _Any:
    """A name of `__all__`, imported when it is first used."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _lazy.attribute(__name__, _MODULES, name)
