"""Which tools each measure agrees with: what the tests beside this file compared when they were last recorded.

`pytest --record-agreement` (`make docs`) writes `agreement.json`; `recording.py` holds every other run to it.
"""

from __future__ import annotations

import re
from pathlib import Path

from ireval_frames import catalog
from ireval_frames.declaration import Definition
from tests.reference.recording import recorded

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
TREC_EVAL = "trec_eval"
# The tools in the order of the pages, as they are called on PyPI if they are there, and their versions; that of a test
# dependency stands in the locked requirements.
TOOLS = {
    TREC_EVAL: "10.0; the stored outputs of 9.0.8 too",
    "pytrec-eval-terrier": "",
    "ir-measures": "",
    "Compatibility": "of its authors, claclark/Compatibility",
    "cwl-eval": "",
    "scikit-learn": "",
    "pyndeval": "",
    "pyNTCIREVAL": "",
    "sample_eval": "of October 2011, and TRECVID's of September 2012",
    "statAP_MQ_eval": "4",
    "igraph": "",
    "bcubed": "",
    "permetrics": "2.1.0",
    "imbalanced-learn": "",
    "scipy": "",
    "numpy": "",
    "rbo": "0.1.3",
    "sigir2024-rbo": "of its authors, julian-urbano/sigir2024-rbo",
    "ircor": "1.0",
    "nltk": "",
    "rouge-score": "",
    "sacrebleu": "",
    "segeval": "",
    "neleval": "3.1.1",
    "seqeval": "",
    "scorch": "",
    "nervaluate": "",
    "PyEvALL": "0.2.11",
    "RecTools": "0.19.0",
    "RePlay": "0.22.0",
    "recommenders": "1.2.1",
    "LensKit": "2025.8.1",
    "nuggetizer": "of castorini/nuggetizer, d00dc3e",
    "RBU": "0.1, of its authors, jCarrilloDeAlbornoz/RBU",
}


def agreements() -> dict[Definition, list[str]]:
    """The tools that each measure agrees with, in the order of `TOOLS`."""
    out: dict[str, set[str]] = {}
    for by_tool in recorded().values():
        for tool, measures in by_tool.items():
            for measure in measures:
                out.setdefault(measure, set()).add(tool)
    known = {f"{d.family}.{d.name}": d for d in catalog.definitions()}
    return {known[measure]: [t for t in TOOLS if t in tools] for measure, tools in out.items() if measure in known}


def versions() -> dict[str, str]:
    """The version of every tool that was compared."""
    known = locked()
    return {tool: version or known.get(tool.lower(), "not locked") for tool, version in TOOLS.items()}


def locked() -> dict[str, str]:
    """The versions of the locked requirements."""
    text = (ROOT / "requirements" / "locked.txt").read_text(encoding="utf-8")
    versions = dict(re.findall(r"^([\w.-]+)==([\w.]+)", text, re.MULTILINE))
    return {name.lower().replace("_", "-"): version for name, version in versions.items()}
