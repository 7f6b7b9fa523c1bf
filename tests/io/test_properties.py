"""Any table, written in a messy way, reads as a plain split of its lines says."""

from __future__ import annotations

import math
from pathlib import Path

import hypothesis.strategies as st
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings

from ireval_frames.errors import MalformedFile
from ireval_frames.io import read_qrels, read_run, write_qrels, write_run
from ireval_frames.io.text import chunks

relaxed = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

word = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Zs"], exclude_characters=" \t\r\n\0"), min_size=1, max_size=20
)
ids = st.one_of(word, st.sampled_from(["007", "NA", "1e5", '"', "a#", "null", "'"])).filter(
    lambda s: not s.startswith(("#", "{", "\ufeff"))
)
number = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.integers(-(10**25), 10**25).map(str),
    st.integers(-(10**6), 10**6).map(str),
    st.decimals(allow_nan=False, allow_infinity=False, places=7).map(str),
    st.sampled_from(["+1", ".5", "5.", "1E3", "-0", "1e-400"]),
)
gap = st.sampled_from([" ", "\t", "  ", " \t ", "     "])
end = st.sampled_from(["\n", "\r\n", " \n", "\t\r\n", "\n\n", "\n# comment\n", "\n \n"])


@st.composite
def messy(draw: st.DrawFn, last: st.SearchStrategy[str]) -> str:
    """Lines of five ids and words around a number."""
    regular = draw(st.booleans())
    lines = []
    for _ in range(draw(st.integers(1, 12))):
        fields = [draw(ids), "Q0", draw(ids), str(draw(st.integers(0, 9))), draw(last), draw(ids)]
        between = " " if regular else None
        text = "".join(f + (between or draw(gap)) for f in fields[:-1]) + fields[-1]
        lines.append(text + ("\n" if regular else draw(end)))
    whole = "".join(lines)
    if regular:
        return whole
    start = draw(st.sampled_from(["", "\ufeff", " ", "# x\n"]))
    return start + (whole.rstrip("\r\n") if draw(st.booleans()) else whole)


def plain_split(text: str) -> list[tuple[str, str, float, str]]:
    """The rows as a loop reads them."""
    out = []
    for line in text.removeprefix("\ufeff").split("\n"):
        fields = [f for f in line.rstrip("\r").replace("\t", " ").split(" ") if f]
        if fields and not fields[0].startswith("#"):
            out.append((fields[5], fields[0], fields[2], float(fields[4])))
    return out


def scores_of(text: str) -> list[str]:
    """The scores as they are written."""
    lines = (line.rstrip("\r").replace("\t", " ").split(" ") for line in text.removeprefix("\ufeff").split("\n"))
    fields = [[f for f in line if f] for line in lines]
    return [f[4] for f in fields if len(f) == 6 and not f[0].startswith("#")]


def is_confused(score: str) -> bool:
    """Whether it is a whole number that floats do not tell from others."""
    return score.lstrip("+-").isdecimal() and score.isascii() and abs(int(score)) > 2**53


@pytest.mark.parametrize("size", [48, 1 << 20])
@relaxed
@given(text=messy(number))
def test_read_is_a_plain_split(tmp_path: Path, monkeypatch, size: int, text: str):
    monkeypatch.setattr(chunks, "SIZE", size)
    path = tmp_path / "a.run"
    path.write_bytes(text.encode())
    expected = plain_split(text)
    if any(math.isinf(row[3]) for row in expected) or any(map(is_confused, scores_of(text))):
        with pytest.raises(MalformedFile):
            read_run(path, format="trec")
        return
    read = read_run(path, format="trec", run_id="tag").rows()
    assert read == expected
    assert [math.copysign(1, r[3]) for r in read] == [math.copysign(1, r[3]) for r in expected]


mistake = st.one_of(number, st.sampled_from(["nan", "inf", "x", "1_0", "0x1", "", "1 2", "1e999", "١"]))


@relaxed
@given(text=messy(mistake))
def test_exactly_the_bad_lines_are_reported(tmp_path: Path, text: str):
    path = tmp_path / "a.run"
    path.write_bytes(text.encode())
    bad = []
    for number_, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        fields = [f for f in line.rstrip("\r").replace("\t", " ").split(" ") if f]
        if not fields or fields[0].startswith("#"):
            continue
        try:
            good = len(fields) == 6 and math.isfinite(float(fields[4])) and fields[4].isascii() and "_" not in fields[4]
            good = good and not is_confused(fields[4])
        except ValueError:
            good = False
        if not good:
            bad.append(number_)
    try:
        read_run(path, format="trec")
    except MalformedFile as error:
        message = str(error)
        assert bad
        assert all(f"line {n}: " in message for n in bad[:10])
        assert len(bad) == 1 or f"{len(bad)} lines" in message
    else:
        assert bad == []


@pytest.mark.parametrize("name", ["a.run", "a.csv", "a.jsonl"])
@relaxed
@given(
    scores=st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=8),
    query=ids,
    docs=st.lists(ids, min_size=8, max_size=8, unique=True),
)
def test_runs_round_trip(tmp_path: Path, name: str, scores, query, docs):
    frame = pl.DataFrame(
        {"run_id": "r", "query_id": query, "doc_id": docs[: len(scores)], "score": scores}, strict=True
    )
    write_run(frame, tmp_path / name)
    read = read_run(tmp_path / name, run_id="tag")
    assert read.sort("doc_id").equals(frame.sort("doc_id"))


@relaxed
@given(
    grades=st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=8),
    query=ids,
    docs=st.lists(ids, min_size=8, max_size=8),
)
def test_judgments_round_trip(tmp_path: Path, grades, query, docs):
    frame = pl.DataFrame({"query_id": query, "doc_id": docs[: len(grades)], "relevance": grades}, strict=True)
    for name in ("qrels.txt", "qrels.csv"):
        write_qrels(frame, tmp_path / name)
        assert read_qrels(tmp_path / name).equals(frame)
