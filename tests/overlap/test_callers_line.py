"""Every warning of the package names the line of the caller."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import IrevalWarning


def calls(folder: Path) -> dict[str, Any]:
    (folder / "quepid.csv").write_text("query,docid,rating\nq,a,1\nq,b,\n")
    (folder / "response.json").write_text(
        json.dumps(
            {"metric_score": 1.0, "details": {"q": {"hits": [{"hit": {"_id": "a", "_score": 1.0}, "rating": 1}]}}}
        )
    )
    (folder / "run.csv").write_text("query_id,doc_id,score\nq,a,1\n")
    log = ir.Impressions(ir.examples.click_log())
    ratings = pl.DataFrame({"item_id": [1, 1, 2, 2], "rater_id": [*"abab"], "rating": [1, 0, 0, 1]})
    gold = pl.DataFrame({"item_id": [1, 7, 8, 9], "label": [1, 1, 1, 1]})
    labels = ir.Labels(gold, ratings.head(1).select("item_id", prediction="rating"))
    return {
        "resampled": lambda: ir.resampling.bootstrap(labels, "Accuracy", n_resamples=10).table(),
        "rows without ratings": lambda: ir.read_qrels(str(folder / "quepid.csv")),
        "an evaluation of them": lambda: ir.evaluate(str(folder / "quepid.csv"), str(folder / "run.csv"), "P@1").wide(),
        "a response": lambda: ir.read_qrels(str(folder / "response.json")),
        "a click model": lambda: log.fit("PBM", iterations=1),
        "gold": lambda: ir.Ratings(ratings).raters(gold=gold),
        "raters": lambda: ir.Ratings(ratings).aggregate("dawid-skene", max_iter=1),
    }


def test_warnings_name_the_callers_line(tmp_path: Path) -> None:
    for name, call in calls(tmp_path).items():
        with pytest.warns(IrevalWarning) as warned:
            call()
        assert {warning.filename for warning in warned} == {__file__}, name
