"""Every macro of the page gives in the browser what the measure gives in Python."""

from __future__ import annotations

import importlib.util
import json
import math
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import polars as pl
import pytest

from ireval_frames.errors import NotDefined
from ireval_frames.macros.installing import FAMILIES, PREFIX
from ireval_frames.macros.measure_macro import measure_macro
from ireval_frames.macros.shapes import SUFFIXES
from tests.browser.page.conftest import BUILT, Opened
from tests.browser.page.tables import load
from tests.macros.test_values import Case, case_of, evaluated, tables

PAGE = BUILT.parents[1] / "page"


def _of_the_page(family: str) -> Iterator[Case]:
    """The macros that the page has, each called with other values than its defaults."""
    sys.path.insert(0, str(PAGE))
    try:
        specification = importlib.util.spec_from_file_location("page_data", PAGE / "data.py")
        assert specification is not None
        assert specification.loader is not None
        module = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(module)
    finally:
        sys.path.remove(str(PAGE))
    for measure in module.measured(family):
        for suffix in SUFFIXES.get(family, ("",)):
            try:
                case = case_of(measure_macro(measure, suffix), measure)
            except NotDefined:
                continue
            # Words of parameters may end as the names of macros do.
            yield replace(case, subject="_".join(filter(None, [family, suffix]))) if family in SUFFIXES else case


@pytest.mark.parametrize("family", FAMILIES)
def test_macros_give_what_measures_give(opened: Callable[..., Opened], family: str) -> None:
    watched, frames = opened(), tables()
    judgments = frames["qrels"]
    # Grades as probabilities, for measures that read them so.
    frames["chances"] = judgments.with_columns(pl.col("relevance").clip(0) / 4)
    # In DuckDB 1.4 stages of a macro hide tables of their names.
    load(watched.page, {f"the_{name}": frame for name, frame in frames.items()})
    known = json.loads((BUILT / "data" / "macros.json").read_text("utf-8"))
    groups: dict[str, dict[str, Case]] = {}
    for case in _of_the_page(family):
        as_chances = dict(case.measure.values).get("stop") == "relevance"
        groups.setdefault("chances" if as_chances else case.subject, {})[case.macro.name] = case
    assert {PREFIX + name for some in groups.values() for name in some} <= set(known)
    differences: list[str] = []
    for subject, some in groups.items():
        measures = list(dict.fromkeys(case.measure for case in some.values()))
        if subject == "chances":
            expected = evaluated("ranking", {**frames, "qrels": frames["chances"]}, measures)
        else:
            expected = evaluated(subject, frames, measures)
        keys = [c for c in expected.columns if c not in ("measure", "value")]
        values = {row[: len(keys) + 1]: row[-1] for row in expected.select(*keys, "measure", "value").iter_rows()}
        for name, case in some.items():
            watched.page.evaluate("name => ireval.install(name)", PREFIX + name)
            call = _call(case, frames, chances=subject == "chances")
            rows = watched.query(f"SELECT {', '.join(keys)}, value FROM {PREFIX}{call}")
            reference = {key[:-1]: v for key, v in values.items() if key[-1] == str(case.measure)}
            differences += _differences(case.call, {tuple(r[:-1]): r[-1] for r in rows}, reference)
    assert differences == []
    assert sum(map(len, groups.values())) >= {"ranking": 180, "labels": 100, "clusters": 60}.get(family, 9)


def _call(case: Case, frames: Mapping[str, pl.DataFrame], *, chances: bool) -> str:
    """The call with the names of the page's tables."""

    def name(match: re.Match[str]) -> str:
        return f"'the_{'chances' if chances and match[1] == 'qrels' else match[1]}'"

    return re.sub(rf"'({'|'.join(frames)})'", name, case.call)


def _differences(call: str, actual: dict[Any, Any], expected: dict[Any, Any]) -> list[str]:
    def alike(one: float | None, other: float | None) -> bool:
        if one is None or other is None:
            return one is other
        return math.isclose(one, other, rel_tol=1e-12, abs_tol=1e-12)

    if actual.keys() != expected.keys() or not actual:
        return [f"{call}: units {sorted(actual)[:3]} for {sorted(expected)[:3]}"]
    return [f"{call} at {k}: {actual[k]} for {v}" for k, v in expected.items() if not alike(actual[k], v)][:2]
