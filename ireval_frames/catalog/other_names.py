"""Names that scikit-learn and papers have for measures, for errors: what is written here instead."""

from __future__ import annotations

import re
from collections.abc import Mapping

REGRESSION = "Of regression there is only MAE, the mean absolute error; others are in scikit-learn."
AVERAGES = {"macro": "macro", "micro": "micro", "weighted": "weighted", "samples": "item"}
# By family; names are folded, and without the ends that `_stem` removes.  A text with a space is a hint of its own.
NAMES = {
    "labels": {
        "matthewscorr": "MCC", "cohenkappa": "Kappa", "rocaucovr": "OneVsRestAUC", "rocaucovo": "HandTill",
        "rocaucovrweighted": "OneVsRestAUC(average='weighted')", "topkaccuracy": "TopK@2", "zeroone": "ErrorRate",
        "fbeta": "F(beta=2)", "labelrankingaverageprecision": "LRAP", "labelranking": "RankingLoss",
        "meanabsolute": "MAE", "tpr": "Recall", "fpr": "FallOut", "fnr": "MissRate", "tnr": "Specificity",
        "calibration": "ECE", "mse": REGRESSION, "rmse": REGRESSION, "r2": REGRESSION, "meansquared": REGRESSION,
        "rootmeansquared": REGRESSION, "mape": REGRESSION, "meanabsolutepercentage": REGRESSION,
        "medianabsolute": REGRESSION, "explainedvariance": REGRESSION,
        **{
            f"{theirs}{average}": f"{ours}(average={value!r})"
            for theirs, ours in {"f1": "F1", "precision": "Precision", "recall": "Recall", "jaccard": "Jaccard"}.items()
            for average, value in AVERAGES.items()
        },
    },
    "clusters": {"adjustedmutualinfo": "AMI", "normalizedmutualinfo": "NMI", "mutualinfo": "MI", "vmeasure": "V"},
    "recommendations": {
        "novelty": "MIUF", "coverage": "CatalogCoverage", "diversity": "ILD", "popularity": "ARP", "gini": "ItemGini",
        "hit": "HitRate", "calibration": "Miscalibration",
    },
}  # fmt: skip


def written_here(name: str, family: str | None, known: Mapping[str, str]) -> str:
    """The hint for a name that a measure of the family has elsewhere, or that is written otherwise; else nothing.

    Args:
        name: the name that no measure has.
        family: the family, or any.
        known: the names and aliases of its measures, with what is written for each.

    Example:
        >>> written_here("f1_macro", "labels", {"F1": "F1"})
        "Write F1(average='macro')."
        >>> written_here("roc_auc_score", "labels", {"ROCAUC": "ROCAUC"})
        'Write ROCAUC.'
    """
    folded = {_folded(one): written for one, written in known.items()}
    elsewhere: dict[str, str] = {}
    for of, names in NAMES.items():
        elsewhere |= names if family in (None, of) else {}
    for one in (_folded(name), _folded(name).removeprefix("neg"), _stem(name)):
        here = elsewhere.get(one) or folded.get(one)
        if here:
            return here if " " in here else f"Write {here}."
    return ""


def _folded(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).lower()


def _stem(name: str) -> str:
    """The name without the start and the end that functions and scorers of scikit-learn have."""
    stem = _folded(name).removeprefix("neg")
    return re.sub(r"(score|loss|error|coef|scoreloss|ratio)$", "", stem).removesuffix("score")
