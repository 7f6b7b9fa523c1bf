"""Normalised text is the same on every engine, and what plain Python makes of it."""

from __future__ import annotations

import string

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ireval_frames as ir
from ireval_frames.answers.normalization import NORMALIZATIONS, lowercase, normalized, words
from ireval_frames.answers.stemming import stemmed
from ireval_frames.answers.subsequences import longest
from ireval_frames.expr import col
from tests.answers.texts import TEXTS
from tests.oracles import answers as oracle
from tests.planner.engines import EVERY, Opened

# Letters whose case depends on what is around them, marks, spaces, and what ends words.
ALPHABET = "aAnNtThHeE ΣσςİıIßǅ\u0301\u0307’'‘´`._-–“—:·\u00ad\u200b\u00a0\u2028\x1c\x85日のé1²½ªⅣ@$+"
texts = st.lists(
    st.one_of(st.text(ALPHABET), st.sampled_from(TEXTS), st.text(st.characters(max_codepoint=0x2FFF, codec="utf-8"))),
    min_size=1,
    max_size=16,
)


def made(engine: str, rows: list[str]) -> pl.DataFrame:
    """The texts by each normalisation, and their words."""
    opened = Opened(engine)
    numbered = pl.DataFrame({"row": range(len(rows)), "text": rows})
    columns = {n: normalized(col("text"), n) for n in NORMALIZATIONS}
    columns |= {f"words of {n}": words(col("text"), n) for n in NORMALIZATIONS}
    frame = opened.frame(numbered).select("row", lower=lowercase(col("text")), **columns)
    return opened.collect(frame).sort("row").drop("row")


def expected(rows: list[str]) -> pl.DataFrame:
    columns = {"lower": [r.lower() for r in rows]}
    columns |= {n: [f(r) for r in rows] for n, f in oracle.NORMALIZED.items()}
    columns |= {f"words of {n}": [oracle.spaced(f(r)) for r in rows] for n, f in oracle.NORMALIZED.items()}
    return pl.DataFrame(columns)


@pytest.mark.parametrize("engine", EVERY)
def test_text_is_normalised_as_in_python(engine: str) -> None:
    assert made(engine, list(TEXTS)).equals(expected(list(TEXTS)))


@settings(max_examples=12, deadline=None)
@given(texts)
def test_any_text(rows: list[str]) -> None:
    # Polars and DuckDB know letters that are newer than those of Python's tables.
    known = ["".join(c for c in row if c == "\u2028" or c.isprintable() or c.isspace()) for row in rows]
    wanted = expected(known)
    for engine in ("polars", "duckdb"):
        actual = made(engine, known)
        assert actual.rows() == wanted.rows()


def test_every_letter_is_written_small_as_in_python() -> None:
    letters = [chr(c) for c in (*range(1, 0xD800), *range(0xE000, 0x20000)) if chr(c).isprintable()]
    rows = [f"A{c}Σ{c}" for c in letters]
    # Of one letter Polars' tables are newer: it is a mark that words may hold.
    newer = "\U0001171e"
    wanted = [row.lower() for row in rows if newer not in row]
    for engine in ("polars", "duckdb"):
        opened = Opened(engine)
        frame = opened.frame(pl.DataFrame({"row": range(len(rows)), "text": rows})).select(
            "row", t=lowercase(col("text"))
        )
        actual = opened.collect(frame).sort("row")["t"].to_list()
        assert [a for a, row in zip(actual, rows, strict=True) if newer not in row] == wanted


@given(st.lists(st.sampled_from("abcd"), max_size=80), st.lists(st.sampled_from("abcd"), max_size=80))
def test_longest_common_subsequence(one: list[str], other: list[str]) -> None:
    assert longest(one, other) == oracle.longest_common(one, other)


def test_stems() -> None:
    wanted = {
        w: oracle.STEMS.get(w, w) for w in {*oracle.STEMS, *oracle.STEMS.values()} if len(w) < 4 or w in oracle.STEMS
    }
    assert {w: stemmed(w) for w in wanted} == wanted
    published = {
        "caresses": "caress", "ponies": "poni", "agreed": "agre", "plastered": "plaster", "motoring": "motor",
        "conflated": "conflat", "troubled": "troubl", "sized": "size", "tanned": "tan", "failing": "fail",
        "filing": "file", "happy": "happi", "relational": "relat", "conditional": "condit", "vietnamization": "vietnam",
        "predication": "predic", "operator": "oper", "feudalism": "feudal", "decisiveness": "decis",
        "hopefulness": "hope", "callousness": "callous", "formality": "formal", "sensitivity": "sensit",
        "sensibility": "sensibl", "triplicate": "triplic", "formative": "form", "electrical": "electr",
        "goodness": "good", "revival": "reviv", "allowance": "allow", "inference": "infer", "airliner": "airlin",
        "adjustable": "adjust", "replacement": "replac", "adoption": "adopt", "homologous": "homolog",
        "effective": "effect", "bowdlerize": "bowdler", "probate": "probat", "rate": "rate", "cease": "ceas",
        "controll": "control", "roll": "roll", "dying": "die", "flies": "fli", "enjoy": "enjoy",
    }  # fmt: skip
    assert {w: stemmed(w) for w in published} == published


answers = st.text("ab ,ΣA", max_size=12)
tables = st.lists(st.tuples(st.lists(answers, max_size=3), answers), min_size=1, max_size=4)
MEASURES = "ExactMatch Contains TokenF1 TokenP TokenR ROUGE1 ROUGE1(score='P') ROUGE1(score='R') ROUGEL"


def values(rows: list[tuple[list[str], str]], engine: str) -> dict[str, list[float]]:
    gold = pl.DataFrame({"query_id": range(len(rows)), "answer": [g for g, _ in rows]})
    gold = gold.cast({"answer": pl.List(pl.String)})
    predicted = pl.DataFrame({"query_id": range(len(rows)), "answer": [p for _, p in rows]})
    per_unit = ir.Answers(gold, predicted, engine=engine).evaluate(MEASURES).per_unit(wide=True).sort("query_id")
    return per_unit.drop("query_id").to_dict(as_series=False)


@settings(max_examples=10, deadline=None)
@given(tables)
def test_properties(rows: list[tuple[list[str], str]]) -> None:
    """The answer itself gives 1; one gold answer and the predicted one exchange precision and recall."""
    # A gold answer without words does not count.
    rows = [(golds, p) for golds, p in rows if oracle.squad(p)] or [([], "b")]
    same = values([([*golds, p], p) for golds, p in rows], "polars")
    for name in ("ExactMatch", "Contains", "TokenF1", "TokenP", "TokenR"):
        assert same[name] == [1.0] * len(rows)
    one = values([(golds[:1], p) for golds, p in rows if golds] or [(["a"], "b")], "polars")
    back = values([([p], golds[0]) for golds, p in rows if golds] or [(["b"], "a")], "polars")
    for name, other in (("TokenP", "TokenR"), ("ROUGE1(score='P')", "ROUGE1(score='R')"), ("TokenF1", "TokenF1")):
        assert one[name] == pytest.approx(back[other])
    every = values(rows, "polars")
    for name in ("ExactMatch", "Contains", "TokenF1", "ROUGE1", "ROUGEL"):
        assert all(s >= e for s, e in zip(same[name], every[name], strict=True))
        assert all(0.0 <= e <= 1.0 for e in every[name])
    assert all(c >= e for e, c in zip(every["ExactMatch"], every["Contains"], strict=True))


def test_punctuation_is_that_of_ascii() -> None:
    frame = Opened("polars").frame(pl.DataFrame({"text": [f"x{c}y" for c in string.punctuation]}))
    assert set(Opened("polars").collect(frame.select(t=normalized(col("text"), "squad")))["t"]) == {"xy"}
