"""Evaluation as a query over tables: rankings, labels and clusters, on Polars and DuckDB, each measure declared once.

What most programs need is here; all else is in the modules, such as `ir.comparison.power` or `ir.io.write_run`.
The ranking measures of the catalog are attributes, too: `ir.nDCG @ 10`, `ir.P(rel=2) @ 5`.
"""

from importlib.util import find_spec as _find_spec
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from ireval_frames import lazy as _lazy
from ireval_frames.version import __version__ as __version__

if _TYPE_CHECKING:
    from ireval_frames import (
        answers,
        citations,
        clicks,
        clusters,
        comparison,
        constraints,
        coreference,
        errors,
        examples,
        experiments,
        exposure,
        expr,
        fusion,
        interleaving,
        interop,
        io,
        judging,
        labels,
        links,
        macros,
        nuggets,
        organization,
        parameters,
        plots,
        points,
        pools,
        ranking,
        ratings,
        recommendations,
        relations,
        replication,
        resampling,
        reusability,
        segmentation,
        similarity,
        spans,
        splits,
        timings,
        verdicts,
    )
    from ireval_frames.answers import Answers
    from ireval_frames.catalog import measure
    from ireval_frames.catalog.listing import measures, policies
    from ireval_frames.citations import Citations
    from ireval_frames.clicks import Impressions
    from ireval_frames.clusters import Clusters
    from ireval_frames.comparison import compare
    from ireval_frames.coreference import Coreference
    from ireval_frames.declaration import Measure
    from ireval_frames.evaluation.evaluation import Evaluation
    from ireval_frames.experiments import Experiment
    from ireval_frames.exposure import FairExposure
    from ireval_frames.fusion import fuse
    from ireval_frames.gating import gate
    from ireval_frames.io import read_qrels, read_run
    from ireval_frames.labels import Labels
    from ireval_frames.links import Links
    from ireval_frames.nuggets import Nuggets
    from ireval_frames.organization import Organization
    from ireval_frames.points import Points
    from ireval_frames.pools import pool
    from ireval_frames.ranking import Rankings, evaluate
    from ireval_frames.ratings import Ratings
    from ireval_frames.recommendations import Recommendations
    from ireval_frames.relations import Relations
    from ireval_frames.reporting import report
    from ireval_frames.reusability import pool_bias
    from ireval_frames.segmentation import Segmentation
    from ireval_frames.similarity import Similarity
    from ireval_frames.spans import Spans
    from ireval_frames.store import Store
    from ireval_frames.timings import Timings
    from ireval_frames.tradeoffs import tradeoff

__all__ = [
    "Answers",
    "Citations",
    "Clusters",
    "Coreference",
    "Evaluation",
    "Experiment",
    "FairExposure",
    "Impressions",
    "Labels",
    "Links",
    "Measure",
    "Nuggets",
    "Organization",
    "Points",
    "Rankings",
    "Ratings",
    "Recommendations",
    "Relations",
    "Segmentation",
    "Similarity",
    "Spans",
    "Store",
    "Timings",
    "answers",
    "citations",
    "clicks",
    "clusters",
    "compare",
    "comparison",
    "constraints",
    "coreference",
    "errors",
    "evaluate",
    "examples",
    "experiments",
    "exposure",
    "expr",
    "fuse",
    "fusion",
    "gate",
    "interleaving",
    "interop",
    "io",
    "judging",
    "labels",
    "links",
    "macros",
    "measure",
    "measures",
    "nuggets",
    "organization",
    "parameters",
    "plots",
    "points",
    "policies",
    "pool",
    "pool_bias",
    "pools",
    "ranking",
    "ratings",
    "read_qrels",
    "read_run",
    "recommendations",
    "relations",
    "replication",
    "report",
    "resampling",
    "reusability",
    "segmentation",
    "similarity",
    "spans",
    "splits",
    "timings",
    "tradeoff",
    "verdicts",
]

# Where the names are that are no modules; all are imported when they are first used.
_NAMES = {
    "answers": "Answers",
    "catalog": "Measure measure",
    "citations": "Citations",
    "clicks": "Impressions",
    "clusters": "Clusters",
    "comparison": "compare",
    "coreference": "Coreference",
    "evaluation.evaluation": "Evaluation",
    "experiments": "Experiment",
    "exposure": "FairExposure",
    "fusion": "fuse",
    "gating": "gate",
    "io": "read_qrels read_run",
    "labels": "Labels",
    "links": "Links",
    "catalog.listing": "measures policies",
    "nuggets": "Nuggets",
    "organization": "Organization",
    "points": "Points",
    "pools": "pool",
    "ranking": "Rankings evaluate",
    "ratings": "Ratings",
    "recommendations": "Recommendations",
    "relations": "Relations",
    "reporting": "report",
    "reusability": "pool_bias",
    "segmentation": "Segmentation",
    "similarity": "Similarity",
    "spans": "Spans",
    "store": "Store",
    "timings": "Timings",
    "tradeoffs": "tradeoff",
}

_lazy.register(
    {
        "accuracy of lists": "ireval_frames.ranking.accuracy_of_lists:AccuracyOfLists",
        "measure of a text": "ireval_frames.catalog:parse",
        "notebook tables": "ireval_frames.reporting.displays:html",
        "ratings": "ireval_frames.ratings:Ratings",
        "picture": "ireval_frames.plots.natural:natural",
    }
)


def __getattr__(name: str) -> _Any:
    """A name of `__all__`, another module, or the ranking measure of that name or alias."""
    if name in __all__:
        return _lazy.attribute(__name__, _NAMES, name)
    if _find_spec(f"{__name__}.{name}"):
        return _lazy.attribute(__name__, {}, name)
    try:
        return _lazy.attribute(__name__, {"catalog": "attribute"}, "attribute")(name, "ranking", __name__)
    except AttributeError as error:
        modules = [m for m in __all__ if not name.startswith("_") and _find_spec(f"{__name__}.{m}")]
        having = [m for m in modules if name in getattr(_lazy.attribute(__name__, {}, m), "__all__", ())]
        if len(having) != 1:
            raise
        raise AttributeError(f"{error}; write ir.{having[0]}.{name}") from None


def __dir__() -> list[str]:
    from ireval_frames.catalog.index import MEASURES

    return sorted([*__all__, *" ".join(MEASURES["ranking"].values()).split()])
