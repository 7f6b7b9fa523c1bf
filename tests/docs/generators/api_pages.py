"""The pages of the Python reference, `docs/api.md` and `docs/api/`: every public name with its first sentence.

On the site the comments `<!-- api: … -->` become the docstrings (`tests/docs/site/staging.py`).
"""

from __future__ import annotations

import inspect
import re
from pathlib import Path

from tests.docs.generators.api_subjects import PACKAGE, SUBJECTS, Subject, members, resolve
from tests.docs.generators.markdown import escaped


def pages() -> dict[Path, str]:
    """The text of every page, by its path under `docs/`."""
    return {Path("api.md"): _index()} | {Path("api") / f"{name}.md": _page(s) for name, s in SUBJECTS.items()}


def _index() -> str:
    lines = [
        "# Python", "",
        "`import ireval_frames as ir`: every public name, by subject.",
        "`help(ir.Labels)` describes arguments and has examples; on the site, so do the pages of subjects.",
        "Ranking measures are attributes (`ir.nDCG @ 10`), measures of other families attributes of their module",
        "(`ir.labels.MCC`); [measures](measures.md) lists all.", "",
        "| subject | names |", "|---|---|",
    ]  # fmt: skip
    for name, subject in SUBJECTS.items():
        lines.append(f"| [{subject.title}](api/{name}.md) | {', '.join(f'`{n}`' for n in subject.names)} |")
    return "\n".join(lines) + "\n"


def _page(subject: Subject) -> str:
    lines = [f"# {subject.title}", "", subject.sentence, "", "| name | description |", "|---|---|"]
    names = members(subject)
    lines += [f"| `{_path(n)}` | {escaped(sentence(n))} |" for n in names]
    for n in names:
        if kind := kind_of(n):
            lines += ["", f"<!-- api: {kind} {PACKAGE}.{n} -->"]
    return "\n".join(lines) + "\n"


def _path(name: str) -> str:
    """The name for users; classes of results have no path, since users do not create them."""
    at = resolve(name)
    return name.rpartition(".")[2] if inspect.isclass(at) and name.count(".") and "errors" not in name else f"ir.{name}"


def kind_of(name: str) -> str:
    """The directive of autodoc; empty for a number or a text."""
    at = resolve(name)
    if inspect.isclass(at):
        return "exception" if issubclass(at, BaseException) else "class"
    return "function" if callable(at) else ""


def sentence(name: str) -> str:
    """The first sentence of its docstring."""
    if name == "__version__":
        return "The version of the package."
    text = inspect.getdoc(resolve(name)) or ""
    return re.split(r"(?<=[.?])\s", text.split("\n\n")[0])[0].replace("\n", " ").strip()
