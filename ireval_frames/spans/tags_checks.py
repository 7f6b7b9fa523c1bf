"""What tables of tags must not hold, and the errors that say so."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import polars as pl

from ireval_frames.columns.schema import UNTYPED, resolve
from ireval_frames.columns.tags import TAGS
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.row_checks import Check, count_bad, unique_key
from ireval_frames.errors import (
    Argument,
    Code,
    DuplicateRows,
    Hint,
    InvalidValue,
    MissingColumn,
    WrongType,
    listed,
    nearest,
    rows_to_fix,
)
from ireval_frames.expr import Expr, any_horizontal, col
from ireval_frames.spans.tags import SCHEMES, Reading, as_written, not_of_scheme

# A table of tags as far as documents and sentences go.
_IDS = replace(TAGS, columns=tuple(replace(TAGS[c], required=False) for c in ("doc_id", "sentence_id")))


def columns_exist(frame: Frame, columns: Sequence[str]) -> None:
    """The columns of predicted tags are there.

    Raises:
        MissingColumn: one is not.
    """
    for name in columns:
        if name not in frame.columns:
            raise MissingColumn(
                f"The tags table has no column {name!r} (it has: {listed(frame.columns, 20)}).",
                nearest(name, list(frame.columns)),
            )


def types_of_tags(frame: Frame, sides: Mapping[str, str], lists: Sequence[str]) -> None:
    """Tags are text, or all are lists of text.

    Raises:
        WrongType: they are something else.
    """
    types = {c: frame.dtype(c) for c in sides.values()}
    if lists and len(lists) < len(sides):
        several, one = (next(c for s, c in sides.items() if (s in lists) is is_list) for is_list in (True, False))
        raise WrongType(
            f"Column {several!r} of the tags table holds lists, and column {one!r} is {types[one]}.",
            f'Give each token a row: frame.explode("{several}"); or pass lists of both.',
        )
    for column, dtype in types.items():
        inner = getattr(dtype, "inner", dtype)
        if inner.is_integer():
            cell = "pl.element()" if lists else f'pl.col("{column}")'
            names = f"{cell}.replace_strict(dict(enumerate(names)))"
            raise WrongType(
                f"Column {column!r} of the tags table is {dtype}: numbers of tags, whose names it does not have.",
                "Name the tags: frame.with_columns("
                + (f'pl.col("{column}").list.eval({names})' if lists else names)
                + ') where names = ["O", "B-PER", …]',
            )
        if inner != pl.String and inner not in UNTYPED and not isinstance(inner, pl.Categorical | pl.Enum):
            raise WrongType(
                f"Column {column!r} of the tags table is {dtype}; tags are text, such as B-PER and O.",
                f'Convert it: frame.with_columns(pl.col("{column}").cast(pl.String))',
            )


def has_documents(frame: Frame, columns: Mapping[str, str]) -> None:
    """There is a column of documents.

    Raises:
        MissingColumn: there are sentences alone, or one column, as of a file without a header.
    """
    if len(frame.columns) == 1:
        raise MissingColumn(
            f"The tags table has one column, {next(iter(frame.columns))!r}, and needs doc_id, gold and predicted.",
            Hint(
                "If these are columns of CoNLL: ",
                Code('ir.Spans.from_tags(ir.io.read_tags(path, "conlleval"))', "end the file's name in .conll"),
            ),
        )
    present = resolve(_IDS, list(frame.columns), {k: v for k, v in columns.items() if k in ("doc_id", "sentence_id")})
    if not present and any(isinstance(frame.dtype(c), pl.List | pl.Array) for c in frame.columns):
        number = Code('frame.with_row_index("doc_id")', "number the rows in a column doc_id")
        raise MissingColumn(
            f"The tags table has no column of documents (it has: {listed(frame.columns, 20)}).",
            Hint("Name it: ", Argument("doc", "their_name"), "; or, if each row is one: ", number),
        )
    if "doc_id" not in present and "sentence_id" in present:
        raise MissingColumn(
            f"The tags table has no column of documents (it has: {listed(frame.columns, 20)}).",
            Hint("If each sentence is one, write ", Argument("doc", present["sentence_id"]), "."),
        )


def no_position(frame: Frame) -> MissingColumn:
    """The error for a table without the positions of tokens."""
    return MissingColumn(
        f"The tags table has no column of positions (it has: {listed(frame.columns, 20)}), and rows have no order.",
        Hint("Name it: ", Argument("position", "their_name"), '; or number the rows: frame.with_row_index("position")'),
    )


def lengths(rows: Frame, lists: Sequence[str], names: Mapping[str, str]) -> Check:
    """The lists of a row have one length."""
    first, *others = lists
    differ = any_horizontal(*(col(c).list.len().fill_null(0) != col(first).list.len().fill_null(0) for c in others))

    def error(shown: pl.DataFrame, count: int) -> InvalidValue:
        row = shown.row(0, named=True)
        n = [f"{names[c]!r} has {len(row[c] or ())}" for c in lists]
        return InvalidValue(
            f"In {_rows(count)} of the tags table the lists of tags differ in length: of {row['item_id']!r} "
            f"{' and '.join(n)}.",
            "Each token needs a tag of both: look at how tokens were cut for the predictions.",
        )

    return Check(rows, differ, error)


def missing(tokens: Frame, columns: Sequence[str], names: Mapping[str, str]) -> Check:
    """No id, position or tag is null."""

    def error(shown: pl.DataFrame, count: int) -> InvalidValue:
        column = next(c for c in columns if shown[c][0] is None)
        name = names.get({"item_id": "doc_id"}.get(column, column), column)
        return InvalidValue(
            f"{count:,} token{'s have' if count > 1 else ' has'} no value in column {name!r} of the tags table.",
            rows_to_fix("frame", name, ".is_null()"),
        )

    return Check(tokens, any_horizontal(*(col(c).is_null() for c in columns)), error)


def of_scheme(engine: Engine, inside: Frame, side: str, names: Mapping[str, str], how: Reading) -> Check:
    """All tags are of the scheme.

    Args:
        engine: where the tokens are.
        inside: the tokens whose tag is not O.
        side: the column of tags.
        names: the user's names of columns.
        how: how tags are read.
    """
    tags = engine.group(inside, (side,), ())

    def error(shown: pl.DataFrame, count: int) -> InvalidValue:
        bad = shown[side].to_list()
        more = f" and {count - len(bad)} more" if count > len(bad) else ""
        return InvalidValue(
            f"Column {names[side]!r} of the tags table has tags that {how.scheme.name} does not have: "
            f"{listed(map(repr, bad), 5)}{more}. Its tags are O, {_tags_of(how)}.",
            _other_scheme(bad, how, names[side]),
        )

    return Check(tags, not_of_scheme(side, how), error, order=(side,))


def _tags_of(how: Reading) -> str:
    *first, last = (f"{letter}-TYPE" for letter in how.scheme.letters)
    return f"{', '.join(first)} and {last}"


def _other_scheme(bad: Sequence[str], how: Reading, column: str) -> Hint | str:
    """The line to write for tags of another scheme."""
    letters = {tag[:1] for tag in bad}
    if all(tag[1:2] in ("", "-") and tag[2:] for tag in bad):
        for scheme in SCHEMES.values():
            if letters <= set(scheme.letters) and scheme.name != how.scheme.name:
                return Hint("If they are of another scheme, name it: ", Argument("scheme", scheme.name))
    if all(re.fullmatch(r".+-[BIOESLU]", tag) for tag in bad):
        turned = f'frame.with_columns(pl.col("{column}").str.replace(r"^(.+)-([BIOESLU])$", "$2-$1"))'
        return Hint("Write the letter first: ", Code(turned, f"letter, hyphen and type in {column!r}"))
    if not any("-" in tag or re.match(r"[A-Za-z][_.:/ ]", tag) for tag in bad):
        letter = f'pl.when(pl.col("{column}") == "O").then(pl.lit("O")).otherwise(pl.lit("I-") + pl.col("{column}"))'
        return Hint(
            "If they are types alone, write the letter I before them: ",
            Code(f"frame.with_columns({letter})", f"I- before the types in {column!r}"),
            "; and name the scheme of such tags: ",
            Argument("scheme", "IOB1"),
            ".",
        )
    return "Write them so: a letter, a hyphen and the type, or O for a token in no span."


def twice(
    near: Frame,
    sequence: Sequence[str],
    before: str,
    position: str,
    names: Mapping[str, str],
    *,
    lists: bool,
    has_systems: bool,
) -> Check:
    """No two tokens of a sequence have one position."""
    has_sentences = len(sequence) > 1

    def error(shown: pl.DataFrame, count: int) -> DuplicateRows:
        row = shown.row(0, named=True)
        where = f" of sentence {row['sentence_id']!r}" if has_sentences else ""
        hint: Hint | str = Hint(
            "If positions begin anew in each sentence, name its column: ", Argument("sentence", "sentence_id")
        )
        if has_systems:
            hint = Hint("Give each system a column of its own, and name them: ", Argument("predicted", ["a", "b"]))
        elif has_sentences:
            hint = f'Number the tokens of each sentence: pl.int_range(pl.len()).over("{names["doc_id"]}", …)'
        what = "rows" if lists else "tokens"
        return DuplicateRows(
            f"{count:,} {what} of the tags table have the position of another{where and ' in their sentence'}: "
            f"position {row[position]}{where} of document {row['item_id']!r} is there twice.",
            hint,
        )

    return Check(near, col(before) == col(position), error, order=(*sequence, position))


def one_group(documents: Frame, column: str, by: Sequence[str]) -> Check:
    """All tokens of a document have the same values of the columns that group documents."""

    def error(shown: pl.DataFrame, count: int) -> InvalidValue:
        others = f"; so are {count - 1:,} others" if count > 1 else ""
        return InvalidValue(
            f"Document {shown[column][0]!r} is in {shown['n'][0]} groups of {', '.join(by)}{others}, and documents are "
            "grouped as a whole.",
            Hint("Group by what a document has once, or name the column of smaller ones: ", Argument("doc", by[0])),
        )

    return unique_key(documents, (column,), error, ordered=True)


def as_the_scheme(runs: Frame, side: str, names: Mapping[str, str], how: Reading, doc: str) -> Check:
    """Every run is written as the scheme writes it."""

    def error(shown: pl.DataFrame, count: int) -> InvalidValue:
        shown = shown.sort(doc, "start")
        places = [f"{tag!r} at {start} of {name!r}" for name, start, tag in shown.select(doc, "start", "first").rows()]
        return InvalidValue(
            f"{count:,} run{'s' * (count > 1)} of tags in column {names[side]!r} {'are' if count > 1 else 'is'} not as "
            f"{how.scheme.name} writes spans: {listed(places, 3)}.",
            Hint(
                "Read them as the CoNLL scorer does: ",
                Argument("repair", "conll"),
                "; or drop them: ",
                Argument("repair", "strict"),
            ),
        )

    return Check(runs, ~as_written(), error, order=(doc, "start"))


@dataclass(frozen=True)
class _Counted:
    table: Frame
    bad: Expr


def counted(engine: Engine, tables: Sequence[tuple[Frame, Sequence[Expr]]]) -> list[int]:
    """How many rows of each table meet each condition, in one query."""
    with engine.errors():
        return count_bad(engine, [_Counted(table, one) for table, conditions in tables for one in conditions])


def _rows(count: int) -> str:
    return f"{count:,} row{'s' * (count > 1)}"
