"""Columns may have any names: the numbers are those under plain names, or an error says which name cannot be."""

from __future__ import annotations

import functools

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, IrevalError, WrongType
from tests.contract.named import FAMILIES, INTERNAL_NAMES, ITEMS, QRELS, RUN, SQL_NAMES, normalized
from tests.contract.named_documents import FAMILIES as OF_DOCUMENTS

families = pytest.mark.parametrize("family", FAMILIES)
FORMS = {"polars": {}, "duckdb": {"engine": "duckdb"}}


@functools.cache
def expected(family: str) -> list[pl.DataFrame]:
    evaluation = FAMILIES[family].of(FAMILIES[family].tables, {})
    return [normalized(evaluation.per_unit(), {}), normalized(evaluation.summary(), {})]


@families
def test_any_name_in_every_role(family: str) -> None:
    """Every column gets every name once; all columns of a table are renamed at a time."""
    subject, failures = FAMILIES[family], []
    all_names = [*SQL_NAMES, *INTERNAL_NAMES, "", "é", "{}", "%s", "1"]
    roles = subject.roles
    for start in range(len(all_names)):
        names = {role: all_names[(start + 7 * i) % len(all_names)] for i, role in enumerate(roles)}
        if len({n.lower() for n in names.values()}) < len(roles) or set(names.values()) & set(roles):
            continue
        try:
            evaluation = subject.of(subject.renamed(names), names)
            actual = [normalized(evaluation.per_unit(), names), normalized(evaluation.summary(), names)]
        except Exception as error:  # noqa: BLE001 - collected to report all
            failures.append((names, repr(error)[:300]))
        else:
            if not all(a.equals(b) for a, b in zip(actual, expected(family), strict=True)):
                failures.append((names, "other values"))
    assert not failures, f"{len(failures)}, such as {failures[:2]}"


@families
@pytest.mark.parametrize("name", ["*", "^.*$", "^n$"])
def test_names_that_are_patterns(family: str, name: str) -> None:
    """Such names give the same values, or an error that quotes them: an engine may expand them to several columns."""
    subject = FAMILIES[family]
    for options in FORMS.values():
        for role in subject.roles:
            names = {role: name}
            try:
                actual = normalized(subject.of(subject.renamed(names), names, **options).per_unit(), names)
            except WrongType as error:
                assert f"{name!r}, which stands for several columns" in str(error)  # noqa: PT017 - both are accepted
            else:
                assert actual.equals(expected(family)[0])


@families
def test_names_that_differ_in_case(family: str) -> None:
    """Polars distinguishes them; with DuckDB they are an error, as it would drop a column."""
    subject = FAMILIES[family]
    for name, table in subject.tables.items():
        for column in table.columns[:2]:
            tables = subject.tables | {name: table.with_columns(pl.lit("other").alias(column.upper()))}
            actual = subject.of(tables, {})
            assert normalized(actual.per_unit(), {}).equals(expected(family)[0])
            with pytest.raises(WrongType, match="which DuckDB cannot distinguish") as first:
                subject.of(tables, {}, engine="duckdb")
            assert f"{column!r} and {column.upper()!r}" in str(first.value)
            # The advice is to drop the column that is not in use, in either order.
            reordered = subject.tables | {name: tables[name].select(column.upper(), pl.exclude(column.upper()))}
            with pytest.raises(WrongType, match="which DuckDB cannot distinguish") as second:
                subject.of(reordered, {}, engine="duckdb")
            for error in (first, second):
                assert f'frame.drop("{column.upper()}")' in str(error.value)


@pytest.mark.parametrize("name", ["measure", "value", "run_id", "n_units", "n_undefined"])
@pytest.mark.parametrize("what", ["by", "unit"])
def test_names_of_result_columns(name: str, what: str) -> None:
    frame = ITEMS.with_columns(pl.col("user").alias(name))
    makers = [
        lambda: ir.Labels(frame, **{what: name}).evaluate("Accuracy"),
        lambda: ir.Clusters(frame, **{what: name}).evaluate("Purity"),
        lambda: ir.Points(frame, ["first", "second"], **{what: name}).evaluate("SSE"),
        lambda: ir.Organization(frame, **{what: name}).evaluate("Reliability"),
    ]
    if what == "by":
        makers.append(lambda: ir.Rankings(QRELS.with_columns(pl.lit(1).alias(name)), RUN, by=name).evaluate("AP"))
    for make in makers:
        with pytest.raises(InvalidParameter, match=f"{what}={name!r} is a column of the result"):
            make()


@pytest.mark.parametrize("name", ["value", "run_id"])
@pytest.mark.parametrize("family", list(OF_DOCUMENTS))
def test_units_of_tables_with_names_of_result_columns(family: str, name: str) -> None:
    """A query or document whose column is called as one of the result does not take its place."""
    subject = FAMILIES[family]
    names = {"run_id": "system", "user": name}
    with pytest.raises(InvalidParameter, match=f"{name!r} is a column of the result"):
        subject.of(subject.renamed(names), names)


def test_a_column_is_not_both_group_and_unit() -> None:
    with pytest.raises(InvalidParameter, match="both name 'user'"):
        ir.Labels(ITEMS, unit="user").evaluate("Accuracy", by=["part", "user"])


@pytest.mark.parametrize("name", ["weight", "run_id", "score", "item_id", "prediction", "system"])
def test_probabilities_have_no_other_role(name: str) -> None:
    """The probability of a class named `weight` is not a weight."""
    frame = ITEMS.select("label", "first", second=1 - pl.col("first"))
    expected = ir.Labels(frame, probabilities={"x": "first", "y": "second"}).evaluate("LogLoss Brier").summary()
    labels = ir.Labels(frame.rename({"first": name}), probabilities={"x": name, "y": "second"})
    assert normalized(labels.evaluate("LogLoss Brier").summary(), {}).equals(normalized(expected, {}))


@pytest.mark.parametrize("role", ["item_id", "label", "relevance"])
def test_a_column_with_a_role_is_not_the_unit(role: str) -> None:
    family = FAMILIES["organization"]
    names = {role: "query_id"}
    actual = family.of(family.renamed(names), names)
    assert normalized(actual.summary(), {}).equals(expected("organization")[1])


def test_errors_of_columns_without_a_name() -> None:
    unnamed = ITEMS.rename({"label": ""})
    assert ir.Labels(unnamed, label="").evaluate("Accuracy").summary().height == 1
    with pytest.raises(IrevalError, match=r"a column without a name(.|\n)*rename"):
        ir.Labels(unnamed, label="", con=duckdb.connect()).evaluate("Accuracy")
