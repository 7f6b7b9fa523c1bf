"""Pictures of results, drawn by Altair: `ir.plots.NAME(result, …)`; `ir.plots.NAME.frame(result, …)` is what it draws.

| of | pictures |
|---|---|
| rankings and whatever has values per unit | `systems`, `cutoffs`, `units`, `distribution` |
| rankings | `precision_recall`, `judged` |
| comparisons | `differences`, `scatter`, `effects`, `matrix`, `moved` |
| labels | `confusion`, `curve`, `thresholds`, `reliability` |
| clusters and points | `contingency`, `silhouettes`, `elbow` |
| a store | `history` |

They need the extra `plots`: `pip install "ireval-frames[plots]"`.
"""

from ireval_frames.plots.confusion import confusion
from ireval_frames.plots.contingency import contingency
from ireval_frames.plots.curves import curve
from ireval_frames.plots.cutoffs import cutoffs
from ireval_frames.plots.differences import differences
from ireval_frames.plots.distribution import distribution
from ireval_frames.plots.effects import effects
from ireval_frames.plots.elbow import elbow
from ireval_frames.plots.history import history
from ireval_frames.plots.judged import judged
from ireval_frames.plots.matrix import matrix
from ireval_frames.plots.moved import moved
from ireval_frames.plots.precision_recall import precision_recall
from ireval_frames.plots.reliability import reliability
from ireval_frames.plots.saving import save
from ireval_frames.plots.scatter import scatter
from ireval_frames.plots.silhouettes import silhouettes
from ireval_frames.plots.systems import systems
from ireval_frames.plots.thresholds import thresholds
from ireval_frames.plots.units import units

__all__ = [
    "confusion",
    "contingency",
    "curve",
    "cutoffs",
    "differences",
    "distribution",
    "effects",
    "elbow",
    "history",
    "judged",
    "matrix",
    "moved",
    "precision_recall",
    "reliability",
    "save",
    "scatter",
    "silhouettes",
    "systems",
    "thresholds",
    "units",
]
