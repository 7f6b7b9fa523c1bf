"""What a property is tried on: kinds, their worlds and measures, and engines, but for what `--measure` leaves out."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from ireval_frames import catalog
from ireval_frames.declaration import Definition
from tests.contract.kit.kind import ENGINES, Kind

# The measures of `--measure` and `--families`; none is all.
_chosen: list[Definition] = []


def chosen_only(name: str) -> list[Definition]:
    """Restrict the kit to the measures of a name or alias, of whatever family; a variant stands for its measure.

    Raises:
        LookupError: no family has it.
    """
    bare = re.split(r"[(@]", name, maxsplit=1)[0].strip().lower().rpartition(".")[2]
    _chosen[:] = [d for d in catalog.definitions() if bare in {n.lower() for n in (d.name, *d.aliases)}]
    if not _chosen:
        raise LookupError(f"no family declares a measure {name!r}")
    return list(_chosen)


def families_only(families: Iterable[str]) -> None:
    """Restrict the kit to the measures of some families."""
    some = set(families)
    _chosen[:] = [d for d in catalog.definitions() if d.family in some]


def restricted() -> bool:
    """Whether `--measure` named some."""
    return len({d.name for d in _chosen}) == 1


def chosen(definitions: Iterable[Definition]) -> list[Definition]:
    """Those of them that are asked for."""
    return [d for d in definitions if not _chosen or d in _chosen]


@functools.cache
def every_kind() -> tuple[Kind, ...]:
    """All kinds, whatever is asked for."""
    from tests.contract.kinds import KINDS

    return KINDS


def kinds(without: str = "") -> list[Kind]:
    """The kinds that are asked for; not those that say why a property has no meaning for them."""
    return [k for k in every_kind() if chosen(k.definitions) and without not in k.without]


def names(kind: Kind) -> list[str]:
    """The measures of a kind that are asked for."""
    return [d.name for d in chosen(kind.definitions)]


def worlds(kind: Kind) -> list[str]:
    """The main worlds of a kind, if one of them is tried there."""
    return [where for where in kind.main or kind.worlds if kind.asked(where)]


def each(
    what: str = "kind", of: Callable[[Kind], Iterable[Any]] | None = None, *, engines: bool = True, without: str = ""
) -> Any:
    """Parametrize a property by kind, what `of` says of each, and engine.

    Args:
        what: the parameter beside `kind`, such as "name" or "where".
        of: its values for a kind.
        engines: whether each is tried on every engine.
        without: the property's word in `Kind.without`.
    """
    cases: list[tuple[Any, ...]] = [(k,) for k in kinds(without)]
    if of is not None:
        cases = [(k, value) for (k,) in cases for value in of(k)]
    if engines:
        cases = [(*case, engine) for case in cases for engine in ENGINES]
    named = ["kind", *([what] if of is not None else []), *(["engine"] if engines else [])]
    ids = ["-".join(map(str, case)) for case in cases]
    return pytest.mark.parametrize(",".join(named), cases if len(named) > 1 else [k for (k,) in cases], ids=ids)
