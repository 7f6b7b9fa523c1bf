"""A comparison of what nobody expects: groups of null, systems of any type and name, tests whose sign is their own."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest
import scipy.stats

import ireval_frames as ir
from ireval_frames.displayed import displays_of
from ireval_frames.errors import (
    InvalidParameter,
    InvalidValue,
    IrevalError,
    MismatchedTables,
    NotDefined,
    UnknownName,
    WrongType,
)

FACES: dict[str, Callable[[Any], pl.DataFrame]] = {
    "table": lambda c: c.table(),
    "systems": lambda c: c.systems(),
    "anova": lambda c: c.anova(),
    "reliability": lambda c: c.reliability(),
    "differences": lambda c: c.differences(),
    "effects": lambda c: c.effects("d_z"),
    "matrix": lambda c: c.matrix(),
}


def values(systems: Any = "abc", units: int = 8, *, seed: int = 0, **more: Any) -> pl.DataFrame:
    """Two decimals, the later system a little better."""
    rng = np.random.default_rng(seed)
    base = rng.random(units)
    rows = [
        (s, u, round(float(base[u] + 0.1 * i + 0.2 * rng.random()), 2))
        for i, s in enumerate(systems)
        for u in range(units)
    ]
    frame = pl.DataFrame(rows, schema=["run_id", "query_id", "value"], orient="row")
    return frame.with_columns(**{name: pl.lit(value) for name, value in more.items()})


@pytest.mark.parametrize("kind", [pl.Int16, pl.Float64, pl.String, pl.Categorical, pl.Enum(["2", "1"]), pl.Date])
@pytest.mark.parametrize("test", ["t", "welch"])
def test_a_group_of_null_is_a_group_in_every_face(kind: Any, test: str) -> None:
    two = dt.date(2020, 1, 2) if kind == pl.Date else "2" if kind in (pl.String, pl.Categorical) else 2
    two = "2" if isinstance(kind, pl.Enum) else two
    frame = pl.concat(
        [values(seed=1).with_columns(g=pl.lit(None, dtype=kind)), values().with_columns(g=pl.lit(two, dtype=kind))]
    )
    c = ir.compare(frame, by="g", test=test)
    alone = ir.compare(values(), test=test)
    for name, face in FACES.items():
        actual, expected = face(c), face(alone)
        assert set(actual["g"].to_list()) == {None, two}, name
        assert actual.schema["g"] == c.table().schema["g"], name
        part = actual.filter(pl.col("g").is_not_null()).drop("g")
        assert part.equals(expected.select(part.columns)), name
    assert "null" in str(c)


def test_systems_of_any_type_have_a_matrix() -> None:
    for systems in (
        [False, True],
        [0.5, 1e20],
        [dt.date(2020, 1, 1), dt.date(2020, 1, 2)],
        [2, 10],
    ):
        c = ir.compare(values(systems))
        square = c.matrix()
        assert square["system"].to_list() == systems
        assert square.columns == ["system", *map(str, systems)]
        assert square[str(systems[1])][0] == square[str(systems[0])][1] == c.table()["p_adjusted"][0]
    with pytest.raises(InvalidParameter, match="is called 'system'"):
        ir.compare(values(["row", "system"])).matrix()
    assert ir.compare(values(["value", "column"], row=1), by="row").matrix().columns[0] == "row"


@pytest.mark.parametrize(
    "test", ["wilcoxon", "sign", "mann-whitney", "t", "friedman", "equivalence", "non-inferiority"]
)
def test_both_triangles_of_a_matrix_are_comparisons(test: str) -> None:
    """Each cell is what comparing the row's system with the column's as the baseline tells."""
    frame, names = values(seed=4), "abc"
    more = {"margin": 0.3} if test in ("equivalence", "non-inferiority") else {}
    c = ir.compare(frame, test=test, correction="none", **more)
    columns = {name: ir.compare(frame, baseline=name, test=test, correction="none", **more).table() for name in names}
    message = ("statistic", "difference", "estimate", "effect", "relative", "mean", "wins", "ci_low", "p_value")
    for of in (name for name in message if name in c.table().columns):
        square = c.matrix(of=of)
        for name, column in columns.items():
            expected = dict(column.select("system", of).iter_rows()) | {name: None}
            assert dict(square.select("system", name).iter_rows()) == pytest.approx(expected, abs=1e-12), (of, name)


def test_one_sided_p_values_of_the_other_triangle_are_of_the_other_side() -> None:
    square = ir.compare(values("ab"), alternative="greater").matrix(of="p_value")
    assert square["b"][0] == pytest.approx(1.0 - square["a"][1])


def test_non_inferiority_follows_the_direction_of_the_measure() -> None:
    frame = values("ab")
    table = ir.compare(frame.with_columns(value=-pl.col("value")), test="non-inferiority", margin=0.05,
                       lower_is_better="value").table()  # fmt: skip
    more = ir.compare(frame, test="non-inferiority", margin=0.05).table()
    assert table["p_value"][0] == pytest.approx(more["p_value"][0])
    # What is tested has one side, whatever the direction.
    assert table["alternative"][0] == more["alternative"][0] == "greater"
    assert "    alternative = greater" in ir.compare(frame, test="non-inferiority", margin=0.05).explain()
    a, b = (frame.filter(run_id=s)["value"].to_numpy() for s in "ab")
    expected = scipy.stats.ttest_1samp(b - a + 0.05, 0.0, alternative="greater").pvalue
    assert more["p_value"][0] == pytest.approx(expected)


def test_marks_are_of_what_a_test_finds() -> None:
    # Mostly a little better, once much worse: ranks go up, the mean goes down.
    worse = [0.0] * 20
    better = [0.01 + i / 1000 for i in range(19)] + [-0.9]
    frame = pl.DataFrame({"query_id": range(20), "old": worse, "new": better})
    c = ir.compare(frame, baseline="old", test="wilcoxon", tolerance=0.0)
    row = c.table().row(0, named=True)
    assert (row["significant"], row["difference"] < 0 < row["estimate"]) == (True, True)
    assert "▲" in c.to_markdown().split("\n\n")[0]
    # An equivalence is no difference, and what differs among all is not every pair.
    alike = values("abc", 30)
    for test, more in (("equivalence", {"margin": 5.0}), ("non-inferiority", {"margin": 5.0}), ("friedman", {})):
        c = ir.compare(alike, test=test, **more)
        assert c.table()["significant"].all(), test
        assert c.systems()["letters"].to_list() == [None] * 3
        assert not re.search("[▲▼]|<sup>", c.to_markdown() + str(c))
        assert "No marks" in str(c)
    both = ir.compare(alike, test=["equivalence", "t"], margin=5.0)
    assert both.systems().equals(ir.compare(alike).systems())


def test_more_systems_than_letters_have_marks_that_can_be_read() -> None:
    names = [f"s{i:02}" for i in range(28)]
    frame = pl.DataFrame(
        {"query_id": range(12)} | {n: [q % 3 / 100 + i + q * i / 1000 for q in range(12)] for i, n in enumerate(names)}
    )
    last = displays_of(ir.compare(frame, correction="none"))[0].overview.rows[-1]
    assert last[-1].mark.split() == [*"abcdefghijklmnopqrstuvwxyz", "aa"]


def test_names_stay_in_their_line_and_are_escaped() -> None:
    names = ["", "x\ny", "a\x1b[31m", "[x]", "a|b", "<i>&amp;", "\r", "*k", "a---b", "$x$"]
    c = ir.compare(values(names))
    assert "\x1b" not in str(c)
    assert "\r" not in str(c)
    assert len(c.to_markdown().split("\n\n")[0].splitlines()) == len(names) + 2
    assert all(len(re.findall(r"(?<!\\)\|", line)) == 4 for line in c.to_markdown().splitlines()[: len(names) + 2])
    assert r"\&amp;" in c.to_markdown()
    assert r"\$x\$" in c.to_markdown()
    # A bracket behind a line's end is a length to LaTeX, a star keeps pages together, and dashes become one.
    assert "{[}x]" in c.to_latex()
    assert "{*}k" in c.to_latex()
    assert "a-{}-{}-b" in c.to_latex()
    assert r"a\textbar{}b" in c.to_latex()
    assert "<i>" not in c.to_html()
    assert "&lt;i&gt;&amp;amp;" in c.to_html()
    for result in (ir.comparison.rank_stability(values(names), n_resamples=50),
                 ir.comparison.discriminative_power(values(names)),
                 ir.replication.reproduction(values(names), values(names), margin=0.1)):  # fmt: skip
        assert not {"\r", "\x1b"} & {*str(result)}
    # Signs that LaTeX does not know are none of its own tables.
    assert ir.replication.reproduction(values("ab"), values("ab"), margin=0.1).to_latex().partition("\n%")[0].isascii()


def test_what_has_no_numbers_is_said_in_every_face() -> None:
    frame = values()
    empty = ir.compare(frame.with_columns(value=pl.lit(math.nan)))
    for name in (*FACES, "explain", "to_html"):
        with pytest.raises(InvalidParameter, match="null or NaN"):
            FACES[name](empty) if name in FACES else getattr(empty, name)()


WRONG: dict[str, tuple[type[IrevalError], dict[str, Any]]] = {
    "holds 24 nulls": (InvalidValue, {"values": values(measure=None)}),
    "above 1e\\+140": (InvalidValue, {"values": values().with_columns(pl.col("value") * 1e200)}),
    "below 1e-140": (InvalidValue, {"values": values().with_columns(pl.col("value") * 1e-200), "test": "welch"}),
    "'g' is a column|'mean' is a column": (InvalidParameter, {"values": values(mean=1), "by": "mean"}),
    "'p_best' is a column": (InvalidParameter, {"values": values(p_best=1), "by": "p_best"}),
    "one system in 'run_id' \\('a', g None\\)": (NotDefined, {"values": values("a", g=None), "by": "g"}),
    "no run_id 'z', g 1": (UnknownName, {"values": values(g=1), "by": "g", "baseline": "z"}),
    "several classes": (InvalidValue, {"values": values().with_row_index("y").with_columns(pl.col("y") % 3 % 2),
                                       "label": "y", "test": "delong"}),
    "must hold 0 and 1": (WrongType, {"values": values(y="pos"), "label": "y", "test": "delong"}),
    "A label is null": (InvalidValue, {"values": values(y=None), "label": "y", "test": "delong"}),
    "threads is 0": (InvalidParameter, {"threads": 0}),
    "threads is 'x'": (InvalidParameter, {"threads": "x"}),
    "tolerance is inf": (InvalidParameter, {"tolerance": math.inf}),
    "test is None": (InvalidParameter, {"test": None}),
    "effect is 3": (InvalidParameter, {"effect": 3}),
    "family is \\[\\]": (UnknownName, {"family": []}),
    "alternative is None": (UnknownName, {"alternative": None}),
    "lower_is_better is 3": (InvalidParameter, {"lower_is_better": 3}),
    "exact is 'x'": (InvalidParameter, {"test": "randomization", "exact": "x"}),
    "folds is 'x'": (InvalidParameter, {"test": "corrected-t", "folds": "x"}),
    "continuity is 'no'": (InvalidParameter, {"test": "wilcoxon", "continuity": "no"}),
}  # fmt: skip


@pytest.mark.parametrize("message", WRONG)
def test_errors_say_what_to_write(message: str) -> None:
    kind, arguments = WRONG[message]
    with pytest.raises(kind, match=message) as caught:
        ir.compare(**{"values": values(), **arguments}).systems()
    assert caught.value.hint


def test_units_of_one_system_are_reported_by_tests_of_all_systems_too() -> None:
    """Tests of all systems look at fewer units than those that a pair shares."""
    frame = pl.DataFrame({"query_id": range(6), "a": [None, 2.0, 3, 4, 6, 5], "b": [1.0, None, None, 4, 5, 5],
                          "c": [1.0, 2, 3, 4, 5, None]})  # fmt: skip
    table = ir.compare(frame, test=["tukey", "t"], missing="intersect").table()
    columns = ("baseline", "system", "n", "n_baseline_only", "n_system_only")
    pairs = {"ab": (3, 2, 1), "ac": (4, 1, 1), "bc": (3, 1, 2)}
    assert table.filter(test="t").select(columns).rows() == [(*k, *of) for k, of in pairs.items()]
    assert table.filter(test="tukey").select(columns).rows() == [(*k, 2, *of[1:]) for k, of in pairs.items()]


def test_effect_sizes_are_named_one_by_one_or_as_a_list() -> None:
    c = ir.compare(values("ab"))
    assert c.effects(["d_z", "relative"]).equals(c.effects("d_z", "relative"))
    assert c.effects()["effect_name"].to_list() == ["d_z"]
    with pytest.raises(InvalidParameter, match="effect is 3"):
        c.effects(3)


def test_tables_whose_names_mean_something_else() -> None:
    """Systems that are called value or measure, in a table with a column per system."""
    wide = values("ab").pivot("run_id", index="query_id", values="value")
    with pytest.raises(NotDefined, match="no column tells systems apart"):
        ir.compare(wide.rename({"a": "value"})).table()
    with pytest.raises(WrongType, match="'measure' of the values table is Float64") as caught:
        ir.compare(wide.rename({"a": "measure"})).table()
    assert "measure=" in str(caught.value)
    named = ir.compare(wide.rename({"a": "measure", "b": "value"}), measure="of", value="score")
    assert named.table().select("measure", "baseline", "system").rows() == [("score", "measure", "value")]


def test_units_of_one_system_each() -> None:
    """Users who were assigned to systems are no units of a comparison, whatever is done about missing values."""
    users = pl.DataFrame({"variant": ["a", "a", "b", "b"], "user": [1, 2, 3, 4], "value": [0.1, 0.2, 0.3, 0.4]})
    with pytest.raises(MismatchedTables, match="No user has values of value of two systems: each is in one variant"):
        ir.compare(users, system="variant", unit="user").table()
    log = ir.examples.click_log().with_columns(variant=pl.lit("a"))
    with pytest.raises(NotDefined, match='name the column: system="variant"'):
        ir.Impressions(log, by="variant").evaluate("CTR").compare("a").table()
