"""Evaluation as a query over tables: ranked retrieval on Polars and DuckDB, from one declaration of each measure.

The ranking measures of the catalog are attributes of this module: `ir.nDCG @ 10`, `ir.P(rel=2) @ 5`.
"""

from ireval_frames import catalog as _catalog
from ireval_frames import examples, similarity, splits
from ireval_frames.catalog import parse
from ireval_frames.errors import IrevalError
from ireval_frames.evaluation import Evaluation
from ireval_frames.io import read_qrels, read_queries, read_run, scan_qrels, scan_queries, scan_run, write_qrels, write_run, write_table
from ireval_frames.labels import Labels
from ireval_frames.listing import measures
from ireval_frames.measure import Measure
from ireval_frames.policy import LabelPolicy, Policy
from ireval_frames.ranking import Rankings, evaluate, user_model
from ireval_frames.similarity import rank_similarity
from ireval_frames.version import __version__

__all__ = [
    "Evaluation",
    "IrevalError",
    "LabelPolicy",
    "Labels",
    "Measure",
    "Policy",
    "Rankings",
    "__version__",
    "evaluate",
    "examples",
    "measures",
    "parse",
    "rank_similarity",
    "read_qrels",
    "read_queries",
    "read_run",
    "scan_qrels",
    "scan_queries",
    "scan_run",
    "similarity",
    "splits",
    "user_model",
    "write_qrels",
    "write_run",
    "write_table",
]


def __getattr__(name: str) -> Measure:
    """The ranking measure of that name, so that a declaration in its family's file is all a measure needs."""
    for definition in _catalog.definitions("ranking"):
        if definition.name == name:
            return definition()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *(definition.name for definition in _catalog.definitions("ranking"))])
