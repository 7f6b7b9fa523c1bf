"""Evaluation as a query over tables: rankings, labels and clusters, on Polars and DuckDB, each measure declared once.

The ranking measures of the catalog are attributes of this module: `ir.nDCG @ 10`, `ir.P(rel=2) @ 5`.
"""

import importlib as _importlib
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from ireval_frames import catalog as _catalog
from ireval_frames import errors, examples, parameters
from ireval_frames.catalog import measure, parse
from ireval_frames.declaration import Measure
from ireval_frames.errors import IrevalError
from ireval_frames.evaluation import Evaluation
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
from ireval_frames.listing import measures, policies
from ireval_frames.policy import ClickPolicy, Policy, SimilarityPolicy
from ireval_frames.ranking import Rankings, evaluate, user_model
from ireval_frames.rating_policy import RatingPolicy
from ireval_frames.version import __version__

if _TYPE_CHECKING:
    from ireval_frames import (
        clicks,
        clusters,
        comparison,
        constraints,
        experiments,
        interleaving,
        interop,
        labels,
        organization,
        plots,
        points,
        ratings,
        resampling,
        similarity,
        splits,
    )
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
    from ireval_frames.experiments import Experiment
    from ireval_frames.gating import Gate, gate
    from ireval_frames.interleaving import Interleaving, interleave
    from ireval_frames.judging import Judges, click_agreement, judges, people_grades, rater_effect
    from ireval_frames.labels import Labels
    from ireval_frames.macros import install_macros
    from ireval_frames.organization import Organization
    from ireval_frames.points import Points
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


# Families other than rankings are imported when they are first spoken of: most programs need one.
_LATER = {
    "interleave": "interleaving",
    "Interleaving": "interleaving",
    "interleaving": "interleaving",
    "off_policy": "clicks.counterfactual",
    "OffPolicy": "clicks.counterfactual",
    "propensities": "clicks.counterfactual",
    "Propensities": "clicks.counterfactual",
    "counterfactual": "clicks.counterfactual",
    "Counterfactual": "clicks.counterfactual",
    "clicks": "clicks",
    "Impressions": "clicks",
    "read_clicks": "clicks",
    "clusters": "clusters",
    "Clusters": "clusters",
    "labels": "labels",
    "organization": "organization",
    "Organization": "organization",
    "constraints": "constraints",
    "install_macros": "macros",
    "interop": "interop",
    "check_constraints": "constraints",
    "resampling": "resampling",
    "bootstrap": "resampling",
    "jackknife": "resampling",
    "Labels": "labels",
    "points": "points",
    "Points": "points",
    "ratings": "ratings",
    "Ratings": "ratings",
    "Judges": "judging",
    "judges": "judging",
    "click_agreement": "judging",
    "people_grades": "judging",
    "rater_effect": "judging",
    "PairedComparisons": "ratings",
    "similarity": "similarity",
    "Similarity": "similarity",
    "splits": "splits",
    "Store": "store",
    "Comparison": "comparison",
    "compare": "comparison",
    "read_values": "comparison.written_values",
    "comparison": "comparison",
    "DiscriminativePower": "comparison",
    "discriminative_power": "comparison",
    "RankStability": "comparison",
    "rank_stability": "comparison",
    "detectable_difference": "comparison",
    "plots": "plots",
    "power": "comparison",
    "sample_size": "comparison",
    "robustness": "comparison",
    "strictness": "comparison",
    "Experiment": "experiments",
    "experiments": "experiments",
    "Gate": "gating",
    "gate": "gating",
    "Reproduction": "replication",
    "reproduction": "replication",
    "report": "reporting",
}
_catalog.declare_lazily("ranking", "ireval_frames.ranking", 'ir.evaluate(qrels, run, "{}")')
_catalog.declare_lazily("clusters", "ireval_frames.clusters", 'ir.Clusters(…).evaluate("{}")')
_catalog.declare_lazily("labels", "ireval_frames.labels", 'ir.Labels(…).evaluate("{}")')
_catalog.declare_lazily("organization", "ireval_frames.organization", 'ir.Organization(…).evaluate("{}")')
_catalog.declare_lazily("points", "ireval_frames.points", 'ir.Points(…).evaluate("{}")')
_catalog.declare_lazily("ratings", "ireval_frames.ratings", 'ir.Ratings(…).evaluate("{}")')
_catalog.declare_lazily("similarity", "ireval_frames.similarity", 'ir.Similarity(…).evaluate("{}")')
_catalog.declare_lazily("clicks", "ireval_frames.clicks", 'ir.Impressions(…).evaluate("{}")')


def __getattr__(name: str) -> _Any:
    """A family's module or subject, or the ranking measure of that name or alias.

    Its declaration in its family's file is all it needs.
    """
    if name in _LATER:
        module = _importlib.import_module(f"{__name__}.{_LATER[name]}")
        return module if name == _LATER[name] else getattr(module, name)
    return _catalog.attribute(name, "ranking", __name__)


def __dir__() -> list[str]:
    return sorted([*__all__, *(definition.name for definition in _catalog.definitions("ranking"))])
