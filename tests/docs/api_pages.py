"""The pages of the Python reference, `docs/api.md` and `docs/api/`: every public name with its first sentence.

On the site the comments `<!-- api: … -->` become what the docstrings tell (`tests/docs/site/staging.py`).
"""

from __future__ import annotations

import inspect
import re
from pathlib import Path

from tests.docs.api_subjects import PACKAGE, SUBJECTS, Subject, found, members
from tests.docs.markdown import escaped


def pages() -> dict[Path, str]:
    """The text of every page, by its path under `docs/`."""
    return {Path("api.md"): _index()} | {Path("api") / f"{name}.md": _page(s) for name, s in SUBJECTS.items()}


def _index() -> str:
    lines = [
        "# Python", "",
        "`import ireval_frames as ir`: every public name, by subject.",
        "In Python `help(ir.Labels)` and the like tell arguments and give examples; on the site the pages of the",
        "subjects do.",
        "Ranking measures are attributes (`ir.nDCG @ 10`), those of other families attributes of their module",
        "(`ir.labels.MCC`); all are on the page of [measures](measures.md).", "",
        "| subject | names |", "|---|---|",
    ]  # fmt: skip
    for name, subject in SUBJECTS.items():
        lines.append(f"| [{subject.title}](api/{name}.md) | {', '.join(f'`{n}`' for n in subject.names)} |")
    return "\n".join(lines) + "\n"


def _page(subject: Subject) -> str:
    lines = [f"# {subject.title}", "", subject.says, "", "| name | what it is |", "|---|---|"]
    names = members(subject)
    lines += [f"| `{_written(n)}` | {escaped(sentence(n))} |" for n in names]
    for n in names:
        if kind := kind_of(n):
            lines += ["", f"<!-- api: {kind} {PACKAGE}.{n} -->"]
    return "\n".join(lines) + "\n"


def _written(name: str) -> str:
    """How a name is reached: results by their class alone, since they are met and not called."""
    at = found(name)
    return name.rpartition(".")[2] if inspect.isclass(at) and name.count(".") and "errors" not in name else f"ir.{name}"


def kind_of(name: str) -> str:
    """The directive that tells it; none for a number or a text."""
    at = found(name)
    if inspect.isclass(at):
        return "exception" if issubclass(at, BaseException) else "class"
    return "function" if callable(at) else ""


def sentence(name: str) -> str:
    """The first sentence of its docstring."""
    if name == "__version__":
        return "The version of the package."
    text = inspect.getdoc(found(name)) or ""
    return re.split(r"(?<=[.?])\s", text.split("\n\n")[0])[0].replace("\n", " ").strip()
