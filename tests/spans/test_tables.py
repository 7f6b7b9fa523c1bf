"""Counts, errors, the confusion and the report are those of the oracle, on both engines."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from tests.oracles import spans as oracle
from tests.spans.cases import Case, make_case

CASES = {
    "spans": make_case(11, runs=2, weighted=True),
    "fragments": make_case(12, fragments=True),
    "no types": make_case(13, typed=False),
}


def subject(case: Case, engine: str = "polars", **options: Any) -> ir.Spans:
    frames, fragment = case.frames(), "part" if case.fragments else None
    return ir.Spans(
        frames["gold"], frames["predicted"], documents=frames["documents"], fragment=fragment, engine=engine, **options
    )


@pytest.fixture(params=["polars", "duckdb"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize("name", CASES)
def test_errors(name: str, engine: str) -> None:
    case = CASES[name]
    rows = subject(case, engine).errors()
    places = ("gold_start", "gold_end", "gold_type", "predicted_start", "predicted_end", "predicted_type")
    columns = [c for c in places if c in rows.columns]
    assert rows.columns == ["run_id", "doc_id", *columns, "error", "ends"]
    actual = sorted(rows.rows(), key=repr)
    expected = []
    for run, documents in case.runs.items():
        for doc, document in documents.items():
            for g, p, error, ends in oracle.errors(document):
                sides = [(s.start, s.end, s.type) if s else (None,) * 3 for s in (g, p)]
                row = dict(zip(places, (*sides[0], *sides[1]), strict=True))
                expected.append((run, doc, *(row[c] for c in columns), error, ends))
    assert actual == sorted(expected, key=repr)


def test_errors_have_all_names() -> None:
    names = {row for case in CASES.values() for row in subject(case).errors()["error"]}
    assert names == {"correct", "type", "boundary", "both", "missed", "merged", "spurious", "duplicate", "split"}
    ends = {row for case in CASES.values() for row in subject(case).errors()["ends"]}
    assert ends == {None, "left", "right", "long", "short", "shifted", "fragments"}


def test_confusion(engine: str) -> None:
    case = CASES["spans"]
    actual = {(r, g, p): n for r, g, p, n in subject(case, engine).confusion().rows()}
    expected = {
        (run, *types): float(n)
        for run, documents in case.runs.items()
        for types, n in oracle.confusion(documents.values()).items()
    }
    assert actual == expected


@pytest.mark.parametrize("view", ["gold", "filtered"])
@pytest.mark.parametrize("per_unit", [True, False])
def test_counts(engine: str, view: Any, per_unit: bool) -> None:  # noqa: FBT001
    case = CASES["spans"]
    frame = subject(case, engine).counts(view=view, per_unit=per_unit)
    names = ("cor", "inc", "par", "mis", "spu", "pos", "act")
    assert frame.columns == ["run_id", *(["doc_id"] if per_unit else []), "type", "mode", *names]
    actual = {row[: -len(names)]: row[-len(names) :] for row in frame.rows()}
    expected = {}
    for run, documents in case.runs.items():
        parts = {(d,): [oracle.Document(of.gold, of.predicted)] for d, of in documents.items()}
        for key, part in (parts if per_unit else {(): list(documents.values())}).items():
            for mode in ("strict", "exact", "partial", "type"):
                for of_type, counts in oracle.counts_by_type(part, mode, filtered=view == "filtered").items():
                    expected[run, *key, of_type, mode] = tuple(float(getattr(counts, n)) for n in names)
    # A type that is predicted only where a gold span of another one is matched has no counts of its own.
    empty = {key for key, row in actual.items() if not any(row)}
    assert {key: row for key, row in actual.items() if key not in empty} == expected


def test_report(engine: str) -> None:
    case = CASES["spans"]
    measures = [f"{m}(match='partial', {{}})" for m in ("Precision", "Recall", "F1")]
    frame = subject(case, engine).report(match="partial").filter(run_id="run1")
    averages = [f"average={a!r}" for a in ("micro", "macro", "weighted")]
    rows = [*(f"types=[{name!r}]" for name in frame["type"][:-3]), *averages]
    every = [m.format(row) for row in rows for m in measures]
    values = subject(case, engine).evaluate(every).summary().filter(run_id="run1")["value"].to_list()
    actual = [v for row in frame.select("precision", "recall", "f1").rows() for v in row]
    assert actual == pytest.approx(values, abs=1e-12)
    assert frame["type"].to_list()[:-3] == sorted(frame["type"].to_list()[:-3])


def test_inclusive_offsets_are_those_of_the_user() -> None:
    gold, predicted = (frame.with_columns(pl.col("end") - 1) for frame in ir.examples.spans())
    inclusive = ir.Spans(gold, predicted, offsets="inclusive")
    exclusive = ir.Spans(*ir.examples.spans())
    assert inclusive.evaluate("F1 TokenF1").summary().equals(exclusive.evaluate("F1 TokenF1").summary())
    errors, others = inclusive.errors(), exclusive.errors()
    ends = [c for c in errors.columns if c.endswith("_end")]
    assert errors.with_columns(pl.col(ends) + 1).equals(others)
