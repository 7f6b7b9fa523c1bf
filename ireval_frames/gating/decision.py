"""`ir.gate`: a candidate compared with a baseline by rules."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ireval_frames.comparison.values.sources import MEASURE, Columns, columns_of
from ireval_frames.conventions.rankings import RankingPolicy
from ireval_frames.engines.base import Engine
from ireval_frames.errors import Argument, Hint, InvalidParameter, NotDefined, UnknownName, nearest
from ireval_frames.gating.cells import Cell, cells
from ireval_frames.gating.changes import changes
from ireval_frames.gating.history import History
from ireval_frames.gating.inputs import Side, as_text, rounded, side_of
from ireval_frames.gating.options import GateOptions
from ireval_frames.gating.result import Gate
from ireval_frames.gating.rule_files import read_rules
from ireval_frames.gating.rules import CEILING, FLOOR, PASSED, SAME, SEGMENTS, Rule, parse_rules
from ireval_frames.gating.stored import open_store
from ireval_frames.gating.tests import detectable_differences
from ireval_frames.gating.verdicts import judge
from ireval_frames.replication.matching import with_equal_types
from ireval_frames.store import Store


def gate(
    baseline: Any,
    candidate: Any,
    rules: Any = "no significant loss",
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
    policy: RankingPolicy | str | None = None,
    store: Store | str | Path | None = None,
    engine: str | Engine | None = None,
    con: Any = None,
    storage_options: Mapping[str, Any] | None = None,
) -> Gate:
    """Compare a candidate with a baseline by rules: a verdict for each rule, and one for all.

    Rules are "nDCG@10 >= 0.38" (the mean; also "<="), "nDCG@10 drop <= 0.01" (of the means, or "drop <= 2%" of the
    baseline's), "nDCG@10 no significant loss" (the paired test does not show a loss), "nDCG@10 non-inferior within
    0.02" (non-inferiority: the one-sided interval lies above −0.02), "AP same within 1e-9" (every unit), "units nDCG@10
    worst <= 5" (at most five units lose more than 0.1; "worst <= 5 by 0.2" sets another loss).  Rules about earlier
    evaluations of the run in a store are "nDCG@10 drop <= 0.01 from best of last 20" ("from median of last 5", "from
    last passed") and "nDCG@10 as usual in last 20" (not below the prediction interval of their means).  A rule without
    a measure is about all measures.  It may end with "over all units" or "in each segment" (both by default), and of
    tests with ", undecided passes" or ", undecided fails".

    Verdicts: pass, fail, undecided (a test shows neither, or there is no history yet), incomparable (other judgments,
    conventions, units or measures; it never passes).  By default, undecided passes under "no significant loss" and
    fails under "non-inferior within".  One rejection under "no significant loss" fails the gate, so the p-values of all
    these rules are corrected together by Holm; rules "non-inferior within" must all hold, so each is tested at
    1 − confidence.

    Args:
        baseline: an evaluation; "store:NAME", a stored one by its tag, its id or the beginning of it ("store:NAME/RUN"
            is one of its runs); a pair of judgments and runs, as `ir.evaluate` takes them, evaluated by the rules'
            measures (if they name none, by those of the stored baseline); a table of values per unit, as `ir.compare`
            takes them; or None for rules that need none (">=", "<=" and those about earlier evaluations).  A single
            system is the baseline of every candidate; of several, each is the baseline of the candidate of its name.
        candidate: the same.
        rules: in one text, with semicolons or lines between them; a list; mappings of `rule`, `undecided` and `where`;
            or the path of a TOML file, which may also set options; arguments given here take precedence.
        by: columns that make segments, which are judged besides all units; by default those of the evaluation.
        cluster: a column of units (`unit=["user", "page"]`) whose groups are compared by their means.
        test: "auto": the paired t test from 30 units on, else the randomization test; or either of them.
        confidence: of intervals, two-sided for "no significant loss", one-sided for "non-inferior within".
        n_resamples: of the randomization test's intervals.
        seed: of the draws.
        unit: the columns of tables that identify units.
        system: the column that identifies systems.
        measure: the column of measures, if there are several.
        value: the column of values.
        lower_is_better: the measures of tables of which less is better; evaluations know theirs.
        queries: of pairs: query_id and columns for `by`.
        policy: of pairs: the conventions.
        store: an `ir.Store`, or its folder, with stored evaluations and the history.
        engine: "polars", "duckdb" or "spark"; by default that of each table.
        con: a DuckDB connection or a Spark session.
        storage_options: options for remote paths.

    Raises:
        InvalidParameter: a text is not a rule, or a number is out of range.
        UnknownName: there is no such measure, test or stored evaluation.
        NotDefined: a measure is not a mean, or neither more nor less of it is better and a rule is about losses.
        MissingColumn, WrongType, InvalidValue, DuplicateRows, MismatchedTables: a table is at fault.

    Source: Schuirmann 1987 and Wellek 2010 for non-inferiority; Holm 1979; Berger, Technometrics 1982, for tests that
    must all hold.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> old = pl.DataFrame({"query_id": range(8), "AP": [0.5, 0.25, 0.5, 0.75, 0.25, 0.5, 0.75, 1.0]})
        >>> new = old.with_columns(pl.col("AP") - pl.Series([0.25, 0, 0.25, 0, 0, 0, 0, 0]))
        >>> g = ir.gate(old, new, "AP no significant loss; AP drop <= 0.05; units AP worst <= 2")
        >>> g.table().select("rule", "verdict", "passed").rows()[:2]
        [('AP no significant loss', 'undecided', True), ('AP drop <= 0.05', 'fail', False)]
        >>> g.passed, g.exit_code
        (False, 3)
    """
    options = GateOptions(by, cluster, test, confidence, n_resamples, seed, lower_is_better)  # type: ignore[arg-type]
    if isinstance(rules, Path) or (isinstance(rules, str) and rules.endswith(".toml")):
        parsed, file_options = read_rules(rules)
        options = options.or_else(file_options)
    else:
        parsed = parse_rules(rules)
    if baseline is None and (needy := [r for r in parsed if r.kind not in (FLOOR, CEILING) and not r.historical]):
        raise InvalidParameter(
            f"{str(needy[0])!r} needs a baseline.",
            Hint("Name it: ", Argument("baseline", "baseline.parquet"), ', or write "nDCG@10 >= 0.38".'),
        )
    if candidate is None:
        raise InvalidParameter("There is no candidate.", "Hand it in: ir.gate(baseline, candidate, rules)")
    columns = columns_of(unit=unit, system=system, measure=measure, value=value, by=options.by or ())
    sources = {"engine": engine, "con": con, "storage_options": storage_options}
    sources |= {"policy": policy, "queries": queries, "store": store}
    sides = _sides(baseline, candidate, parsed, columns, options.by, sources)
    old, new = sides.get("baseline"), sides["candidate"]
    values = [side.values for side in sides.values()]
    if old is not None:
        values = list(with_equal_types({name: side.values for name, side in sides.items()}))
    falling = _lower_is_better(sides.values(), options.lower_is_better)
    pairs = cells(values[0] if old is not None else None, values[-1], falling, options.cluster)
    differences = changes(old, new)
    undirected = {name for side in sides.values() for name in side.undirected}
    with_measures = [(rule, _measures(rule, pairs, new, undirected)) for rule in parsed]
    if any(rule.where == SEGMENTS for rule in parsed) and not values[-1].by:
        hint = Hint("Write ", Argument("by", "lang"), ".")
        raise InvalidParameter('A rule is about "in each segment", and no segments are named.', hint)
    lookup = None
    if historical := [rule for rule in parsed if rule.historical]:
        history = History(open_store(store, str(historical[0])), new, old, falling, options.cluster)
        lookup = lambda cell, rule: history.find(cell, rule.last or 1, passed=rule.earlier == PASSED)  # noqa: E731
    verdicts = judge(with_measures, pairs, options, list(differences.reasons()), lookup)
    detectable = detectable_differences([v.cell for v in verdicts], options)
    return Gate(verdicts, detectable, differences, options, values[-1], sides)


def _sides(
    baseline: Any,
    candidate: Any,
    rules: tuple[Rule, ...],
    columns: Columns,
    by: tuple[str, ...] | None,
    options: Mapping[str, Any],
) -> dict[str, Side]:
    """The sides by name; the stored baseline first, whose measures are those of rules that name none."""
    sides: dict[str, Side] = {}
    for name, source in (("baseline", baseline), ("candidate", candidate)):
        if source is not None:
            stored_baseline = sides["baseline"].stored if sides else None
            measures = stored_baseline.measures() if stored_baseline is not None else ()
            sides[name] = side_of(name, source, rules, columns, by=by, options={**options, "measures": measures})
    stored = [side.stored for side in sides.values() if side.stored is not None]
    if stored:
        sides = {name: as_text(side) for name, side in sides.items()}
    # A difference that is only rounding does not count.
    if decimals := [one.decimals for one in stored if one.decimals is not None]:
        sides = {name: rounded(side, min(decimals)) for name, side in sides.items()}
    return sides


def _lower_is_better(sides: Collection[Side], names: Iterable[str]) -> list[str]:
    """The measures of which less is better: as evaluations declare them, and of tables as the user names them.

    Raises:
        UnknownName: a named measure has no values.
    """
    known = {m for side in sides for m in side.values.all_rows[MEASURE].unique().to_list()}
    for name in names:
        if name not in known:
            raise UnknownName(f"There are no values of a measure {name!r}.", nearest(name, known))
    return [*(m for side in sides for m in side.values.lower_is_better), *names]


def _measures(rule: Rule, pairs: Sequence[Cell], candidate: Side, undirected: Collection[str]) -> list[str]:
    """The measures that a rule is about.

    Raises:
        UnknownName: there is no such measure.
        NotDefined: neither more nor less of the measure is better, and the rule is about losses.
    """
    known = list(dict.fromkeys(cell.measure for cell in pairs))
    named = [rule.measure] if rule.measure in known else list(candidate.measures.get(rule.measure, [rule.measure]))
    for name in named if rule.measure else ():
        if name not in known:
            raise UnknownName(f"There are no values of a measure {name!r}.", nearest(name, known))
    requested = named if rule.measure else known
    directed = [name for name in requested if rule.kind in (FLOOR, CEILING, SAME) or name not in undirected]
    if not directed or (rule.measure and len(directed) < len(requested)):
        name = next(name for name in requested if name in undirected)
        raise NotDefined(
            f"Neither more nor less of {name} is better, so {str(rule)!r} is not defined.",
            f'Write "{name} same within 0.1", or a bound: "{name} >= 0.5".',
        )
    return directed
