"""The header of a run file with its ir_metadata, YAML in comments between two marks; and its run tag."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ireval_frames.errors import Argument, Hint, InvalidParameter
from ireval_frames.io.detect.description import Description
from ireval_frames.io.storage.compression import Stream

START, END = "ir_metadata.start", "ir_metadata.end"
# The largest size of a header.
_MOST = 1 << 20
# Text that YAML reads unchanged without quotes.
_PLAIN = re.compile(
    r"(?!(?:true|false|null|yes|no|on|off|y|n)$)[A-Za-z][\w./@+-]*(?: [\w./@+-]+)*", re.IGNORECASE | re.ASCII
)


def header(path: Path) -> str | None:
    """The header of a run file; None where it has none."""
    with Stream(path, str(path)) as stream:
        lines = stream.read(_MOST).split(b"\n")
    collected: list[str] | None = None
    for line in lines:
        if not line.startswith(b"#"):
            break
        text = line.decode("utf-8", "replace").rstrip("\r").removeprefix("#").removeprefix(" ")
        if text.strip() == START:
            collected = []
        elif text.strip() == END:
            break
        elif collected is not None:
            collected.append(text)
    return None if collected is None else "\n".join(collected)


def commented(metadata: str | Mapping[str, Any]) -> str:
    """The header of a run file.

    Args:
        metadata: YAML, or a mapping that is written as YAML.

    Raises:
        InvalidParameter: it is something else, contains a mark of the header, or cannot be written.

    Example:
        >>> print(commented({"tag": "bm25", "method": {"automatic": True}}), end="")
        # ir_metadata.start
        # tag: bm25
        # method:
        #   automatic: true
        # ir_metadata.end
    """
    if isinstance(metadata, Mapping):
        lines = [*block(metadata, "")]
    elif isinstance(metadata, str):
        lines = [line.rstrip("\r") for line in metadata.split("\n")]
    else:
        raise InvalidParameter(
            f"metadata is {metadata!r}; it must be text or a mapping.",
            Hint("Write ", Argument("metadata", {"tag": "bm25"})),
        )
    if any(line.strip() in (START, END) or re.search(r"[\r\x85\u2028\u2029]", line) for line in lines):
        raise InvalidParameter("The metadata contain a mark of the header, or unusual line breaks.", "Remove them.")
    return "".join(f"# {line}\n" for line in (START, *lines, END))


def block(metadata: Any, indent: str) -> Iterator[str]:
    """A mapping or a list as YAML, a line each."""
    for name, value in metadata.items() if isinstance(metadata, Mapping) else ((None, v) for v in metadata):
        head = f"{indent}-" if name is None else f"{indent}{_scalar(str(name))}:"
        if isinstance(value, Mapping | list | tuple) and len(value):
            yield head
            yield from block(value, indent + "  ")
        else:
            yield f"{head} {_scalar(value)}"


def _scalar(value: Any) -> str:
    if isinstance(value, str) and _PLAIN.fullmatch(value):
        return value
    try:
        # JSON is YAML, except that a number with an exponent needs a point.
        text = json.dumps(value, ensure_ascii=True, allow_nan=False)
        return text.replace("e", ".0e") if isinstance(value, float) and "." not in text else text
    except (TypeError, ValueError) as error:
        raise InvalidParameter(f"metadata contain {value!r}: {error}.", "Write it as text.") from None


BLOCK = 1 << 20


def last_tag(file: Description) -> str:
    """The sixth field of the last line that is neither blank nor a comment; the file's stem for other formats."""
    if file.format != "trec":
        return file.stem
    tail = b""
    for block in _blocks_from_end(file):
        tail = block + tail
        for text in reversed(tail.splitlines()):
            fields = text.split()
            if len(fields) >= 6 and not fields[0].startswith(b"#"):
                return fields[5].decode(errors="replace")
    return file.stem


def _blocks_from_end(file: Description) -> Iterator[bytes]:
    if file.compression is None:
        with file.path.open("rb") as plain:
            end = plain.seek(0, 2)
            while end > 0:
                start = max(0, end - BLOCK)
                plain.seek(start)
                yield plain.read(end - start)
                end = start
        return
    with Stream(file.path, file.name) as stream:
        last: deque[bytes] = deque(maxlen=2)
        while block := stream.read(BLOCK):
            last.append(block)
    yield b"".join(last)
