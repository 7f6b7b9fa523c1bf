"""What must not matter: the order of the rows, and names whose order and spelling stand for nothing."""

from __future__ import annotations

from tests.contract.kit import Frames, Kind, Values, each, nothing_differs, worlds


def turned(frames: Frames) -> Frames:
    """The rows in another order."""
    mixed = {name: frame.sample(fraction=1, shuffle=True, seed=5) for name, frame in frames.items()}
    assert all(mixed[name].height < 3 or not mixed[name].equals(frame) for name, frame in frames.items())
    return mixed


@each("where", worlds)
def test_row_order(kind: Kind, where: str, engine: str) -> None:
    some = kind.first(where)
    found = kind.evaluated(where, some, engine, turned)
    for m in some:
        nothing_differs(found[str(m)], kind.found(where, engine)[str(m)], kind.allowed(m), "rows in another order")


@each("how", lambda kind: kind.renamed, without="names")
def test_names(kind: Kind, how: str, engine: str) -> None:
    """Other ids, other classes, of another type."""
    renamed = kind.renamed[how]
    for where in worlds(kind):
        some = [m for m in kind.first(where) if renamed.only(m)]
        names: dict = {}

        def change(frames: Frames, names: dict = names) -> Frames:
            frames, new = renamed.of(frames)
            names |= new
            return frames

        for batch in kind.batches(some):
            names |= renamed.of(kind.tables(kind.world(where), kind.way(batch[0])))[1]
            options = renamed.options(kind.world(where), names)
            found = kind.evaluated(where, batch, engine, change, **options)
            back = {new: old for old, new in names.items()} if kind.unit in renamed.columns else {}
            for m in batch:
                got: Values = {(k[0], *(back.get(part, part) for part in k[1:])): v for k, v in found[str(m)].items()}
                nothing_differs(got, kind.found(where, engine)[str(m)], kind.allowed(m), f"{where}, {how}")
