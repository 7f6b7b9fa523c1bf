"""The format of lines of fields without a header: the one layout that fits all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice

from ireval_frames.columns.user_names import within
from ireval_frames.errors import AmbiguousFile, Argument, Code, Hint, InvalidParameter, MalformedFile
from ireval_frames.io.collections.topics import is_colon
from ireval_frames.io.detect.description import Description
from ireval_frames.io.detect.layouts import LAYOUTS, Layout, Lines, fitting, fitting_most, layout_of
from ireval_frames.io.text.bad_lines import legible
from ireval_frames.io.text.delimited import SEPARATORS, names_of
from ireval_frames.io.text.field_orders import as_format, fields_of, refuse_other_order
from ireval_frames.io.text.headers import WORDS, Kind, reading
from ireval_frames.io.text.stream import numbered

# The fields of runs without scores, by their number.
LISTED = {
    2: ("query_id", "doc_id"),
    3: ("query_id", "doc_id", "rank"),
    4: ("query_id", "iteration", "doc_id", "rank"),
    5: ("query_id", "iteration", "doc_id", "rank", "run_id"),
}
OF_RUNS = ("query_id", "iteration", "doc_id", "rank", "score", "run_id")
OF_JUDGMENTS = ("query_id", "iteration", "doc_id", "relevance")
_TABLES = {"run": "run", "list": "run", "ranks": "run", "qrels": "qrels", "pairs": "qrels"}
# Around lines whose fields stand between tabs: a tab at the end has an empty field behind it.
WITHIN = " \r\n"
# The largest number of lines that decide between layouts that fit the first ones.
MOST = 500_000
OTHERWISE = "Leave the format out: it is detected for most files."
OF_TEXTS = ("queries", "documents")


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
    # Between tabs fields may hold blanks.
    separator = " " if separator == "\t" and all(len(fields_of(line)) in (2, 3) for line in lines) else separator
    counts = Counter(len(names_of(line, separator)) for line in lines)
    usual = counts.most_common(1)[0][0] if counts else 2
    fields = ("query_id", "doc_id", "relevance")
    return replace(base, format="pairs", separator=separator, columns=fields[: max(2, min(usual, 3))])


def without_header(
    base: Description,
    kind: Kind,
    expected: str | None,
    lines: list[str],
    columns: Mapping[str, str] | None,
    *,
    text: bool,
    complete: bool,
) -> Description:
    """The description of lines of fields.

    Args:
        base: what is known of the file.
        kind: the kind of table to read.
        expected: the format that is named, if it is one of lines.
        lines: the first lines.
        columns: the user's mapping, which only headers can have.
        text: whether tabs alone stand between fields.
        complete: whether these are all lines of the file.

    Raises:
        MalformedFile: no layout fits, several do, or one of another kind of table.
        InvalidParameter: there is a mapping.
    """
    # Names that are for several tables may belong to another one.
    if within(columns, ()):
        raise InvalidParameter(
            f"columns= names columns of a header, but {base.name} has none.",
            "Leave columns= out, or add a header line.",
        )
    split = _rows(lines, text=text)
    n = len(split.rows[0]) if split.rows else 0
    table = _TABLES.get(kind, kind)
    if expected is not None:
        return _named(base, kind, expected, split)
    if kind in ("list", "ranks"):
        return _listed(base, n, fitting(split))
    refuse_other_order(base.name, kind, n, split.rows)
    layouts = _different(fitting(_without_last(split, complete=complete)), table)
    if len(layouts) != 1 and not complete:
        layouts = _different(fitting(_rows(_all_lines(base, WITHIN if text else None), text=text)), table)
    if [layout.table for layout in layouts] == [table] and not layouts[0].score_from:
        return _described(base, kind, layouts[0])
    if layouts:
        raise _refused(base, table, layouts, n)
    if is_colon(lines):
        words = f"{base.name} has topics (lines `id:text`), and {WORDS[table]} {'is' if table == 'run' else 'are'}"
        raise MalformedFile(f"{words} read.", "They are read by ir.io.scan_queries(path).")
    first = legible(" ".join(split.rows[0]).encode("utf-8", "surrogateescape")) if n else ""
    none = f"no layout of {WORDS[table]} fits them"
    what = f"{base.name} has {n} fields a line, and {none}; the first line: '{first}'."
    if text and table in OF_TEXTS:
        raise MalformedFile(what, "Put a line before them that names the columns, such as query_id and text.")
    nearest = fitting_most(split, table)
    ways = [] if nearest is not None or n in (len(OF_JUDGMENTS), len(OF_RUNS)) else _ways(table, n)
    if ways:
        raise MalformedFile(what, Hint("Write which it is, and the lines that are wrong are listed:", *ways))
    return _described(base, kind, nearest)


def layouts_of(lines: Sequence[str]) -> list[Layout]:
    """The layouts that fit lines of at least three fields, which are read as neither judgments nor runs."""
    split = _rows(lines, text=False)
    return fitting(split) if split.rows and len(split.rows[0]) > len(LISTED[2]) else []


def _ways(table: str, n: int) -> list[str | Argument]:
    """The layouts of a kind of table with n fields, and the arguments that read them."""
    layouts = [one for one in LAYOUTS if one.table == table and len(one.columns) == n and not one.text]
    return [part for one in layouts for part in (f"\n    {one.words}: ", one.way)]


def _different(layouts: Sequence[Layout], table: str) -> list[Layout]:
    """Layouts of different names: candidates of MS MARCO hold queries, documents and a run."""
    own = {layout.words: layout for layout in layouts if layout.table == table}
    return list({layout.words: own.get(layout.words, layout) for layout in layouts}.values())


def refuse_lines(base: Description, kind: Kind, lines: Sequence[str]) -> None:
    """Refuse lines of judgments or runs, whose first one would be taken for names of columns.

    Raises:
        MalformedFile: they are such lines.
    """
    layouts = layouts_of(lines)
    if layouts:
        raise _refused(base, kind, layouts, len(layouts[0].columns))


def _rows(lines: Sequence[str], *, text: bool) -> Lines:
    """The fields of those lines that have the usual number of them."""
    rows = [line.split("\t") if text else fields_of(line) for line in lines]
    counts = Counter(map(len, rows))
    usual = counts.most_common(1)[0][0] if counts else 0
    return Lines([row for row in rows if len(row) == usual], text)


def _without_last(lines: Lines, *, complete: bool) -> Lines:
    """The lines without those of the last query, which may go on."""
    rows = lines.rows
    if complete or not rows:
        return lines
    others = [row for row in rows if row[0] != rows[-1][0]]
    return Lines(others, lines.text) if others else lines


def _all_lines(base: Description, ends: str | None) -> list[str]:
    """The lines of the file; of a very large one, the first of them."""
    lines = (line.decode("utf-8", "surrogateescape").strip(ends) for _, line in numbered(base.path, base.name))
    return list(islice((line for line in lines if line and not line.startswith("#")), MOST))


def _named(base: Description, kind: Kind, format: str, lines: Lines) -> Description:
    """The description of lines whose format is named.

    Raises:
        InvalidParameter: lines of this table have no such format.
    """
    n = len(lines.rows[0]) if lines.rows else 0
    layout = layout_of(_TABLES.get(kind, kind), format, n)
    if format == "msmarco" and kind == "qrels":
        return replace(base, format="msmarco", separator=" ", columns=OF_JUDGMENTS)
    if format != "trec" and layout is None:
        read = WORDS[_TABLES.get(kind, kind)]
        raise InvalidParameter(f"{base.name} is read as {read}, and {format!r} is no format of that.", OTHERWISE)
    if format == "trec":
        untagged = (
            one for one in fitting(lines) if one.table == "run" and one.columns[-1] == "score" and kind == "run"
        )
        layout = next((one for one in untagged if one.format == "trec"), None)
    return _described(base, kind, layout)


def _described(base: Description, kind: Kind, layout: Layout | None) -> Description:
    """The description of lines of a layout; without one, of TREC's lines, of which the bad ones are reported."""
    if layout is None:
        return replace(base, format="trec", separator=" ", columns=OF_JUDGMENTS if kind == "qrels" else OF_RUNS)
    return replace(base, format=layout.format, separator="\t" if layout.text else " ", columns=layout.columns)


def _listed(base: Description, n: int, layouts: Sequence[Layout]) -> Description:
    """A run that is used in its order, or by its ranks."""
    if layouts and all(layout.table != "run" for layout in layouts):
        raise _refused(base, "run", layouts, n)
    text = next((layout for layout in layouts if layout.text), None)
    if text is not None:
        return replace(base, format=text.format, separator="\t", columns=text.columns)
    return replace(base, format="trec", separator=" ", columns=LISTED.get(n, OF_RUNS))


def _refused(base: Description, table: str, layouts: Sequence[Layout], n: int) -> MalformedFile:
    """The error that lines are of another kind of table, or of several layouts."""
    if len(layouts) == 1 and layouts[0].table == table:
        return MalformedFile(f"{base.name} has {layouts[0].words}.", Hint("Write what orders it: ", layouts[0].way))
    words = _or([layout.words for layout in layouts])
    tables = list(dict.fromkeys(layout.table for layout in layouts))
    if table not in tables:
        read = f"{WORDS[table]} {'is' if table == 'run' else 'are'}"
        others = [
            one
            for one in LAYOUTS
            if one.table == table and len(one.columns) == n and not one.text and not one.score_from
            if one.format != "trec" or n != len(LISTED[5])
        ]
        hint: list[str | Argument | Code] = [reading(_readable(layouts))]
        for other in others:
            hint += [f"\n  If it has {other.words} all the same: ", other.way]
        return MalformedFile(f"{base.name} has {words}, and {read} read.", Hint(*hint))
    ways: list[str | Argument] = []
    for layout in layouts:
        ways += ["\n    ", f"{layout.words}: ", layout.way]
    return AmbiguousFile(
        f"{base.name} may have {words}: its lines fit each of them.",
        Hint("Write which it is:", *ways),
    )


def _readable(layouts: Sequence[Layout]) -> Sequence[str]:
    """The tables that lines of these layouts can be read as; texts of MS MARCO are queries or documents."""
    tables = [layout.table for layout in layouts]
    if not {*tables} <= {*OF_TEXTS}:
        return tables
    words = {layout.words for layout in layouts}
    return [layout.table for layout in LAYOUTS if layout.words in words and layout.table in OF_TEXTS]


def _or(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def is_text(lines: Sequence[str], kind: Kind) -> bool:
    """Whether tabs alone stand between the fields of lines: some hold blanks, as texts do, but no id."""
    counts = {line.count("\t") for line in lines}
    bare = not any(" " in line.partition("\t")[0] for line in lines)
    blanks = any(" " in line.strip() for line in lines) or (kind in OF_TEXTS and counts == {1})
    return bare and blanks and len(counts) == 1 and counts <= {1, 3}


def may_be_header(base: Description, lines: Sequence[str], kind: Kind) -> bool:
    """Whether the first of lines of texts names columns: it has no digit where the ids of the others have some.

    Raises:
        MalformedFile: no id has a digit, so that the first line may be either.
    """
    first, *others = (any(c.isdigit() for c in line.partition("\t")[0]) for line in lines)
    if first or kind not in OF_TEXTS:
        return False
    if others and all(others):
        return True
    name, key = lines[0].partition("\t")[0], "query_id" if kind == "queries" else "doc_id"
    raise MalformedFile(
        f"{base.name} may have texts (id, text), or a first line that names the columns: "
        f"'{legible(lines[0].encode('utf-8', 'surrogateescape'))}'.",
        Hint(
            f"Write which it is:\n    {kind}: ",
            as_format("msmarco", kind),
            "\n    a first line of names: ",
            Argument("columns", {key: name}, f"ir.io.scan_{kind}(path, {{}})"),
        ),
    )


def plain(line: str, kind: Kind) -> bool:
    """Whether a line of a .tsv file is a row, not a header: a field is a number, as no name is."""
    fields = fields_of(line)
    if kind in ("list", "ranks"):
        return len(fields) in (*LISTED, 6)
    if len(fields) == 2:
        return any(c.isdigit() for c in fields[0])
    numbers = any(field.lstrip("+-").isdigit() for field in fields) or any(
        c.isdigit() for field in fields[-1:] for c in field
    )
    return len(fields) == 6 or (len(fields) in (3, 4, 5) and numbers)
