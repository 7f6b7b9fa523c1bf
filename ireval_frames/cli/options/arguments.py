"""The arguments after the judgments: files of runs, and measures."""

from __future__ import annotations

import glob
from collections.abc import Sequence
from pathlib import Path

from ireval_frames import catalog
from ireval_frames.declaration import Measure
from ireval_frames.errors import InvalidParameter, UnknownName
from ireval_frames.io.storage.places import is_remote
from ireval_frames.io.storage.source import DATASET_PREFIXES

DEFAULT = ("nDCG@10", "AP", "RR", "P@10", "R@100")


def runs_and_measures(
    arguments: Sequence[str], options: Sequence[str], family: str = "ranking", default: Sequence[str] = DEFAULT
) -> tuple[list[str], list[Measure]]:
    """The files of runs, and the measures: those of the options first, the default ones if there are none.

    The first argument is a run.  A later one is a measure if there is no such file and it can be parsed as measures.

    Args:
        arguments: the arguments after the judgments.
        options: the texts of `-m`, several measures in each.
        family: that of the measures.
        default: the measures if there are none.

    Raises:
        UnknownName, InvalidParameter: a measure that does not exist, or a value it does not allow.
    """
    runs, measures = list(arguments[:1]), [m for text in options for m in _parse(text, family)]
    for text in arguments[1:]:
        parsed = None if _is_file(text) else _try_parse(text, family)
        if parsed is None:
            runs.append(text)
        else:
            measures += parsed
    return runs, list(dict.fromkeys(measures)) or catalog.parse_all(list(default), family)


def only_measures(texts: Sequence[str], default: str, family: str, *, more: str = "") -> list[Measure]:
    """The measures of a command whose files have all been named, or the default ones.

    Args:
        texts: of `-m`, and the arguments after the files.
        default: the measures if there are none.
        family: that of the measures.
        more: how one more file is named; by default there is none.

    Raises:
        UnknownName: a measure that does not exist.
        InvalidParameter: a text is one more file.
    """
    try:
        return catalog.parse_all(texts or default, family)
    except (UnknownName, InvalidParameter):
        files = [text for text in texts if Path(text).expanduser().exists()]
        if not files:
            raise
        hint = more or "Several systems are one table, in which a column run_id names them."
        raise InvalidParameter(f"{files[0]} is one more file, and measures come after the others.", hint) from None


def _parse(text: str, family: str) -> list[Measure]:
    measures = catalog.parse_all(text, family)
    for measure in measures:
        measure.arguments()
    return measures


def _is_file(text: str) -> bool:
    if text == "-" or text.startswith(DATASET_PREFIXES) or is_remote(text) or Path(text).expanduser().exists():
        return True
    return glob.has_magic(text) and _matches(text)


def _matches(pattern: str) -> bool:
    return any(True for _ in glob.iglob(str(Path(pattern).expanduser()), recursive=True))  # noqa: PTH207 - a pattern may begin anywhere


def _try_parse(text: str, family: str) -> list[Measure] | None:
    """The measures, or None for what looks like the name of a missing file."""
    try:
        return _parse(text, family)
    except (UnknownName, InvalidParameter) as error:
        is_name = "/" not in text and not Path(text).suffix
        if (
            "@" in text
            or "(" in text
            or (is_name and ("Did you mean" in error.hint or "is a measure of" in error.what))
        ):
            raise
        return None
