"""Other tools' click models."""

import importlib
from collections.abc import Callable

Means = dict[str, float]


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
