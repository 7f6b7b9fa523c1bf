"""Numbers that floats cannot represent, and NaN: the same results and errors for every source, engine and subject.

Every kind of value is read from every source on every engine, and the subjects take turns.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

import ireval_frames as ir

BIG, NAN, IDS = 2**53, float("nan"), ["a", "b", "c", "d"]
LONG = [Decimal(f"0.1234567890123456789{i}") for i in range(2)] + [Decimal("0.1"), Decimal("0.05")]
# The column, and its kind: refused where scores must be exact, or equivalent to 3, 4, 2, 1.
VALUES: dict[str, tuple[pl.Series, str]] = {
    "NaN": (pl.Series([3.0, NAN, 2.0, 1.0]), "nan"),
    "NaN of 32 bits": (pl.Series([3.0, NAN, 2.0, 1.0], dtype=pl.Float32), "nan"),
    "NaN of 16 bits": (pl.Series([3.0, NAN, 2.0, 1.0], dtype=pl.Float16), "nan"),
    "null": (pl.Series([3.0, None, 2.0, 1.0]), "nan"),
    "2^53 + 1": (pl.Series([BIG, BIG + 1, 2, 1]), "large"),
    "-2^53 - 1": (pl.Series([-BIG, -BIG - 1, 2, 1]), "large"),
    "unsigned 2^53 + 1": (pl.Series([BIG, BIG + 1, 2, 1], dtype=pl.UInt64), "large"),
    "decimals of 20 digits": (pl.Series(LONG, dtype=pl.Decimal(38, 20)), "large"),
    "whole decimals": (pl.Series([BIG, BIG + 1, 2, 1]).cast(pl.Decimal(38, 0)), "large"),
    "short decimals": (pl.Series([3, 4, 2, 1]).cast(pl.Decimal(38, 18)), "plain"),
    "unsigned": (pl.Series([3, 4, 2, 1], dtype=pl.UInt64), "plain"),
    "8 bits": (pl.Series([3, 4, 2, 1], dtype=pl.UInt8), "plain"),
    "16 bits": (pl.Series([3, 4, 2, 1], dtype=pl.Float16), "plain"),
    "32 bits": (pl.Series([3, 4, 2, 1], dtype=pl.Float32), "plain"),
}  # fmt: skip
Evaluated = tuple[pl.DataFrame, Callable[..., ir.Evaluation]]


def run(x: pl.Series) -> Evaluated:
    qrels = pl.DataFrame({"query_id": ["q"], "doc_id": ["b"], "relevance": [1]})
    return pl.DataFrame({"query_id": "q", "doc_id": IDS, "score": x}), lambda t, **o: ir.evaluate(qrels, t, "RR", **o)


def grades(x: pl.Series) -> Evaluated:
    ranked = pl.DataFrame({"query_id": "q", "doc_id": IDS, "score": [1.0, 4.0, 3.0, 2.0]})
    table = pl.DataFrame({"query_id": "q", "doc_id": IDS, "relevance": x})
    return table, lambda t, **o: ir.evaluate(t, ranked, "nDCG", **o)


def scores(x: pl.Series) -> Evaluated:
    table = pl.DataFrame({"id": IDS, "label": [0, 1, 0, 1], "score": x})
    return table, lambda t, **o: ir.Labels(t, item="id", positive=1, **o).evaluate("ROCAUC")


def weights(x: pl.Series) -> Evaluated:
    table = pl.DataFrame({"id": IDS, "label": [0, 1, 0, 1], "prediction": [0, 1, 1, 1], "weight": x})
    return table, lambda t, **o: ir.Labels(t, item="id", **o).evaluate("Accuracy")


def rankings(x: pl.Series) -> Evaluated:
    table = pl.DataFrame({"ranking": ["A"] * 4 + ["B"] * 4, "item": IDS * 2, "score": pl.concat([x, x.reverse()])})
    return table, lambda t, **o: ir.Similarity(t, **o).evaluate("RBO Tau")


def features(x: pl.Series) -> Evaluated:
    table = pl.DataFrame({"id": IDS, "cluster": [1, 1, 2, 2], "x": x})
    return table, lambda t, **o: ir.Points(t, features="x", cluster="cluster", item="id", **o).evaluate("SSE")


def clicks(x: pl.Series) -> Evaluated:
    table = pl.DataFrame({"serp_id": "s", "doc_id": IDS, "position": [1, 2, 3, 4], "click": x})
    return table, lambda t, **o: ir.Impressions(t, **o).evaluate("CTR")


def ratings(x: pl.Series) -> Evaluated:
    table = pl.DataFrame({"item_id": ["u", "u", "v", "v"], "rater_id": ["1", "2", "1", "2"], "rating": x})
    return table, lambda t, **o: ir.Ratings(t, **o).evaluate("NumRatings")


SUBJECTS = (run, scores, rankings, grades, weights, features, clicks, ratings)
ORDERING = (run, scores, rankings)
Table = tuple[Any, dict[str, Any]]


def sources(frame: pl.DataFrame, engine: str, folder: Path) -> dict[str, Callable[[], Table]]:
    own: dict[str, Any] = {"engine": engine}

    def parquet(name: str) -> str:
        (folder / name).parent.mkdir(exist_ok=True)
        frame.write_parquet(folder / name)
        return str(folder / name)

    def arrow() -> Table:
        frame.write_ipc(folder / "rows.arrow")
        return str(folder / "rows.arrow"), own

    def view() -> Table:
        con = duckdb.connect()
        con.execute(f"CREATE VIEW rows AS FROM '{parquet('rows.parquet')}'")
        return "rows", {"con": con}

    tables: dict[str, Callable[[], Table]] = {
        "frame": lambda: (frame, own),
        "lazy frame": lambda: (frame.lazy(), own),
        "Arrow": lambda: (frame.to_arrow(), own),
        "rows.parquet": lambda: (parquet("rows.parquet"), own),
        "rows, a folder": lambda: (str(Path(parquet("rows/part.parquet")).parent), own),
        "rows.arrow": arrow,
    }
    if engine == "duckdb":
        tables |= {"view": view, "relation": lambda: (duckdb.connect().sql(f"FROM '{parquet('rows.parquet')}'"), {})}
    return tables


def expected(subject: Callable[[pl.Series], Evaluated], kind: str, where: str, values: pl.Series) -> str:
    """The outcome: "plain" for the values of 3, 4, 2, 1, "values" for others, a number of ratings, or an error."""
    dtype = values.dtype
    if subject is ratings:
        return "WrongType" if dtype.is_decimal() else "3.0" if kind == "nan" else "4.0"
    if subject is grades and where.startswith("rows") and (dtype.is_float() or getattr(dtype, "scale", 0)):
        # Files of judgments have integer grades by default.
        return "WrongType"
    below = subject in (weights, clicks) and values[0] < 0
    part = subject is clicks and 0 < values[0] < 1
    refused = kind == "nan" or below or part or (kind == "large" and subject in ORDERING)
    return "InvalidValue" if refused else "plain" if kind == "plain" else "values"


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("name", VALUES)
def test_every_source_has_the_same_outcome(name: str, engine: str, tmp_path: Path) -> None:
    values, kind = VALUES[name]
    plain = pl.Series([3.0, 4.0, 2.0, 1.0])
    # Each kind of values is read from every other source.
    place = list(VALUES).index(name)
    for turn in range(place % 2, 8, 2):
        subject = SUBJECTS[(turn * 3 + place) % len(SUBJECTS)]
        table, evaluated = subject(values)
        tables = list(sources(table, engine, tmp_path).items())
        where, make = tables[turn % len(tables)]
        source, options = make()
        try:
            results: Any = evaluated(source, **options).summary()["value"].to_list()
        except ir.errors.IrevalError as error:
            outcome, hint = type(error).__name__, error.hint
        else:
            hint = "none is needed"
            table, evaluated = subject(plain)
            same = None not in results and results == pytest.approx(
                evaluated(table).summary()["value"].to_list(), rel=1e-12
            )
            outcome = str(results[0]) if subject is ratings else "plain" if kind == "plain" and same else "values"
        assert (outcome, bool(hint)) == (expected(subject, kind, where, values), True), (subject.__name__, where)


TEXT = {
    "run": "q Q0 a 1 {} t\nq Q0 b 2 {} t\n",
    "csv": "query_id,doc_id,score\nq,a,{}\nq,b,{}\n",
    "jsonl": '{{"query_id": "q", "doc_id": "a", "score": {}}}\n{{"query_id": "q", "doc_id": "b", "score": {}}}\n',
}


@pytest.mark.parametrize("ending", TEXT)
def test_integers_of_text_files(ending: str, tmp_path: Path) -> None:
    """Whole numbers beyond 2^53 are refused with their line; floats as large, and 17 digits of one, are not."""
    path = tmp_path / f"runs.{ending}"
    for one, other, allowed in (
        (BIG + 1, BIG, False),
        (-BIG - 1, 1, False),
        (BIG, BIG - 1, True),
        ("1e300", "9.007199254740993e15", True),
        ("0.12345678901234567", "0.12345678901234569", True),
    ):
        path.write_text(TEXT[ending].format(one, other))
        if allowed:
            assert ir.read_run(path)["score"].to_list() == [float(one), float(other)]
        else:
            with pytest.raises(ir.errors.MalformedFile, match=f"{one} is a whole number beyond 2\\^53"):
                ir.read_run(path)
    # Scores rounded to 32 bits are tied as trec_eval ties them.
    path.write_text(TEXT[ending].format(BIG + 1, BIG))
    qrels = pl.DataFrame({"query_id": ["q"], "doc_id": ["b"], "relevance": [1]})
    assert ir.evaluate(qrels, path, "RR", policy="precision=32").summary()["value"].to_list() == [1.0]


def test_writing_refuses_inexact_scores(tmp_path: Path) -> None:
    """Writers of scores as floats refuse those that floats cannot distinguish."""
    frame, _ = run(VALUES["2^53 + 1"][0])
    for act in (lambda: ir.io.write_run(frame, tmp_path / "x.run"), lambda: ir.interop.dicts.to_run(frame)):
        with pytest.raises(ir.errors.InvalidValue, match="9007199254740993"):
            act()


def test_ranks_in_place_of_scores() -> None:
    """The error's hint preserves the order."""
    for name in ("2^53 + 1", "decimals of 20 digits"):
        frame, evaluated = run(VALUES[name][0])
        assert evaluated(frame.with_columns(pl.col("score").rank("dense"))).summary()["value"].to_list() == [1.0]
