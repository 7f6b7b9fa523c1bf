"""Every measure, with every value that is tried, equals the plain loop of its name: in every world, on both engines."""

from __future__ import annotations

import pytest

from tests.contract.kit import Kind, differences, each, kinds, names, worlds


@each("name", names)
def test_equals_the_oracle(kind: Kind, name: str, engine: str) -> None:
    wrong, seen = [], 0
    for where in kind.worlds:
        for measure in kind.of(where, name):
            got, wanted = kind.found(where, engine)[str(measure)], kind.expected(where, measure)
            wrong += [f"{where}: {told}" for told in differences(got, wanted, kind.allowed(measure))]
            seen += len(wanted)
    assert seen > 0, f"{name} is tried in no world"
    assert not wrong, f"{len(wrong)} of {seen} differ on {engine}:\n" + "\n".join(wrong[:10])


@each("where", lambda kind: kind.small)
def test_small_tables(kind: Kind, where: str, engine: str) -> None:
    """The same where next to nothing is there."""
    found, wrong = kind.evaluated(where, kind.first(where), engine), []
    for measure in kind.first(where):
        wrong += differences(found[str(measure)], kind.expected(where, measure), kind.allowed(measure))
    assert not wrong, f"{len(wrong)} differ:\n" + "\n".join(wrong[:10])


@each("where", worlds, engines=False)
def test_the_worlds_are_hard_enough(kind: Kind, where: str) -> None:
    """The comparison means something: undefined values where there may be some, and many different ones."""
    asked = kind.asked(where)
    found = [v for m in asked for v in kind.expected(where, m).values()]
    undefined = any(m.definition.undefined is None and m.definition.range[0] < m.definition.range[1] for m in asked)
    if len(asked) > 30:
        assert (None in found) == undefined
        assert len({round(v, 9) for v in found if v is not None}) > len(asked)


def test_every_kind_has_its_own_name() -> None:
    every = [kind.name for kind in kinds()]
    assert len(every) == len(set(every))


@pytest.mark.parametrize("property", ["weights", "names", "runs"])
def test_what_has_no_meaning_says_why(property: str) -> None:
    """A kind without weights, names or several runs says so; runs may be there and compared with each other."""
    for kind in kinds():
        has = {
            "weights": bool(kind.weight),
            "names": bool(kind.renamed),
            "runs": any("run_id" in f.columns for w in kind.worlds for f in _frames(kind, w)),
        }[property]
        said = bool(kind.without.get(property))
        assert has or said, f"{kind} does not say why it has no {property}"
        assert not (has and said) or property == "runs", f"{kind} has {property} and says that it has none"


def _frames(kind: Kind, where: str) -> list:
    return list(kind.tables(kind.world(where), kind.way(kind.asked(where)[0])).values())
