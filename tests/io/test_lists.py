"""Runs without scores, judgments without grades, lists of learning to rank, and what Quepid exports."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, MalformedFile, MissingColumn, ReadingWarning
from ireval_frames.io import describe, read_qrels, read_run
from ireval_frames.io.text.letor import Letor

Put = Callable[..., Path]

# Query, document, rank, score: the order of the lines is none of these.
ROWS = [("q1", "b", 2, 0), ("q2", "a", 1, 0), ("q1", "a", 3, 5), ("q1", "c", 1, 0)]
BY_ORDER = [("q1", "b", -1.0), ("q2", "a", -1.0), ("q1", "a", -2.0), ("q1", "c", -3.0)]
BY_RANK = [("q1", "b", -2.0), ("q2", "a", -1.0), ("q1", "a", -3.0), ("q1", "c", -1.0)]


def written(form: str) -> str:
    return "".join(form.format(q=q, d=d, r=r, s=s) + "\n" for q, d, r, s in ROWS)


FORMS = {
    "{q} Q0 {d} {r} {s} tag": "trec",
    "{q}\tQ0\t{d}\t{r}\ttag": "no score",
    "{q} Q0 {d} {r}": "no score and tag",
    "{q} {d} {r}": "msmarco",
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["bm25.run", "bm25.tsv"])
def test_runs_whose_ranks_or_order_count(write_file: Put, form: str, name: str) -> None:
    path = write_file(written(form), name)
    assert read_run(path, score_from="order", run_id=None).rows() == BY_ORDER
    assert read_run(path, score_from="rank", run_id=None).rows() == BY_RANK
    assert read_run([path], score_from="order")["run_id"].unique().to_list() == ["bm25"]
    assert read_run(path, score_from="order", rank=True)["rank"].to_list() == [1, 1, 2, 3]
    assert read_run(path, score_from="rank", rank=True)["rank"].to_list() == [2, 1, 3, 1]


def test_tables_whose_ranks_or_order_count(write_file: Put, tmp_path: Path) -> None:
    csv = write_file("query_id,doc_id,rank,score\n" + written("{q},{d},{r},{s}"), "r.csv")
    alone = write_file("query_id;doc_id\n" + written("{q};{d}"), "alone.csv")
    lines = write_file(written('{{"query_id": "{q}", "doc_id": "{d}", "rank": {r}}}'), "r.jsonl")
    parquet = tmp_path / "r.parquet"
    read_run(csv, rank=True, run_id=None).write_parquet(parquet)
    for path in (csv, lines, parquet, write_file(written("{q} {d}"), "two.txt"), alone):
        assert read_run(path, score_from="order", run_id=None).rows() == BY_ORDER
    for path in (csv, lines, parquet):
        assert read_run(path, score_from="rank", run_id=None).rows() == BY_RANK
    with pytest.raises(InvalidParameter, match=r'has no ranks.\n.*score_from="order"'):
        read_run(alone, score_from="rank")
    with pytest.raises(InvalidParameter, match="score_from"):
        read_run(csv, score_from="file")  # type: ignore[arg-type]  # no such choice
    several = [csv, alone]
    assert read_run(several, score_from="order")["score"].to_list() == [s for _, _, s in BY_ORDER] * 2
    qrels = write_file("q1 0 c 1\n", "qrels.txt")
    expected: dict[Literal["order", "rank"], float] = {"order": 1 / 3, "rank": 1.0}
    for score_from, value in expected.items():
        run = ir.io.scan_run(csv, score_from=score_from)
        assert ir.evaluate(qrels, run, "RR").summary()["value"].item() == pytest.approx(value)


def test_runs_without_scores_are_reported_how(write_file: Put) -> None:
    for form, way in (("{q} {d}", "order"), ("{q} Q0 {d} {r} tag", "rank")):
        with pytest.raises(MalformedFile, match=rf'score_from="{way}"'):
            read_run(write_file(written(form)))
    with pytest.raises(MissingColumn, match=r'score_from="order"'):
        read_run(write_file("query_id,doc_id\nq,d\n", "r.csv"))
    with pytest.raises(MalformedFile, match="line 2: rank 'x' is not an integer"):
        read_run(write_file("q Q0 d 1\nq Q0 e x\n"), score_from="rank")
    with pytest.raises(MalformedFile, match="line 3: 1 field where a run has 2"):
        read_run(write_file("q d\nq e\nq\n"), score_from="order")


@pytest.mark.parametrize("separator", [" ", "\t", ",", ";"])
def test_judgments_in_pairs(write_file: Put, separator: str) -> None:
    two = write_file("q1 d1\nq1 d2\n007 NA\n".replace(" ", separator), "pairs.csv")
    three = write_file("1 184 1\n1 29 2\n".replace(" ", separator), "three.txt")
    assert read_qrels(two, format="pairs").rows() == [("q1", "d1", 1), ("q1", "d2", 1), ("007", "NA", 1)]
    assert read_qrels(two, format="pairs", relevance=float)["relevance"].to_list() == [1.0] * 3
    assert read_qrels(three, format="pairs").rows() == [("1", "184", 1), ("1", "29", 2)]
    for text, rows in (("query_id doc_id\nq d\n", [("q", "d", 1)]), ("qid docno rel\nq d 3\n", [("q", "d", 3)])):
        assert read_qrels(write_file(text.replace(" ", separator), "header.csv"), format="pairs").rows() == rows


def test_pairs_are_requested_by_name(write_file: Put, tmp_path: Path) -> None:
    for text in ("q1 d1\nq1 d2\n", "1 184 1\n1 29 2\n"):
        with pytest.raises(MalformedFile, match=r'format="pairs"'):
            read_qrels(write_file(text, "qrels.txt"))
    with pytest.raises(MissingColumn, match=r'format="pairs"'):
        read_qrels(write_file("query_id,doc_id\nq,d\n", "qrels.csv"))
    path = tmp_path / "pairs.parquet"
    read_qrels(write_file("q1 d1\n", "qrels.txt"), format="pairs").drop("relevance").write_parquet(path)
    with pytest.raises(MissingColumn, match=r'format="pairs"'):
        read_qrels(path)
    assert read_qrels(path, format="pairs").rows() == [("q1", "d1", 1)]
    assert read_qrels(write_file('{"query_id": "q", "doc_id": "d"}\n', "p.jsonl"), format="pairs").rows() == [
        ("q", "d", 1)
    ]
    with pytest.raises(MalformedFile, match="line 2: 3 fields where a judgment has 2"):
        read_qrels(write_file("q d\nq d 1\nq e\n", "qrels.txt"), format="pairs")
    for form in ("pairs", "prefs", "letor", "quepid", "beir"):
        with pytest.raises(InvalidParameter, match=f"'{form}' is a format of judgments"):
            read_run(write_file("q d\n"), format=form)


LETOR = """\
# MQ2008, Fold1
2 qid:10032 1:0.056537 2:0.000000 3:0.666667 46:0.076923 #docid = GX029-35-5894638 inc = 0.0119 prob = 0.139842
0 qid:10032 1:0.279152 2:NULL 46:1.000000 #docid = GX030-77-6315042 inc = 1 prob = 0.341364
-1 qid:10035\t1:1e-3  2:-0.5\t# 7555 rambo
3    qid:10036 #    doc-9; "star wars"
"""
NAMED = [
    ("10032", "GX029-35-5894638", 2),
    ("10032", "GX030-77-6315042", 0),
    ("10035", "7555", -1),
    ("10036", "doc-9", 3),
]


def test_judgments_with_features(write_file: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_file(LETOR, "test.txt")
    assert read_qrels(path).rows() == NAMED
    assert read_qrels(path, format="letor", relevance=float).select("doc_id", "relevance").rows()[0] == (
        NAMED[0][1],
        2.0,
    )
    assert describe(path, "qrels")[0].format == "letor"
    placed = [("10032", "0", 2), ("10032", "1", 0), ("10035", "0", -1), ("10036", "0", 3)]
    assert read_qrels(path, format="ranklib").rows() == placed
    bare = "\n".join(line.partition("#")[0] for line in LETOR.split("\n"))
    assert read_qrels(write_file(bare, "train.txt")).rows() == placed
    scores = write_file("10032\t0\t-7.528650760650635\n10032\t1\t2.9384\n10035\t0\t1e-4\n", "scores.txt")
    run = read_run(scores)
    assert run.rows()[:2] == [("scores", "10032", "0", -7.528650760650635), ("scores", "10032", "1", 2.9384)]
    assert ir.evaluate(read_qrels(path, format="ranklib"), run, "RR").per_unit()["value"].to_list()[0] == 0.5
    assert (
        ir.evaluate(write_file(bare, "train.txt"), scores, "RR", engine="duckdb").per_unit()["value"].to_list()[0]
        == 0.5
    )
    whole = write_file("1\t0\t7\n1\t1\t2\n", "whole.txt")
    with pytest.raises(MalformedFile, match=r'format="pairs"(.|\n)*format="ranklib"'):
        read_run(whole)
    assert read_run(whole, format="ranklib")["score"].to_list() == [7.0, 2.0]
    monkeypatch.setattr(Letor, "exact", lambda *_: pytest.fail("read line by line"))
    assert read_qrels(path).height == 4


def test_what_is_wrong_in_lists_is_reported_by_line(write_file: Put) -> None:
    wrong = LETOR + "x qid:1 1:2 # a\n1 qid:1 1:2\n1 qid:1 one:2 # b\n1.5 qid:1 1:2 # c\n"
    with pytest.raises(MalformedFile) as caught:
        read_qrels(write_file(wrong, "test.txt"))
    for part in (
        "line 6: relevance 'x' is not an integer",
        "line 7: no document is named after #",
        "line 8: it is not grade, qid:query and features",
        "line 9: relevance '1.5' is not an integer",
        'format="ranklib"',
    ):
        assert part in str(caught.value)
    with pytest.raises(MalformedFile, match="has judgments with features"):
        read_run(write_file(LETOR, "test.txt"))


BASIC = '\nquery,docid,rating\nstar wars,11,3\nstar wars,12,\n"empire, the",13,0\nunrated\n"no, match",,\n'
QUERIES = '"star wars","ratings":{"11":3,"12":null}},\n{"query":"empire, the","ratings":{"13":0}}'
RATED = [("star wars", "11", 3), ("empire, the", "13", 0)]


def test_what_quepid_exports(write_file: Put) -> None:
    files = {
        "basic.csv": BASIC,
        "ratings.json": f'{{"queries":[{{"query":{QUERIES},{{"query":"unrated","ratings":{{}}}}]}}',
        "case.json": f'{{"case_name":"x","scorer":{{}},\n"queries":[{{"query_text":{QUERIES}],"try":{{}}}}',
    }
    for name, text in files.items():
        path = write_file(text, name)
        with pytest.warns(ReadingWarning, match=rf"{name}: (3 rows have|1 row has) no rating"):
            assert read_qrels(path).rows() == RATED
    rre = write_file(
        '{"id_field":"id","queries":[{"placeholders":{"$query":"star wars"},"relevant_documents":{"3":["11"]}},'
        '\n{"placeholders":{"$query":"empire, the"},"relevant_documents":{"0":["13"]}}]}',
        "rre.json",
    )
    assert read_qrels(rre).rows() == RATED
    assert read_qrels(write_file("3 qid:7 # 11 star wars\n", "ltr.txt")).rows() == [("7", "11", 3)]
    rated = write_file("query,docid,rating\nq,d,2\n", "rated.csv")
    assert read_qrels(rated).rows() == [("q", "d", 2)]
    run = write_file("star wars\tQ0\t11\t1\t2.5\tt\n", "r.run")
    with pytest.raises(MalformedFile, match="7 fields"):
        read_run(run)
    with pytest.raises(MalformedFile, match="line 2: rating 'good'"):
        read_qrels(write_file("query,docid,rating\nq,d,good\nq,e,\n", "bad.csv"))


def test_blank_grades_of_other_tables_are_wrong(write_file: Put) -> None:
    with pytest.raises(MalformedFile, match="line 3: rating '' is not an integer"):
        read_qrels(write_file("query,docid,rating,judge\nq,d,1,a\nq,e,,a\n", "judged.csv"))
