"""Write small files in the layouts of test collections: the same six documents and four queries in each.

    python data/formats/collections/make.py

All texts are invented here; no collection's data is copied. The slips of the collections are imitated where readers
repair them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

# The number of a document, its title and its text.
DOCUMENTS = [
    (1, "Sharpening a plane iron", "A flat stone and water are enough.\nWork from coarse to fine."),
    (2, "Drying oak", "Boards dry an inch of thickness in a year.\nStack them with laths between."),
    (3, "Glue from hides", "Warm it slowly; boiled glue is weak."),
    (4, "Saws and their teeth", ""),
    (5, "Oil for handles", "Linseed oil needs days, & rags of it may burn."),
    (6, "Planing against the grain", "A close chip breaker prevents tearing."),
]
QUERIES = [
    (1, "How are plane irons sharpened?"),
    (2, "How long does wood dry\nbefore it can be used?"),
    (3, "Which glue can be undone?"),
    (4, "tearing of the grain"),
]
# The relevant documents of each query.
RELEVANT = {1: [1, 6], 2: [2], 3: [3], 4: [1, 4, 6]}
# Cranfield's codes, of which 1 is the best, and -1 is not explained.
CODES = {(1, 1): 1, (1, 6): 3, (2, 2): 2, (3, 3): 1, (4, 6): 1, (4, 4): 4, (4, 1): 3, (1, 4): -1}
# The grades of CFC's four judges.
SCORES = {
    1: {1: "2222", 6: "0110", 4: "0001"}, 2: {2: "2112", 5: "0100"}, 3: {3: "2221"}, 4: {6: "2222", 4: "1000", 1: "0120"},
}  # fmt: skip


def records(parts: Iterable[str]) -> str:
    return "".join(parts)


def smart() -> dict[str, str]:
    documents = records(
        f".I {n}\n.T \n{title}\n.A\nGroot, A.\n.A\nVos, B.\n.W\n{text}\n.X\n{n}\t5\t{n}\n"
        for n, title, text in DOCUMENTS
    )
    queries = records(f".I {n}\n.W\n{text}\n.N\n note {n}\n" for n, text in QUERIES)
    padded = records(f"{q:02} {d:04}  0 0\n" for q, docs in RELEVANT.items() for d in docs)
    floats = records(f"{q:6}{d:7}\t0\t0.000000\n" for q, docs in RELEVANT.items() for d in docs)
    return {"smart/docs.all": documents, "smart/query.text": queries, "smart/qrels.text": padded, "smart/CISI.REL": floats}


def cranfield() -> dict[str, str]:
    numbers = {1: "001", 2: "002", 3: "004", 4: "009"}
    queries = records(f".I {numbers[n]}\n.W\n{text}\n" for n, text in QUERIES)
    return {"cranfield/cran.qry": queries, "cranfield/cranqrel": records(f"{q} {d} {c} \n" for (q, d), c in CODES.items())}


def npl() -> dict[str, str]:
    lists = [f"{q}\n " + "  ".join(f"{d:4}" for d in docs) + "\n" for q, docs in RELEVANT.items()]
    return {
        "npl/doc-text": records(f"{n}\n{title.lower()}  {text.lower()}\n   /\n" for n, title, text in DOCUMENTS),
        "npl/query-text": records(f"{n}\n{text.upper()}\n/\n" for n, text in QUERIES),
        # The last list does not end.
        "npl/rlv-ass": "   /\n".join(lists),
    }


def lisa() -> dict[str, str]:
    documents = [f"Document{n:5}\n{title.upper()}\n\n{text.upper()}\n" for n, title, text in DOCUMENTS]
    words = [
        f"Query {q}\n{len(docs)} Relevant Refs:\n{' '.join(map(str, docs))} -1\n\n" for q, docs in RELEVANT.items()
    ]
    numbers = [[q, len(docs), *docs] for q, docs in RELEVANT.items()]
    lines = [row[at : at + 4] for row in numbers for at in range(0, len(row), 4)]
    return {
        "lisa/LISA0.001": records(f"{document}{'*' * 44}\n" for document in documents),
        "lisa/LISA.QUE": records(f"{n}\n{text.upper()} #\n" for n, text in QUERIES),
        "lisa/LISA.REL": records(words),
        "lisa/LISARJ.NUM": records("".join(f"{n:12}" for n in line).ljust(80) + "\n" for line in lines),
    }


def time() -> dict[str, str]:
    # The numbers behind *TEXT have gaps, and one date has a blank.
    numbers = {1: "017 01/04/63", 2: "018 01/04/63", 3: "021 01/11/63", 4: "022 01/11 63", 5: "030 02/01/63", 6: "034 02/01/63"}
    documents = [
        f"*TEXT {numbers[n]} PAGE 0{n}0\n\n" + "\n\n".join(f"{title} . {text}".upper().split("\n"))
        for n, title, text in DOCUMENTS
    ]
    queries = [f"*FIND{n:7}\n\n " + "\n\n".join(text.upper().split("\n")) for n, text in QUERIES]
    return {
        "time/TIME.ALL": "\n\n".join([*documents, "*STOP\n"]),
        "time/TIME.QUE": "\n\n".join([*queries, "*STOP\n"]),
        "time/TIME.REL": records(f"{q}  {' '.join(map(str, docs))}\n\n" for q, docs in RELEVANT.items()),
    }


def cfc() -> dict[str, str]:
    plain = records(
        f"PN 7400{n}\nRN {n:05} \nTI {title}\n{'EX' if n == 2 else 'AB'} {text or 'none.'}\n".replace("\nWork", "\n   Work")
        .replace("\nStack", "\n   Stack")
        for n, title, text in DOCUMENTS
    )
    xml = '<?xml version="1.0"?>\n<!DOCTYPE cfc SYSTEM "cfc.dtd">\n'
    for n, title, text in DOCUMENTS:
        # The text of the second document stands in the record of the third.
        moved = f"<EXTRACT>{DOCUMENTS[1][2]}</EXTRACT>\n" if n == 3 else ""
        own = "" if n == 2 else f"<ABSTRACT>{(text or 'none.').replace('&', '&amp;')}</ABSTRACT>\n"
        xml += f"\n<RECORD>\n<PAPERNUM>PN7400{n}</PAPERNUM>\n<></>\n{moved}<RECORDNUM>{n:05} </RECORDNUM>\n<TITLE>{title}</TITLE>\n{own}"
    query = records(
        f"QN {n:05} \nQU {text.replace(chr(10), chr(10) + '   ')}\nNR {len(SCORES[n]):05}\n"
        f"RD {'  '.join(f'{d:4} {s}' for d, s in SCORES[n].items())}\n \n"
        for n, text in QUERIES
    )
    elements = ""
    for n, text in QUERIES[:3]:
        items = [f'<Item score="{s}">{d}</Item>' for d, s in SCORES[n].items()]
        if n == 3:
            # The third query has swallowed the fourth.
            items.append(f'<Item score="{len(SCORES[4]):05}">00004</Item>')
            items += [f'<Item score="{s}">{d}</Item>' for d, s in SCORES[4].items()]
        elements += (
            f"\n<QUERY>\n<QueryNumber>{n:05}</QueryNumber>\n<QueryText>{text}</QueryText>\n"
            f"<Results>{len(SCORES[n]):05}</Results>\n<Records>{''.join(items)}\n</Records>\n</QUERY>\n"
        )
    return {"cfc/cf74": plain, "cfc/cf74.xml": xml, "cfc/cfquery": query, "cfc/cfquery.xml": elements}


def topics() -> dict[str, str]:
    early = records(
        f"<top>\n\n<head> Tipster Topic Description\n\n\n<num> Number:  0{50 + n} \n\n\n<dom> Domain:  Woodwork\n\n\n"
        f"<title> Topic:  Topic {n}\n\n\n<desc> Description:\n\n{text}\n\n\n<con> Concept(s):\n\n1. AT&T < 2\n\n\n"
        f"<fac> Factor(s):\n\n\n<nat> Nationality: Dutch\n\n\n</fac>\n\n\n</top>\n\n\n"
        for n, text in QUERIES
    )
    open_tags = records(
        f"<top>\n\n<num> Number: {300 + n} \n<title> Topic {n}\n\n<desc> Description: \n{text}\n\n<narr> Narrative: \n"
        f"Relevant is what says so.\n\n</top>\n\n"
        for n, text in QUERIES
    )
    web = '<?xml version="1.0" encoding="UTF-8"?>\n<webtrack2009>\n'
    for n, text in QUERIES:
        inside = "" if n == 4 else f'  <subtopic number="1" type="inf">\n    {text}\n  </subtopic>\n'
        inside += '  <subtopic number="2" type="nav">Find a shop &amp; its map.</subtopic>\n' if n == 1 else ""
        web += (
            f'<topic number="{n}" type="{"ambiguous" if n == 2 else "faceted"}">\n  <query>topic {n}</query>\n'
            f"  <description>{text}\n  </description>\n{inside}</topic>\n"
        )
    clef = '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<topics>\n' + records(
        f'<topic lang="en">\n<identifier>10.2452/{400 + n}-AH</identifier>\n<title>Topic {n}</title>\n'
        f"<description>{text}</description>\n<narrative>Relevant is what says so.</narrative>\n</topic>\n"
        for n, text in QUERIES
    )
    older = records(
        f"<top>\n<num> C00{n} </num>\n<EN-title> Topic {n} </EN-title>\n<EN-desc> {text} </EN-desc>\n"
        f"<EN-narr> Relevant is what says so. </EN-narr>\n</top>\n"
        for n, text in QUERIES
    )
    ntcir = "<TOPICS>\n" + records(
        f"<TOPIC>\n<NUM>000{n}</NUM>\n<SLANG>EN</SLANG>\n<TLANG>JA</TLANG>\n<TITLE>Topic {n}</TITLE>\n"
        f"<DESC>{text}</DESC>\n<NARR>\n<BACK>Somebody asked.</BACK>\n<REL>Relevant is what says so.</REL>\n</NARR>\n"
        f"<CONC>wood, tool</CONC>\n</TOPIC>\n"
        for n, text in QUERIES
    )
    one_line = [(n, text.replace("\n", " ")) for n, text in QUERIES]
    return {
        "topics/early.txt": early,
        "topics/open_tags.txt": open_tags,
        "topics/web.xml": f"{web}</webtrack2009>\n",
        "topics/clef.xml": f"{clef}</topics>\n",
        "topics/clef_older.txt": older,
        "topics/ntcir.xml": f"{ntcir}</TOPICS>\n",
        "topics/colon.txt": records(f"{700 + n}:{text}\n" for n, text in one_line),
        "topics/million.txt": records(f"{20000 + n}:{n % 4 + 1}:{text}\n" for n, text in one_line),
        "topics/plain.xml": records(f'<topic number="{n}">\n{text}\n</topic>\n' for n, text in QUERIES),
    }


def documents() -> dict[str, str]:
    news = records(
        f"<DOC>\n<DOCNO> WW-{n} </DOCNO>\n<DATE>1990</DATE>\n<HEADLINE>\n<P>\n{title}\n</P>\n</HEADLINE>\n<TEXT>\n"
        f"<P>\n{text}\n</TEXT>\n</DOC>\n\n"
        for n, title, text in DOCUMENTS
    )
    pages = records(
        f"<DOC>\n<DOCNO>GX-{n}</DOCNO>\n<DOCHDR>\nhttp://x/{n}\nHTTP/1.1 200 OK\n</DOCHDR>\n<html><head><title>{title}"
        f"</title></head><body><!-- no text -->{text.replace('&', '&amp;')}<br></body></html>\n</DOC>\n"
        for n, title, text in DOCUMENTS
    )
    return {"documents/news.sgml": news, "documents/pages.trec": pages}


def write(folder: Path) -> None:
    """Write all files into a folder."""
    for part in (smart, cranfield, npl, lisa, time, cfc, topics, documents):
        for name, content in part().items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode())


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
