"""What `ireval gate` is about: its files, rules, and both sides of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ireval_frames import catalog, io
from ireval_frames.cli.options.arguments import DEFAULT
from ireval_frames.cli.options.common import several
from ireval_frames.cli.options.rankings import RankingOptions
from ireval_frames.columns.schema import RUN, resolve
from ireval_frames.errors import InvalidParameter, MissingColumn

if TYPE_CHECKING:
    from ireval_frames.gating import Rule

STORED = "store:"
# Files that may hold values; all others are runs.
_TABLES = (".parquet", ".pq", ".csv", ".tsv", ".arrow", ".jsonl", ".ndjson")


@dataclass(frozen=True)
class Files:
    """The judgments, and the files of both sides."""

    qrels: str | None
    baseline: Sequence[str]
    candidate: Sequence[str]


@dataclass(frozen=True)
class GateRequest:
    """The rules, the measures of those that name none, the segments, the baseline's own judgments, and the store."""

    rules: tuple[Rule, ...]
    measures: Sequence[str] | None
    by: Sequence[str] | None
    baseline_qrels: str | None
    store: str


def named(arguments: Sequence[str], baseline: Sequence[str] | None, candidate: Sequence[str] | None) -> Files:
    """The files, from the arguments `[store:NAME] [QRELS] [RUN…]` and the options.

    Raises:
        InvalidParameter: a side is named twice, or there is no candidate.
    """
    rest = list(arguments)
    before = [rest.pop(0)] if rest and rest[0].startswith(STORED) else []
    qrels = rest.pop(0) if rest and not rest[0].startswith(STORED) else None
    for side, mine, theirs in (("baseline", before, baseline), ("candidate", rest, candidate)):
        if mine and theirs:
            raise InvalidParameter(
                f"The {side} is named twice: {mine[0]!r} and --{side} {theirs[0]!r}.", "Leave one of them out."
            )
    found = Files(qrels, before or list(baseline or ()), rest or list(candidate or ()))
    if not found.candidate:
        raise InvalidParameter("There is no candidate.", "Write --candidate new.run")
    return found


def ruled(
    path: str | None, texts: Sequence[str] | None, measures: Sequence[str] | None, *, values: bool
) -> dict[str, Any]:
    """The rules of a file and of the command line, and what else the file says.

    Args:
        path: the file.
        texts: rules.
        measures: which measures rules are about that name none.
        values: the measures are those of tables of values, which need not be known.
    """
    from ireval_frames.gating.files import read_rules
    from ireval_frames.gating.rules import rules_of

    said = read_rules(path) if path is not None else {"rules": ()}
    wanted = (*said["rules"], *(rules_of(texts) if texts else ())) or rules_of("no harm")
    given = list(measures or ())
    names = several(given) if values else [str(m) for text in given for m in catalog.parse_all(text, "ranking")]
    each = [replace(r, measure=n) for r in wanted for n in ([r.measure] if r.measure or not names else names)]
    return {**said, "rules": tuple(dict.fromkeys(each))}


def sides(files: Files, asked: GateRequest, reading: RankingOptions) -> dict[str, Any]:
    """Both sides as `ir.gate` takes them: paths of values, names of stored evaluations, or evaluations.

    Args:
        files: which files.
        asked: what is asked of them.
        reading: how judgments and runs are read and evaluated.

    Raises:
        InvalidParameter: several files of values are named for one side.
    """

    def side(paths: Sequence[str], judgments: str | None) -> Any:
        if not paths:
            return None
        alone = len(paths) == 1
        if alone and (judgments is None or paths[0].startswith(STORED) or _of_values(paths[0], reading.stores)):
            return paths[0]
        if judgments is None:
            raise InvalidParameter(
                f"{len(paths)} files of values are named for one side.", "Name one table of values, or judgments first."
            )
        return reading.rankings(judgments, list(paths), by=asked.by).evaluate(_measures(files, asked))

    return {
        "baseline": side(files.baseline, asked.baseline_qrels or files.qrels),
        "candidate": side(files.candidate, files.qrels),
    }


def _of_values(path: str, stores: Mapping[str, str] | None) -> bool:
    """Whether a file holds values per unit and no run: a table that lacks the columns of runs."""
    if path == "-" or not path.lower().endswith(_TABLES):
        return False
    try:
        resolve(RUN, io.scan_table(path, stores).collect_schema().names())
    except MissingColumn:
        return True
    return False


def _measures(files: Files, asked: GateRequest) -> list[Any]:
    """The measures that rules name; where one names none, those of the stored baseline, or the default ones."""
    found = list(dict.fromkeys(rule.measure for rule in asked.rules if rule.measure))
    if not all(rule.measure for rule in asked.rules):
        of = [path for path in files.baseline if path.startswith(STORED)]
        if of:
            from ireval_frames.gating.stored import stored

            found += [m for m in stored(of[0], asked.store).measures() if m not in found]
    return catalog.parse_all(found or list(DEFAULT), "ranking")
