"""The two sides of `ireval gate`, and its rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ireval_frames import catalog, io
from ireval_frames.cli.options.arguments import DEFAULT
from ireval_frames.cli.options.common import of_one, split_names
from ireval_frames.cli.options.rankings import RankingOptions
from ireval_frames.columns.schema import RUN, resolve
from ireval_frames.errors import InvalidParameter

if TYPE_CHECKING:
    from ireval_frames.evaluation.evaluation import Evaluation
    from ireval_frames.gating import Rule

STORED = "store:"
# Files that may hold values; all others are runs.
_TABLES = (".parquet", ".pq", ".csv", ".tsv", ".arrow", ".jsonl", ".ndjson")


@dataclass(frozen=True)
class SideFiles:
    """The judgments, and the files of both sides."""

    qrels: str | None
    baseline: Sequence[str]
    candidate: Sequence[str]

    @classmethod
    def parse(
        cls, arguments: Sequence[str], baseline: Sequence[str] | None, candidate: Sequence[str] | None
    ) -> SideFiles:
        """The files of the arguments `[store:NAME] [QRELS] [RUN…]` and of the options.

        Raises:
            InvalidParameter: a side is named twice, or there is no candidate.
        """
        rest = list(arguments)
        stored = [rest.pop(0)] if rest and rest[0].startswith(STORED) else []
        qrels = rest.pop(0) if rest and not rest[0].startswith(STORED) else None
        for side, by_place, by_option in (("baseline", stored, baseline), ("candidate", rest, candidate)):
            if by_place and by_option:
                raise InvalidParameter(
                    f"The {side} is named twice: {by_place[0]!r} and --{side} {by_option[0]!r}.",
                    "Leave one of them out.",
                )
        files = cls(qrels, stored or list(baseline or ()), rest or list(candidate or ()))
        if not files.candidate:
            raise InvalidParameter("There is no candidate.", "Write --candidate new.run")
        return files


@dataclass(frozen=True)
class RuleSet:
    """The rules, the measures of rules that name none, the segments, the baseline's own judgments, and the store."""

    rules: tuple[Rule, ...]
    measures: Sequence[str] | None
    by: Sequence[str] | None
    baseline_qrels: str | None
    store: str


def rules_and_options(
    path: str | None, texts: Sequence[str] | None, measures: Sequence[str] | None, *, of_values: bool
) -> tuple[tuple[Rule, ...], dict[str, Any]]:
    """The rules of a file and of the command line, and the options that the file sets.

    Args:
        path: the file.
        texts: rules.
        measures: the measures of rules that name none.
        of_values: the measures are those of tables of values, which need not be known.
    """
    from ireval_frames.gating.rule_files import read_rules
    from ireval_frames.gating.rules import NO_LOSS, parse_rules

    rules, options = read_rules(path) if path is not None else ((), {})
    rules = (*rules, *(parse_rules(texts) if texts else ())) or parse_rules(NO_LOSS)
    names = list(measures or ())
    names = split_names(names) if of_values else [str(m) for text in names for m in catalog.parse_all(text, "ranking")]
    each = [replace(r, measure=n) for r in rules for n in ([r.measure] if r.measure or not names else names)]
    return tuple(dict.fromkeys(each)), options


def sides(files: SideFiles, rule_set: RuleSet, reading: RankingOptions) -> dict[str, str | Evaluation | None]:
    """Both sides as `ir.gate` takes them: paths of values, names of stored evaluations, or evaluations.

    Args:
        files: the files.
        rule_set: the rules.
        reading: how judgments and runs are read and evaluated.

    Raises:
        InvalidParameter: several files of values are named for one side.
    """

    def side(paths: Sequence[str], judgments: str | None) -> str | Evaluation | None:
        if not paths:
            return None
        single = len(paths) == 1
        if single and (judgments is None or paths[0].startswith(STORED) or _has_values(paths[0], reading)):
            return paths[0]
        if judgments is None:
            raise InvalidParameter(
                f"{len(paths)} files of values are named for one side.", "Name one table of values, or judgments first."
            )
        return reading.rankings(judgments, list(paths), by=rule_set.by).evaluate(_measures(files, rule_set))

    return {
        "baseline": side(files.baseline, rule_set.baseline_qrels or files.qrels),
        "candidate": side(files.candidate, files.qrels),
    }


def _has_values(path: str, reading: RankingOptions) -> bool:
    """Whether a file is a table without the columns of runs, so that it holds values per unit.

    A table of documents with scores or ranks is a run, even if it does not name the query's column as we do.
    """
    if path == "-" or not path.lower().endswith(_TABLES):
        return False
    columns = io.scan_table(path, reading.stores).collect_schema().names()
    present = {ours: name for ours, name in of_one(reading.columns, RUN).items() if name in columns}
    optional = replace(RUN, columns=tuple(replace(c, required=False) for c in RUN.columns))
    resolved = resolve(optional, columns, present)
    return "doc_id" not in resolved or not {"query_id", "score", "rank"} & {*resolved}


def _measures(files: SideFiles, rule_set: RuleSet) -> list[Any]:
    """The measures that rules name; if one names none, also those of the stored baseline, or the default ones."""
    measures = list(dict.fromkeys(rule.measure for rule in rule_set.rules if rule.measure))
    stored = [path for path in files.baseline if path.startswith(STORED)]
    if stored and not all(rule.measure for rule in rule_set.rules):
        from ireval_frames.gating.stored import find_stored

        measures += [m for m in find_stored(stored[0], rule_set.store).measures() if m not in measures]
    return catalog.parse_all(measures or list(DEFAULT), "ranking")
