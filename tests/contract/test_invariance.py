"""Values do not depend on the order of rows, nor on the names of ids and classes."""

from __future__ import annotations

from tests.contract.kit import Frames, Suite, Values, assert_same, main_cases, parametrize


def shuffled(frames: Frames) -> Frames:
    """The rows in another order."""
    new = {name: frame.sample(fraction=1, shuffle=True, seed=5) for name, frame in frames.items()}
    assert all(new[name].height < 3 or not new[name].equals(frame) for name, frame in frames.items())
    return new


@parametrize("case", main_cases)
def test_row_order(suite: Suite, case: str, engine: str) -> None:
    measures = suite.first_variants(case)
    results = suite.compute(case, measures, engine, shuffled)
    for m in measures:
        assert_same(
            results[str(m)], suite.results(case, engine)[str(m)], suite.tolerance_of(m), "rows in another order"
        )


@parametrize("how", lambda suite: suite.renamings, property="names")
def test_names(suite: Suite, how: str, engine: str) -> None:
    """Ids and classes of other names and types."""
    renaming = suite.renamings[how]
    for case in main_cases(suite):
        measures = [m for m in suite.first_variants(case) if renaming.applies(m)]
        names: dict = {}

        def change(frames: Frames, names: dict = names) -> Frames:
            frames, new = renaming.apply(frames)
            names |= new
            return frames

        for batch in suite.batches(measures):
            names |= renaming.apply(suite.frames(case, batch[0]))[1]
            options = renaming.options(suite.case(case), names)
            results = suite.compute(case, batch, engine, change, **options)
            back = {new: old for old, new in names.items()} if suite.unit in renaming.columns else {}
            for m in batch:
                actual: Values = {
                    (k[0], *(back.get(part, part) for part in k[1:])): v for k, v in results[str(m)].items()
                }
                assert_same(actual, suite.results(case, engine)[str(m)], suite.tolerance_of(m), f"{case}, {how}")
