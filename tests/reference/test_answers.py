"""Answers beside rouge-score, SacreBLEU and NLTK's stemmer, and beside the steps of SQuAD's scripts as plain loops."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from nltk.stem.porter import PorterStemmer
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.metrics import BLEU

import ireval_frames as ir
from ireval_frames.answers.stemming import stemmed
from tests.answers.cases import Case, of_all, of_texts
from tests.contract.kit import ENGINES
from tests.oracles.answers import squad

engines = pytest.mark.parametrize("engine", ENGINES)
CASES = {"all": of_all(3), "texts": of_texts()}
cases = pytest.mark.parametrize("case", CASES.values(), ids=CASES)
NAMES = {"rouge1": "ROUGE1", "rouge2": "ROUGE2", "rougeL": "ROUGEL"}


def values(case: Case, measures: str, policy: str, engine: str) -> dict[tuple[str, str, str], float | None]:
    ev = ir.Answers(case.gold(), case.predicted(), policy=f"{policy},overlap=allow", engine=engine).evaluate(measures)
    rows = ev.per_unit().select("measure", "run_id", "query_id", "value").rows()
    return {tuple(key): value for *key, value in rows}  # type: ignore[misc]


@engines
@cases
@pytest.mark.parametrize("stemming", ["none", "porter"])
def test_rouge_score(case: Case, stemming: str, engine: str, agrees: Callable[..., None]) -> None:
    scorer = RougeScorer(list(NAMES), use_stemmer=stemming == "porter")
    named = {(t, s): f"{m}(score='{s}', stemming='{stemming}')" for t, m in NAMES.items() for s in "FPR"}
    measures = {key: str(ir.Measure.parse(text, "answers")) for key, text in named.items()}
    actual = values(case, " ".join(named.values()), "rouge-score,missing=empty", engine)
    for run, queries in case.runs.items():
        for name, query in queries.items():
            golds = [g for g in query.golds if g is not None] or [""]
            best = scorer.score_multi(golds, query.predicted or "")
            for tool, score in best.items():
                assert actual[measures[tool, "F"], run, name] == pytest.approx(score.fmeasure, rel=1e-12)
                # Of golds with equal F it takes the first one.
                if len(set(golds)) == 1:
                    assert actual[measures[tool, "P"], run, name] == pytest.approx(score.precision, rel=1e-12)
                    assert actual[measures[tool, "R"], run, name] == pytest.approx(score.recall, rel=1e-12)
    agrees("rouge-score", *NAMES.values(), family="answers")


def test_stems_are_those_of_nltk() -> None:
    rng, theirs = random.Random(1), PorterStemmer()
    endings = re.findall("[a-z]+", """
        ational tional enci anci izer bli alli entli eli ousli ization ation ator alism iveness fulness ousness aliti
        iviti biliti fulli logi icate ative alize iciti ical ful ness al ance ence er ic able ible ant ement ment ent
        ion ou ism ate iti ous ive ize s es ies sses ss ed ing eed ied y e ll
    """)  # fmt: skip
    made = {
        "".join(rng.choices("bcdtaeiyolsz", k=rng.randint(0, 6))) + "".join(rng.choices(endings, k=rng.randint(1, 2)))
        for _ in range(20_000)
    }
    pages = Path(__file__).parents[2].joinpath("docs").glob("*.md")
    written = {w for page in pages for w in re.findall("[a-z0-9]+", page.read_text("utf-8").lower())}
    words = [w for w in made | written if len(w) > 3]
    assert len(words) > 10_000
    assert [w for w in words if stemmed(w) != theirs.stem(w)] == []


@engines
@cases
@pytest.mark.parametrize("tokenize", ["13a", "none", "intl"])
def test_sacrebleu(case: Case, tokenize: str, engine: str, agrees: Callable[..., None]) -> None:
    scorer = BLEU(tokenize=tokenize)
    ev = ir.Answers(case.gold(), case.predicted(), engine=engine).evaluate(ir.answers.BLEU(tokenize=tokenize))
    corpus = dict(ev.summary().select("run_id", "value").rows())
    for run, queries in case.runs.items():
        golds = [list(dict.fromkeys(g for g in q.golds if g)) or [""] for q in queries.values()]
        references = [[g[i] if i < len(g) else None for g in golds] for i in range(max(map(len, golds)))]
        score = scorer.corpus_score([q.predicted or "" for q in queries.values()], references)
        assert corpus[run] == pytest.approx(score.score, rel=1e-12)
    agrees("sacrebleu", "BLEU", family="answers")


def f1(gold: str, predicted: str, *, second: bool) -> float:
    """The steps of the scripts of SQuAD 1.1 and 2.0 (`second`)."""
    g, p = squad(gold).split(), squad(predicted).split()
    if second and (not g or not p):
        return float(g == p)
    common = (Counter(g) & Counter(p)).total()
    if not common:
        return 0.0
    precision, recall = common / len(p), common / len(g)
    return 2 * precision * recall / (precision + recall)


@engines
@cases
@pytest.mark.parametrize("version", ["1.1", "2.0"])
def test_the_steps_of_squad(case: Case, version: str, engine: str) -> None:
    second = version == "2.0"
    names = ("ExactMatch", "TokenF1", "ExactMatch(queries='answerable')", "TokenF1(queries='unanswerable')")
    options = {"policy": f"squad-{version}", "engine": engine}
    summary = ir.Answers(case.gold(), case.predicted(), **options).evaluate(" ".join(names)).summary()
    for run, queries in case.runs.items():
        exact, f, answerable = {}, {}, {}
        for name, query in queries.items():
            answers = [g for g in query.golds if g]
            answerable[name] = bool(answers)
            golds = ([g for g in answers if squad(g)] or [""]) if second else [g for g in query.golds if g is not None]
            if query.predicted is None:
                if not second:
                    exact[name] = f[name] = 0.0
                continue
            exact[name] = max(float(squad(g) == squad(query.predicted)) for g in golds or [""])
            f[name] = max(f1(g, query.predicted, second=second) for g in golds or [""])
        parts = (
            exact.values(), f.values(), [v for n, v in exact.items() if answerable[n]],
            [v for n, v in f.items() if not answerable[n]],
        )  # fmt: skip
        means = [sum(part) / len(part) if part else None for part in parts]
        actual = summary.filter(pl.col("run_id") == run)["value"].to_list()
        assert actual == [None if m is None else pytest.approx(m, rel=1e-12) for m in means]
