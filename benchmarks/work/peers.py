"""The work of other tools, on objects of their own that are loaded before."""

import importlib
from collections.abc import Callable
from typing import Any

from benchmarks.names import FIVE, PYTREC_EVAL, RANX

Means = dict[str, float]


def ranx(run: str, qrels: str, sorting: str = "before") -> Callable[[], Means]:
    """The call after the one that compiles; lists are put in order when a run is made, or again in every call."""
    module = importlib.import_module("ranx")
    judged = module.Qrels.from_df(_pandas(qrels), q_id_col="query_id", doc_id_col="doc_id", score_col="relevance")
    lists = module.Run.from_df(_pandas(run), q_id_col="query_id", doc_id_col="doc_id", score_col="score")
    names = {name: measure for measure, name in RANX.items()}

    def work() -> Means:
        if sorting == "counted":
            lists.sort()
        result = module.evaluate(judged, lists, list(names), save_results_in_run=False)
        return {names[name]: float(value) for name, value in result.items()}

    work()
    return work


def ir_measures(run: str, qrels: str) -> Callable[[], Means]:
    """Evaluate pandas frames."""
    module = importlib.import_module("ir_measures")
    measures = [module.parse_measure(name) for name in FIVE]
    loaded = _pandas(qrels), _pandas(run)
    return lambda: {str(measure): value for measure, value in module.calc_aggregate(measures, *loaded).items()}


def pytrec_eval(run: str, qrels: str) -> Callable[[], Means]:
    """Evaluate nested dicts."""
    module = importlib.import_module("pytrec_eval")
    evaluator = module.RelevanceEvaluator(_nested(qrels, "relevance"), set(PYTREC_EVAL.values()))
    lists = _nested(run, "score")

    def work() -> Means:
        result = evaluator.evaluate(lists).values()
        columns = {measure: name.replace(".", "_") for measure, name in PYTREC_EVAL.items()}
        return {measure: sum(query[column] for query in result) / len(result) for measure, column in columns.items()}

    return work


def _pandas(path: str) -> Any:
    pandas = importlib.import_module("pandas")
    return pandas.read_parquet(path).astype({"query_id": object, "doc_id": object})


def _nested(path: str, value: str) -> dict[str, dict[str, Any]]:
    frame = _pandas(path)
    nested: dict[str, dict[str, Any]] = {}
    for query, document, number in zip(frame["query_id"], frame["doc_id"], frame[value].tolist(), strict=True):
        nested.setdefault(query, {})[document] = number
    return nested
