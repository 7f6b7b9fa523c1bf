"""Lines of fields are recognised if one layout fits all of them; others are named for what they are or may be."""

from __future__ import annotations

import contextlib
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, InvalidValue, IrevalError, MalformedFile, ReadingWarning
from ireval_frames.io import describe, read_documents, read_qrels, read_queries, read_run, scan_qrels
from ireval_frames.io.collected import collected
from ireval_frames.io.text.whitespace import Whitespace

Put = Callable[..., Path]

# The name of each layout of judgments, lines that it alone fits, and what is read.
JUDGMENTS: dict[str, tuple[str, list[dict[str, Any]]]] = {
    "trec": ("1 0 d1 2\n1 0 d2 -1\n2 0 d1 0\n", [{"relevance": 2}, {"relevance": -1}, {"relevance": 0}]),
    "pairs": ("1 d1 0\n1 d2 0\n2 d1 3\n", [{"relevance": 0}, {"relevance": 0}, {"relevance": 3}]),
    "ntcir": ("1 d1 L0\n1 d2 L2\n2 d1 L1\n", [{"relevance": 0}, {"relevance": 2}, {"relevance": 1}]),
    "smart": ("1 d1  0 0.000\n1\td2\t0\t0\n2 d1 0 0\n", [{"relevance": 1}] * 3),
    "sampled": (
        "1 0 d1 1 1\n1 0 d2 2 -1\n2 0 d1 1 0\n",
        [
            {"relevance": 1, "stratum": "1"},
            {"relevance": -1, "stratum": "2"},
            {"relevance": 0, "stratum": "1"},
        ],
    ),
    "prels": (
        "1 d1 1 0 1.0\n1 d2 0 1 0.25\n2 d1 -1 2 0.5\n",
        [
            {"relevance": 1, "method": "0", "iprob": 1.0},
            {"relevance": 0, "method": "1", "iprob": 0.25},
            {"relevance": -1, "method": "2", "iprob": 0.5},
        ],
    ),
    "passages": (
        "1 d1 0 120 2\n1 d2 57 30 0\n2 d1 120 8 1\n",
        [
            {"relevance": 2, "start": 0, "length": 120},
            {"relevance": 0, "start": 57, "length": 30},
            {"relevance": 1, "start": 120, "length": 8},
        ],
    ),
    "prefs": (
        "1 a g d1 1\n1 a g d2 0.5\n2 a g d1 1\n",
        [{"relevance": r, "assessor_id": "a", "subgroup_id": "g"} for r in (1.0, 0.5, 1.0)],
    ),
}
KEYS = [{"query_id": q, "doc_id": d} for q, d in (("1", "d1"), ("1", "d2"), ("2", "d1"))]


@pytest.mark.parametrize("name", JUDGMENTS)
def test_judgments_of_one_layout(write_file: Put, name: str) -> None:
    text, rest = JUDGMENTS[name]
    rows = [key | other for key, other in zip(KEYS, rest, strict=True)]
    for path in (write_file(text, "judged.txt"), write_file("# made\n\n" + text.replace(" ", "\t"), "judged.tsv")):
        assert describe(path, "qrels")[0].format == name
        assert sorted(read_qrels(path).to_dicts(), key=str) == sorted(rows, key=str)
        assert read_qrels(path, format=name).equals(read_qrels(path))  # type: ignore[arg-type]  # a name


@pytest.mark.parametrize("name", JUDGMENTS)
def test_a_later_line_of_another_layout_is_reported(write_file: Put, name: str) -> None:
    text = JUDGMENTS[name][0].replace("d1", "d{n}").replace("d2", "e{n}")
    lines = "".join(text.format(n=n) for n in range(4000))
    path = write_file(lines + "1 x y z\n", "judged.txt")
    assert len(lines) > 1 << 16
    with pytest.raises(MalformedFile, match="line 12001: "):
        read_qrels(path)


def test_the_zeros_of_smart_stay_zeros(write_file: Put) -> None:
    lines = "".join(f"{n // 9} {n} 0 0\n" for n in range(1, 9000))
    with pytest.raises(MalformedFile, match="line 9000: the fourth field is '1', and is 0 on the lines before"):
        read_qrels(write_file(lines + "1 99999 0 1\n", "qrels.text"))


def test_judgments_on_all_engines(write_file: Put) -> None:
    run = write_file("1 Q0 d2 1 9 t\n1 Q0 d1 2 8 t\n2 Q0 d1 1 9 t\n")
    for name, (text, _) in JUDGMENTS.items():
        path = write_file(text, f"{name}.txt")
        measures = "P@2 R@2" if name != "prefs" else "P@2"
        values = [
            ir.evaluate(path, run, measures, engine=engine).per_unit().drop("run_id", strict=False).rows()
            for engine in ("polars", "duckdb")
        ]
        assert values[0] == values[1]
        assert values[0]


PADDED = "01 d1 0 0\n01 d2 0 0\n10 d2 0 0\n"


def test_ids_without_the_zeros_before_them(write_file: Put) -> None:
    with pytest.warns(ReadingWarning, match="leading zeros of query_id were removed.*: 2, such as '01'"):
        read = read_qrels(write_file(PADDED, "qrels.text"))
    assert read["query_id"].to_list() == ["1", "1", "10"]
    assert read_qrels(write_file(PADDED.replace("10", "a"), "qrels.text"))["query_id"].to_list() == ["01", "01", "a"]


def test_codes_of_cranfield(write_file: Put) -> None:
    path = write_file("1 184 2\n1 29 1 \n1 31 -1\n2 12 5\n", "cranqrel")
    with pytest.raises(MalformedFile, match=r'format="pairs"(.|\n)*format="cranfield"'):
        read_qrels(path)
    with pytest.warns(ReadingWarning, match="code -1, which nothing explains, were left out: 1"):
        assert read_qrels(path, format="cranfield").rows() == [("1", "184", 3), ("1", "29", 4), ("2", "12", 0)]
    assert read_qrels(path, format="pairs")["relevance"].to_list() == [2, 1, -1, 5]
    with pytest.raises(InvalidValue, match="query '1', document '184', code 7"):
        read_qrels(write_file("1 184 7\n", "cranqrel"), format="cranfield")


def test_subtopics_and_assessors_are_named(write_file: Put) -> None:
    path = write_file("1 1 d1 1\n1 2 d1 0\n2 1 d1 1\n", "diversity.txt")
    with pytest.raises(MalformedFile, match=r'second="subtopic_id"\)\n.*second="assessor_id"'):
        read_qrels(path)
    assert read_qrels(path, second="assessor_id").rows()[1] == ("1", "d1", 0, "2")
    assert read_qrels(path, format="diversity").columns == ["query_id", "doc_id", "relevance", "subtopic_id"]
    run = write_file("1 Q0 d1 1 9 t\n2 Q0 d1 1 8 t\n")
    assert ir.evaluate(read_qrels(path, format="diversity"), run, "alpha_nDCG@2").summary()["value"].item() == 1


def test_subtopics_behind_the_first_lines(write_file: Put) -> None:
    lines = "".join(f"1 1 d{n} 1\n" for n in range(9000))
    assert len(lines) > 1 << 16
    path = write_file(lines + "1 2 d7 1\n", "diversity.txt")
    frame = scan_qrels(path).select("query_id")
    for _ in range(2):
        with pytest.raises(MalformedFile, match=r'second="subtopic_id"'):
            collected(frame, path)
    assert read_qrels(path, format="trec").height == read_qrels(path, second="subtopic_id").height == 9001
    assert read_qrels(write_file(lines + "1 2 e7 1\n", "iterations.txt")).height == 9001


def test_numbers_of_one_document_per_query(write_file: Put) -> None:
    """A line that is cut where the first ones end is no list of documents."""
    lines = "".join(f"{q} 0 {q * 7919 % 100003} 1\n" for q in range(1, 9000))
    path = write_file(lines, "qrels.dev.tsv")
    assert read_qrels(path).height == 8999
    assert read_qrels(path).equals(read_qrels(path, format="trec"))
    with pytest.raises(MalformedFile, match="line 3: 3 fields where a judgment has 4"):
        read_qrels(write_file("1 0 13 1\n2 0 14 1\n3 0 15\n", "cut.txt"))


def test_levels_are_read_at_once(write_file: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_file("0001 d1 L2\n0001 d2 l0\n", "judged.txt")
    bad = write_file("0001 d1 L2\n0001 d2 2\n", "bad.txt")
    with pytest.raises(MalformedFile, match="line 2: relevance '2' is not a level such as L2"):
        read_qrels(bad, format="ntcir")
    monkeypatch.setattr(Whitespace, "exact", lambda *_: pytest.fail("read line by line"))
    assert read_qrels(path)["relevance"].to_list() == [2, 0]


@pytest.mark.parametrize(
    "text, bad, message",
    [
        ("1 0 d1 7 1\n1 0 d2 7 0\n", "1 0 d3 7 x\n", "line 3: relevance 'x' is not an integer"),
        ("1 d1 1 0 0.5\n1 d2 1 0 0.5\n", "1 d3 1 0 half\n", "line 3: iprob 'half' is not a number"),
        ("1 d1 L1\n1 d2 L2\n", "1 d3 2\n", "line 3: relevance '2' is not a level such as L2"),
        ("1 d1 0\n1 d2 0\n", "1 d3 x\n", "line 3: relevance 'x' is not an integer"),
        ("1 7 100 20 1\n1 8 0 30 0\n", "1 9 0 x 0\n", "line 3: length 'x' is not an integer"),
    ],
)
def test_a_layout_that_fits_most_lines_names_the_others(write_file: Put, text: str, bad: str, message: str) -> None:
    with pytest.raises(MalformedFile, match=message):
        read_qrels(write_file(text + bad, "judged.txt"))


def test_lines_that_no_layout_fits(write_file: Put) -> None:
    with pytest.raises(MalformedFile, match=r"has 3 fields a line, and no layout of judgments fits") as caught:
        read_qrels(write_file("q1 d1 rel\nq1 d2 non\n", "words.txt"))
    for name in ("pairs", "cranfield", "ntcir"):
        assert f'format="{name}"' in caught.value.hint
    with pytest.raises(MalformedFile, match=r"no layout of judgments fits(.|\n)*sampled(.|\n)*prels(.|\n)*passages"):
        read_qrels(write_file("1 0 d1 s x\n", "words.txt"))
    with pytest.raises(InvalidParameter, match=r'header names \'1\' twice(.|\n)*format="pairs"'):
        read_qrels(write_file("1,d1,1\n1,d2,0\n", "pairs.csv"))


SEVERAL: dict[str, tuple[str, list[str]]] = {
    "two fields": ("1 d1\n1 d2\n", ['format="pairs"', 'score_from="order"']),
    "few ranks": ("1 d1 1\n1 d2 2\n", ['format="pairs"', 'format="cranfield"', 'format="msmarco"']),
    "few numbers": ("1 d1 7\n1 d2 0\n", ['format="pairs"', 'format="ranklib"']),
    "one document": ("1 d1 1\n2 d2 1\n", ['format="pairs"', 'format="msmarco"']),
    "a zero each": ("1 1410 0 0\n", ['format="trec"', 'format="smart"']),
    "ranks or grades": ("1 Q0 d1 1\n1 Q0 d2 2\n", ['format="trec"', 'score_from="rank"']),
    "one passage": ("1 7 100 20 1\n1 7 200 30 0\n", ['format="sampled"', 'format="passages"']),
    "probabilities of 1": ("1 d1 1 1 1\n1 d2 0 1 1\n", ['format="prels"', 'format="passages"']),
}


@pytest.mark.parametrize("name", SEVERAL)
def test_what_fits_several_layouts_is_not_guessed(write_file: Put, name: str) -> None:
    text, ways = SEVERAL[name]
    path = write_file(text, "lines.txt")
    for read in (read_qrels, read_run):
        with pytest.raises(MalformedFile, match=r"fit each of them|is read\.") as caught:
            read(path)
        assert read is read_run or all(way in str(caught.value) for way in ways)
        # Each of the lines that the error writes works.
        for way in ways:
            argument, _, value = way.partition("=")
            of_run = argument == "score_from" or value in ('"msmarco"', '"ranklib"')
            assert (read_run if of_run else read_qrels)(path, **{argument: value.strip('"')}).height  # type: ignore[arg-type]


OTHERS: dict[str, tuple[str, str, str]] = {
    "a run": ("1 Q0 d1 1 2.5 t\n1 Q0 d2 2 1.5 t\n", "a run of TREC", "qrels"),
    "scores": ("1 d1 2.5\n1 d2 2\n", "a run of three fields", "qrels"),
    "ranks": ("".join(f"1 d{n} {n}\n" for n in range(1, 30)), "a run of MS MARCO", "qrels"),
    "run without scores": ("1 Q0 d1 1 t\n1 Q0 d2 2 t\n", "a run without scores", "qrels"),
    "judgments": ("1 0 d1 1\n1 0 d2 0\n", "judgments of TREC", "run"),
    "three fields": ("1 d1 0\n1 d2 0\n", "judgments of three fields", "run"),
    "samples": ("1 0 d1 s1 1\n1 0 d2 s2 -1\n", "sampled judgments", "run"),
    "prels": ("1 d1 1 0 0.5\n1 d2 1 0 0.25\n", "prels", "run"),
    "levels": ("1 d1 L1\n1 d2 L0\n", "judgments of NTCIR", "run"),
    "subtopics": ("1 1 d1 1\n1 2 d1 0\n", "judgments by subtopic", "run"),
    "queries": ('7\twhat is it\n12\twho is "he\n', "texts of MS MARCO", "run"),
    "texts": ('7\twhat is it\n12\twho is "he\n', "texts of MS MARCO", "qrels"),
    "values": ("map\tall\t0.25\nP_5\tall\t0.4\n", "the values that trec_eval prints", "run"),
    "candidates": ('7\td1\twhat is it\tit is\n7\td2\twhat is it\tan "it\n', "candidates of MS MARCO", "qrels"),
}


def reads_otherwise(read: Callable[..., pl.DataFrame], path: Path, name: str) -> None:
    """A format that is named is what is read; grades of texts are bad lines."""
    with contextlib.suppress(MalformedFile, InvalidValue):
        read(path, format=name)
    assert describe(path, "run" if read is read_run else "qrels", format=name)[0].format == name  # type: ignore[arg-type]  # a name


@pytest.mark.parametrize("name", OTHERS)
def test_other_tables_are_named_for_what_they_are(write_file: Put, name: str) -> None:
    text, words, table = OTHERS[name]
    read = read_run if table == "run" else read_qrels
    for file in ("lines.txt", "lines.tsv"):
        path = write_file(text.replace(" ", "\t") if "\t" not in text else text, file)
        with pytest.raises(MalformedFile) as caught:
            read(path)
        assert f"{file} has {words}" in str(caught.value)
        assert "Read it: ir." in caught.value.hint
        for way in re.findall(r'format="(\w+)"', caught.value.hint):
            reads_otherwise(read, path, way)


def test_runs_of_three_and_five_fields(write_file: Put) -> None:
    assert read_run(write_file("1 d1 2.5\n1 d2 -1\n"), run_id=None).rows() == [("1", "d1", 2.5), ("1", "d2", -1.0)]
    without_tag = write_file("1 Q0 d1 1 2.5\n1 Q0 d2 2 1e-3\n")
    assert read_run(without_tag, run_id=None).rows() == [("1", "d1", 2.5), ("1", "d2", 0.001)]
    assert read_run(without_tag, format="trec").equals(read_run(without_tag))
    with pytest.raises(MalformedFile, match=r'format="msmarco"(.|\n)*format="ranklib"'):
        read_run(write_file("1 d1 12\n1 d2 40\n1 d3 7\n"))
    from_zero = "".join(f"{q} d{n} {n}\n" for q in range(3) for n in range(12))
    assert read_run(write_file(from_zero)).columns[-1] == "rank"
    shuffled = [f"{q} d{n} {n}\n" for q in range(200) for n in range(1, 60)]
    random.Random(1).shuffle(shuffled)
    assert read_run(write_file("".join(shuffled))).columns[-1] == "rank"
    # More lines than are looked at first, of which the last ones decide.
    many = "".join(f"{q} d{n} {5 - n}\n" for q in range(4000) for n in range(5))
    assert read_run(write_file(many[:-2] + "7.5\n"), run_id=None)["score"][-1] == 7.5


def test_candidates_of_msmarco(write_file: Put) -> None:
    text = '7\td2\twhat is it\tit is\n7\td1\twhat is it\tan "it\n9\td1\twho\tan "it\n'
    path = write_file(text, "top1000.dev")
    with pytest.raises(MalformedFile, match=r'Write what orders it: .*score_from="order"'):
        read_run(path)
    assert read_run(path, score_from="order", run_id=None).rows() == [
        ("7", "d2", -1.0), ("7", "d1", -2.0), ("9", "d1", -1.0),
    ]  # fmt: skip
    assert read_queries(path).rows() == [("7", "what is it"), ("9", "who")]
    with pytest.raises(MalformedFile, match="line 2: 3 fields between tabs"):
        read_run(write_file(text.replace("d1\twhat", "d1 what", 1), "t"), format="top1000", score_from="order")


def test_queries_of_msmarco(write_file: Put) -> None:
    text = '7\twhat is it\r\n12\twho is "he" #1\n#3\tx\ty\n'
    assert read_queries(write_file(text.rpartition("#3")[0], "queries.dev.tsv")).rows() == [
        ("7", "what is it"), ("12", 'who is "he" #1'),
    ]  # fmt: skip
    with pytest.raises(MalformedFile, match="line 3: 3 fields between tabs where a line has query_id, text"):
        read_queries(write_file(text, "queries.tsv"), format="msmarco")
    words = write_file("number\ttitle\n7\twhat is it\n12\twho\n", "topics.tsv")
    with pytest.raises(IrevalError, match="line 1 is read as the header"):
        read_queries(words)
    assert read_queries(words, {"query_id": "number"}).rows() == [("7", "what is it"), ("12", "who")]
    plain = write_file("seven\twhat is it\ntwelve\twho\n", "topics.tsv")
    with pytest.raises(MalformedFile, match=r'format="msmarco"\)\n.*columns={"query_id": "seven"}'):
        read_queries(plain)
    assert read_queries(plain, format="msmarco").height == 2


def test_formats_of_other_tables_are_refused(write_file: Put) -> None:
    path = write_file("1 d1\n")
    for name in ("sampled", "prels", "ntcir", "passages", "diversity"):
        with pytest.raises(InvalidParameter, match=f"'{name}' is a format of judgments"):
            read_run(path, format=name)
        with pytest.raises(InvalidParameter, match=f"'{name}' is a format of judgments"):
            read_queries(path, format=name)
    for name in ("smart", "cranfield"):
        with pytest.raises(InvalidParameter, match=f"'{name}' is a format of documents, queries, judgments"):
            read_run(path, format=name)


def test_documents_of_msmarco(write_file: Put) -> None:
    path = write_file('7\twhat is it\n12\twho is "he\n', "collection.tsv")
    assert read_documents(path).rows() == [("7", "what is it"), ("12", 'who is "he')]
    candidates = write_file('7\td2\twhat is it\tit is\n9\td2\twho\tit is\n9\td1\twho\tan "it\n', "top1000.dev")
    assert read_documents(candidates).rows() == [("d2", "it is"), ("d1", 'an "it')]
    addressed = write_file("D1\thttp://x.org/a b\tA title\tIts text\nD2\thttps://x.org\t\tMore\n", "msmarco-docs.tsv")
    assert read_documents(addressed).to_dicts()[1] == {
        "doc_id": "D2", "url": "https://x.org", "title": None, "text": "More",
    }  # fmt: skip
    assert read_documents(addressed, format="msmarco").equals(read_documents(addressed))
