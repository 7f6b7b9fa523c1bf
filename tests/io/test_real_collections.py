"""The counts of the real collections, where their files are: a folder named by IREVAL_COLLECTIONS, or ../shared."""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import Any

import pytest

import ireval_frames as ir

FOLDER = Path(os.environ.get("IREVAL_COLLECTIONS", "../shared/collections"))
# The files of each collection, by what they have, and their numbers of documents, queries, judged queries, judgments.
COUNTS: dict[str, tuple[dict[str, str], tuple[int, int, int, int]]] = {
    "ADI": ({"documents": "ADI.ALL", "queries": "ADI.QRY", "qrels": "ADI.REL"}, (82, 35, 35, 170)),
    "CACM": ({"documents": "cacm.all", "queries": "query.text", "qrels": "qrels.text"}, (3204, 64, 52, 796)),
    "CFC": ({"documents": "cf7?", "queries": "cfquery", "qrels": "cfquery"}, (1239, 100, 100, 4 * 4819)),
    "CFC in XML": (
        {"documents": "cf7?.xml", "queries": "cfquery.xml", "qrels": "cfquery.xml"}, (1239, 100, 100, 4 * 4819),
    ),
    "CISI": ({"documents": "CISI.ALL", "queries": "CISI.QRY", "qrels": "CISI.REL"}, (1460, 112, 76, 3114)),
    # 1,837 lines, 225 of them with the code -1.
    "Cranfield": ({"documents": "cran.all.1400", "queries": "cran.qry", "qrels": "cranqrel"}, (1400, 225, 225, 1612)),
    "LISA": ({"documents": "LISA?.???", "queries": "LISA.QUE", "qrels": "LISARJ.NUM"}, (5999, 35, 35, 379)),
    "MED": ({"documents": "MED.ALL", "queries": "MED.QRY", "qrels": "MED.REL"}, (1033, 30, 30, 696)),
    "NPL": ({"documents": "doc-text", "queries": "query-text", "qrels": "rlv-ass"}, (11429, 93, 93, 2083)),
    "TIME": ({"documents": "TIME.ALL", "queries": "TIME.QUE", "qrels": "TIME.REL.ALL"}, (423, 83, 83, 324)),
}  # fmt: skip


def tables(name: str) -> dict[str, Any]:
    files, _ = COUNTS[name]
    # Judgments of three columns could be grades.
    options = {"qrels": {"format": "cranfield"}} if name == "Cranfield" else {}
    out = {}
    for what, pattern in files.items():
        paths = sorted(FOLDER.rglob(pattern))
        if not paths:
            pytest.skip(f"{FOLDER} has no {pattern}")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ir.errors.ReadingWarning)
            out[what] = getattr(ir.io, f"read_{what}")(paths, **options.get(what, {}))
    return out


@pytest.mark.parametrize("name", COUNTS)
def test_counts(name: str) -> None:
    read = tables(name)
    judged = read["qrels"]
    _, expected = COUNTS[name]
    assert (
        read["documents"].height, read["queries"].height, judged["query_id"].n_unique(), judged.height,
    ) == expected  # fmt: skip
    # The ids of the three files fit together.
    assert set(judged["query_id"]) <= set(read["queries"]["query_id"])
    coverage = ir.pools.collection_coverage(read["documents"], judged)
    dangling = {"424", "425"} if name == "TIME" else set()
    assert set(coverage.dangling()["doc_id"]) == dangling


def test_codes_of_cranfield_become_grades() -> None:
    grades = tables("Cranfield")["qrels"]["relevance"].value_counts().sort("relevance").rows()
    assert grades == [(1, 363), (2, 734), (3, 387), (4, 128)]


def test_documents_of_cfc_in_both_forms() -> None:
    plain, xml = (tables(name)["documents"] for name in ("CFC", "CFC in XML"))
    assert plain.select("doc_id", "number", "title").equals(xml.select("doc_id", "number", "title"))
    texts = [[" ".join((text or "").split()) for text in frame["text"]] for frame in (plain, xml)]
    # One abstract lacks its first words in the XML.
    assert sum(one != other for one, other in zip(*texts, strict=True)) == 1
