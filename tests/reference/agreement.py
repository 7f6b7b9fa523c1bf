"""Which tools each measure is held against: read from the tests beside this file, so that it is what they compare.

A test names a measure in a text such as "nDCG@10" or "RBP(p=0.8)", or as an attribute such as `ir.Compat`.  Where a
test speaks trec_eval's names, these lead to the measures.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ireval_frames import catalog
from ireval_frames.declaration import Definition

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


@dataclass(frozen=True)
class Held:
    """A test file and the tool whose numbers it compares ours with."""

    tool: str
    """As it is called on PyPI, if it is there."""
    module: str
    family: str = "ranking"
    only: tuple[str, ...] = ()
    """The names of the functions and constants that speak of this tool; all by default."""
    without: tuple[str, ...] = ()
    """Functions that compare nothing, or show where the tool is wrong."""
    names: str = "ours"
    """Whose names of measures are written there: "ours" or "trec_eval"."""
    version: str = ""
    """For tools that are no test dependency; that of others stands in the locked requirements."""


HELD = (
    Held("pytrec-eval-terrier", "test_pytrec_eval", only=("ASKED",), names="trec_eval"),
    Held("ir-measures", "test_ir_measures"),
    Held("ir-measures", "test_cwl_eval", only=("IR_MEASURES",)),
    Held("ir-measures", "test_compat", only=("test_stored_values_of_ir_measures", "test_random_tables_as_ir_measures")),
    Held(
        "Compatibility",
        "test_compat",
        only=("test_the_authors_values",),
        version="of its authors, claclark/Compatibility",
    ),
    Held("cwl-eval", "test_cwl_eval", only=("NAMES", "PAIRS")),
    Held("ir-measures", "test_pairs", only=("test_stored_accuracy", "test_random_accuracy")),
    Held("scikit-learn", "test_pairs", only=("test_area_with_ties",)),
    Held("pyndeval", "test_pyndeval", only=("AT", "WHOLE")),
    Held("pyNTCIREVAL", "test_ntcireval"),
    Held("scikit-learn", "test_scikit_learn", family="labels", without=("test_one_class",)),
    Held("scikit-learn", "test_scikit_learn_scores", family="labels"),
    Held("scikit-learn", "test_clusterings", family="clusters", only=("SCIKIT_LEARN",)),
    Held("igraph", "test_clusterings", family="clusters", only=("IGRAPH",)),
    Held("bcubed", "test_clusterings", family="clusters", only=("BCUBED",)),
    Held("scikit-learn", "test_points", family="points", only=("SCIKIT_LEARN", "test_inertia_over_k")),
    Held("permetrics", "test_points", family="points", only=("PERMETRICS",), version="2.1.0"),
    Held("imbalanced-learn", "test_imbalanced_learn", family="labels"),
    Held("scipy", "test_scipy", family="similarity"),
    Held("rbo", "test_rbo", family="similarity", version="0.1.3"),
    Held(
        "sigir2024-rbo", "test_corsi_urbano", family="similarity", version="of its authors, julian-urbano/sigir2024-rbo"
    ),
    Held("ircor", "test_ircor", family="similarity", version="1.0"),
)
TREC_EVAL = "trec_eval"
# What it prints, byte for byte.
OUTPUTS = HERE.parent / "cli" / "trec_eval"
TREC_EVAL_VERSION = "10.0; the stored outputs of 9.0.8 too"


def agreements() -> dict[Definition, list[str]]:
    """The tools that each measure is held against, in the order of `HELD`."""
    out: dict[Definition, list[str]] = {}
    for tool, definition in [
        *((TREC_EVAL, d) for d in _printed()),
        *((held.tool, d) for held in HELD for d in _named(held)),
    ]:
        tools = out.setdefault(definition, [])
        tools += [tool] if tool not in tools else []
    return out


def versions() -> dict[str, str]:
    """The version of every tool that was compared."""
    out = {TREC_EVAL: TREC_EVAL_VERSION}
    locked = dict(
        re.findall(
            r"^([\w.-]+)==([\w.]+)", (ROOT / "requirements" / "locked.txt").read_text(encoding="utf-8"), re.MULTILINE
        )
    )
    locked = {name.lower().replace("_", "-"): version for name, version in locked.items()}
    for held in HELD:
        out.setdefault(held.tool, held.version or locked.get(held.tool.lower(), "not locked"))
    return out


def _printed() -> Iterator[Definition]:
    """The measures whose figures stand in the stored outputs of trec_eval.

    Of names that begin a printed one, the longest.
    """
    known = {d.name: d for d in catalog.definitions("ranking")} | _trec_names()
    files = [*OUTPUTS.glob("*.out"), *(HERE / "preferences").glob("*.out")]
    printed = {
        line.split()[0] for path in files for line in path.read_text(encoding="utf-8").splitlines() if line.strip()
    }
    for name in sorted(printed):
        fitting = [n for n in known if name == n or name.startswith((f"{n}_", f"{n}."))]
        if fitting:
            yield known[max(fitting, key=len)]


def _named(held: Held) -> Iterator[Definition]:
    """The measures that a test file names."""
    tree = ast.parse((HERE / f"{held.module}.py").read_text(encoding="utf-8"))
    parts = [
        node for node in tree.body if (not held.only or _name(node) in held.only) and _name(node) not in held.without
    ]
    missing = (set(held.only) | set(held.without)) - {_name(node) for node in tree.body}
    if missing:
        raise ValueError(f"{held.module} has no {missing}")
    known = _trec_names() if held.names == "trec_eval" else _our_names(held.family)
    for part in parts:
        for text in _texts(part):
            for word in re.split(r"[\s,;]+", text):
                name = re.match(r"(\w+)(?=$|[(@])", word)
                if name and name.group(1) in known:
                    yield known[name.group(1)]


def _our_names(family: str) -> dict[str, Definition]:
    return {n: d for d in catalog.definitions(family) for n in (d.name, *d.aliases)}


def _trec_names() -> dict[str, Definition]:
    return {name: definition for name, (definition, _) in catalog.trec_names().items()}


def _name(node: ast.stmt) -> str:
    """What a function or an assignment at the top of a file is called."""
    if isinstance(node, ast.FunctionDef):
        return node.name
    target = (
        node.targets[0] if isinstance(node, ast.Assign) else node.target if isinstance(node, ast.AnnAssign) else None
    )
    return target.id if isinstance(target, ast.Name) else ""


def _texts(part: ast.stmt) -> Iterator[str]:
    """Every text but docstrings, and every attribute of the package (`ir.Compat`, `ir.similarity.RBO`)."""
    said = {id(node.value) for node in ast.walk(part) if isinstance(node, ast.Expr)}
    for node in ast.walk(part):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield node.value
        if isinstance(node, ast.Attribute) and ast.unparse(node.value).split(".")[0] == "ir":
            yield node.attr
