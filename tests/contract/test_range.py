"""Values are within the declared range, and never NaN."""

from __future__ import annotations

from tests.contract.kit import ENGINES, Suite, measure_names, parametrize

# For rounding errors.
SLACK = 1e-12


@parametrize()
def test_stays_in_its_range(suite: Suite, engine: str) -> None:
    failures = []
    for name in measure_names(suite):
        for case in suite.cases:
            for measure in suite.variants_of(case, name):
                low, high = suite.bounds(measure)
                for key, value in suite.results(case, engine)[str(measure)].items():
                    if value is None:
                        if measure.definition.undefined is not None:
                            failures.append(f"{case}: {key} is undefined")
                    elif not low - SLACK <= value <= high + SLACK:
                        failures.append(f"{case}: {key} is {value}, outside of {low} to {high}")
    assert not failures, (
        f"{len(failures)} values are none that the declaration allows: see its range= and undefined=\n"
        + "\n".join(failures[:10])
    )


@parametrize(engines=False)
def test_takes_several_values(suite: Suite) -> None:
    """A constant would pass the test of ranges."""
    failures = []
    for name in measure_names(suite):
        distinct = {
            round(value, 9)
            for case in suite.cases
            for engine in ENGINES
            for measure in suite.variants_of(case, name)
            for value in suite.results(case, engine)[str(measure)].values()
            if value is not None
        }
        if (len(distinct) == 1) != (name in suite.constant):
            failures.append(f"{name}: {distinct}")
    assert not failures, "\n".join(failures)
