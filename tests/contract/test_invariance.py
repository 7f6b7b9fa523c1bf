"""What must not matter: the order of the rows, and names whose order and spelling stand for nothing."""

from __future__ import annotations

from tests.contract.kit import Frames, Suite, Values, assert_same, main_cases, parametrize


def turned(frames: Frames) -> Frames:
    """The rows in another order."""
    mixed = {name: frame.sample(fraction=1, shuffle=True, seed=5) for name, frame in frames.items()}
    assert all(mixed[name].height < 3 or not mixed[name].equals(frame) for name, frame in frames.items())
    return mixed


@parametrize("case", main_cases)
def test_row_order(suite: Suite, case: str, engine: str) -> None:
    some = suite.first_variants(case)
    found = suite.compute(case, some, engine, turned)
    for m in some:
        assert_same(found[str(m)], suite.results(case, engine)[str(m)], suite.tolerance_of(m), "rows in another order")


@parametrize("how", lambda suite: suite.renamings, property="names")
def test_names(suite: Suite, how: str, engine: str) -> None:
    """Other ids, other classes, of another type."""
    renaming = suite.renamings[how]
    for case in main_cases(suite):
        some = [m for m in suite.first_variants(case) if renaming.applies(m)]
        names: dict = {}

        def change(frames: Frames, names: dict = names) -> Frames:
            frames, new = renaming.apply(frames)
            names |= new
            return frames

        for batch in suite.batches(some):
            names |= renaming.apply(suite.frames(case, batch[0]))[1]
            options = renaming.options(suite.case(case), names)
            found = suite.compute(case, batch, engine, change, **options)
            back = {new: old for old, new in names.items()} if suite.unit in renaming.columns else {}
            for m in batch:
                got: Values = {(k[0], *(back.get(part, part) for part in k[1:])): v for k, v in found[str(m)].items()}
                assert_same(got, suite.results(case, engine)[str(m)], suite.tolerance_of(m), f"{case}, {how}")
