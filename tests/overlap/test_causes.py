"""Causes of ids that differ by mistake; the suggested line makes them equal."""

import polars as pl
import pytest

from ireval_frames.errors import Argument
from ireval_frames.overlap import Side, likely_cause, nothing_in_common

PAIRS = {
    "zeros in front": (["001", "002", "010"], ["1", "2", "10"]),
    "zeros behind numbers": ([1, 2, 10], ["001", "002", "010"]),
    "decimals": (["1.0", "2.0"], ["1", "2"]),
    "blanks": (["a ", " b"], ["a", "b"]),
    "case": (["Q1", "q2"], ["q1", "Q2"]),
    "prefix": (["doc-1", "doc-2", "doc-3"], ["1", "2", "9"]),
    "suffix": (["d1", "d2"], ["d1.txt", "d2.txt"]),
    "zeros after letters": (["topic-001", "topic-020"], ["topic-1", "topic-20"]),
    "two at once": (["Q01", "Q02"], ["q1", "q2"]),
    "blanks and decimals": ([" 1.0", " 2.0"], ["1", "2"]),
    "quotes": (['"d1"', '"d2"'], ["d1", "d2"]),
    "a quote before": (['a"1', 'a"2'], ["1", "2"]),
    "a backslash before": (["c:\\d1", "c:\\d2"], ["d1", "d2"]),
    "a mark of a file's beginning": (["\ufeffa", "b"], ["a", "c"]),
    "accents": (["\u00e9t\u00e9"], ["e\u0301te\u0301"]),
    "bytes": ([b"A", b"B"], ["a", "b"]),
    "categories": (pl.Series(["A", "B"], dtype=pl.Categorical), pl.Series(["a", "b"], dtype=pl.Enum(["b", "a"]))),
}


@pytest.mark.parametrize("name", PAIRS)
def test_the_suggested_line_makes_ids_equal(name):
    one, other = (pl.DataFrame({"query_id": ids}) for ids in PAIRS[name])
    actual = likely_cause(
        Side("qrels", "query_id", one["query_id"].to_list()), Side("run", "query_id", other["query_id"].to_list())
    )
    assert actual is not None
    frames = {"qrels": one, "run": other}
    for line in actual[1]:
        table = line.line.split(".", 1)[0]
        assert line.line.isprintable()
        frames[table] = eval(line.line, {"pl": pl, **frames})
    texts = [set(frame["query_id"].cast(pl.String)) for frame in frames.values()]
    assert texts[0] & texts[1]


def test_different_ids_have_no_cause():
    numbers = [
        Side(name, "query_id", [str(i) for i in ids]) for name, ids in (("qrels", range(40)), ("run", range(40, 80)))
    ]
    assert likely_cause(*numbers) is None
    error = nothing_in_common("No query of the run is judged", *numbers, Argument("policy", "overlap=allow"))
    assert "'0', '1', '2' and 37 more in the qrels" in error.what
    assert 'policy="overlap=allow"' in error.hint


def test_long_ids_are_shown_in_part():
    sides = [Side(name, "doc_id", [letter * 100_000]) for name, letter in (("qrels", "x"), ("run", "y"))]
    assert len(nothing_in_common("No document is judged", *sides).what) < 300


def test_ids_that_are_equal_have_no_cause() -> None:
    """Nothing is in common for another reason: no query counts."""
    ids = [Side(name, "doc_id", ["d1", "d2 "]) for name in ("qrels", "run")]
    assert likely_cause(*ids) is None
