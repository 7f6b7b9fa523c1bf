"""Model cards, read by a parser of YAML; datasets are in test_packages."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

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


class Sentences:
    """What is read of a `datasets.Dataset`; `docs/interop/huggingface.md` has one of them."""

    def __init__(self, frame: pl.DataFrame, **names: list[str]) -> None:
        of = {c: SimpleNamespace(feature=SimpleNamespace(names=names[c])) for c in names}
        self.frame, self.features = frame, dict.fromkeys(frame.columns) | of

    def with_format(self, kind: str) -> list[Any]:
        assert kind == "arrow"
        return self.frame.to_arrow()


def test_datasets_of_tokens() -> None:
    frame = pl.DataFrame(
        {"id": ["s"], "tokens": [["Ada", "##x", "met"]], "ner_tags": [[1, -100, 0]], "new": [[1, 0, 1]]}
    )
    tokens = ir.interop.huggingface.from_token_dataset(
        Sentences(frame, ner_tags=["O", "B-PER"]), predicted="new", names=None
    )
    assert tokens.rows() == [("s", 0, "Ada", "B-PER", "B-PER"), ("s", 2, "met", "O", "B-PER")]
    assert ir.Spans.from_tags(tokens).evaluate("Precision").summary()["value"].item() == 0.5
    with pytest.raises(WrongType, match="their names are not known"):
        ir.interop.huggingface.from_token_dataset(Sentences(frame))


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
