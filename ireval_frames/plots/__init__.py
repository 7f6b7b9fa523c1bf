"""Pictures of results, drawn by Altair: `ir.plots.NAME(result, …)`; `ir.plots.NAME.frame(result, …)` is what it draws.

| of | pictures |
|---|---|
| rankings and whatever has values per unit | `systems`, `cutoffs`, `units`, `distribution` |
| rankings | `precision_recall`, `judged`, `bounds` |
| pool bias | `pool_bias` |
| a fused run | `fused` |
| recommended items | `popularity` |
| exposure of groups | `exposure` |
| from retrieval to the answer | `losses` |
| comparisons | `differences`, `scatter`, `effects`, `matrix`, `rank_changes` |
| labels | `confusion`, `curve`, `thresholds`, `reliability` |
| clusters and points | `contingency`, `silhouettes`, `elbow` |
| spans | `confusion`, `errors` |
| a store | `history` |
| quality and cost | `tradeoff` |

They need the extra `plots`: `pip install "ireval-frames[plots]"`.
"""

from ireval_frames.plots.classes.confusion import confusion
from ireval_frames.plots.classes.contingency import contingency
from ireval_frames.plots.classes.curves import curve
from ireval_frames.plots.classes.elbow import elbow
from ireval_frames.plots.classes.errors import errors
from ireval_frames.plots.classes.reliability import reliability
from ireval_frames.plots.classes.silhouettes import silhouettes
from ireval_frames.plots.classes.thresholds import thresholds
from ireval_frames.plots.comparison.differences import differences
from ireval_frames.plots.comparison.distribution import distribution
from ireval_frames.plots.comparison.effects import effects
from ireval_frames.plots.comparison.history import history
from ireval_frames.plots.comparison.losses import losses
from ireval_frames.plots.comparison.matrix import matrix
from ireval_frames.plots.comparison.scatter import scatter
from ireval_frames.plots.comparison.systems import systems
from ireval_frames.plots.comparison.tradeoff import tradeoff
from ireval_frames.plots.comparison.units import units
from ireval_frames.plots.rankings.bounds import bounds
from ireval_frames.plots.rankings.cutoffs import cutoffs
from ireval_frames.plots.rankings.exposure import exposure
from ireval_frames.plots.rankings.fused import fused
from ireval_frames.plots.rankings.judged import judged
from ireval_frames.plots.rankings.pool_bias import pool_bias
from ireval_frames.plots.rankings.popularity import popularity
from ireval_frames.plots.rankings.precision_recall import precision_recall
from ireval_frames.plots.rankings.rank_changes import rank_changes
from ireval_frames.plots.saving import save

__all__ = [
    "bounds",
    "confusion",
    "contingency",
    "curve",
    "cutoffs",
    "differences",
    "distribution",
    "effects",
    "elbow",
    "errors",
    "exposure",
    "fused",
    "history",
    "judged",
    "losses",
    "matrix",
    "pool_bias",
    "popularity",
    "precision_recall",
    "rank_changes",
    "reliability",
    "save",
    "scatter",
    "silhouettes",
    "systems",
    "thresholds",
    "tradeoff",
    "units",
]
