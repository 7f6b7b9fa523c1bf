"""Hugging Face's datasets by a stand-in of its documented methods, and model cards as YAML reads them."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import polars as pl
import pytest
import yaml

import ireval_frames as ir
from ireval_frames.errors import EngineError, MalformedFile, WrongType


class Dataset:
    """Rows of an Arrow table, of which some are chosen without moving any."""

    def __init__(self, table, chosen, form=None):
        self.table, self.chosen, self.form = table, chosen, form

    @classmethod
    def from_polars(cls, frame):
        return cls(frame.to_arrow(), list(range(frame.height)))

    def select(self, rows):
        return Dataset(self.table, [self.chosen[r] for r in rows])

    def with_format(self, form):
        return Dataset(self.table, self.chosen, form)

    def __getitem__(self, rows):
        assert self.form == "arrow"
        return self.table.take(self.chosen[rows])


def test_datasets_there_and_back(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "datasets", SimpleNamespace(Dataset=Dataset))
    labels = ir.examples.labels()
    dataset = ir.interop.huggingface.to_dataset(labels.lazy())
    assert ir.interop.huggingface.from_dataset(dataset).equals(labels)
    some = ir.interop.huggingface.from_dataset(dataset.select([3, 1]))
    assert some["item_id"].to_list() == [3, 1]
    with pytest.raises(WrongType, match=r"several splits \(train, test\)[\s\S]*dataset\[\"train\"\]"):
        ir.interop.huggingface.from_dataset({"train": dataset, "test": dataset})
    with pytest.raises(WrongType, match="of type list"):
        ir.interop.huggingface.from_dataset([])
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(EngineError, match="pip install datasets"):
        ir.interop.huggingface.to_dataset(labels)


def test_model_card_is_yaml_and_comes_back() -> None:
    labels = ir.examples.labels().with_columns(score=pl.lit(1e-7))
    odd = "no: 1 # 'x'"
    ev = ir.Labels(labels).evaluate("F1(average='macro') Accuracy Kappa")
    text = ir.interop.huggingface.to_model_card(
        ev, model=odd, task="text-classification", dataset="a/b", dataset_name="yes", split="null", revision="1e5"
    )
    said = yaml.safe_load(text)
    result = said["model-index"][0]["results"][0]
    assert result["dataset"] == {"type": "a/b", "name": "yes", "split": "null", "revision": "1e5"}
    assert result["metrics"][0]["type"] == "F1/average_macro"
    rows = ir.interop.huggingface.from_model_card(said)
    assert rows.select("run_id", "task", "dataset", "split").unique().row(0) == (
        odd, "text-classification", "a/b", "null",
    )  # fmt: skip
    assert rows.select("measure", "value").rows() == ev.summary().select("measure", "value").rows()
    result["metrics"] = [{"type": "wer", "value": "20.0 ± 1.2"}, {"type": "cer", "value": 3}]
    assert ir.interop.huggingface.from_model_card(said["model-index"])["measure"].to_list() == ["cer"]
    del result["task"]
    with pytest.raises(MalformedFile, match="'task'"):
        ir.interop.huggingface.from_model_card(said)
