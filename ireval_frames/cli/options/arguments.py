"""What the arguments after the judgments are: files of runs, or measures."""

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
    """The runs' files, and the measures asked for: those of the options first, the default ones if there are none.

    The first argument is a run.  A later one is a measure if no such file is there and it can be read as measures.

    Args:
        arguments: what stands after the judgments.
        options: what stands after `-m`, several measures in each.
        family: where to look measures up.
        default: the measures if none is asked for.

    Raises:
        UnknownName, InvalidParameter: a measure that does not exist, or a value it does not allow.
    """
    runs, asked = list(arguments[:1]), [m for text in options for m in _parsed(text, family)]
    for text in arguments[1:]:
        measures = None if _is_file(text) else _tried(text, family)
        if measures is None:
            runs.append(text)
        else:
            asked += measures
    return runs, list(dict.fromkeys(asked)) or catalog.parse_all(list(default), family)


def _parsed(text: str, family: str) -> list[Measure]:
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


def _tried(text: str, family: str) -> list[Measure] | None:
    """The measures, or None for what is rather the name of a file that is not there."""
    try:
        return _parsed(text, family)
    except (UnknownName, InvalidParameter) as error:
        if "@" in text or "(" in text or ("Did you mean" in error.hint and "/" not in text and not Path(text).suffix):
            raise
        return None
