"""Options say their defaults twice, in the dataclass that checks them and in the signature that users read."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

import ireval_frames as ir
from ireval_frames.comparison.options import ComparisonOptions
from ireval_frames.experiments.options import AnalysisOptions
from ireval_frames.gating.options import GateOptions
from ireval_frames.interleaving.options import ListOptions, OutcomeOptions
from ireval_frames.parameters import BaseOptions
from ireval_frames.replication.options import ReproductionOptions
from ireval_frames.resampling.options import ResamplingOptions

RESERVED: dict[type[BaseOptions], Callable[..., Any]] = {
    AnalysisOptions: ir.Experiment.analyze,
    ComparisonOptions: ir.compare,
    GateOptions: ir.gate,
    ListOptions: ir.interleaving.interleave,
    OutcomeOptions: ir.interleaving.Interleaving,
    ReproductionOptions: ir.replication.reproduction,
    ResamplingOptions: ir.resampling.bootstrap,
}


@pytest.mark.parametrize("options", RESERVED, ids=lambda of: of.__name__)
def test_defaults_are_the_same(options: type[BaseOptions]) -> None:
    signature = inspect.signature(RESERVED[options]).parameters
    for name, parameter in options.parameters().items():
        # The baseline of an experiment is its constructor's.
        if (options.__name__, name) != ("AnalysisOptions", "baseline"):
            message = signature[name].default
            assert parameter.check(name, message) == parameter.check(name, parameter.default), name
