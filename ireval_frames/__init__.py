"""Evaluation as a query over tables: rankings, labels and clusters, on Polars and DuckDB, each measure declared once.

The ranking measures of the catalog are attributes of this module: `ir.nDCG @ 10`, `ir.P(rel=2) @ 5`.
"""

import importlib as _importlib
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from ireval_frames.version import __version__

if _TYPE_CHECKING:
    from ireval_frames import (
        clicks,
        clusters,
        comparison,
        constraints,
        errors,
        examples,
        experiments,
        interleaving,
        interop,
        labels,
        organization,
        parameters,
        plots,
        points,
        ratings,
        resampling,
        similarity,
        splits,
    )
    from ireval_frames.catalog import measure, parse
    from ireval_frames.clicks import Impressions, read_clicks
    from ireval_frames.clicks.counterfactual import (
        Counterfactual,
        OffPolicy,
        Propensities,
        counterfactual,
        off_policy,
        propensities,
    )
    from ireval_frames.clusters import Clusters
    from ireval_frames.comparison import (
        Comparison,
        DiscriminativePower,
        compare,
        discriminative_power,
        robustness,
        strictness,
    )
    from ireval_frames.comparison.written_values import read_values
    from ireval_frames.constraints import check_constraints
    from ireval_frames.declaration import Measure
    from ireval_frames.errors import IrevalError
    from ireval_frames.evaluation import Evaluation
    from ireval_frames.experiments import Experiment
    from ireval_frames.gating import Gate, gate
    from ireval_frames.interleaving import Interleaving, interleave
    from ireval_frames.io import (
        read_qrels,
        read_queries,
        read_ratings,
        read_run,
        scan_qrels,
        scan_queries,
        scan_run,
        write_qrels,
        write_run,
        write_table,
    )
    from ireval_frames.item_policies import ClusterPolicy, LabelPolicy, OrganizationPolicy, PointPolicy
    from ireval_frames.judging import Judges, click_agreement, judges, people_grades, rater_effect
    from ireval_frames.labels import Labels
    from ireval_frames.listing import measures, policies
    from ireval_frames.macros import install_macros
    from ireval_frames.organization import Organization
    from ireval_frames.points import Points
    from ireval_frames.policy import ClickPolicy, Policy, SimilarityPolicy
    from ireval_frames.ranking import Rankings, evaluate, user_model
    from ireval_frames.rating_policy import RatingPolicy
    from ireval_frames.ratings import PairedComparisons, Ratings
    from ireval_frames.replication import Reproduction, reproduction
    from ireval_frames.reporting import report
    from ireval_frames.resampling import bootstrap, jackknife
    from ireval_frames.similarity import Similarity
    from ireval_frames.store import Store

__all__ = [
    "ClickPolicy",
    "ClusterPolicy",
    "Clusters",
    "Comparison",
    "Counterfactual",
    "DiscriminativePower",
    "Evaluation",
    "Experiment",
    "Gate",
    "Impressions",
    "Interleaving",
    "IrevalError",
    "Judges",
    "LabelPolicy",
    "Labels",
    "Measure",
    "OffPolicy",
    "Organization",
    "OrganizationPolicy",
    "PairedComparisons",
    "PointPolicy",
    "Points",
    "Policy",
    "Propensities",
    "RankStability",
    "Rankings",
    "RatingPolicy",
    "Ratings",
    "Reproduction",
    "Similarity",
    "SimilarityPolicy",
    "Store",
    "__version__",
    "bootstrap",
    "check_constraints",
    "click_agreement",
    "clicks",
    "clusters",
    "compare",
    "comparison",
    "constraints",
    "counterfactual",
    "detectable_difference",
    "discriminative_power",
    "errors",
    "evaluate",
    "examples",
    "experiments",
    "gate",
    "install_macros",
    "interleave",
    "interleaving",
    "interop",
    "jackknife",
    "judges",
    "labels",
    "measure",
    "measures",
    "off_policy",
    "organization",
    "parameters",
    "parse",
    "people_grades",
    "plots",
    "points",
    "policies",
    "power",
    "propensities",
    "rank_stability",
    "rater_effect",
    "ratings",
    "read_clicks",
    "read_qrels",
    "read_queries",
    "read_ratings",
    "read_run",
    "read_values",
    "report",
    "reproduction",
    "resampling",
    "robustness",
    "sample_size",
    "scan_qrels",
    "scan_queries",
    "scan_run",
    "similarity",
    "splits",
    "strictness",
    "user_model",
    "write_qrels",
    "write_run",
    "write_table",
]


# What stands where; it is imported when it is first used.
_MODULES = {
    "clicks",
    "clusters",
    "comparison",
    "constraints",
    "errors",
    "examples",
    "experiments",
    "interleaving",
    "interop",
    "labels",
    "organization",
    "parameters",
    "plots",
    "points",
    "ratings",
    "resampling",
    "similarity",
    "splits",
}
_NAMES = {
    "catalog": "measure parse",
    "clicks": "Impressions read_clicks",
    "clicks.counterfactual": "Counterfactual OffPolicy Propensities counterfactual off_policy propensities",
    "clusters": "Clusters",
    "comparison": (
        "Comparison DiscriminativePower RankStability compare detectable_difference discriminative_power "
        "power rank_stability robustness sample_size strictness"
    ),
    "comparison.written_values": "read_values",
    "constraints": "check_constraints",
    "declaration": "Measure",
    "errors": "IrevalError",
    "evaluation": "Evaluation",
    "experiments": "Experiment",
    "gating": "Gate gate",
    "interleaving": "Interleaving interleave",
    "io": (
        "read_qrels read_queries read_ratings read_run scan_qrels scan_queries scan_run write_qrels write_run "
        "write_table"
    ),
    "item_policies": "ClusterPolicy LabelPolicy OrganizationPolicy PointPolicy",
    "judging": "Judges click_agreement judges people_grades rater_effect",
    "labels": "Labels",
    "listing": "measures policies",
    "macros": "install_macros",
    "organization": "Organization",
    "points": "Points",
    "policy": "ClickPolicy Policy SimilarityPolicy",
    "ranking": "Rankings evaluate user_model",
    "rating_policy": "RatingPolicy",
    "ratings": "PairedComparisons Ratings",
    "replication": "Reproduction reproduction",
    "reporting": "report",
    "resampling": "bootstrap jackknife",
    "similarity": "Similarity",
    "store": "Store",
}


def __getattr__(name: str) -> _Any:
    """A name of `__all__`, or the ranking measure of that name or alias."""
    if name in _MODULES:
        return _importlib.import_module(f"{__name__}.{name}")
    for module, names in _NAMES.items():
        if name in names.split():
            found = getattr(_importlib.import_module(f"{__name__}.{module}"), name)
            globals()[name] = found
            return found
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _importlib.import_module(f"{__name__}.catalog").attribute(name, "ranking", __name__)


def __dir__() -> list[str]:
    measures = _importlib.import_module(f"{__name__}.measure_index").MEASURES["ranking"].values()
    return sorted([*__all__, *" ".join(measures).split()])
