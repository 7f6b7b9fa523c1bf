"""Labels of published collections, as tables."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Literal

import polars as pl

from ireval_frames.columns.schema import LABELS, resolve
from ireval_frames.errors import AmbiguousFile, Argument, FileError, Hint, InvalidParameter, MalformedFile, listed
from ireval_frames.io.any_table import scan_table
from ireval_frames.io.collected import collected
from ireval_frames.io.detect.lines import layouts_of
from ireval_frames.io.label_files import numbered as numbers
from ireval_frames.io.label_files import reuters
from ireval_frames.io.label_files.folders import folder_labels
from ireval_frames.io.label_files.idx import idx_labels, is_idx
from ireval_frames.io.storage.compression import Stream
from ireval_frames.io.storage.other_kinds import HEAD
from ireval_frames.io.storage.places import JSON, TABLES, Options, is_remote, local
from ireval_frames.io.storage.source import File, files
from ireval_frames.io.text.headers import choice
from ireval_frames.io.text.stream import empty

Layout = Literal["mnist", "imagenet", "numbers", "folders", "rcv1", "newsitems", "reuters-21578", "table"]
FORMATS = ("mnist", "imagenet", "numbers", "folders", "rcv1", "newsitems", "reuters-21578", "table")
_READ = "ir.labels.read(path, {})"


def read(
    source: str | os.PathLike[str],
    format: Layout | Literal["auto"] = "auto",
    *,
    classes: str | os.PathLike[str] | Sequence[str] | None = None,
    first: Literal[0, 1] | None = None,
    codes: Literal["topics", "industries", "countries"] = "topics",
    storage_options: Options | None = None,
) -> pl.DataFrame:
    """The labels of a collection's own files: a row per item.

    Args:
        source: a file, also compressed, or a folder.
        format: "mnist" (IDX files such as train-labels-idx1-ubyte, also those of EMNIST, KMNIST and Fashion-MNIST),
            "imagenet" (a number per line, as in ILSVRC2012_validation_ground_truth.txt; `item number`; or
            LOC_val_solution.csv), "numbers" (a number per line for any items, or `item number`), "folders" (a folder
            per class, perhaps below one per split, as 20 Newsgroups and ImageNet's training set have them), "rcv1"
            (lines `topic item 1`, as in rcv1-v2.topics.qrels), "newsitems" (XML files of RCV1 and RCV2, a folder of
            them, or zip archives), "reuters-21578" (a .sgm file or the folder of all), "table" (CSV, TSV, JSON lines,
            Parquet, Arrow), or "auto": the one that fits.
        classes: the names of numbered classes in their order, or a file that begins its lines with them, such as
            synset_words.txt.
        first: the number of the first class, 0 or 1; by default what the numbers in the file allow.
        codes: of news items the codes that are read: "topics", "industries" or "countries".
        storage_options: options of the stores of remote paths.

    Returns:
        item_id, label, and split where the collection tells it.  Ids are text; of MNIST they are positions from 0, of
        "numbers" the numbers of the lines from 1, of "imagenet" ILSVRC2012_val_00000001 and so on, and of "folders"
        paths, since 20 Newsgroups has messages of one name in several groups.  Labels are single values, or lists
        for collections of several labels per item (Reuters), which may be empty.  The split of Reuters-21578 is that
        of Apté and others (ModApte): "train", "test" or "unused".  A table keeps its columns.

    Raises:
        FileError: the file cannot be read, or is of another kind.
        MalformedFile: lines do not parse, several formats fit them, or they are judgments or a run.
        InvalidParameter: classes and numbers do not agree.

    Source: LeCun, Bottou, Bengio and Haffner, 1998 (MNIST); Russakovsky et al., 2015 (ImageNet); Lang, 1995 (20
    Newsgroups); Lewis, Yang, Rose and Li, 2004 (RCV1); Reuters-21578, distribution 1.0.

    Example:
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "topics.qrels")
        >>> _ = path.write_text("E11 2286 1" + chr(10) + "ECAT 2286 1" + chr(10))
        >>> read(path).rows()
        [('2286', ['E11', 'ECAT'])]
    """
    choice("format", format, ["auto", *FORMATS], 'format="mnist"')
    choice("codes", codes, list(reuters.CODES), 'codes="topics"')
    choice("first", first, [None, 0, 1], "first=1")
    folder = Path(local(source)) if not is_remote(source) and local(source).is_dir() else None
    chosen = format if format != "auto" else _of_folder(folder) if folder else _of_file(source, storage_options)
    names = None if classes is None else numbers.Names(_names(classes, storage_options), first)
    if chosen not in ("imagenet", "numbers") and (names is not None or first is not None):
        raise InvalidParameter(
            f"classes and first are for numbers of classes, and {source} is read as {chosen!r}.", "Leave them out."
        )
    if chosen == "table":
        return _table(source, storage_options)
    if chosen == "folders":
        if folder is None:
            raise FileError(f"{source} is no folder.", "Name the folder of the collection.")
        return folder_labels(folder, str(source))
    if chosen in ("newsitems", "reuters-21578"):
        endings = reuters.STORIES if chosen == "reuters-21578" else reuters.ITEMS
        sources = reuters.folder_of(folder, endings) if folder else files(source, storage_options)
        return reuters.stories(sources) if chosen == "reuters-21578" else reuters.news_items(sources, codes)
    file = _one(source, storage_options)
    if chosen == "mnist":
        return idx_labels(file)
    if chosen == "rcv1":
        return reuters.topics_of_lines(file)
    lines = _lines(_head(file))
    if chosen == "imagenet" and lines[:1] == [numbers.SOLUTION]:
        return numbers.solution(file)
    n_fields = len(lines[0].split()) if lines else 1
    prefix = numbers.IMAGE if chosen == "imagenet" else None
    return numbers.numbered_items(file, min(n_fields, 2), names, prefix)


def read_hierarchy(source: str | os.PathLike[str], *, storage_options: Options | None = None) -> dict[str, str]:
    """The parent of every class, for `Labels(hierarchy=…)`, of RCV1's files of topics.

    Args:
        source: a file of lines `parent: E1 child: E11 child-description: …`, such as rcv1.topics.hier.orig.
        storage_options: options of the stores of remote paths.

    Returns:
        Classes and their parents; a class whose parent is None is the root, and has none.

    Raises:
        FileError: the file cannot be read.
        MalformedFile: lines are others, or a class has two parents.

    Source: Lewis, Yang, Rose and Li, 2004.

    Example:
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "topics.hier")
        >>> _ = path.write_text("parent: None child: Root" + chr(10) + "parent: Root child: ECAT" + chr(10))
        >>> read_hierarchy(path)
        {'ECAT': 'Root'}
    """
    return reuters.parents(_one(source, storage_options))


def _table(source: str | os.PathLike[str], options: Options | None) -> pl.DataFrame:
    table = collected(scan_table(source, options), source, options)
    if "label" not in resolve(LABELS, table.columns):
        raise FileError(
            f"{source} is a table without a column of labels (it has: {listed(table.columns, 20)}).",
            Hint(
                "Rename one to label, or name it where the table is evaluated: ",
                Argument("label", "their_name", "ir.Labels(path, {})"),
            ),
        )
    return table


def _names(classes: str | os.PathLike[str] | Sequence[str], options: Options | None) -> list[str]:
    if isinstance(classes, str | os.PathLike):
        return numbers.names_in(_one(classes, options))
    return list(classes)


def _one(source: str | os.PathLike[str], options: Options | None) -> File:
    one = files(source, options)
    if len(one) != 1 or one[0].stored is not None:
        raise FileError(f"{source} is not a single file.", "Name one file.")
    return one[0]


# ---- which format fits


def _of_folder(folder: Path) -> Layout:
    """The format of a folder, by the endings of its files."""
    if reuters.folder_of(folder, reuters.STORIES):
        return "reuters-21578"
    return "newsitems" if reuters.folder_of(folder, reuters.ITEMS) else "folders"


def _of_file(source: str | os.PathLike[str], options: Options | None) -> Layout:
    """The format of a file, by its ending if it is a table, else by its first bytes and lines.

    Raises:
        MalformedFile: none fits, or several do.
    """
    suffixes = [s.lower() for s in PurePosixPath(str(source)).suffixes]
    if any(s in TABLES or s in JSON or s == ".tsv" for s in suffixes):
        return "table"
    file = files(source, options)[0]
    head = _head(file)
    if is_idx(head):
        return "mnist"
    if head.startswith(b"PK") or b"<newsitem" in head:
        return "newsitems"
    if b"<REUTERS" in head or head.startswith(b"<!DOCTYPE lewis"):
        return "reuters-21578"
    lines = _lines(head)
    if lines[:1] == [numbers.SOLUTION]:
        return "imagenet"
    if ".csv" in suffixes:
        return "table"
    return _of_lines(file.name, lines)


def _of_lines(name: str, lines: Sequence[str]) -> Layout:
    if not lines:
        raise empty(name)
    rows = [line.split() for line in lines]
    fits: list[Layout] = []
    topics = all(len(row) == 3 and row[1].isdigit() and row[2] == "1" for row in rows)
    if rows and topics and not all(row[0].isdigit() for row in rows):
        fits.append("rcv1")
    if rows and {len(row) for row in rows} in ({1}, {2}) and all(row[-1].lstrip("+-").isdigit() for row in rows):
        fits += ["imagenet", "numbers"]
        if all(len(row) == 2 and row[0].startswith(numbers.IMAGE) for row in rows):
            fits.remove("numbers")
    if len(fits) == 1:
        return fits[0]
    first = f": its first line is {lines[0][:80]!r}"
    others = dict.fromkeys(layout.words for layout in layouts_of(lines)) if not fits else ()
    if others:
        raise MalformedFile(
            f"{name} {'may have' if len(others) > 1 else 'has'} {' or '.join(others)}, and labels are read.",
            Hint(
                "Judgments are read by ir.read_qrels(path), runs by ir.read_run(path). If it has labels all the same: ",
                Argument("format", "rcv1", _READ),
            ),
        )
    if not fits:
        raise MalformedFile(
            f"{name} is no file of labels that can be recognised{first}.",
            Hint("If you know which it is, name it: ", Argument("format", "rcv1", _READ), f"; {listed(FORMATS, 10)}."),
        )
    raise AmbiguousFile(
        f"{name} may be {' or '.join(fits)}{first}.",
        Hint(
            "Name the format; 'numbers' counts the lines as ids, 'imagenet' names them as its pictures: ",
            Argument("format", fits[-1], _READ),
        ),
    )


def _head(file: File) -> bytes:
    with Stream(file.path, file.name) as stream:
        return stream.read(HEAD)


def _lines(head: bytes) -> list[str]:
    """The complete lines of the first bytes that are neither blank nor comments."""
    lines = head.decode("utf-8", "replace").removeprefix("\ufeff").split("\n")
    complete = lines[:-1] if len(head) == HEAD else lines
    return [text for line in complete if (text := line.strip()) and not text.startswith("#")]
