"""Columns may have any names: the numbers are those under plain names, or an error says which name cannot be."""

from __future__ import annotations

import functools

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, IrevalError, WrongType
from tests.contract.named import FAMILIES, ITEMS, OUR_NAMES, QRELS, RUN, SQL_NAMES, plain

families = pytest.mark.parametrize("family", FAMILIES)
FORMS = {"polars": {}, "duckdb": {"engine": "duckdb"}}


@functools.cache
def expected(family: str) -> list[pl.DataFrame]:
    made = FAMILIES[family].of(FAMILIES[family].tables, {})
    return [plain(made.per_unit(), {}), plain(made.summary(), {})]


@families
def test_any_name_in_every_role(family: str) -> None:
    """Every role has every name once, the roles of a table several names at a time."""
    subject, wrong = FAMILIES[family], []
    every = [*SQL_NAMES, *OUR_NAMES, "", "é", "{}", "%s", "1"]
    roles = subject.roles
    for start in range(len(every)):
        names = {role: every[(start + 7 * i) % len(every)] for i, role in enumerate(roles)}
        if len({n.lower() for n in names.values()}) < len(roles) or set(names.values()) & set(roles):
            continue
        try:
            made = subject.of(subject.renamed(names), names)
            found = [plain(made.per_unit(), names), plain(made.summary(), names)]
        except Exception as error:  # noqa: BLE001 - collected, so that all are seen
            wrong.append((names, repr(error)[:300]))
        else:
            if not all(a.equals(b) for a, b in zip(found, expected(family), strict=True)):
                wrong.append((names, "other numbers"))
    assert not wrong, f"{len(wrong)}, such as {wrong[:2]}"


@families
@pytest.mark.parametrize("name", ["*", "^.*$", "^n$"])
def test_names_that_are_patterns(family: str, name: str) -> None:
    """An engine may take them for several columns: they give the same numbers, or are refused by name."""
    subject = FAMILIES[family]
    for more in FORMS.values():
        for role in subject.roles:
            names = {role: name}
            try:
                actual = plain(subject.of(subject.renamed(names), names, **more).per_unit(), names)
            except WrongType as told:
                assert f"{name!r}, which stands for several columns" in str(told)  # noqa: PT017 - either is right
            else:
                assert actual.equals(expected(family)[0])


@families
def test_names_alike_but_for_case(family: str) -> None:
    """Polars tells them apart; beside DuckDB none is dropped without a word."""
    subject = FAMILIES[family]
    for name, table in subject.tables.items():
        for column in table.columns[:2]:
            alike = subject.tables | {name: table.with_columns(pl.lit("other").alias(column.upper()))}
            actual = subject.of(alike, {})
            assert plain(actual.per_unit(), {}).equals(expected(family)[0])
            with pytest.raises(WrongType, match="which DuckDB cannot distinguish") as told:
                subject.of(alike, {}, engine="duckdb")
            assert f"{column!r} and {column.upper()!r}" in str(told.value)
            # Whichever stands first, the column in use is not the one that is dropped.
            turned = subject.tables | {name: alike[name].select(column.upper(), pl.exclude(column.upper()))}
            with pytest.raises(WrongType, match="which DuckDB cannot distinguish") as other:
                subject.of(turned, {}, engine="duckdb")
            for error in (told, other):
                assert f'frame.drop("{column.upper()}")' in str(error.value)


@pytest.mark.parametrize("taken", ["measure", "value", "run_id", "n_units", "n_undefined"])
@pytest.mark.parametrize("what", ["by", "unit"])
def test_keys_named_like_results(taken: str, what: str) -> None:
    frame = ITEMS.with_columns(pl.col("user").alias(taken))
    makers = [
        lambda: ir.Labels(frame, **{what: taken}).evaluate("Accuracy"),
        lambda: ir.Clusters(frame, **{what: taken}).evaluate("Purity"),
        lambda: ir.Points(frame, ["first", "second"], **{what: taken}).evaluate("SSE"),
        lambda: ir.Organization(frame, **{what: taken}).evaluate("Reliability"),
    ]
    if what == "by":
        makers.append(lambda: ir.Rankings(QRELS.with_columns(pl.lit(1).alias(taken)), RUN, by=taken).evaluate("AP"))
    for make in makers:
        with pytest.raises(InvalidParameter, match=f"{what}={taken!r} is a column of the result"):
            make()


def test_one_column_is_no_group_and_unit_at_once() -> None:
    with pytest.raises(InvalidParameter, match="both name 'user'"):
        ir.Labels(ITEMS, unit="user").evaluate("Accuracy", by=["part", "user"])


@pytest.mark.parametrize("name", ["weight", "run_id", "score", "item_id", "prediction", "system"])
def test_probabilities_are_nothing_else(name: str) -> None:
    """A class may be called `weight`; its probability is none."""
    frame = ITEMS.select("label", "first", "second")
    expected = ir.Labels(frame, probabilities={"x": "first", "y": "second"}).evaluate("LogLoss Brier").summary()
    named = ir.Labels(frame.rename({"first": name}), probabilities={"x": name, "y": "second"})
    assert plain(named.evaluate("LogLoss Brier").summary(), {}).equals(plain(expected, {}))


@pytest.mark.parametrize("role", ["item_id", "label", "relevance"])
def test_a_column_named_in_organization_is_no_unit(role: str) -> None:
    family = FAMILIES["organization"]
    names = {role: "query_id"}
    actual = family.of(family.renamed(names), names)
    assert plain(actual.summary(), {}).equals(expected("organization")[1])


def test_errors_of_columns_without_a_name() -> None:
    unnamed = ITEMS.rename({"label": ""})
    assert ir.Labels(unnamed, label="").evaluate("Accuracy").summary().height == 1
    with pytest.raises(IrevalError, match=r"a column without a name(.|\n)*rename"):
        ir.Labels(unnamed, label="", con=duckdb.connect()).evaluate("Accuracy")
