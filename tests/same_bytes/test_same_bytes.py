"""The same inputs give the same bytes on one thread and on several, and in every process."""

from __future__ import annotations

import ast
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.engines.polars.aggregates import in_order
from tests.same_bytes.comparing import DIGITS, computed, differences

# Sums of hashes, which are whole.
IN_ANY_ORDER = ("hashes.py",)
PACKAGE = Path(__file__).parents[2] / "ireval_frames"


def test_families_on_polars() -> None:
    """All measures of all families in other processes, on one thread and on eight."""
    apart = differences([*computed("polars", 1, ["families"]), *computed("polars", 8, ["families"])])
    assert not apart, apart


@pytest.mark.external
def test_analyses_on_polars() -> None:
    """Comparisons, experiments, resampling, models, fusion, gates, reports and the ids of stored results."""
    first = computed("polars", 1, ["analyses"])
    apart = differences([*first, *computed("polars", 2, ["analyses"]), *computed("polars", 8, ["analyses"], 1, 2)])
    assert not apart, apart


@pytest.mark.external
def test_many_rows_on_polars() -> None:
    """Tables with each unit several times, of which some have more than ten thousand rows."""
    apart = differences([*computed("polars", 1, ["families"], 6), *computed("polars", 8, ["families"], 6)])
    assert not apart, apart


@pytest.mark.external
def test_one_thread_of_duckdb() -> None:
    apart = differences(computed("duckdb", 1, ["families", "analyses"], 1, 2))
    assert not apart, apart


@pytest.mark.external
def test_several_threads_of_duckdb() -> None:
    """DuckDB adds what its threads have summed in any order: the last digits differ, and nothing else."""
    found = [*computed("duckdb", 1, ["families", "analyses"]), *computed("duckdb", 8, ["families", "analyses"], 1, 2)]
    apart = differences(found)
    assert all(distance <= DIGITS for distance, _ in apart.values()), apart


@pytest.mark.parametrize("factor", [1 + 2**-52, 1 - 2**-53])
def test_gates_do_not_depend_on_last_digits(factor: float) -> None:
    values = pl.DataFrame({"query_id": range(30), "AP": [i / 30 for i in range(30)]})
    rules = "AP drop <= 0; AP no significant loss; AP same within 0; AP non-inferior within 0.02"
    gate = ir.gate(values, values.with_columns(AP=pl.col("AP") * factor), rules)
    assert gate.exit_code == 0, gate.table()


def test_groups_come_in_order() -> None:
    """Every group-by of the package says that it has an order, or sorts what it gives."""
    wrong = [
        f"{path.relative_to(PACKAGE)}:{line}"
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.name not in IN_ANY_ORDER
        for line in _unordered(path.read_text(encoding="utf-8"))
    ]
    assert not wrong, f"write maintain_order=True, or .sort(…) after it: {wrong}"


def _unordered(text: str) -> list[int]:
    """The lines of calls of group_by whose groups come in any order."""
    if ".group_by(" not in text:
        return []
    calls = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Call)]
    is_sorted = {
        id(node)
        for call in calls
        if isinstance(call.func, ast.Attribute) and call.func.attr == "sort"
        for node in ast.walk(call.func.value)
    }
    return [
        call.lineno
        for call in calls
        if isinstance(call.func, ast.Attribute)
        and call.func.attr == "group_by"
        and id(call) not in is_sorted
        and not any(k.arg == "maintain_order" for k in call.keywords)
    ]


def test_sums_of_groups_are_compensated() -> None:
    """A sum of many terms of two groups, whose plain sum is wrong in the twelfth digit."""
    rows = pl.DataFrame({"run_id": ["a", "b"] * 500_000, "value": [0.1] * 1_000_000})
    sums = rows.lazy().group_by("run_id", maintain_order=True).agg(in_order(pl.col("value").sum()))
    assert sums.collect(engine="in-memory").rows() == [("a", 50_000.0), ("b", 50_000.0)]
