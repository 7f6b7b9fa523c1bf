"""Model cards, read by a parser of YAML; datasets are in test_packages."""

from __future__ import annotations

import sys

import polars as pl
import pytest
import yaml

import ireval_frames as ir
from ireval_frames.errors import EngineError, MalformedFile, WrongType


def test_other_types_are_refused(monkeypatch) -> None:
    with pytest.raises(WrongType, match="of type list"):
        ir.interop.huggingface.from_dataset([])
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(EngineError, match="pip install datasets"):
        ir.interop.huggingface.to_dataset(ir.examples.labels())


def test_model_card_is_yaml_and_comes_back() -> None:
    labels = ir.examples.labels().with_columns(score=pl.lit(1e-7))
    odd = "no: 1 # 'x'"
    ev = ir.Labels(labels).evaluate("F1(average='macro') Accuracy Kappa")
    text = ir.interop.huggingface.to_model_card(
        ev, model=odd, task="text-classification", dataset="a/b", dataset_name="yes", split="null", revision="1e5"
    )
    card = yaml.safe_load(text)
    result = card["model-index"][0]["results"][0]
    assert result["dataset"] == {"type": "a/b", "name": "yes", "split": "null", "revision": "1e5"}
    assert result["metrics"][0]["type"] == "F1/average_macro"
    rows = ir.interop.huggingface.from_model_card(card)
    assert rows.select("run_id", "task", "dataset", "split").unique().row(0) == (
        odd, "text-classification", "a/b", "null",
    )  # fmt: skip
    assert rows.select("measure", "value").rows() == ev.summary().select("measure", "value").rows()
    result["metrics"] = [{"type": "wer", "value": "20.0 ± 1.2"}, {"type": "cer", "value": 3}]
    assert ir.interop.huggingface.from_model_card(card["model-index"])["measure"].to_list() == ["cer"]
    del result["task"]
    with pytest.raises(MalformedFile, match="'task'"):
        ir.interop.huggingface.from_model_card(card)
