"""Files of tokens with tags, as tables for `ir.Spans.from_tags`."""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from pathlib import PurePosixPath

import polars as pl

from ireval_frames.columns.user_names import columns_named
from ireval_frames.errors import InvalidParameter, UnknownName, nearest
from ireval_frames.io.annotated.conll import IDS, conll
from ireval_frames.io.annotated.token_lists import TAGS, names_in, tokens_of_lists
from ireval_frames.io.any_table import scan_table
from ireval_frames.io.collected import collected
from ireval_frames.io.storage.places import JSON, TABLES, Options
from ireval_frames.io.storage.source import Source, files

LAYOUTS = ("conll", "conlleval", "huggingface", "table")


def read_tags(
    source: Source,
    layout: str | None = None,
    *,
    columns: Sequence[str] | None = None,
    gold: str | None = None,
    predicted: str | None = None,
    names: Sequence[str] | None = None,
    encoding: str = "utf-8",
    storage_options: Options | None = None,
) -> pl.DataFrame:
    """The tokens of a file with their tags.

    Args:
        source: the file; of CoNLL columns also a pattern, or several files.
        layout: "conll" (columns of CoNLL 2000, 2002, 2003 and WNUT, separated by blanks or tabs, an empty line after
            each sentence, `-DOCSTART-` before a document), "conlleval" (the same, of which the last two columns are
            gold and predicted tags, as the CoNLL scorer reads them), "huggingface" (a row per sentence with lists of
            tokens and of tags, or of numbers of tags), or "table" (a row per token); by default by the file's ending.
        columns: of CoNLL columns their names in order, such as `["token", "gold", "predicted"]`; by default token,
            pos, chunk, gold and predicted, by their number.
        gold: of Hugging Face the column of tags; by default ner_tags, tags or labels.
        predicted: of Hugging Face a column of predicted tags.
        names: of Hugging Face the names of numbers of tags; by default those that the Parquet file has.
        encoding: of CoNLL columns the encoding, such as "latin-1" for the files of 2002.
        storage_options: options of the stores of remote paths.

    Returns:
        doc_id, sentence_id (of CoNLL columns), position, and the columns of the file.  Positions are those in the
        document, from 0.  Tokens of Hugging Face whose number is −100 are left out.

    Raises:
        FileError, MalformedFile: the file cannot be read, or lines have other numbers of columns.
        UnknownName, InvalidParameter: there is no such layout, or it is not known which column is which.
        MissingColumn, WrongType, InvalidValue: there are no lists of tags, or numbers without names.

    Source: Tjong Kim Sang and De Meulder 2003; Hugging Face, datasets.

    Example:
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "tags.conll")
        >>> _ = path.write_text("Ada B-PER" + chr(10) + "writes O" + chr(10))
        >>> read_tags(path).rows()
        [(1, 1, 0, 'Ada', 'B-PER'), (1, 1, 1, 'writes', 'O')]
    """
    name = layout or _guessed(source)
    if name not in LAYOUTS:
        raise UnknownName(f"There is no layout {layout!r} of tags.", nearest(str(layout), list(LAYOUTS)))
    if name in ("conll", "conlleval"):
        _check_columns(columns, encoding)
        return conll(files(source, storage_options), columns, encoding, evaluated=name == "conlleval")
    (file,) = files(source, storage_options)
    frame = collected(scan_table(source, storage_options), source, storage_options)  # type: ignore[arg-type]
    if name == "table":
        return frame
    if names is None and file.stored is None and TABLES.get(file.path.suffix.lower()) == "parquet":
        column = gold or next((c for c in TAGS if c in frame.columns), "")
        names = names_in(pl.read_parquet_metadata(file.path), column)
    return tokens_of_lists(frame, gold, predicted, names)


def _check_columns(columns: Sequence[str] | None, encoding: str) -> None:
    """The names of columns are several different ones, and the encoding is known.

    Raises:
        InvalidParameter, UnknownName: they are not.
    """
    names = [*IDS, *columns_named(columns, "columns")]
    if twice := next((n for i, n in enumerate(names) if n in names[:i]), None):
        raise InvalidParameter(
            f"columns= names a column {twice!r}, which the reader adds itself.",
            f"Name it otherwise: {f'{twice}_of_file'!r}.",
        )
    try:
        codecs.lookup(encoding)
    except LookupError:
        raise UnknownName(f"There is no encoding {encoding!r}.", 'Write encoding="utf-8" or "latin-1".') from None


def _guessed(source: Source) -> str:
    suffixes = [s.lower() for s in PurePosixPath(str(source)).suffixes]
    if any(s in JSON or s in TABLES for s in suffixes):
        return "huggingface"
    return "table" if ".csv" in suffixes else "conll"
