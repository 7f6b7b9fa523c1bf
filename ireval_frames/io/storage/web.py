"""URLs: requested with a time limit, since a silent server would block forever."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from ireval_frames.errors import Argument, FileError, Hint
from ireval_frames.io.storage.copies import Copy
from ireval_frames.io.storage.places import store

if TYPE_CHECKING:
    from urllib.error import HTTPError

Answer = TypeVar("Answer")
# Seconds to wait for an answer, and for every part of it.
TIMEOUT = 10.0
TRIES = 3
# Seconds before it is requested again.
DELAY = 1.0
_PARTIAL = 206


def refuse_unreadable(path: str) -> None:
    """Refuse a URL whose server does not serve ranges, which Parquet needs; Polars would wait for minutes.

    Raises:
        FileError: it does not, or does not answer.
    """
    status, empty = _request(path, {"Range": "bytes=0-3"}, lambda answer: (answer.status, not answer.read(4)))
    if status != _PARTIAL:
        raise FileError(
            f"{path} is empty." if empty else f"{path} cannot be read: its server does not support range requests.",
            "Download it, and name the local file.",
        )


def fetched(path: str) -> Copy:
    """A copy of the content of a URL.

    Raises:
        FileError: it cannot be downloaded, or not completely.
    """
    return _request(path, {}, lambda answer: _copied(path, answer))


def _copied(path: str, answer: Any) -> Copy:
    out = Copy()
    shutil.copyfileobj(answer, out.file, 1 << 20)
    out.file.flush()
    size = answer.headers.get("Content-Length")
    if size is not None and size.isdecimal() and int(size) != out.file.tell():
        raise FileError(f"{path} broke off after {out.file.tell()} of {size} bytes.", "Try again.")
    return out


def _request(path: str, headers: Mapping[str, str], take: Callable[[Any], Answer]) -> Answer:
    """The result of `take` for the answer; a server that fails is requested three times."""
    # Imported late: it takes longer than reading most files.
    import urllib.request
    from http.client import HTTPException
    from urllib.error import HTTPError

    tried = 0
    while True:
        tried += 1
        try:
            request = urllib.request.Request(path, headers=dict(headers))  # noqa: S310 - it begins with http
            with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:  # noqa: S310 - as above
                return take(answer)
        except HTTPError as error:
            error.close()
            if error.code < 500 or tried == TRIES:
                raise _refused(path, error) from error
            time.sleep(DELAY)
        except FileError:
            raise
        except (OSError, HTTPException, ValueError) as error:
            raise silent(path, getattr(error, "reason", error)) from error


def _refused(path: str, error: HTTPError) -> FileError:
    if error.code in (404, 410):
        return FileError(f"{path} does not exist.", "Check the address.")
    if error.code in (401, 403):
        return FileError(f"{path} cannot be opened: its server refuses it ({error.code}).", "Ask its operators.")
    return FileError(f"{path} cannot be opened: its server answers {error.code} {error.reason}.", "Try again later.")


def silent(path: str, why: object) -> FileError:
    """The error for a store that does not answer."""
    longer = Argument("storage_options", {"max_retries": "8", "read_timeout": "60s"})
    more: Sequence[str | Argument] = [] if store(path) in ("http", "hf") else ["; to try longer: ", longer]
    return FileError(
        f"{path} cannot be opened: its store does not answer ({why}).",
        Hint("Check the network and the address", *more, "."),
    )
