"""Faults of a line, which follow their function to another file."""

from __future__ import annotations

from pathlib import Path

from tests.mutants.faults import Mutant, apply, mutants

SOURCE = '''
class Of:
    @at(1)
    def share(self, a, b: int = 2):
        """Text with 3 numbers."""
        if a is None and not b:
            raise ValueError(4)
        return a.fill_null(0) / max(b, 1.5)  # é
        return a.fill_null(0) / max(b, 1.5)

    def __repr__(self):
        return "7" * 8
'''


def changed(source: str) -> set[tuple[str, str]]:
    return {(m.fault, m.after) for m in mutants("package/of.py", source)}


def test_faults_of_a_function() -> None:
    assert changed(SOURCE) == {
        ("constant", "@at(2)"),
        ("constant", "def share(self, a, b: int = 3):"),
        ("comparison", "if a is not None and not b:"),
        ("and and or", "if a is None or not b:"),
        ("dropped not", "if a is None and b:"),
        ("dropped check", "if False:"),
        ("dropped fill_null", "return a / max(b, 1.5)"),
        ("constant", "return a.fill_null(1) / max(b, 1.5)"),
        ("constant", "return a.fill_null(0) / max(b, 2.5)"),
        ("arithmetic", "return a.fill_null(0) * max(b, 1.5)"),
        ("opposite", "return a.fill_null(0) / min(b, 1.5)"),
        ("swapped arguments", "return a.fill_null(0) / max(1.5, b)"),
    }


def test_duplicate_lines_have_no_faults() -> None:
    assert changed("def f(a):\n    a += a * 1\n    a += a * 1\n") == set()


def test_a_fault_follows_its_function(tmp_path: Path) -> None:
    package = tmp_path / "package"
    (package / "deeper").mkdir(parents=True)
    file, moved = package / "of.py", package / "deeper" / "other.py"
    file.write_text(SOURCE, "utf-8")
    mutant = Mutant("package/of.py", "Of.share", "dropped check", "if a is None and not b:", "if False:")
    assert apply(mutant, package) == (file, SOURCE.replace(mutant.before, mutant.after))
    moved.write_text("class Else:\n" + SOURCE.partition("class Of:\n")[2], "utf-8")
    file.write_text("", "utf-8")
    assert apply(mutant, package) == (moved, moved.read_text("utf-8").replace(mutant.before, mutant.after))
    moved.write_text("", "utf-8")
    assert apply(mutant, package) is None
