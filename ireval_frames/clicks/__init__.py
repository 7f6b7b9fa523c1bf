"""Click logs: result pages with what was shown and clicked; what other rankings would be worth.

The family's measures are attributes of this module: `ir.clicks.COEC(shrinkage=1)`.
"""

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from ireval_frames import catalog as _catalog
from ireval_frames import lazy as _lazy
from ireval_frames.clicks.formats.reading import read_clicks
from ireval_frames.clicks.formats.ubi import from_ubi
from ireval_frames.clicks.subject import Impressions
from ireval_frames.conventions.rankings import ClickPolicy

if _TYPE_CHECKING:
    from ireval_frames.clicks.counterfactual_evaluation import (
        Counterfactual,
        OffPolicy,
        Propensities,
        counterfactual,
        off_policy,
        propensities,
    )

__all__ = [
    "ClickPolicy",
    "Counterfactual",
    "Impressions",
    "OffPolicy",
    "Propensities",
    "counterfactual",
    "from_ubi",
    "off_policy",
    "propensities",
    "read_clicks",
]
_NAMES = {"counterfactual_evaluation": "Counterfactual OffPolicy Propensities counterfactual off_policy propensities"}


def __getattr__(name: str) -> _Any:
    """A name of `__all__`, or the measure of click logs of that name."""
    if name in __all__:
        return _lazy.attribute(__name__, _NAMES, name)
    return _catalog.attribute(name, "clicks", __name__)
