"""Each danger of `docs/security.md` has tests that show what happens."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text("utf-8")
HERE = "tests/security/test_hostile_data.py"
PROOFS = {
    "pickles": [f"{HERE}::test_pickles_are_not_opened", f"{HERE}::test_nothing_is_executed_or_written_elsewhere"],
    "names of measures": [f"{HERE}::test_names_of_measures_and_options_are_not_run"],
    "SQL in names and values": [
        "tests/sql/test_hostile_names.py::test_names_of_runs_and_units",
        "tests/sql/test_hostile_names.py::test_columns_of_relations_and_in_the_text",
        "tests/macros/test_tables.py::test_a_name_is_not_run_as_a_statement",
    ],
    "SQL over a store": ["tests/store/test_injections.py::test_a_query_changes_nothing_and_reaches_nothing"],
    "HTML and scripts in names": [
        "tests/reporting/test_report.py::test_hostile_names_stay_names",
        "tests/reporting/test_report.py::test_the_policy_allows_the_style_and_nothing_else",
        "tests/reporting/test_displays.py::test_hostile_names_are_text",
        "tests/plots/test_drawn.py::test_hostile_names_are_drawn_as_text",
        "tests/cli/test_report.py::test_pictures_answer_on_request",
        "tests/browser/test_pages.py::test_nothing_is_requested_and_nothing_said",
    ],
    "Markdown and commands of CI": [
        "tests/gating/test_documents.py::test_text_has_no_commands_and_no_control_characters",
        "tests/gating/test_documents.py::test_markdown_cells_and_limit",
        "tests/gating/test_documents.py::test_github",
        "tests/gating/test_documents.py::test_junit",
    ],
    "control characters": [
        "tests/results/test_escapes.py::test_texts_of_results",
        "tests/results/test_escapes.py::test_what_the_command_prints",
        "tests/results/test_escapes.py::test_a_terminal",
    ],
    "formulas in CSV": [f"{HERE}::test_formulas_are_written_as_they_are"],
    "paths in names": [
        "tests/store/test_injections.py::test_what_is_said_of_an_addition_comes_back_as_it_was",
        "tests/store/test_foreign.py::test_intruders_in_every_folder",
    ],
    "paths in files": [
        f"{HERE}::test_a_delta_table_reads_no_file_outside_of_its_folder",
        f"{HERE}::test_archives_are_not_unpacked",
        f"{HERE}::test_entities_of_xml_neither_grow_nor_fetch",
    ],
    "small files that grow": [
        f"{HERE}::test_a_small_archive_of_much_is_refused",
        f"{HERE}::test_an_archive_that_says_less_than_it_has_is_refused",
        f"{HERE}::test_entities_of_xml_neither_grow_nor_fetch",
    ],
    "small files that take long": ["tests/security/test_time.py::test_it_ends_soon"],
    "the network": [
        f"{HERE}::test_nothing_is_executed_or_written_elsewhere",
        "tests/browser/test_pages.py::test_nothing_is_requested_and_nothing_said",
    ],
    "keys of object stores": [
        "tests/io/test_remote.py::test_keys_are_not_shown",
        "tests/io/test_remote.py::test_text_of_sql_does_not_read_stores",
    ],
}


def test_each_danger_has_tests() -> None:
    table = PAGE.partition("| danger | what happens |\n|---|---|\n")[2].partition("\n\n")[0]
    assert re.findall(r"^\| ([^|]+) \|", table, re.MULTILINE) == [*PROOFS]


@pytest.mark.parametrize("danger", PROOFS)
def test_the_tests_exist(danger: str) -> None:
    for proof in PROOFS[danger]:
        path, _, name = proof.partition("::")
        functions = {n.name for n in ast.parse((ROOT / path).read_text("utf-8")).body if isinstance(n, ast.FunctionDef)}
        assert name in functions, proof
