"""Other tools' own objects as our tables, and back: `ir.interop.TOOL.from_run(…)`, `ir.interop.TOOL.to_run(…)`.

A module for each tool.  Importing one loads nothing of the tool; what makes an object of it imports it then.
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
