"""Which picture is natural for a result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ireval_frames import plots
from ireval_frames.comparison.values import OfUnits, Values
from ireval_frames.drawable import Estimating
from ireval_frames.errors import NotDefined
from ireval_frames.plots.picture import Picture
from ireval_frames.results import Result

if TYPE_CHECKING:
    import altair as alt

# Of tables by what their provenance calls them.
OF_TABLES: dict[str, tuple[Picture, dict[str, Any]]] = {
    "confusion": (plots.confusion, {}),
    "contingency": (plots.contingency, {}),
    "silhouettes": (plots.silhouettes, {}),
    "interpolated curve": (plots.precision_recall, {}),
    "relevance_strings": (plots.judged, {}),
    "calibration curve": (plots.reliability, {}),
    "thresholds curve": (plots.thresholds, {}),
    "roc curve": (plots.curve, {"kind": "roc"}),
    "precision-recall curve": (plots.curve, {"kind": "precision-recall"}),
    "det curve": (plots.curve, {"kind": "det"}),
    "gain curve": (plots.curve, {"kind": "gain"}),
    "risk-coverage curve": (plots.curve, {"kind": "risk-coverage"}),
}


def natural(result: Any, *given: Any, **options: Any) -> alt.Chart:
    """The picture of a result: systems of an evaluation, effects of a comparison or an experiment, a history, a table.

    Raises:
        NotDefined: there is none.
    """
    if isinstance(result, Result):
        named = str(result.says.get("table", "values"))
        if named not in OF_TABLES:
            raise NotDefined(f"The table of {named} has no picture.", "ir.plots has pictures of evaluations.")
        drawn, own = OF_TABLES[named]
        return drawn(result, *given, **own, **options)
    if isinstance(result, Estimating):
        shown = plots.effects if "baseline" in result.estimated().frame.columns else plots.systems
        return shown(result, *given, **options)
    if isinstance(result, OfUnits):
        return plots.systems(result, *given, **options)
    from ireval_frames.experiments.analysis import Analysis

    if isinstance(result, Analysis) or isinstance(getattr(result, "values", None), Values):
        return plots.effects(result, *given, **options)
    return plots.history(result, *given, **options)
