"""Other tools: rankings, click models, experiments and ratings."""

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


def pyclick(log: str, name: str, iterations: int) -> Callable[[], Means]:
    """PyClick (markovi/PyClick) on sessions that are objects before."""
    polars = importlib.import_module("polars")
    session = importlib.import_module("pyclick.search_session.SearchSession").SearchSession
    result = importlib.import_module("pyclick.search_session.SearchResult").SearchResult
    model = getattr(importlib.import_module(f"pyclick.click_models.{name}"), name)
    rows = polars.read_parquet(log, columns=["serp_id", "query_id", "doc_id", "position", "click"])
    sessions = {}
    for serp, query, document, _, click in rows.sort("serp_id", "position").iter_rows():
        sessions.setdefault(serp, session(str(query))).web_results.append(result(str(document), int(click)))

    def work() -> Means:
        fitted = model()
        fitted._inference.iter_num = iterations  # noqa: SLF001 - it has no other way
        fitted.train([*sessions.values()])
        return {}

    return work


def tea_tasting(table: str, metrics: int) -> Callable[[], Means]:
    """Means with covariates of a lazy frame of Polars."""
    tea, polars = importlib.import_module("tea_tasting"), importlib.import_module("polars")
    means = {f"m{k}": tea.Mean(f"m{k}", f"m{k}_before") for k in range(metrics)}

    def work() -> Means:
        rows = polars.scan_parquet(table)
        results = tea.Experiment(means, variant="variant").analyze(rows, control="old")
        return {name: float(one.effect_size) for name, one in results.items()}

    return work


def crowdkit(table: str, iterations: int) -> Callable[[], Means]:
    """crowd-kit's Dawid-Skene on a frame of pandas."""
    polars = importlib.import_module("polars")
    model = importlib.import_module("crowdkit.aggregation").DawidSkene
    names = {"item_id": "task", "rater_id": "worker", "rating": "label"}
    frame = polars.read_parquet(table).rename(names).to_pandas()
    return lambda: {"units": float(len(model(n_iter=iterations, tol=0.0).fit_predict(frame)))}
