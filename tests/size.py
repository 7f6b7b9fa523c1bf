"""How large the package is, as of any revision: `python -m tests.size [REVISION]`.

Lines of code are those with a token that is no docstring and no comment.  Calls are Python's own calls of functions of
the package during the second of two equal evaluations.
"""

from __future__ import annotations

import argparse
import ast
import io
import os
import subprocess
import sys
import tarfile
import tempfile
import tokenize
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = "ireval_frames"
NO_CODE = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER,
    tokenize.ENCODING,
}  # fmt: skip
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)

IMPORT = f"import sys, {PACKAGE}; print(*sys.modules)"
EVALUATE = f"""
import sys, {PACKAGE} as ir
qrels, run = ir.examples.ranking()
call = lambda: ir.evaluate(qrels, run, "nDCG@10 AP").summary()
call()
files, calls = set(), 0
def count(frame, event, _):
    global calls
    if event == "call" and "{PACKAGE}" in frame.f_code.co_filename:
        files.add(frame.f_code.co_filename)
        calls += 1
sys.setprofile(count)
call()
sys.setprofile(None)
print(len(files), calls)
"""


def code_lines(source: str) -> int:
    """The lines of a text that are code, not docstrings, comments or blank."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    lines = {n for t in tokens if t.type not in NO_CODE for n in range(t.start[0], t.end[0] + 1)}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            docstring = node.body[0]
            lines -= set(range(docstring.lineno, docstring.end_lineno + 1))
    return len(lines)


def public_names(source: str) -> list[str]:
    """The names in `__all__` of a module's text."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and [getattr(t, "id", "") for t in node.targets] == ["__all__"]:
            return list(ast.literal_eval(node.value))
    return []


def in_python(code: str, tree: Path) -> list[str]:
    """What a fresh Python prints that runs this code with the package of this tree."""
    environment = os.environ | {"PYTHONPATH": str(tree)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tree, env=environment, check=True, capture_output=True, text=True
    )
    return done.stdout.split()


def sizes(tree: Path) -> dict[str, int]:
    """The figures of the package in one tree of files."""
    texts = {p: p.read_text("utf-8") for p in (tree / PACKAGE).rglob("*.py")}
    modules = in_python(IMPORT, tree)
    files, calls = in_python(EVALUATE, tree)
    return {
        "files": len(texts),
        "lines": sum(len(text.splitlines()) for text in texts.values()),
        "lines of code": sum(map(code_lines, texts.values())),
        "longest file": max(len(text.splitlines()) for text in texts.values()),
        "top-level names": len(public_names(texts[tree / PACKAGE / "__init__.py"])),
        "modules loaded by import": len(modules),
        "of these its own": sum(name.partition(".")[0] == PACKAGE for name in modules),
        "files in evaluate 'nDCG@10 AP'": int(files),
        "calls in evaluate 'nDCG@10 AP'": int(calls),
    }


def of_revision(revision: str) -> dict[str, int]:
    """The figures of the package as of a revision."""
    done = subprocess.run(["git", "archive", revision, PACKAGE], cwd=ROOT, check=True, capture_output=True)
    with tempfile.TemporaryDirectory() as folder, tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        archive.extractall(folder, filter="data")
        return sizes(Path(folder))


def main() -> None:
    """Print the figures of the working tree, or of a revision."""
    parser = argparse.ArgumentParser(description="The size of the package.")
    parser.add_argument("revision", nargs="?", help="a revision of git; by default the files as they are")
    revision = parser.parse_args().revision
    for what, figure in (of_revision(revision) if revision else sizes(ROOT)).items():
        sys.stdout.write(f"{figure:>8,}  {what}\n")


if __name__ == "__main__":
    main()
