"""The format of lines of fields without a header, by the number and content of the fields."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from ireval_frames.columns.user_names import within
from ireval_frames.errors import InvalidParameter, MalformedFile
from ireval_frames.io.detect.description import Description, Format
from ireval_frames.io.text.bad_lines import legible
from ireval_frames.io.text.delimited import SEPARATORS, names_of
from ireval_frames.io.text.field_orders import refuse_other_order
from ireval_frames.io.text.headers import Kind

# The fields of runs without scores, by their number.
LISTED = {
    2: ("query_id", "doc_id"),
    3: ("query_id", "doc_id", "rank"),
    4: ("query_id", "iteration", "doc_id", "rank"),
    5: ("query_id", "iteration", "doc_id", "rank", "run_id"),
}


def described_lists(base: Description, kind: Kind, requested: str, lines: list[str]) -> Description:
    """Lists for learning to rank: judgments with features; and of RankLib, the scores of their places."""
    if kind != "qrels":
        if requested == "ranklib":
            return replace(base, format="ranklib", separator=" ", columns=("query_id", "doc_id", "score"))
        raise MalformedFile(
            f"{base.name} has judgments with features (LETOR), and no run.", "Judgments come first, then the run."
        )
    described = requested == "letor" or (requested == "auto" and any("#" in line for line in lines))
    return replace(base, format="letor" if described else "ranklib", columns=("query_id", "doc_id", "relevance"))


def described_pairs(base: Description, lines: list[str]) -> Description:
    """Query, document, and optionally a third field with the grade."""
    separator = next((s for s in SEPARATORS if lines and all(len(line.split(s)) in (2, 3) for line in lines)), " ")
    counts = Counter(len(names_of(line, separator)) for line in lines)
    usual = counts.most_common(1)[0][0] if counts else 2
    fields = ("query_id", "doc_id", "relevance")
    return replace(base, format="pairs", separator=separator, columns=fields[: max(2, min(usual, 3))])


def without_header(
    base: Description,
    kind: Kind,
    expected: str | None,
    lines: list[str],
    numbers: list[int],
    columns: Mapping[str, str] | None,
) -> Description:
    """The description of lines of fields separated by blanks and tabs."""
    # Names that are for several tables may belong to another one.
    if within(columns, ()):
        raise InvalidParameter(
            f"columns= names columns of a header, but {base.name} has none.",
            "Leave columns= out, or add a header line.",
        )
    counts = Counter(len(line.split()) for line in lines)
    usual = counts.most_common(1)[0][0] if counts else 0
    other = {("run", 4): ("judgments", "scan_qrels"), ("qrels", 6): ("a run", "scan_run")}.get((kind, usual))
    if other and expected not in ("trec", "msmarco"):
        raise MalformedFile(
            f"{base.name}, line {numbers[0]}: {usual} fields where "
            f"{'a run has 6' if kind == 'run' else 'judgments have 4'}:"
            f" '{legible(lines[0].encode('utf-8', 'surrogateescape'))}'",
            f"It looks like {other[0]}: ir.io.{other[1]}(path). Judgments come first, then the run.",
        )
    if expected is None or expected not in ("trec", "prefs", "msmarco"):
        refuse_other_order(base.name, kind, usual, [line.split() for line in lines if len(line.split()) == usual])
    if kind == "run" and (expected == "msmarco" or (usual == 3 and expected != "trec")):
        ranklib = expected is None and _has_positions_and_scores(
            [line.split() for line in lines if len(line.split()) == 3]
        )
        format_: Format = "ranklib" if ranklib else "msmarco"
        third = "score" if ranklib else "rank"
        return replace(base, format=format_, separator=" ", columns=("query_id", "doc_id", third))
    if kind in ("list", "ranks") and expected != "trec" and usual in LISTED:
        return replace(base, format="trec", separator=" ", columns=LISTED[usual])
    if kind == "qrels" and (expected == "prefs" or (usual == 5 and expected not in ("trec", "msmarco"))):
        return replace(
            base,
            format="prefs",
            separator=" ",
            columns=("query_id", "assessor_id", "subgroup_id", "doc_id", "relevance"),
        )
    fields = (
        ("query_id", "iteration", "doc_id", "rank", "score", "run_id")
        if kind != "qrels"
        else ("query_id", "iteration", "doc_id", "relevance")
    )
    return replace(base, format="msmarco" if expected == "msmarco" else "trec", separator=" ", columns=fields)


def _has_positions_and_scores(rows: list[list[str]]) -> bool:
    """Whether the lines are scores of RankLib: query, place in its list, score."""
    return all(row[1].isdigit() for row in rows) and any(not row[2].lstrip("+-").isdigit() for row in rows)


def plain(kind: Kind, line: str) -> bool:
    """Whether a line of a .tsv file is a row, not a header: its last fields are numbers where the format has them."""
    fields = line.split()
    if kind in ("list", "ranks"):
        return len(fields) in (*LISTED, 6)
    if kind == "run":
        return (len(fields) == 3 and fields[2].isdigit()) or len(fields) == 6
    return len(fields) == 4 and any(c.isdigit() for c in fields[3])
