"""`ireval clicks`: click logs."""

from __future__ import annotations

from ireval_frames.cli.judgments.click_counterfactual import counterfactual, propensities
from ireval_frames.cli.judgments.click_experiment import experiment
from ireval_frames.cli.judgments.click_log import EXAMPLES, check, evaluate, rates
from ireval_frames.cli.judgments.click_models import fit, judgments
from ireval_frames.cli.options.command import group

clicks = group(
    "clicks",
    "Evaluate click logs.",
    EXAMPLES,
    [evaluate, check, rates, fit, judgments, counterfactual, propensities, experiment],
)
