"""Trackers by their documented rules, with a fake of MLflow; the packages themselves are in test_packages."""

from __future__ import annotations

import re
import sys
from functools import partial
from types import ModuleType, SimpleNamespace

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.errors import EngineError, InvalidParameter, NotDefined, UnknownName
from tests.contract.suites import SUITES
from tests.interop.cases import make_case

# MLflow's rule of names, without the colon and the blank that only newer ones take.
NAME = re.compile(r"^[/\w.\-]{1,250}$", re.ASCII)


class MLflow(ModuleType):
    """Stores what is logged, and checks the rules of MLflow."""

    def __init__(self):
        super().__init__("mlflow")
        self.data = SimpleNamespace(metrics={}, tags={})
        self.tables = {}

    def log_metrics(self, metrics, step=None):
        assert step is None or isinstance(step, int)
        assert len(metrics) <= 1000
        assert all(NAME.match(k) and isinstance(v, float) for k, v in metrics.items())
        self.data.metrics |= metrics

    def set_tags(self, tags):
        assert len(tags) <= 100
        assert all(NAME.match(k) and isinstance(v, str) and len(v) <= 5000 for k, v in tags.items())
        self.data.tags |= tags

    def log_table(self, data, artifact_file):
        assert artifact_file.endswith((".json", ".parquet"))
        self.tables[artifact_file] = pl.from_pandas(data)


@pytest.fixture
def mlflow(monkeypatch):
    module = MLflow()
    monkeypatch.setitem(sys.modules, "mlflow", module)
    return module


@pytest.fixture(scope="module")
def evaluation():
    qrels, run = make_case()
    runs = pl.concat([run.with_columns(run_id=pl.lit(n), score=pl.col("score") * s) for n, s in (("a", 1), ("b", -1))])
    queries = qrels.select("query_id").unique().with_columns(half=pl.col("query_id").str.len_chars() > 2)
    return ir.evaluate(qrels, runs, "nDCG@10 P(rel=2, judged_only=True)@5 AP(rel=9)", queries=queries, by="half")


def test_keys_are_distinct() -> None:
    definitions = [(suite, d) for suite in SUITES for d in catalog.definitions(suite.family) if d.name in suite.oracles]
    names = {str(m) for suite, d in definitions for case in suite.cases.values() for m in suite.variants(d, case)}
    keys = {ir.interop.trackers.key(name) for name in names}
    assert len(keys) == len(names) > 300
    assert all(NAME.match(f"ireval.measure.{key}") for key in keys)
    odd = [ir.interop.trackers.key(f"F1(classes='{c}')") for c in ("ä", "ö", "x" * 900, "x" * 901)]
    assert len(set(odd)) == 4
    assert all(NAME.match(f"ireval.measure.{key}") for key in odd)


def test_mlflow_there_and_back(mlflow, evaluation) -> None:
    row = {"run_id": "b", "half": True}
    ir.interop.mlflow.log(evaluation, units="units.parquet", **row)
    mlflow.log_metrics({"loss": 1.0})
    rows = evaluation.summary().filter(run_id="b", half=True)
    assert ir.interop.mlflow.from_run(mlflow).rows() == rows.select("measure", "value").rows()
    assert mlflow.data.tags["ireval.n_units"] == str(rows["n_units"][0])
    assert (mlflow.data.tags["ireval.run_id"], mlflow.data.tags["ireval.policy.ties"]) == ("b", "trec_eval")
    assert mlflow.tables["units.parquet"].rows() == evaluation.per_unit().filter(run_id="b", half=True).rows()


def test_one_row_is_named(evaluation) -> None:
    with pytest.raises(NotDefined, match=r"several rows by run_id, half[\s\S]*run_id=\"a\""):
        ir.interop.trackers.metrics(evaluation)
    with pytest.raises(NotDefined, match="half=False"):
        ir.interop.trackers.metrics(evaluation, run_id="a")
    with pytest.raises(UnknownName, match="run_id is never 'c'"):
        ir.interop.trackers.metrics(evaluation, run_id="c")
    with pytest.raises(UnknownName, match="no column 'lang'"):
        ir.interop.trackers.metrics(evaluation, lang="de")


def test_undefined_values_are_left_out_and_counted() -> None:
    one_class = pl.DataFrame({"label": [1, 1], "score": [0.5, 0.25]})
    ev = ir.Labels(one_class).evaluate("ROCAUC")
    assert ir.interop.trackers.metrics(ev) == {}
    assert ir.interop.trackers.tags(ev)["ireval.n_undefined"] == "ROCAUC: 1"


def test_measures_of_one_key() -> None:
    with pytest.raises(InvalidParameter, match="one key"):
        ir.interop.trackers.metrics(
            SimpleNamespace(summary=lambda: pl.DataFrame({"measure": ["A(b_c=1)", "A(b=c_1)"], "value": [0.0, 1.0]}))
        )


def test_more_rows_than_are_shown() -> None:
    with pytest.raises(NotDefined, match="200001 rows"):
        ir.interop.wandb.to_table(pl.DataFrame({"a": range(200_001)}))


@pytest.mark.parametrize("name", ["mlflow", "wandb", "trackio"])
def test_not_installed(monkeypatch, evaluation, name) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    module = getattr(ir.interop, name)
    call = partial(module.log, run_id="a", half=True) if name == "mlflow" else module.to_table
    with pytest.raises(EngineError, match=f"pip install {name}"):
        call(evaluation if name == "mlflow" else evaluation.per_unit())
