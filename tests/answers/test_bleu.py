"""BLEU beside SacreBLEU itself: of a corpus, of each query, with weights."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from sacrebleu.metrics import BLEU

import ireval_frames as ir
from tests.answers.cases import Case, of_all, of_texts
from tests.contract.kit import ENGINES

OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"order": 2, "smoothing": "none"},
    {"tokenize": "intl", "lowercase": True, "effective_order": True},
    {"tokenize": "char", "order": 3},
)


def sacrebleu(case: Case, run: str, options: dict[str, Any]) -> tuple[float, dict[str, float]]:
    names = {"order": "max_ngram_order", "smoothing": "smooth_method"}
    scorer = BLEU(**{names.get(k, k): v for k, v in options.items()})
    gold = {name: list(dict.fromkeys(g for g in q.golds if g)) or [""] for name, q in case.runs[run].items()}
    said = {name: q.predicted or "" for name, q in case.runs[run].items()}
    most = max(map(len, gold.values()))
    references: Any = [[g[i] if i < len(g) else None for g in gold.values()] for i in range(most)]
    single = {name: scorer.corpus_score([said[name]], [[g] for g in gold[name]]).score for name in gold}
    return scorer.corpus_score(list(said.values()), references).score, single


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_equals_sacrebleu(options: dict[str, Any], engine: str) -> None:
    for case in (of_all(2), of_texts()):
        ev = ir.Answers(case.gold(), case.predicted(), engine=engine).evaluate(ir.answers.BLEU(**options))
        corpus, units = ev.summary(), ev.per_unit()
        for run in case.runs:
            whole, single = sacrebleu(case, run, options)
            assert corpus.filter(run_id=run)["value"].item() == pytest.approx(whole, rel=1e-12)
            of_run = units.filter(run_id=run)
            assert dict(of_run.select("query_id", "value").rows()) == pytest.approx(single, rel=1e-12)


def test_a_query_of_weight_two_is_two_queries() -> None:
    gold, predicted = ir.examples.answers()
    queries = gold.select("query_id", weight=pl.Series([2.0, 1, 1, 1, 1]))
    weighted = ir.Answers(gold, predicted, documents=queries).evaluate("BLEU(order=2)").summary()["value"].item()
    again = [frame.head(1).with_columns(query_id=pl.lit("again")) for frame in (gold, predicted)]
    twice = [pl.concat([frame, more]) for frame, more in zip((gold, predicted), again, strict=True)]
    assert weighted == pytest.approx(ir.Answers(*twice).evaluate("BLEU(order=2)").summary()["value"].item(), rel=1e-12)


def test_without_sacrebleu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "sacrebleu.metrics.bleu", None)
    with pytest.raises(ir.errors.EngineError, match=r"BLEU needs the package sacrebleu(.|\n)*ireval-frames\[bleu\]"):
        ir.Answers(*ir.examples.answers()).evaluate("BLEU(order=7)")
