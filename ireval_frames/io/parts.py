"""From the description of a file to its canonical lazy frame, and from several files to one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from ireval_frames.errors import WrongType
from ireval_frames.io.detect.description import Description
from ireval_frames.io.lazy import lazy
from ireval_frames.io.text.delimited import Delimited
from ireval_frames.io.text.grammar import Field
from ireval_frames.io.text.json_lines import JsonLines
from ireval_frames.io.text.stream import Parser, frames, record_frames
from ireval_frames.io.text.tabbed import Tabbed
from ireval_frames.io.text.whitespace import Whitespace

Types = dict[str, pl.DataType | type[pl.DataType]]


@dataclass(frozen=True)
class TextPart:
    """A text file, its parser, and its columns: from a field, or one text for all rows.

    Args:
        file: what the file is.
        parser: the parser of its lines.
        columns: the field of each column.
        constant: the columns that have one text in all rows.
        check: looks at each frame of fields while the file is read.
    """

    file: Description
    parser: Parser
    columns: Mapping[str, Field]
    constant: Mapping[str, str]
    check: Callable[[pl.DataFrame], None] | None = None

    @property
    def types(self) -> Types:
        """The columns and their types, constants first."""
        return {
            **dict.fromkeys(self.constant, pl.String),
            **{name: field.dtype for name, field in self.columns.items()},
        }

    def frames(self, names: Sequence[str]) -> Iterator[pl.DataFrame]:
        """The file's frames with these columns."""
        exprs = [
            pl.lit(self.constant[name], pl.String).alias(name)
            if name in self.constant
            else pl.col(self.columns[name].name).alias(name)
            for name in names
        ]
        file, parser = self.file, self.parser
        read = (
            record_frames(file.records, file.name, parser)
            if file.records and isinstance(parser, JsonLines)
            else frames(file.path, file.name, parser, file.skip, file.line)
        )
        for frame in read:
            if self.check is not None:
                self.check(frame)
            # Unlike select, with_columns keeps the height where all columns are constants.
            yield frame.with_columns(exprs).select(names)


Part = TextPart | tuple[Description, pl.LazyFrame]


def parser_of(file: Description, fields: tuple[Field, ...], whitespace: Whitespace) -> Parser:
    """The parser of a file's lines; `whitespace` is the one for lines without quotes."""
    if file.format in ("jsonl", "json"):
        return JsonLines(fields)
    if not file.header and file.format in ("msmarco", "top1000") and file.separator == "\t":
        return Tabbed(fields)
    if file.separator not in (None, " "):
        return Delimited(fields, file.separator)
    return whitespace


def concat_parts(parts: Sequence[Part], what: str) -> pl.LazyFrame:
    """One lazy frame of all parts, in order.

    Raises:
        WrongType: the files have different columns or types.
    """
    types = [dict(p.types if isinstance(p, TextPart) else p[1].collect_schema()) for p in parts]
    files = [p.file if isinstance(p, TextPart) else p[0] for p in parts]
    for file, other in zip(files[1:], types[1:], strict=True):
        if other != types[0]:
            raise WrongType(
                f"{files[0].name} has the columns {_shown(types[0])}, but {file.name} has {_shown(other)}.",
                f"Read them one by one and convert them: pl.concat([ir.io.scan_{what}(a), "
                f"ir.io.scan_{what}(b).with_columns(...)])",
            )
    texts = [p for p in parts if isinstance(p, TextPart)]
    if len(texts) == len(parts):

        def produce(selected: list[str]) -> Iterator[pl.DataFrame]:
            for part in texts:
                yield from part.frames(selected)

        return lazy(
            types[0], produce, f"{what} {files[0].name}" + (f" and {len(files) - 1} more" if len(files) > 1 else "")
        )
    return pl.concat([lazy_part(p, what) for p in parts]) if len(parts) > 1 else lazy_part(parts[0], what)


def lazy_part(part: Part, what: str) -> pl.LazyFrame:
    """The lazy frame of one part."""
    return lazy(part.types, part.frames, f"{what} {part.file.name}") if isinstance(part, TextPart) else part[1]


def _shown(types: Types) -> str:
    return ", ".join(f"{name} ({dtype})" for name, dtype in types.items())
