"""`ir.gate`: a candidate held against a baseline by rules."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ireval_frames.columns.user_names import columns_named
from ireval_frames.comparison.values.sources import MEASURE, Columns, columns_of
from ireval_frames.engines.base import Engine
from ireval_frames.errors import Argument, Hint, InvalidParameter, NotDefined, UnknownName, nearest
from ireval_frames.gating.cells import Cell, cells
from ireval_frames.gating.changes import changes
from ireval_frames.gating.files import read_rules
from ireval_frames.gating.history import History
from ireval_frames.gating.result import Gate
from ireval_frames.gating.rules import CEILING, FLOOR, PASSED, SAME, SEGMENTS, Rule, rules_of
from ireval_frames.gating.sides import Side, as_text, rounded, side_of
from ireval_frames.gating.stored import opened
from ireval_frames.gating.tested import GateOptions, smallest_margins
from ireval_frames.gating.verdicts import judged
from ireval_frames.replication.matched import alike


def gate(
    baseline: Any,
    candidate: Any,
    rules: Any = "no harm",
    *,
    by: str | Sequence[str] | None = None,
    cluster: str | None = None,
    test: str = "auto",
    confidence: float = 0.95,
    n_resamples: int = 10_000,
    seed: int = 0,
    unit: str | Sequence[str] = "query_id",
    system: str = "run_id",
    measure: str = "measure",
    value: str = "value",
    lower_is_better: str | Iterable[str] = (),
    queries: Any = None,
    policy: Any = None,
    store: Any = None,
    engine: str | Engine | None = None,
    con: Any = None,
    storage_options: Mapping[str, Any] | None = None,
) -> Gate:
    """Hold a candidate against a baseline by rules: a verdict of each, and one of all.

    Rules are "nDCG@10 >= 0.38" (the mean; also "<="), "nDCG@10 drop <= 0.01" (of the means, or "drop <= 2%" of the
    baseline's), "nDCG@10 no harm" (the paired test shows no loss), "nDCG@10 not worse by 0.02" (non-inferiority: the
    one-sided interval lies above −0.02), "AP same within 1e-9" (every unit), "units nDCG@10 worst <= 5" (at most five
    units lose more than 0.1; "worst <= 5 by 0.2" says another loss).  Of earlier evaluations of the run in a store are
    "nDCG@10 drop <= 0.01 from best of last 20" ("from median of last 5", "from last passed") and "nDCG@10 as usual in
    last 20" (not below the prediction interval of their means).  Without a measure a rule is about all.  Behind it may
    stand "over all units" or "in each segment" (both by default), and for tests "undecided passes" or "fails".

    Verdicts: pass, fail, undecided (a test shows neither, or there is no history yet), incomparable (other judgments,
    conventions, units or measures; it never passes).  Undecided passes under "no harm" and fails under "not worse by".
    Rules "no harm" raise an alarm if any of them does, so their p-values are corrected together by Holm; rules "not
    worse by" must all hold, so each is tested at 1 − confidence.

    Args:
        baseline: an evaluation; "store:NAME", a stored one by its tag, its id or the beginning of it ("store:NAME/RUN"
            is one of its runs); a pair of judgments and runs, as `ir.evaluate` takes them, of which the rules' measures
            are evaluated (where they name none, those of the stored baseline); a table of values per unit, as
            `ir.compare` takes them; or None for rules that need none (">=", "<=" and those about earlier evaluations).
            One system is the baseline of every candidate; of several each candidate's is that of its name.
        candidate: the same.
        rules: in one text, with semicolons or lines between them; a list; mappings of `rule`, `undecided` and `where`;
            or the path of a TOML file.
        by: columns that make segments, which are judged each besides all units; by default those of the evaluation.
        cluster: a column of units (`unit=["user", "page"]`): its groups are compared by their means.
        test: "auto": the paired t test from 30 units on, else the randomization test; or one of both.
        confidence: of intervals, two-sided for "no harm", one-sided for "not worse by".
        n_resamples: of the randomization test's intervals.
        seed: of the draws.
        unit: the columns of tables that tell units apart.
        system: the column that tells systems apart.
        measure: the column of measures, if there are several.
        value: the column of values.
        lower_is_better: the measures of tables of which less is better; evaluations know theirs.
        queries: of pairs: query_id and columns for `by`.
        policy: of pairs: the conventions.
        store: an `ir.Store`, or its folder, where stored evaluations and the history are.
        engine: "polars", "duckdb" or "spark"; by default where each table is.
        con: a DuckDB connection or a Spark session.
        storage_options: what the stores of remote paths are told.

    Raises:
        InvalidParameter: a text is no rule, or a number is outside what it may be.
        UnknownName: there is no such measure, test or stored evaluation.
        NotDefined: a measure is no mean, or neither more nor less of it is better and a rule is about what is worse.
        MissingColumn, WrongType, InvalidValue, DuplicateRows, MismatchedTables: a table is at fault.

    Source: Schuirmann 1987 and Wellek 2010 for non-inferiority; Holm 1979; Berger, Technometrics 1982, for tests that
    must all hold.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> old = pl.DataFrame({"query_id": range(8), "AP": [0.5, 0.25, 0.5, 0.75, 0.25, 0.5, 0.75, 1.0]})
        >>> new = old.with_columns(pl.col("AP") - pl.Series([0.25, 0, 0.25, 0, 0, 0, 0, 0]))
        >>> g = ir.gate(old, new, "AP no harm; AP drop <= 0.05; units AP worst <= 2")
        >>> g.table().select("rule", "verdict", "passed").rows()[:2]
        [('AP no harm', 'undecided', True), ('AP drop <= 0.05', 'fail', False)]
        >>> g.passed, g.exit_code
        (False, 3)
    """
    said = _said(rules, by, cluster, test, confidence, lower_is_better)
    wanted: tuple[Rule, ...] = said["rules"]
    tests = GateOptions(said["test"], said["confidence"], n_resamples, seed)
    groups = None if said["by"] is None else columns_named(said["by"], "by")
    columns = columns_of(unit=unit, system=system, measure=measure, value=value, by=groups or ())
    options: dict[str, Any] = {"engine": engine, "con": con, "storage_options": storage_options}
    options |= {"policy": policy, "queries": queries, "store": store}
    if baseline is None and (needy := [r for r in wanted if r.kind not in (FLOOR, CEILING) and not r.historical]):
        other = needy[0]
        raise InvalidParameter(f"{str(other)!r} needs a baseline.", 'Hand one in, or ask for "nDCG@10 >= 0.38".')
    if candidate is None:
        raise InvalidParameter("There is no candidate.", "Hand it in: ir.gate(baseline, candidate, rules)")
    sides = _sides(baseline, candidate, wanted, columns, groups, options)
    old, new = sides.get("baseline"), sides["candidate"]
    values = [side.values for side in sides.values()]
    if old is not None:
        values = list(alike({name: side.values for name, side in sides.items()}))
    falling = _falling(sides.values(), said["lower_is_better"])
    found = cells(values[0] if old is not None else None, values[-1], falling, said["cluster"])
    differ = changes(old, new)
    undirected = {name for side in sides.values() for name in side.undirected}
    about = [(rule, _measures(rule, found, new, undirected)) for rule in wanted]
    if any(rule.where == SEGMENTS for rule in wanted) and not values[-1].by:
        hint = Hint("Write ", Argument("by", "lang"), ".")
        raise InvalidParameter('A rule is about "in each segment", and no segments are named.', hint)
    look = None
    if historical := [rule for rule in wanted if rule.historical]:
        history = History(opened(store, str(historical[0])), new, old, falling, said["cluster"])
        look = lambda cell, rule: history.of(cell, rule.last or 1, passed=rule.earlier == PASSED)  # noqa: E731
    verdicts = judged(about, found, tests, list(differ.reasons()), look)
    margins = smallest_margins([v.cell for v in verdicts], tests)
    return Gate(verdicts, margins, differ, tests, values[-1], said["cluster"], sides)


def _sides(
    baseline: Any,
    candidate: Any,
    rules: tuple[Rule, ...],
    columns: Columns,
    by: tuple[str, ...] | None,
    options: Mapping[str, Any],
) -> dict[str, Side]:
    """The sides that there are.  A stored baseline is looked at first: it has the measures of rules that name none."""
    sides: dict[str, Side] = {}
    for name, given in (("baseline", baseline), ("candidate", candidate)):
        if given is not None:
            first = sides["baseline"].stored if sides else None
            more = {"measures": first.measures() if first is not None else ()}
            sides[name] = side_of(name, given, rules, columns, by=by, options={**options, **more})
    kept = [side.stored for side in sides.values() if side.stored is not None]
    if kept:
        sides = {name: as_text(side) for name, side in sides.items()}
    # What rounding took away is no difference between the two.
    if decimals := [one.decimals for one in kept if one.decimals is not None]:
        sides = {name: rounded(side, min(decimals)) for name, side in sides.items()}
    return sides


def _said(
    rules: Any, by: Any, cluster: str | None, test: str, confidence: float, lower_is_better: Any
) -> dict[str, Any]:
    """What is asked; a file of rules may say it instead, and an argument of its own wins."""
    asked = {"by": by, "cluster": cluster, "test": test, "confidence": confidence, "lower_is_better": lower_is_better}
    defaults = {"by": None, "cluster": None, "test": "auto", "confidence": 0.95, "lower_is_better": ()}
    if isinstance(rules, Path) or (isinstance(rules, str) and rules.endswith(".toml")):
        given = {name: v for name, v in asked.items() if v != defaults[name]}
        return {**defaults, **read_rules(rules), **given}
    return {**asked, "rules": rules_of(rules)}


def _falling(sides: Iterable[Side], named: str | Iterable[str]) -> list[str]:
    """The measures of which less is better: as evaluations declare them, and of tables as they are named.

    Raises:
        UnknownName: there are no values of one that is named.
    """
    both = list(sides)
    known = {m for side in both for m in side.values.all_rows[MEASURE].unique().to_list()}
    out = [m for side in both for m in side.values.falling]
    for name in (named,) if isinstance(named, str) else named:
        if name not in known:
            raise UnknownName(f"There are no values of a measure {name!r}.", nearest(name, known))
        out.append(name)
    return out


def _measures(rule: Rule, found: Sequence[Cell], candidate: Side, undirected: Collection[str]) -> list[str]:
    """The measures that a rule is about.

    Raises:
        UnknownName: there is no such measure.
        NotDefined: of the measure neither more nor less is better, and the rule is about what is worse.
    """
    known = list(dict.fromkeys(cell.measure for cell in found))
    named = [rule.measure] if rule.measure in known else list(candidate.measures.get(rule.measure, [rule.measure]))
    for name in named if rule.measure else ():
        if name not in known:
            raise UnknownName(f"There are no values of a measure {name!r}.", nearest(name, known))
    asked = named if rule.measure else known
    kept = asked if rule.kind in (FLOOR, CEILING, SAME) else [name for name in asked if name not in undirected]
    if not kept or (rule.measure and len(kept) < len(asked)):
        name = next(name for name in asked if name in undirected)
        raise NotDefined(
            f"Of {name} neither more nor less is better, so {str(rule)!r} says nothing.",
            f'Write "{name} same within 0.1", or a bound: "{name} >= 0.5".',
        )
    return kept
