"""Every measure, with every value that is tried, equals the plain loop of its name: in every case, on both engines."""

from __future__ import annotations

import pytest

from tests.contract.kit import Suite, differences, main_cases, measure_names, parametrize, suites


@parametrize("name", measure_names)
def test_equals_the_oracle(suite: Suite, name: str, engine: str) -> None:
    wrong, seen = [], 0
    for case in suite.cases:
        for measure in suite.variants_of(case, name):
            got, expected = suite.results(case, engine)[str(measure)], suite.expected(case, measure)
            wrong += [f"{case}: {told}" for told in differences(got, expected, suite.tolerance_of(measure))]
            seen += len(expected)
    assert seen > 0, f"{name} is tried in no case"
    assert not wrong, f"{len(wrong)} of {seen} differ on {engine}:\n" + "\n".join(wrong[:10])


@parametrize("case", lambda suite: suite.small)
def test_small_tables(suite: Suite, case: str, engine: str) -> None:
    """The same where next to nothing is there."""
    found, wrong = suite.compute(case, suite.first_variants(case), engine), []
    for measure in suite.first_variants(case):
        wrong += differences(found[str(measure)], suite.expected(case, measure), suite.tolerance_of(measure))
    assert not wrong, f"{len(wrong)} differ:\n" + "\n".join(wrong[:10])


@parametrize("case", main_cases, engines=False)
def test_the_worlds_are_hard_enough(suite: Suite, case: str) -> None:
    """The comparison means something: undefined values where there may be some, and many different ones."""
    asked = suite.measures(case)
    actual = [v for m in asked for v in suite.expected(case, m).values()]
    undefined = any(m.definition.undefined is None and m.definition.range[0] < m.definition.range[1] for m in asked)
    if len(asked) > 30:
        assert (None in actual) == undefined
        assert len({round(v, 9) for v in actual if v is not None}) > len(asked)


def test_every_kind_has_its_own_name() -> None:
    every = [suite.name for suite in suites()]
    assert len(every) == len(set(every))


@pytest.mark.parametrize("property", ["weights", "names", "runs"])
def test_what_has_no_meaning_says_why(property: str) -> None:
    """A suite without weights, names or several runs says so; runs may be there and compared with each other."""
    for suite in suites():
        has = {
            "weights": bool(suite.weight),
            "names": bool(suite.renamings),
            "runs": any("run_id" in f.columns for w in suite.cases for f in _frames(suite, w)),
        }[property]
        said = bool(suite.skip.get(property))
        assert has or said, f"{suite} does not say why it has no {property}"
        assert not (has and said) or property == "runs", f"{suite} has {property} and says that it has none"


def _frames(suite: Suite, case: str) -> list:
    return list(suite.frames(case).values())
