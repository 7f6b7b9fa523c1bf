"""Every declaration of every family is complete: names, a sentence, formula, source, range, an example that runs."""

from __future__ import annotations

import doctest
import importlib
import pickle
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

from ireval_frames import catalog
from ireval_frames.declaration import AGGREGATIONS, POOLED, Definition
from ireval_frames.parameters import REQUIRED

DEFINITIONS = catalog.definitions()
FAMILIES = sorted({d.family for d in DEFINITIONS})
every = pytest.mark.parametrize("definition", DEFINITIONS, ids=lambda d: f"{d.family}-{d.name}")


def test_the_families() -> None:
    assert FAMILIES == [
        "answers",
        "citations",
        "clicks",
        "clusters",
        "coreference",
        "exposure",
        "labels",
        "links",
        "nuggets",
        "organization",
        "points",
        "ranking",
        "ratings",
        "recommendations",
        "relations",
        "segmentation",
        "similarity",
        "spans",
        "timings",
        "verdicts",
    ]


@every
def test_is_complete(definition: Definition) -> None:
    """All that is to be said of a measure; what is wrong is told together."""
    wrong = [message for check in CHECKS for message in check(definition)]
    assert not wrong, "\n".join(wrong)


def says_what_it_is(d: Definition) -> Iterator[str]:
    low, high = d.range
    # Only rankings have a convention for what is undefined: trec_eval's.
    undefined = d.undefined is None or (d.family == "ranking" and low <= d.undefined <= high)
    for holds, message in (
        (d.sentence.endswith(".") and len(d.sentence) > 15, "its docstring begins with no sentence"),
        ("Range:" in d.page, "its docstring has no `Range:`"),
        (d.formula, "it has no formula"),
        (d.source, "it has no source"),
        (low < high, f"its range is {d.range}"),
        (d.higher_is_better in (True, False, None), f"higher_is_better is {d.higher_is_better}"),
        (d.aggregation in (*AGGREGATIONS, POOLED), f"its aggregation is {d.aggregation}"),
        (undefined, f"it is {d.undefined} where it is undefined: write undefined=None"),
    ):
        if not holds:
            yield message


def parameters_have_words_and_take_their_defaults(definition: Definition) -> Iterator[str]:
    for name, parameter in definition.parameters.items():
        if not parameter.what:
            yield f"its parameter {name} has no words"
        if parameter.default is not REQUIRED and parameter.convert(parameter.default) != parameter.default:
            yield f"its parameter {name} does not take its default"


def the_example_runs(definition: Definition) -> Iterator[str]:
    example = doctest.DocTestParser().get_doctest(definition.page, {}, definition.name, definition.name, 0)
    if not example.examples:
        yield "its docstring has no example"
    output: list[str] = []
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    failed, _ = doctest.DocTestRunner(verbose=False, optionflags=flags).run(example, out=output.append)
    for failure in output if failed else ():
        shown = failure.partition("Failed example:")[2]
        # Of a traceback the error alone.
        shown = re.sub(r"Traceback \(most(.|\n)*\n    (?=\S)", "", shown)
        yield f"its example fails:\n{shown.strip(chr(10)).rstrip()}"


def names_are_its_own(definition: Definition) -> Iterator[str]:
    module = importlib.import_module(
        "ireval_frames" if definition.family == "ranking" else f"ireval_frames.{definition.family}"
    )
    if getattr(module, definition.name).definition is not definition:
        yield f"{module.__name__}.{definition.name} is another measure"
    for name in (definition.name, *definition.aliases, definition.name.lower()):
        if catalog.parse(name, definition.family).definition is not definition:
            yield f"{name!r} is another measure"


def survives_text_and_pickle(definition: Definition) -> Iterator[str]:
    declared = definition()
    for value in (declared, *(declared(aggregation=a) for a in AGGREGATIONS)):
        again = catalog.parse(str(value), definition.family)
        if again != value or again.aggregation != value.aggregation or pickle.loads(pickle.dumps(value)) != value:
            yield f"{value} is not read again"


CHECKS = (
    says_what_it_is,
    parameters_have_words_and_take_their_defaults,
    the_example_runs,
    names_are_its_own,
    survives_text_and_pickle,
)


@pytest.mark.parametrize("family", FAMILIES)
def test_no_name_stands_for_two_measures(family: str) -> None:
    names = [n for d in catalog.definitions(family) for n in {n.lower() for n in (d.name, *d.aliases)}]
    assert len(names) == len(set(names))


FIRST_INSIDE = """
from ireval_frames import catalog
with catalog.restored():
    inside = catalog.definitions("labels")
assert catalog.definitions("labels") == inside != []
"""


def test_families_that_are_first_looked_for_inside_of_restored_stay() -> None:
    """In a process that has looked for none."""
    done = subprocess.run([sys.executable, "-c", FIRST_INSIDE], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
