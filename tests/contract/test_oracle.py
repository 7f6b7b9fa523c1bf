"""Every variant of every measure equals its oracle, in every case and on both engines."""

from __future__ import annotations

import pytest

from tests.contract.kit import Suite, differences, main_cases, measure_names, parametrize, suites


@parametrize("name", measure_names)
def test_equals_the_oracle(suite: Suite, name: str, engine: str) -> None:
    failures, num_values = [], 0
    for case in suite.cases_of(name):
        for measure in suite.variants_of(case, name):
            actual, expected = suite.results(case, engine)[str(measure)], suite.expected(case, measure)
            failures += [f"{case}: {text}" for text in differences(actual, expected, suite.tolerance_of(measure))]
            num_values += len(expected)
    assert num_values > 0
    assert not failures, f"{len(failures)} of {num_values} differ on {engine}:\n" + "\n".join(failures[:10])


@parametrize("case", lambda suite: suite.small)
def test_small_tables(suite: Suite, case: str, engine: str) -> None:
    """Cases with few rows."""
    results, failures = suite.compute(case, suite.first_variants(case), engine), []
    for measure in suite.first_variants(case):
        failures += differences(results[str(measure)], suite.expected(case, measure), suite.tolerance_of(measure))
    assert not failures, f"{len(failures)} differ:\n" + "\n".join(failures[:10])


@parametrize("case", main_cases, engines=False)
def test_cases_are_hard_enough(suite: Suite, case: str) -> None:
    """Cases have undefined values, if measures can be undefined, and many different values."""
    measures = suite.measures(case)
    actual = [v for m in measures for v in suite.expected(case, m).values()]
    undefined = any(m.definition.undefined is None and m.definition.range[0] < m.definition.range[1] for m in measures)
    if len(measures) > 30:
        assert (None in actual) == undefined
        assert len({round(v, 9) for v in actual if v is not None}) > len(measures)


def test_names_of_suites_are_unique() -> None:
    names = [suite.name for suite in suites()]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("property", ["weights", "names", "runs"])
def test_skipped_properties_have_a_reason(property: str) -> None:
    """A suite without weights, names or several runs gives the reason; one whose runs are compared may skip runs."""
    for suite in suites():
        exists = {
            "weights": bool(suite.weight),
            "names": bool(suite.renamings),
            "runs": any("run_id" in f.columns for w in suite.cases for f in _frames(suite, w)),
        }[property]
        explained = bool(suite.skip.get(property))
        assert exists or explained, f"{suite} does not explain why it has no {property}"
        assert not (exists and explained) or property == "runs", f"{suite} has {property} and explains why it has none"


def _frames(suite: Suite, case: str) -> list:
    return list(suite.frames(case).values())
