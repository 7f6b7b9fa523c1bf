"""No measure leaves its declared range, and none gives NaN."""

from __future__ import annotations

from tests.contract.kit import ENGINES, Suite, measure_names, parametrize

# What rounding of the last bits may add.
SLACK = 1e-12


@parametrize()
def test_stays_in_its_range(suite: Suite, engine: str) -> None:
    wrong = []
    for name in measure_names(suite):
        for case in suite.cases:
            for measure in suite.variants_of(case, name):
                low, high = suite.bounds(measure)
                for key, value in suite.results(case, engine)[str(measure)].items():
                    if value is None:
                        if measure.definition.undefined is not None:
                            wrong.append(f"{case}: {key} is undefined")
                    elif not low - SLACK <= value <= high + SLACK:
                        wrong.append(f"{case}: {key} is {value}, outside of {low} to {high}")
    assert not wrong, f"{len(wrong)} values:\n" + "\n".join(wrong[:10])


@parametrize(engines=False)
def test_takes_several_values(suite: Suite) -> None:
    """A measure that never moves would pass every comparison of ranges."""
    wrong = []
    for name in measure_names(suite):
        found = {
            round(value, 9)
            for case in suite.cases
            for engine in ENGINES
            for measure in suite.variants_of(case, name)
            for value in suite.results(case, engine)[str(measure)].values()
            if value is not None
        }
        if (len(found) == 1) != (name in suite.constant):
            wrong.append(f"{name}: {found}")
    assert not wrong, "\n".join(wrong)
