"""Readers of annotated text: what each layout gives, and errors with the numbers of lines."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import (
    FileError,
    InvalidParameter,
    InvalidValue,
    MalformedFile,
    MissingColumn,
    ReadingWarning,
    UnknownName,
    WrongType,
)

TEXT = "Ada met Bo"
ADA = {"start": 0, "end": 3}
Write = Callable[[str, Any], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(name: str, content: Any) -> Path:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        if isinstance(content, list):
            content = "".join(json.dumps(record) + "\n" for record in content)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return written


def region(**value: Any) -> dict[str, Any]:
    return {
        "id": "r1",
        "from_name": "ner",
        "type": "labels",
        "value": {**ADA, "text": "Ada", "labels": ["PER"], **value},
    }


# ---- tokens


def test_columns_of_conll(write: Write) -> None:
    start = "-DOCSTART- -X- -X- O\n"
    text = f"{start}\nAda NNP I-NP B-PER\nmet VBD I-VP O\n\n\nBo NNP I-NP B-PER\n{start}no\xa0o X Y O"
    tags = ir.io.read_tags(write("eng.testa", text))
    assert tags.rows() == [
        (1, 1, 0, "Ada", "NNP", "I-NP", "B-PER"),
        (1, 1, 1, "met", "VBD", "I-VP", "O"),
        (1, 2, 2, "Bo", "NNP", "I-NP", "B-PER"),
        (2, 3, 0, "no\xa0o", "X", "Y", "O"),
    ]
    assert tags.columns == ["doc_id", "sentence_id", "position", "token", "pos", "chunk", "gold"]


@pytest.mark.parametrize(
    "line, columns",
    [
        ("a\tO", ["token", "gold"]),
        ("a Art O", ["token", "pos", "gold"]),
        ("a X Y O B-Z", ["token", "pos", "chunk", "gold", "predicted"]),
    ],
)
def test_columns_by_their_number(write: Write, line: str, columns: list[str]) -> None:
    assert ir.io.read_tags(write("a.conll", line + "\r\n\r\n" + line)).columns[3:] == columns


def test_columns_by_their_names(write: Write) -> None:
    path = write("a.txt.gz", gzip.compress(b"a x O B\nb y I O\n"))
    tags = ir.io.read_tags(path, columns=["token", "lemma", "gold", "predicted"])
    assert tags["predicted"].to_list() == ["B", "O"]
    with pytest.raises(InvalidParameter, match=r"columns= has 1 names, and line 1 of .* has 4 columns"):
        ir.io.read_tags(path, columns=["token"])
    with pytest.raises(InvalidParameter, match=r"has 6 columns, and it is not known(?s:.*)columns=\[.token., .c1"):
        ir.io.read_tags(write("b.conll", "a b c d e f"))


@pytest.mark.parametrize(
    "line, columns",
    [
        ("a O B-X", ["token", "gold", "predicted"]),
        ("a N O B-X", ["token", "pos", "gold", "predicted"]),
        ("a N C O B-X", ["token", "pos", "chunk", "gold", "predicted"]),
        ("a b c d O B-X", ["token", "c1", "c2", "c3", "gold", "predicted"]),
    ],
)
def test_columns_of_the_conll_scorer(write: Write, line: str, columns: list[str]) -> None:
    tags = ir.io.read_tags(write("a.out", line), "conlleval")
    assert tags.columns[3:] == columns
    assert tags.select("gold", "predicted").row(0) == ("O", "B-X")


def test_lines_that_are_none_of_conll(write: Write) -> None:
    with pytest.raises(MalformedFile, match=r"line 3: it has 1 columns, and the first token 2: 'b'"):
        ir.io.read_tags(write("a.conll", "a O\n\nb\n"))
    latin = write("esp.train", "Melbourne B-LOC\nEspaña B-LOC\n".encode("latin-1"))
    with pytest.raises(MalformedFile, match=r'line 2: it is not valid UTF-8(?s:.*)encoding="latin-1"'):
        ir.io.read_tags(latin)
    assert ir.io.read_tags(latin, encoding="latin-1")["token"].to_list() == ["Melbourne", "España"]
    with pytest.raises(FileError, match="is empty"):
        ir.io.read_tags(write("c.conll", "\n\n"))
    with pytest.raises(UnknownName, match="no layout 'conl'"):
        ir.io.read_tags(latin, "conl")


def test_several_files_of_conll(write: Write) -> None:
    paths = [write("a.conll", "a O\n"), write("b.conll", "b O\n")]
    assert ir.io.read_tags(paths)["doc_id"].to_list() == [1, 2]


def test_token_columns_of_hugging_face(write: Write) -> None:
    rows = [
        {"id": "0", "lang": "en", "tokens": ["Ada", "##x", "met"], "ner_tags": [1, -100, 0], "pred": [1, 2, 0]},
        {"id": "1", "lang": "de", "tokens": [], "ner_tags": [], "pred": []},
    ]
    path = write("train.jsonl", rows)
    tags = ir.io.read_tags(path, predicted="pred", names=["O", "B-PER", "I-PER"])
    assert tags.to_dicts() == [
        {"doc_id": "0", "lang": "en", "position": 0, "token": "Ada", "gold": "B-PER", "predicted": "B-PER"},
        {"doc_id": "0", "lang": "en", "position": 2, "token": "met", "gold": "O", "predicted": "O"},
    ]
    with pytest.raises(WrongType, match="'ner_tags' holds numbers of tags, and their names are not known"):
        ir.io.read_tags(path)
    with pytest.raises(InvalidValue, match="holds 1, and names= has 1 names, of 0 to 0"):
        ir.io.read_tags(path, names=["O"])
    with pytest.raises(MissingColumn, match="There is no column 'tags'; there are: id, lang"):
        ir.io.read_tags(path, gold="tags")
    with pytest.raises(WrongType, match="column 'lang' has none"):
        ir.io.read_tags(path, gold="lang")
    with pytest.raises(
        InvalidValue, match="In 1 rows 'tokens' and 'ner_tags' differ in length, such as 1 and 0 in row"
    ):
        ir.io.read_tags(write("b.jsonl", [{"tokens": ["a"], "ner_tags": []}, {"tokens": ["a"], "ner_tags": ["O"]}]))
    texts = ir.io.read_tags(write("c.jsonl", [{"words": ["a", "b"], "tags": ["O", "B-X"]}]))
    assert texts.rows() == [(1, 0, "a", "O"), (1, 1, "b", "B-X")]


def test_names_of_tags_in_parquet_files(tmp_path: Path) -> None:
    feature = {"feature": {"names": ["O", "B-PER"], "_type": "ClassLabel"}, "_type": "Sequence"}
    metadata = {"huggingface": json.dumps({"info": {"features": {"ner_tags": feature}}})}
    path = tmp_path / "test.parquet"
    pl.DataFrame({"ner_tags": [[1, 0]]}).write_parquet(path, metadata=metadata)
    assert ir.io.read_tags(path)["gold"].to_list() == ["B-PER", "O"]


# ---- spans


def test_files_of_brat(write: Write, tmp_path: Path) -> None:
    write("brat/a.txt", TEXT)
    write("brat/a.ann", "T1\tPER 0 3\tAda\nT2\tPAIR 0 3;8 10\tAda Bo\nR1\tKnows Arg1:T1 Arg2:T2\n#1\tNote T1\tx\n\n")
    write("brat/b.ann", "T1\tPER 5 8\tEve\r\n")
    write("brat/c.ann", "")
    spans = ir.io.read_spans(tmp_path / "brat")
    assert spans.columns == ["doc_id", "span_id", "fragment", "start", "end", "type", "text"]
    assert spans.rows() == [
        ("a", "T1", 0, 0, 3, "PER", "Ada"),
        ("a", "T2", 0, 0, 3, "PAIR", "Ada"),
        ("a", "T2", 1, 8, 10, "PAIR", "Bo"),
        ("b", "T1", 0, 5, 8, "PER", "Eve"),
    ]
    assert ir.io.read_documents(tmp_path / "brat").rows() == [("a", TEXT), ("b", None), ("c", None)]
    assert ir.io.read_spans(tmp_path / "brat" / "b.ann")["doc_id"].to_list() == ["b"]


@pytest.mark.parametrize(
    "line, wrong",
    [
        ("T1 PER 0 3 Ada", "it has no tab"),
        ("T1\tPER 0-3\tAda", "its offsets are '0-3'"),
        ("T1\tPER 3 3\t", r"a span ends at 3, where it starts or before \(3\)"),
        ("T1\tPER 0 99\tAda", "a span ends at 99, and the text has 10 characters"),
        ("0\t3\tPER", "it begins with '0'"),
    ],
)
def test_lines_that_are_none_of_brat(write: Write, line: str, wrong: str) -> None:
    write("a.txt", TEXT)
    with pytest.raises(MalformedFile, match=f"a.ann, line 2: {wrong}"):
        ir.io.read_spans(write("a.ann", f"T9\tPER 0 3\tAda\n{line}\n"))


@pytest.mark.parametrize(
    "record",
    [
        {"label": [[0, 3, "PER"]]},
        {"labels": [[0, 3, "PER"]]},
        {"entities": [{"id": 5, "label": "PER", "start_offset": 0, "end_offset": 3}], "relations": []},
        {"ents": [{**ADA, "label": "PER"}], "tokens": []},
        {"entities": [[0, 3, "PER"]]},
        {"spans": [{**ADA, "label": "PER", "token_start": 0}], "answer": "accept"},
        {"spans": {"sc": [{**ADA, "label": "PER", "kb_id": ""}]}},
    ],
)
@pytest.mark.parametrize("array", [False, True])
def test_json_of_spacy_and_doccano(write: Write, record: dict[str, Any], *, array: bool) -> None:
    records = [{"id": 4, "text": TEXT, **record}, {"id": 9, "text": "", next(iter(record)): []}]
    path = write("a.json" if array else "a.jsonl", json.dumps(records) if array else records)
    assert ir.io.read_spans(path).rows() == [(4, 0, 3, "PER", "Ada")]
    assert ir.io.read_documents(path).rows() == [(4, TEXT), (9, "")]


def test_documents_without_ids_and_answers_of_prodigy(write: Write) -> None:
    one = {"text": TEXT, "spans": [{**ADA, "label": "PER"}]}
    path = write("a.jsonl", [one, {**one, "answer": "reject"}, {**one, "answer": "ignore"}, {**one, "meta": "m7"}])
    assert ir.io.read_spans(path)["doc_id"].to_list() == [1, 4]
    assert ir.io.read_spans(write("b.jsonl", [{**one, "meta": "m7"}]), doc="meta")["doc_id"].to_list() == ["m7"]
    with pytest.raises(MalformedFile, match="line 1: it has no 'meta'"):
        ir.io.read_spans(path, doc="meta")


@pytest.mark.parametrize(
    "span, wrong",
    [
        ([0, 3], "a span is '.0, 3.'; it is .start, end, label."),
        ([3, 0, "PER"], r"a span ends at 0, where it starts or before \(3\)"),
        ([0, 3, None], "the type of the span from 0 to 3 is None"),
        (["0", 3, "PER"], "the start of a span is '0', which is no offset"),
        ([0, 3.5, "PER"], "the end of a span is 3.5"),
        ([0, 30, "PER"], "a span ends at 30, and the text has 10 characters"),
        ({**ADA}, "a span has no 'label'"),
    ],
)
def test_spans_that_are_none(write: Write, span: Any, wrong: str) -> None:
    path = write("a.jsonl", [{"text": TEXT, "label": []}, {"text": TEXT, "label": [span]}])
    with pytest.raises(MalformedFile, match=f"line 2: {wrong}"):
        ir.io.read_spans(path)


def test_json_without_spans(write: Write) -> None:
    with pytest.raises(MalformedFile, match="line 1: it has no spans: none of ents, entities, spans"):
        ir.io.read_spans(write("a.jsonl", [{"text": TEXT}]), "spacy")
    with pytest.raises(MalformedFile, match="line 1: 'label' is 'PER', which is no list of spans"):
        ir.io.read_spans(write("b.jsonl", [{"text": TEXT, "label": "PER"}]))
    with pytest.raises(MalformedFile, match="it is not JSON"):
        ir.io.read_spans(write("c.jsonl", "{"), "doccano")
    with pytest.raises(UnknownName, match=r"no layout 'doccanno'(?s:.*)doccano"):
        ir.io.read_spans(write("d.jsonl", [{}]), "doccanno")


def test_tables_of_spans(write: Write) -> None:
    table = ir.io.read_spans(write("a.jsonl", [{"doc": "a", **ADA, "type": "PER"}]))
    assert table.rows() == [("a", 0, 3, "PER")]
    # Files of text hold numbers, too.
    assert ir.io.read_spans(write("a.csv", "doc,start,end\n01,0,3\n")).rows() == [("01", 0, 3)]
    with pytest.raises(InvalidValue, match=r"'start' has text where numbers are expected: .x."):
        ir.io.read_spans(write("a.csv", "doc,start,end\n01,x,3\n"))
    documents = write("b.jsonl", [{"id": 1, "text": TEXT}])
    assert ir.io.read_documents(documents).rows() == [(1, TEXT)]
    with pytest.raises(MissingColumn, match=r"b.jsonl has no spans; its records have id, text"):
        ir.io.read_spans(documents)


def test_ids_of_documents_are_of_one(write: Write) -> None:
    one = {"text": TEXT, "label": [[0, 3, "PER"]]}
    with pytest.raises(MalformedFile, match="line 2: the document 7 is in line 1, too"):
        ir.io.read_spans(write("a.jsonl", [{"id": 7, **one}, {"id": 7, **one}]))
    # The number of its line would be the id of the first one.
    with pytest.raises(MalformedFile, match="line 2: the document has no id, and others have"):
        ir.io.read_spans(write("b.jsonl", [{"id": 2, **one}, one]))
    assert ir.io.read_spans(write("c.jsonl", [{"id": 2**64, **one}]))["doc_id"].to_list() == [str(2**64)]


def test_offsets_of_another_text(write: Write) -> None:
    """Label Studio counts the units of UTF-16, in which this character is two; the text may have changed, too."""
    task = {
        "id": 7,
        "data": {"text": f"\N{GRINNING FACE} {TEXT}"},
        "annotations": [{"result": [region(start=3, end=6)]}],
    }
    with pytest.warns(
        ReadingWarning, match="1 span does not mark the text that the file says: at 3 of 7 it says 'Ada'"
    ):
        ir.io.read_spans(write("a.json", json.dumps([task])))
    write("b.txt", "Bo  Ada\nLovelace")
    with pytest.warns(ReadingWarning, match="1 span does not mark .* at 0 of 'b' it says 'Ada'"):
        ir.io.read_spans(write("b.ann", "T1\tPER 0 2\tAda\nT2\tPER 4 16\tAda Lovelace\nT3\tPER 0 2;4 7\tBo Ada\n"))


def test_names_and_encodings_of_columns(write: Write) -> None:
    path = write("a.conll", "Ada B-PER\n")
    with pytest.raises(InvalidParameter, match="columns= names a column 'doc_id', which the reader adds itself"):
        ir.io.read_tags(path, columns=["doc_id", "gold"])
    with pytest.raises(InvalidParameter, match="columns names 'gold' twice"):
        ir.io.read_tags(path, columns=["gold", "gold"])
    with pytest.raises(InvalidParameter, match="columns= has 1 names"):
        ir.io.read_tags(path, columns="gold")
    with pytest.raises(UnknownName, match="no encoding 'latin-one'"):
        ir.io.read_tags(path, encoding="latin-one")
    with pytest.raises(InvalidParameter, match="one column, and so no tags"):
        ir.io.read_tags(write("b.conll", "Ada\n"))
