"""The natural pictures of results, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ireval_frames import plots
from ireval_frames.errors import NotDefined
from ireval_frames.plots.picture import Picture

if TYPE_CHECKING:
    import altair as alt

# With their options; tables by what their provenance calls them.
PICTURES: dict[str, tuple[Picture, dict[str, Any]]] = {
    "systems": (plots.systems, {}),
    "effects": (plots.effects, {}),
    "history": (plots.history, {}),
    "confusion": (plots.confusion, {}),
    "contingency": (plots.contingency, {}),
    "errors": (plots.errors, {}),
    "silhouettes": (plots.silhouettes, {}),
    "interpolated curve": (plots.precision_recall, {}),
    "relevance_strings": (plots.judged, {}),
    "bounds": (plots.bounds, {}),
    "pool_bias": (plots.pool_bias, {}),
    "popularity": (plots.popularity, {}),
    "exposure": (plots.exposure, {}),
    "fused run": (plots.fused, {}),
    "losses": (plots.losses, {}),
    "tradeoff": (plots.tradeoff, {}),
    "calibration curve": (plots.reliability, {}),
    "thresholds curve": (plots.thresholds, {}),
    "roc curve": (plots.curve, {"kind": "roc"}),
    "precision-recall curve": (plots.curve, {"kind": "precision-recall"}),
    "det curve": (plots.curve, {"kind": "det"}),
    "gain curve": (plots.curve, {"kind": "gain"}),
    "risk-coverage curve": (plots.curve, {"kind": "risk-coverage"}),
}


def natural(name: str, result: Any, *args: Any, **options: Any) -> alt.Chart:
    """The picture of that name of a result.

    Raises:
        NotDefined: there is none.
    """
    if name not in PICTURES:
        raise NotDefined(f"The table of {name} has no picture.", "ir.plots has pictures of evaluations.")
    picture, own = PICTURES[name]
    return picture(result, *args, **own, **options)
