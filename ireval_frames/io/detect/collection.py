"""Files of test collections, recognised by their first lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ireval_frames.errors import AmbiguousFile, Argument, Code, FileError, Hint, InvalidParameter
from ireval_frames.io.collections.files import FILES, WORDS, CollectionFiles, Content, reader, recognised
from ireval_frames.io.collections.topics import is_colon
from ireval_frames.io.detect.description import Description
from ireval_frames.io.text.field_orders import as_format
from ireval_frames.io.text.headers import Kind

_CONTENTS: dict[Kind, Content] = {"documents": "documents", "queries": "queries", "qrels": "qrels", "pairs": "qrels"}
_READERS = {"documents": "read_documents", "queries": "read_queries", "qrels": "read_qrels"}
_COLUMNS = {
    "documents": ("doc_id", "title", "text"), "queries": ("query_id", "text"),
    "qrels": ("query_id", "doc_id", "relevance"),
}  # fmt: skip
# MS MARCO's passages and documents: the fields between tabs, by their number.


def described_collection(base: Description, kind: Kind, requested: str, lines: Sequence[str]) -> Description | None:
    """The description of a file of a collection; None if it is none.

    Args:
        base: what is known of it.
        kind: what is read.
        requested: the format that is named, or "auto".
        lines: its first lines that are not empty.

    Raises:
        FileError: it contains something else than what is read.
        AmbiguousFile: it may be of several collections.
        InvalidParameter: the format that is named has no files of what is read.
    """
    content = _CONTENTS.get(kind)
    if requested != "auto":
        return _of_format(base, content, requested)
    matches = recognised(lines)
    if not matches and kind == "queries" and is_colon(lines):
        return replace(base, format="colon", columns=_COLUMNS["queries"])
    own = [files for files, contents in matches if content in contents]
    if len(own) == 1:
        return replace(base, format=own[0].format, columns=_COLUMNS[content or "queries"])
    if own:
        raise _several(base.name, content or "queries", own)
    if matches:
        files, contents = matches[0]
        what = "a run is" if content is None else f"{WORDS[content]} are"
        ways: list[str | Argument | Code] = [
            part for c in contents for part in (" or ", Code(f"ir.io.{_READERS[c]}(path)", f"as {WORDS[c]}"))
        ]
        if content == "queries" and files.format == "trec":
            ways += [". If they are topics: ", as_format("trec", "queries")]
        raise FileError(
            f"{base.name} has {' or '.join(files.words(c) for c in contents)}, and {what} read.",
            Hint("Read it: ", *ways[1:]),
        )
    return None


def _of_format(base: Description, content: Content | None, requested: str) -> Description | None:
    """The description of a file whose format is named."""
    files = next((f for f in FILES if f.format == requested), None)
    if files is None or (content or "run") in files.in_lines:
        return None
    if content is None or reader(requested, content) is None:
        what = "a run" if content is None else WORDS[content]
        has = ", ".join(WORDS[c] for c in WORDS if c in (*files.readers, *files.in_lines))
        raise InvalidParameter(
            f"{base.name} is read as {what}, and {requested!r} is a format of {has}.",
            "Leave the format out: it is detected for most files.",
        )
    return replace(base, format=files.format, columns=_COLUMNS[content])


def _several(name: str, content: Content, files: Sequence[CollectionFiles]) -> AmbiguousFile:
    """The error for lines that fit several collections."""
    ways = [part for f in files for part in (f"\n    {f.words(content)}: ", as_format(f.format, content))]
    return AmbiguousFile(
        f"{name} may have {' or '.join(f.words(content) for f in files)}: its lines fit each of them.",
        Hint("Write which it is:", *ways),
    )
