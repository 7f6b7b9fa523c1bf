"""What lines cannot hold is refused or told, and what is written by default is read back."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from ireval_frames.errors import InvalidParameter, InvalidValue, MalformedFile, MissingColumn
from ireval_frames.io import read_documents, read_qrels, read_queries, read_run, write_qrels, write_run

RUN = pl.DataFrame({"query_id": ["1", "1"], "doc_id": ["a", "b"], "score": [1.5, 2.5]})


@pytest.mark.parametrize("layout", ["msmarco", "ranklib"])
def test_two_runs_need_a_field_for_the_run(tmp_path: Path, layout: str) -> None:
    path = tmp_path / "out"
    both = pl.concat([RUN.with_columns(run_id=pl.lit(name)) for name in "AB"])
    with pytest.raises(
        InvalidParameter, match=f"the {layout} format has no field for the run, and the table has 2 runs"
    ):
        write_run(both, path, format=layout)
    assert not path.exists()
    write_run(both.filter(run_id="A"), path, format=layout)
    assert read_run(path, format=layout).height == 2


def test_a_run_of_ranks_as_lines_with_scores(tmp_path: Path) -> None:
    ranks = RUN.select("query_id", "doc_id", rank=pl.Series([2, 1]))
    with pytest.raises(MissingColumn, match="has ranks and no scores") as caught:
        write_run(ranks, tmp_path / "out")
    hint = caught.value.hint.partition("score: ")[2].partition(". To write")[0]
    write_run(eval(hint, {"frame": ranks, "pl": pl}), tmp_path / "out")
    assert read_run(tmp_path / "out").select("doc_id", "score").rows() == [("b", -1.0), ("a", -2.0)]


def test_passages_keep_their_places(tmp_path: Path) -> None:
    rows = [("1", "a", 1, 0, 5), ("1", "a", 0, 5, 7)]
    passages = pl.DataFrame(rows, schema=["query_id", "doc_id", "relevance", "start", "length"], orient="row")
    write_qrels(passages, tmp_path / "out")
    assert read_qrels(tmp_path / "out", format="passages").rows() == rows


def test_probabilities_are_from_0_to_1(tmp_path: Path) -> None:
    sample = RUN.select("query_id", "doc_id", relevance=1, method=0, iprob=pl.Series([0.5, 1.5]))
    with pytest.raises(InvalidValue, match=r"iprob is a probability from 0 to 1, .*: 1, such as 1\.5"):
        write_qrels(sample, tmp_path / "out")


def test_ids_that_stand_twice_on_one_line(tmp_path: Path) -> None:
    path = tmp_path / "topics"
    path.write_text("<top><num>1</num><title>a</title></top><top><num>1</num><title>b</title></top>")
    with pytest.raises(MalformedFile, match="the topic '1' is in line 1, too"):
        read_queries(path)
    path.write_text("<DOC><DOCNO>A</DOCNO>x</DOC><DOC><DOCNO>A</DOCNO>y</DOC>")
    with pytest.raises(MalformedFile, match="the document 'A' is in line 1, too"):
        read_documents(path)


def test_marks_in_a_text_are_no_fields(tmp_path: Path) -> None:
    path = tmp_path / "topics"
    path.write_text("<top>\n<num> Number: 7\n<desc> Description:\nFind <b>all</b> of it.<br/>\nNow.\n</top>\n")
    (row,) = read_queries(path).to_dicts()
    assert row.keys() == {"query_id", "description"}
    assert row["description"].split() == ["Find", "all", "of", "it.", "Now."]
