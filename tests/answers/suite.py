"""Every measure of answers with many values of its parameters, and what the oracle says of them."""

from __future__ import annotations

from typing import Any

import ireval_frames as ir
from ireval_frames.answers import AnswerPolicy
from ireval_frames.declaration import Definition, Measure
from tests.answers.cases import Case, of_all, of_shapes, of_texts
from tests.contract.kit import Frames, Suite, Values, allow_no_overlap, one_at_a_time
from tests.oracles import answers as oracle

# What to try for a parameter of that name.
VALUES: dict[str, tuple[Any, ...]] = {
    "normalize": ("none", "triviaqa", "multilingual", "rouge-score", "squad"),
    "beta": (0.5, 2.0),
    "queries": ("answerable", "unanswerable"),
    "whole_words": (True,),
    "score": ("P", "R"),
    "stemming": ("porter",),
    "tokenize": ("none",),
    "lowercase": (True,),
    "order": (2,),
    "smoothing": ("none",),
    "effective_order": (True,),
    # Texts are normalised in one place, and queries are selected in one.
    "Contains.normalize": ("none",),
    "Contains.queries": ("unanswerable",),
    "TokenF1.normalize": ("none", "multilingual"),
    "TokenP.normalize": ("multilingual",),
    "TokenP.queries": ("answerable",),
    "TokenR.normalize": ("none",),
    "TokenR.queries": ("unanswerable",),
    "ROUGE1.normalize": ("multilingual",),
    "ROUGE1.queries": ("answerable",),
    "ROUGE2.normalize": ("squad",),
    "ROUGE2.queries": ("answerable",),
    "ROUGEL.normalize": ("triviaqa",),
    "ROUGEL.queries": ("unanswerable",),
    "BLEU.queries": ("answerable",),
}
CASES = {
    "all": of_all(1),
    "texts": of_texts(),
    "squad-1.1": of_shapes("squad-1.1"),
    "squad-2.0, lists": of_shapes("squad-2.0", lists=True),
    "missing are empty": of_shapes("missing=empty,empty=zero"),
}


def variants(definition: Definition, case: Case) -> list[Measure]:
    """The measure with its defaults, and with each parameter changed alone."""
    tried = one_at_a_time(definition, VALUES, "VALUES of tests/answers/suite.py")
    if case.tries == "all":
        return [m for m in tried if "normalize" not in dict(m.values) or m.name == "TokenF1"]
    return tried[:1] + [m for m in tried if case.tries in dict(m.values)]


def tables(case: Case, _: Any = None) -> Frames:
    return {"gold": case.gold(), "predicted": case.predicted()}


def evaluate(case: Case, frames: Frames, measures: Any, engine: str, **options: Any) -> ir.Evaluation:
    keywords: dict[str, Any] = {"policy": case.policy or None, "engine": engine} | options
    keywords["policy"] = allow_no_overlap(keywords["policy"], AnswerPolicy)
    return ir.Answers(frames["gold"], frames["predicted"], **keywords).evaluate(measures)


def expected(case: Case, measure: Measure) -> Values:
    """What the oracle says of every run and query."""
    return {
        (str(measure), run, name): oracle.value(measure.name, query, case.conventions, **measure.arguments())
        for run, queries in case.runs.items()
        for name, query in queries.items()
    }


ANSWERS = Suite(
    name="answers",
    family="answers",
    oracles=oracle.ORACLES.keys(),
    oracle_place="ORACLES of tests/oracles/answers.py",
    cases=CASES,
    main=("all",),
    unit="query_id",
    tables=tables,
    evaluate=evaluate,
    variants=variants,
    oracle=expected,
    grouped="gold",
    skip={
        "weights": "a query is one unit, which tables of documents weigh",
        "names": "answers are compared by their words",
    },
)
SUITES = (ANSWERS,)
DEFINITIONS = ANSWERS.definitions
