"""Labels of published collections: every kind of file, and which one is recognised."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir

ITEM = """<?xml version="1.0" encoding="iso-8859-1" ?>
<newsitem itemid="{id}" id="root" date="1996-08-20" xml:lang="en"><title>Überschrift</title><metadata>
<codes class="bip:countries:1.0"><code code="MEX"><editdetail attribution="x"/></code></codes>
<codes class="bip:topics:1.0">{codes}</codes></metadata></newsitem>"""
STORIES = """<!DOCTYPE lewis SYSTEM "lewis.dtd">
<REUTERS TOPICS="YES" LEWISSPLIT="TRAIN" CGISPLIT="TRAINING-SET" OLDID="5544" NEWID="1">
<TOPICS><D>cocoa</D><D>sugar</D></TOPICS><PLACES><D>usa</D></PLACES><TEXT>&#2;a story\u00fc</TEXT></REUTERS>
<REUTERS TOPICS="NO" LEWISSPLIT="TEST" CGISPLIT="TEST-SET" OLDID="5545" NEWID="2">
<TOPICS></TOPICS><TEXT>another</TEXT></REUTERS>
<REUTERS TOPICS="YES" LEWISSPLIT="TEST" CGISPLIT="TEST-SET" OLDID="5546" NEWID="3">
<TOPICS></TOPICS></REUTERS>
"""


def write(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def idx(values: bytes, magic: int = 2049) -> bytes:
    return magic.to_bytes(4, "big") + len(values).to_bytes(4, "big") + values


def item(identifier: str, *codes: str) -> bytes:
    inside = "".join(f'<code code="{code}"/>' for code in codes)
    return ITEM.format(id=identifier, codes=inside).encode("latin-1")


@pytest.mark.parametrize("compressed", [False, True])
def test_mnist_is_recognised_by_its_first_bytes(tmp_path: Path, *, compressed: bool) -> None:
    data = idx(bytes([5, 0, 4]))
    path = write(tmp_path, "train-labels-idx1-ubyte", gzip.compress(data) if compressed else data)
    assert ir.labels.read(path).rows() == [(0, 5), (1, 0), (2, 4)]


@pytest.mark.parametrize(
    "data, what",
    [
        (idx(bytes(20), 2051), "images, not of labels"),
        (idx(bytes(20), 0x0C02), "other values than a byte per label"),
        (idx(bytes(20))[:-1], "says that it has 20 labels, and has 19"),
        (idx(bytes(20)) + b"\0", "says that it has 20 labels, and has more"),
    ],
)
def test_another_idx_file_is_named_for_what_it_is(tmp_path: Path, data: bytes, what: str) -> None:
    with pytest.raises(ir.errors.FileError, match=what):
        ir.labels.read(write(tmp_path, "t10k", data))


def test_numbers_of_lines_may_be_of_imagenet_or_of_anything(tmp_path: Path) -> None:
    path = write(tmp_path, "truth.txt", "2\n1\n3\n")
    with pytest.raises(ir.errors.MalformedFile, match="may be imagenet or numbers") as raised:
        ir.labels.read(path)
    assert 'ir.labels.read(path, format="numbers")' in str(raised.value)
    assert ir.labels.read(path, "numbers").rows() == [(1, 2), (2, 1), (3, 3)]
    assert ir.labels.read(path, "imagenet")["item_id"][0] == "ILSVRC2012_val_00000001"


def test_numbers_get_the_names_of_classes(tmp_path: Path) -> None:
    path = write(tmp_path, "truth.txt", "2\n1\n3\n")
    words = write(tmp_path, "synset_words.txt", "n01 tench, Tinca tinca\nn02 goldfish\nn03 shark\n")
    assert ir.labels.read(path, "imagenet", classes=words)["label"].to_list() == ["n02", "n01", "n03"]
    pairs = write(tmp_path, "val.txt", "ILSVRC2012_val_00000001.JPEG 0\nILSVRC2012_val_00000002.JPEG 2\n")
    assert ir.labels.read(pairs, classes=words).rows() == [
        ("ILSVRC2012_val_00000001.JPEG", "n01"),
        ("ILSVRC2012_val_00000002.JPEG", "n03"),
    ]


def test_the_first_number_is_asked_for_where_it_cannot_be_seen(tmp_path: Path) -> None:
    path = write(tmp_path, "truth.txt", "1\n1\n2\n")
    classes = ["a", "b", "c"]
    with pytest.raises(ir.errors.InvalidParameter, match=r"first may be 0 or 1") as raised:
        ir.labels.read(path, "numbers", classes=classes)
    assert "first=1" in str(raised.value)
    assert ir.labels.read(path, "numbers", classes=classes, first=0)["label"].to_list() == ["b", "b", "c"]
    assert ir.labels.read(path, "numbers", classes=classes, first=1)["label"].to_list() == ["a", "a", "b"]
    with pytest.raises(ir.errors.InvalidParameter, match="numbers 1 to 2, and the 2 names of classes are for 0 to 1"):
        ir.labels.read(path, "numbers", classes=["a", "b"], first=0)


def test_a_solution_of_boxes_has_a_class_or_several(tmp_path: Path) -> None:
    head = "ImageId,PredictionString\n"
    one = write(tmp_path, "one.csv", f"{head}v1,n03 85 1 499 272 \nv2,n04 1 2 3 4 n04 5 6 7 8\n")
    assert ir.labels.read(one).rows() == [("v1", "n03"), ("v2", "n04")]
    several = write(tmp_path, "several.csv", f"{head}v1,n03 85 1 499 272 n05 1 1 2 2\n")
    assert ir.labels.read(several).rows() == [("v1", ["n03", "n05"])]
    with pytest.raises(ir.errors.MalformedFile, match=r"wrong.csv, line 2"):
        ir.labels.read(write(tmp_path, "wrong.csv", f"{head}v1,n03 85 1\n"))


def test_folders_are_classes_and_equal_names_stay_apart(tmp_path: Path) -> None:
    for path in ("news/sci.med/101", "news/sci.space/101", "news/sci.space/102", "news/.DS_Store"):
        write(tmp_path, path, "text")
    assert ir.labels.read(tmp_path / "news").rows() == [
        ("sci.med/101", "sci.med"),
        ("sci.space/101", "sci.space"),
        ("sci.space/102", "sci.space"),
    ]


def test_folders_of_splits_are_told(tmp_path: Path) -> None:
    for path in ("news/bydate-train/sci.med/1", "news/bydate-test/sci.med/2"):
        write(tmp_path, path, "text")
    assert ir.labels.read(tmp_path / "news").rows() == [
        ("bydate-test/sci.med/2", "sci.med", "bydate-test"),
        ("bydate-train/sci.med/1", "sci.med", "bydate-train"),
    ]
    write(tmp_path, "news/README", "text")
    with pytest.raises(ir.errors.FileError, match=r"no folder of classes: it has README and bydate-test/sci.med/2"):
        ir.labels.read(tmp_path / "news")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ir.errors.FileError, match="has no files"):
        ir.labels.read(tmp_path / "empty")


def test_topics_of_rcv1_are_lists(tmp_path: Path) -> None:
    path = write(tmp_path, "rcv1-v2.topics.qrels", "E11 2286 1\nECAT 2286 1\nM14 2287 1\nM14 2287 1\n")
    table = ir.labels.read(path)
    assert table.rows() == [("2286", ["E11", "ECAT"]), ("2287", ["M14"])]
    predicted = pl.DataFrame({"item_id": ["2286", "2287"], "prediction": [["E11"], ["M14"]]})
    scored = ir.Labels(table.join(predicted, on="item_id")).evaluate("Recall(average='micro')")
    assert scored.summary()["value"].to_list() == pytest.approx([2 / 3])


def test_a_topic_that_an_item_does_not_have_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ir.errors.MalformedFile, match=r"1 lines do not end in 1; the first is 'E12 2287 0'"):
        ir.labels.read(write(tmp_path, "topics.qrels", "E11 2286 1\nE12 2287 0\n"), "rcv1")


def test_news_items_of_a_folder_and_of_archives(tmp_path: Path) -> None:
    write(tmp_path, "items/a/2286newsML.xml", item("2286", "E11", "ECAT"))
    with zipfile.ZipFile(tmp_path / "items" / "19960820.zip", "w") as archive:
        archive.writestr("2287newsML.xml", item("2287"))
    table = ir.labels.read(tmp_path / "items")
    assert table.rows() == [("2287", []), ("2286", ["E11", "ECAT"])]
    assert ir.labels.read(tmp_path / "items" / "a" / "2286newsML.xml", codes="countries").rows() == [("2286", ["MEX"])]
    with pytest.raises(
        ir.errors.MalformedFile, match="is a document of XML, and no news item: it begins with <topics>"
    ):
        ir.labels.read(write(tmp_path, "topics.xml", "<topics/>"), "newsitems")


def test_reuters_21578_has_the_split_of_apte(tmp_path: Path) -> None:
    path = write(tmp_path, "reut2-000.sgm", STORIES.encode("latin-1"))
    rows = [("1", ["cocoa", "sugar"], "train"), ("2", [], "unused"), ("3", [], "test")]
    assert ir.labels.read(path).rows() == ir.labels.read(tmp_path).rows() == rows


def test_a_table_is_read_as_it_is(tmp_path: Path) -> None:
    path = write(tmp_path, "items.csv", "id,class,note\n1,cat,x\n")
    assert ir.labels.read(path).to_dicts() == [{"id": "1", "class": "cat", "note": "x"}]
    with pytest.raises(ir.errors.FileError, match="a table without a column of labels"):
        ir.labels.read(write(tmp_path, "other.csv", "query_id,doc_id\n1,2\n"))


def test_the_hierarchy_of_topics_is_that_of_labels(tmp_path: Path) -> None:
    lines = (
        "parent: None\tchild: Root\tchild-description: Root\nparent: Root child: ECAT child-description: ECONOMICS\n"
    )
    path = write(tmp_path, "rcv1.topics.hier.orig", f"{lines}parent: ECAT child: E11\n")
    tree = ir.labels.read_hierarchy(path)
    assert tree == {"ECAT": "Root", "E11": "ECAT"}
    frame = pl.DataFrame({"item_id": ["1"], "label": [["E11"]], "prediction": [["ECAT"]]})
    assert ir.Labels(frame, hierarchy=tree).evaluate("ICM").summary().height == 1
    with pytest.raises(ir.errors.MalformedFile, match="E11 already has the parent ECAT"):
        ir.labels.read_hierarchy(write(tmp_path, "two", "parent: ECAT child: E11\nparent: MCAT child: E11\n"))


@pytest.mark.parametrize(
    "content, message",
    [
        ("q1 0 d1 2\n", "has judgments of TREC .*, and labels are read"),
        ("q1 Q0 d1 1 2.5 tag\n", "has a run of TREC .*, and labels are read"),
        # Items of RCV1 are numbers.
        ("q1 d1 1\n", "may have judgments of three fields .*, and labels are read"),
        ("2286 2287 1\n", "may have judgments of three fields"),
        ("spam d1\n", "no file of labels that can be recognised"),
    ],
)
def test_other_lines_are_no_labels(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(ir.errors.MalformedFile, match=message):
        ir.labels.read(write(tmp_path, "lines.txt", content))


def test_files_of_other_kinds(tmp_path: Path) -> None:
    for content in ("", "\n# none\n"):
        with pytest.raises(ir.errors.FileError, match=r"lines\.txt is empty: it has no rows"):
            ir.labels.read(write(tmp_path, "lines.txt", content))
    with pytest.raises(ir.errors.FileError, match=r"lines\.txt is no IDX file: its first bytes are b'490"):
        ir.labels.read(write(tmp_path, "lines.txt", "490\n361\n"), format="mnist")


def test_names_of_classes_are_for_numbers_alone(tmp_path: Path) -> None:
    path = write(tmp_path, "topics.qrels", "E11 2286 1\n")
    with pytest.raises(ir.errors.InvalidParameter, match="classes and first are for numbers"):
        ir.labels.read(path, classes=["a"])
