"""The reader of CoNLL's column of coreference: mentions that nest and cross, and errors with the numbers of lines."""

from __future__ import annotations

import gzip
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import FileError, MalformedFile
from ireval_frames.io.coreference import has_coreference

TEXT = """\
#begin document (bc/one); part 000
bc/one 0 0 Ada (1
bc/one 0 1 Lovelace 1)|(2)

bc/one 0 0 her (3|(1)
bc/one 0 1 notes 3)
#end document
#begin document (bc/one); part 001
bc/one 1 0 it (1
bc/one 1 1 and (1
bc/one 1 2 itself (1|1)
bc/one 1 3 too 1)
bc/one 1 4 no -
bc/one 1 5 more 1)
#end document
"""


def test_mentions(tmp_path: Path) -> None:
    path = tmp_path / "gold.conll"
    path.write_text(TEXT)
    mentions = ir.io.read_coreference(path)
    assert mentions.schema == {"doc_id": pl.String, "start": pl.Int64, "end": pl.Int64, "cluster_id": pl.String}
    assert set(mentions.rows()) == {
        ("bc/one; part 000", 0, 2, "1"),
        ("bc/one; part 000", 1, 2, "2"),
        ("bc/one; part 000", 2, 3, "1"),
        ("bc/one; part 000", 2, 4, "3"),
        # Of the mention that begins and the one that ends at a token, the latter has begun before.
        ("bc/one; part 001", 1, 3, "1"),
        ("bc/one; part 001", 2, 4, "1"),
        ("bc/one; part 001", 0, 6, "1"),
    }
    assert has_coreference(path)


def test_other_forms(tmp_path: Path) -> None:
    """SemEval 2010 has names without parentheses and `_`; files may be compressed, end anywhere, and be several."""
    (tmp_path / "a.conll").write_text(
        "# comment\n\n#begin document NAME\n1\tAda\t(0)\n2\tsings\t_\n#end document NAME\n"
    )
    with gzip.open(tmp_path / "b.conll.gz", "wt") as file:
        file.write("#begin document (b); part 000\r\nAda (x)|(0)\r\n")
    rows = ir.io.read_coreference([tmp_path / "a.conll", tmp_path / "b.conll.gz"]).sort("doc_id", "cluster_id").rows()
    assert rows == [("NAME", 0, 1, "0"), ("b; part 000", 0, 1, "0"), ("b; part 000", 0, 1, "x")]
    (tmp_path / "table.csv").write_text("doc_id,start\na,1\n")
    assert not has_coreference(tmp_path / "table.csv")


def test_bad_lines(tmp_path: Path) -> None:
    path = tmp_path / "bad.conll"
    lines = [
        *("a (1)", "#begin document (d); part 000", "a 1)", "b (2", "c ((3)", "d ()"),
        *("#begin document (e); part 000", "f -", "#end document"),
    ]
    path.write_text("\n".join(lines))
    with pytest.raises(MalformedFile) as error:
        ir.io.read_coreference(path)
    for number, what in (
        (1, "it is in no document"),
        (3, "a mention of '1' ends that has not begun"),
        (5, "is none of"),
        (6, "is none of"),
        (7, "the document before it has no end"),
    ):
        assert f"line {number}: " in str(error.value)
        assert what in str(error.value)


def test_no_document(tmp_path: Path) -> None:
    path = tmp_path / "empty.conll"
    path.write_text("\n# nothing\n")
    with pytest.raises(FileError):
        ir.io.read_coreference(path)
    path.write_text("#begin document (d); part 000\n#end document\n")
    assert ir.io.read_coreference(path).is_empty()


def test_a_mention_without_an_end(tmp_path: Path) -> None:
    path = tmp_path / "open.conll"
    path.write_text("#begin document (d); part 000\na (7\nb -\n#end document\n")
    with pytest.raises(MalformedFile, match=r"line 2: the mention of '7' has no end in its document: 'a \(7'"):
        ir.io.read_coreference(path)
