"""Small cases of every shape, with values counted by hand: recall and precision as fractions.

A letter is a mention, a word an entity.
"""

from __future__ import annotations

from fractions import Fraction

import polars as pl
import pytest

import ireval_frames as ir

# Name, gold, predictions; R and P of MUC, B³, CEAF by mentions and by entities, BLANC, LEA, and the F of BLANC.
CASES = (
    ("the same", "ab cde f", "ab cde f", "1 1 1 1 1 1 1 1 1 1 1 1 1"),
    ("a mention missed", "ab cde f", "ab cd f", "2/3 1 13/18 1 5/6 1 14/15 14/15 27/44 1 2/3 1 43/57"),
    ("an entity of one missed", "ab cde f", "ab cde", "1 1 5/6 1 5/6 1 2/3 1 17/22 1 5/6 1 29/34"),
    ("a mention more", "ab cde f", "ab cdeg f", "1 3/4 1 3/4 1 6/7 20/21 20/21 1 19/28 1 5/7 221/275"),
    ("an entity of one more", "ab cde f", "ab cde f g", "1 1 1 6/7 1 6/7 1 3/4 1 14/17 1 6/7 25/28"),
    ("another instead", "ab cde f", "ab cdg f", "2/3 2/3 13/18 13/18 5/6 5/6 8/9 8/9 27/44 27/44 2/3 2/3 27/44"),
    ("all other mentions", "ab cde f", "gh ijk l", "0 0 0 0 0 0 0 0 0 0 0 0 0"),
    ("nothing predicted", "ab cde f", "", "0 0 0 0 0 0 0 0 0 0 0 0 0"),
    ("nothing to predict", "", "ab c", "0 0 0 0 0 0 0 0 0 0 0 0 0"),
    ("split", "abcd ef", "ab cd ef", "3/4 1 2/3 1 2/3 2/3 5/6 5/9 5/7 5/6 5/9 1 7/10"),
    ("merged", "ab cd ef", "abcd ef", "1 3/4 1 2/3 2/3 2/3 5/9 5/6 5/6 5/7 1 5/9 7/10"),
    ("all in one", "ab cde f", "abcdef", "1 3/5 1 7/18 1/2 1/2 2/9 2/3 1/2 2/15 5/6 4/15 4/19"),
    ("all alone", "ab cde f", "a b c d e f", "0 0 1/2 1 1/2 1/2 13/18 13/36 1/2 11/30 1/6 1/6 11/26"),
    ("one entity in halves", "abcdef", "abc def", "4/5 1 1/2 1 1/2 1/2 2/3 1/3 2/5 1 2/5 1 4/7"),
    ("crossed", "ab cd", "ac bd", "0 0 1/2 1/2 1/2 1/2 1/2 1/2 1/4 1/4 0 0 1/4"),
    ("moved", "abc def", "ab cdef", "3/4 3/4 7/9 3/4 5/6 5/6 29/35 29/35 2/3 37/56 2/3 2/3 146/221"),
    ("moved into a smaller one", "abcd ef", "abc def", "3/4 3/4 3/4 7/9 5/6 5/6 29/35 29/35 37/56 2/3 2/3 2/3 146/221"),
    ("alone in both", "a b c", "a b c", "0 0 1 1 1 1 1 1 1 1 1 1 1"),
    ("alone in the key", "a b c", "abc", "0 0 1 1/3 1/3 1/3 1/6 1/2 0 0 0 0 0"),
    ("one pair", "ab", "ab", "1 1 1 1 1 1 1 1 1 1 1 1 1"),
    ("one pair, apart", "ab", "a b", "0 0 1/2 1 1/2 1/2 2/3 1/3 0 0 0 0 0"),
    ("one mention", "a", "a", "0 0 1 1 1 1 1 1 0 0 1 1 0"),
    ("one mention, another", "a", "b", "0 0 0 0 0 0 0 0 0 0 0 0 0"),
    ("one entity, a mention more", "ab", "abc", "1 1/2 1 4/9 1 2/3 4/5 4/5 1 1/3 1 1/3 1/2"),
    ("both", "abc de f", "ab cd fg h", "1/3 1/3 19/36 1/2 2/3 4/7 59/90 59/120 35/88 1/3 1/6 2/7 71/203"),
    ("chains of four", "abcd efgh", "abef cdgh", "2/3 2/3 1/2 1/2 1/2 1/2 1/2 1/2 5/12 5/12 1/3 1/3 5/12"),
)  # fmt: skip
MEASURES = "MUCR MUCP B3R B3P CEAFmR CEAFmP CEAFeR CEAFeP BLANCR BLANCP LEAR LEAP BLANCF"


def table(position: int) -> pl.DataFrame:
    """The mentions of all cases, a document each."""
    rows = [
        (case[0], mention, number)
        for case in CASES
        for number, entity in enumerate(case[position].split())
        for mention in entity
    ]
    schema = {"doc_id": pl.String, "mention_id": pl.String, "cluster_id": pl.Int64}
    return pl.DataFrame(rows, schema=schema, orient="row")


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_cases(engine: str) -> None:
    evaluation = ir.Coreference(table(1), table(2), engine=engine, policy="overlap=allow").evaluate(MEASURES)
    values = {(doc, measure): value for doc, measure, value in evaluation.per_unit().rows()}
    for name, _, _, fractions in CASES:
        for measure, expected in zip(MEASURES.split(), fractions.split(), strict=True):
            assert values[name, measure] == pytest.approx(float(Fraction(expected)), abs=1e-12), (name, measure)


def test_values_of_sums() -> None:
    """Numerators and denominators of both documents are added: 2/3 of one and 3/4 of another are 5/7 of both."""
    two = [("a mention missed", "split")] * 2
    gold, predicted = (table(side).filter(pl.col("doc_id").is_in(two[0])) for side in (1, 2))
    subject = ir.Coreference(gold, predicted)
    pooled = subject.evaluate("MUCR CEAFeP BLANCR").summary()["value"].to_list()
    # BLANC: 2 + 3 of 4 + 7 links within entities, 8 + 8 of 11 + 8 between them.
    blanc = (Fraction(5, 11) + Fraction(16, 19)) / 2
    assert pooled == pytest.approx([5 / 7, (14 / 5 + 5 / 3) / 6, float(blanc)], abs=1e-12)
    means = subject.evaluate("MUCR(aggregation='mean')").summary()["value"].item()
    assert means == pytest.approx((2 / 3 + 3 / 4) / 2, abs=1e-12)
