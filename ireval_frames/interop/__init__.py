"""Objects of other tools as tables, and back: `ir.interop.TOOL.from_run(…)`, `ir.interop.TOOL.to_run(…)`.

A module per tool.  The tool itself is imported only by the functions that create its objects.
"""

from ireval_frames.interop import (
    beir,
    dicts,
    huggingface,
    ir_datasets,
    lm_eval,
    mlflow,
    mteb,
    pyterrier,
    ranx,
    trackers,
    trackio,
    wandb,
)

__all__ = [
    "beir",
    "dicts",
    "huggingface",
    "ir_datasets",
    "lm_eval",
    "mlflow",
    "mteb",
    "pyterrier",
    "ranx",
    "trackers",
    "trackio",
    "wandb",
]
