"""Proposals for missing columns, by the names of a table's other columns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from ireval_frames.errors import Argument, Code, Hint, MissingColumn, literal

# Parts of names of columns of ids, of grades and labels, and of other numbers.
_SIGNS = {
    "query_id": r"quer|topic|question|search|\bq\b|qid",
    "doc_id": r"doc|url|page|item|passage|product|object|article|\bp?id$|sku",
    "relevance": r"rel|grade|star|judg|rating|gain|label",
    "score": r"score|sim|prob|logit|weight|dist|rsv|bm25",
    "rank": r"rank|pos",
    "serp_id": r"serp|search|impression|page",
    "position": r"pos|rank|slot|place",
    "click": r"click",
    "user_id": r"user|customer|client|visitor|member",
    "session_id": r"session|visit(?!or)",
    "seconds": r"second|laten|elapsed|duration|took|[a-z]_(?:[mun]?s|sec)$",
    "run_id": r"run|system|model|method|engine|name",
}
_IDS = re.compile(r"(?:^|[_\W])(?:id|ids|url|uri|name|key|uuid|code)$|Id$|ID$|^(?:text|title|details?|query|doc\w*)$")
_NUMBERS = re.compile(
    r"score|rank|sim|prob|grade|rel(?:$|[_\W]|ev)|weight|count|time|price|num|value|dist", re.IGNORECASE
)
_OF_IDS = (
    "query_id",
    "doc_id",
    "run_id",
    "item_id",
    "unit_id",
    "rater_id",
    "serp_id",
    "subtopic_id",
    "assessor_id",
    "user_id",
    "session_id",
)
PLACEHOLDER = "their_name"
_HEADER = "if the file has no header, put a line before its rows that names the columns."


def likely(columns: Sequence[str], free: Sequence[str]) -> list[str]:
    """For each missing column, the one of the others that may be meant.

    It is the only one with such a name; or, where one is missing and one is left, that one, unless its name means
    something else.

    Example:
        >>> likely(["doc_id", "relevance"], ["stars", "URL"])
        ['URL', 'stars']
        >>> likely(["score"], ["search_id"]), likely(["score"], ["x"])
        (['their_name'], ['x'])
    """
    out = []
    for column in columns:
        fits = [n for n in free if not _is_other(column, n)]
        matching = [n for n in fits if re.search(_SIGNS.get(column, r"(?!)"), n, re.IGNORECASE)]
        others = [c for c in columns if c != column]
        only_one = len(matching) == 1 and not any(_matches(other, matching[0]) for other in others)
        last = len(columns) == len(free) == 1 and len(fits) == 1
        out.append(matching[0] if only_one else fits[0] if last else PLACEHOLDER)
    return out


def or_header(hint: Hint, names: Sequence[str]) -> Hint:
    """The hint to name a column, or, where names are numbers, to put a header before the rows.

    A name for a number would take the first row for the names of the columns.
    """
    data = next((n for n in names if is_data(n)), None)
    if data is not None:
        return Hint(f"{data} is a number, and no name: {_HEADER}")
    words = next((n for n in names if " " in n and any(c.isdigit() for c in n.partition(" ")[0])), None)
    return hint if words is None else Hint(hint, f"\n  {words[:40]!r} may be a row: {_HEADER}")


def is_data(name: str) -> bool:
    """Whether a name is a number, as in a file without a header."""
    return re.fullmatch(r"[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?", name.strip()) is not None


def _matches(column: str, name: str) -> bool:
    return re.search(_SIGNS.get(column, r"(?!)"), name, re.IGNORECASE) is not None and not _is_other(column, name)


def _is_other(column: str, name: str) -> bool:
    """Whether a name means ids where numbers belong, or numbers where ids do."""
    return bool(_NUMBERS.search(name) if column in _OF_IDS else _IDS.search(name))


@contextmanager
def renaming() -> Iterator[None]:
    """Have the hints of missing columns rename them: the call has no argument that names columns."""
    try:
        yield
    except MissingColumn as error:
        raise MissingColumn(error.what, _renamed(error.hint)) from None


def _renamed(hint: str) -> str:
    parts = hint.parts if isinstance(hint, Hint) else ()
    for part in parts:
        if isinstance(part, Argument) and part.name == "columns" and isinstance(part.value, Mapping):
            names = {name: ours for ours, name in part.value.items()}
            what = f"rename {', '.join(f'{name} to {ours}' for name, ours in names.items())}"
            return Hint("Rename: ", Code(f"frame.rename({literal(names)})", what))
    return hint
