"""The time to read hostile text grows as the text does, not with its square: a small file would take minutes."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import ireval_frames as ir
from ireval_frames.errors import IrevalError

SIZE = 100_000
SECONDS = 4.0
STORY = '<REUTERS NEWID="1"><TOPICS><D>a</D></TOPICS></REUTERS>\n'
DOCUMENT = "<DOC><DOCNO>1</DOCNO>{}</DOC>"
TOPIC = "<top><num>1</num><title>{}</title></top>"


def labels(path: Path) -> Any:
    return ir.labels.read(path)


def filled(piece: str) -> str:
    return piece * (SIZE // len(piece))


CASES: dict[str, tuple[str, str, Callable[[Path], Any]]] = {
    "stories without an end": ("a.sgm", STORY + filled("<REUTERS >"), labels),
    "stories without a head": ("a.sgm", STORY + filled("<REUTERS"), labels),
    "topics without an end": ("a.sgm", STORY.replace("<TOPICS>", filled("<TOPICS>")), labels),
    "classes without an end": ("a.sgm", STORY.replace("<D>a", filled("<D>")), labels),
    "a long word in a head": ("a.sgm", STORY.replace("NEWID", filled("a")), labels),
    "classes and boxes": ("LOC_val_solution.csv", f"ImageId,PredictionString\nx,a {filled('11 ')}!\n", labels),
    "comments without an end": ("d.xml", DOCUMENT.format(filled("<!--")), ir.io.read_documents),
    "instructions without an end": ("d.xml", DOCUMENT.format(filled("<?")), ir.io.read_documents),
    "declarations without an end": ("d.xml", DOCUMENT.format(filled("<!A")), ir.io.read_documents),
    "tags without an end": (
        "d.xml",
        DOCUMENT.format("".join(f"<a{i}>" for i in range(SIZE // 7))),
        ir.io.read_documents,
    ),
    "a long word in a tag": ("d.xml", DOCUMENT.format(f"<x {filled('a')}>"), ir.io.read_documents),
    "documents without an end": ("d.xml", filled("<DOC>"), ir.io.read_documents),
    "topics of TREC without an end": ("t.txt", TOPIC.format(filled("<top>")), ir.io.read_queries),
    "blanks in a line of TIME": ("TIME.ALL", f"*TEXT 017 01/04/63{filled(' ')}x\nTEXT\n", ir.io.read_documents),
    "brackets of JSON": ("r.jsonl", filled('{"a":'), ir.read_run),
    "quotes of CSV": ("q.csv", "query_id,doc_id,relevance\n" + filled('"a,'), ir.read_qrels),
    "a line of blanks": ("r.txt", f"1 Q0 a{filled(' ')}1\n", ir.read_run),
}


@pytest.mark.parametrize("case", CASES)
def test_it_ends_soon(tmp_path: Path, case: str) -> None:
    name, text, read = CASES[case]
    (tmp_path / name).write_text(text)
    start = time.process_time()
    with suppress(IrevalError):
        read(tmp_path / name)
    assert time.process_time() - start < SECONDS


def test_a_story_without_an_end_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.sgm"
    path.write_text(f'{STORY}<REUTERS NEWID="2"><TOPICS>\n')
    with pytest.raises(ir.errors.MalformedFile, match="its story 2 has no end: '<REUTERS NEWID=\"2\">'"):
        ir.labels.read(path)
    path.write_text(STORY)
    assert ir.labels.read(path).rows() == [("1", ["a"], "unused")]


def test_comments_are_no_text(tmp_path: Path) -> None:
    body = "a<!-- <b> -- -->b<?x > ?>c<!DOCTYPE d>e <!-- f <? g <!"
    (tmp_path / "d.xml").write_text(DOCUMENT.format(f"<TEXT>{body}</TEXT>"))
    assert ir.io.read_documents(tmp_path / "d.xml")["text"].item() == "a b c e <!-- f <? g <!"
