# /// script
# requires-python = "==3.11.*"
# dependencies = [
#     "bm25s==0.3.16",
#     "numpy==2.4.6",
#     "pyarrow==26.0.1",
#     "scikit-learn==1.9.1",
#     "scipy==1.17.1",
# ]
# ///
"""Make a small retrieval collection from the docstrings of Python's standard library.

Run it with

    uv run data/stdlib/make.py            # writes next to this file
    uv run data/stdlib/make.py --out DIR  # writes elsewhere

Documents. A document is the docstring of a public module, class, function, method or
property found in the modules listed below. Its id is the name under which the object is
first found, such as json.JSONEncoder.default. An object that is reached under several
names is one document.

Topics. A topic is the first sentence of the docstring of a module or a class. The object
that the sentence was taken from is not a document for that topic: no run may return it.
The group of a topic is the chapter of the library that its module belongs to.

Judgments. They follow from how the library is put together, not from reading the texts.
For a topic taken from module M:

    3  the public functions and classes of M
    2  the members of these classes
    1  modules of the same package, their functions and classes; and any other document
       whose docstring refers to M by a dotted name, such as "os.stat" for M = os

For a topic taken from class C in module M:

    3  the members that C itself defines
    2  the base classes of C and their members, and the classes derived from C
    1  the members of the derived classes, module M, and the other functions and classes of M

A document that satisfies two lines has the higher grade. Every other document among the
first POOL_DEPTH of some pooled run is judged 0. What lies deeper and is not related is
unjudged. The run lsa is not pooled, like a system that came after the judging: it has
unjudged documents even among its first ten.

Sampled judgments. qrels_sampled.txt is made as for inferred measures: the pool is the
first SAMPLED_POOL_DEPTH documents of the pooled runs, about a third of it keeps its grade, chosen
by a hash of the topic and document ids, and the rest is pooled but not judged (-1).

Runs. Two are BM25, one is the cosine of tf-idf vectors, one the cosine after a singular
value decomposition, and one counts the words that the topic shares with the document's
id. That last run, names, has ties in every topic and some short lists. Equal scores stand
in the order of the document ids.
"""

import argparse
import hashlib
import importlib
import inspect
import os
import re
import sys
import warnings
from functools import cached_property
from pathlib import Path

# One thread, so that the sums of the decomposition are added in a fixed order.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import bm25s
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, TfidfVectorizer
from sklearn.preprocessing import normalize

DEPTH = 100
POOL_DEPTH = 15
SAMPLED_POOL_DEPTH = 40
FIRST_TOPIC = 101  # plain numbers: some tools read topic ids as integers
TOPICS_PER_CHAPTER = 3  # of modules, and as many of classes
SEED = 20240229
POOLED = ("bm25", "bm25_long", "tfidf", "names")

# Only modules that can be imported on any Linux without a screen and without side effects.
CHAPTERS = {
    "builtin": "builtins",
    "text": "string re difflib textwrap unicodedata stringprep struct codecs",
    "datatypes": "datetime zoneinfo calendar collections collections.abc heapq bisect array weakref"
    " types copy pprint reprlib enum graphlib",
    "numeric": "numbers math cmath decimal fractions random statistics",
    "functional": "itertools functools operator",
    "files": "pathlib os.path fileinput stat filecmp tempfile glob fnmatch linecache shutil",
    "persistence": "pickle copyreg shelve marshal dbm dbm.dumb sqlite3",
    "archives": "zlib gzip bz2 lzma zipfile tarfile",
    "formats": "csv configparser tomllib netrc plistlib",
    "crypto": "hashlib hmac secrets",
    "os": "os io time argparse getopt logging logging.config logging.handlers getpass platform errno"
    " ctypes ctypes.util",
    "concurrency": "threading multiprocessing multiprocessing.pool multiprocessing.managers"
    " multiprocessing.shared_memory multiprocessing.connection multiprocessing.queues"
    " multiprocessing.process multiprocessing.context concurrent.futures subprocess sched queue"
    " contextvars",
    "networking": "asyncio asyncio.events asyncio.streams asyncio.queues asyncio.locks asyncio.tasks"
    " asyncio.subprocess asyncio.transports asyncio.protocols asyncio.runners socket ssl select"
    " selectors signal mmap",
    "netdata": "email email.message email.parser email.generator email.policy email.headerregistry"
    " email.contentmanager email.header email.charset email.encoders email.utils email.iterators"
    " json json.decoder json.encoder mailbox mimetypes base64 binascii quopri",
    "markup": "html html.parser html.entities xml xml.etree.ElementTree xml.dom xml.dom.minidom"
    " xml.dom.pulldom xml.sax xml.sax.handler xml.sax.saxutils xml.sax.xmlreader",
    "internet": "wsgiref wsgiref.util wsgiref.headers wsgiref.simple_server wsgiref.validate"
    " wsgiref.handlers urllib urllib.request urllib.response urllib.parse urllib.error"
    " urllib.robotparser http http.client ftplib poplib imaplib smtplib uuid socketserver"
    " http.server http.cookies http.cookiejar xmlrpc xmlrpc.client xmlrpc.server ipaddress",
    "multimedia": "wave colorsys",
    "i18n": "gettext locale",
    "frameworks": "cmd shlex",
    "development": "typing pydoc doctest unittest unittest.mock unittest.case unittest.loader"
    " unittest.runner unittest.suite bdb pdb profile pstats timeit trace tracemalloc",
    "runtime": "sys sysconfig warnings dataclasses contextlib abc atexit traceback gc inspect site"
    " code codeop zipimport pkgutil modulefinder runpy importlib importlib.abc importlib.machinery"
    " importlib.util importlib.resources importlib.metadata",
    "language": "ast symtable token keyword tokenize tabnanny pyclbr py_compile compileall dis"
    " pickletools",
}


# --- the documents ----------------------------------------------------------------------


class Document:
    def __init__(self, doc_id, kind, module, owner, obj, text):
        self.doc_id, self.kind, self.module, self.owner = doc_id, kind, module, owner
        self.obj, self.text = obj, text


def docstring(obj):
    text = getattr(obj, "__doc__", None)
    if not isinstance(text, str):
        return ""
    text = inspect.cleandoc(text)
    return text if len(text.split()) >= 3 else ""


def own_docstring(cls):
    # A class without a docstring answers with that of its base.
    return docstring(cls) if isinstance(vars(cls).get("__doc__"), str) else ""


def unwrap(member):
    return member.__func__ if isinstance(member, (staticmethod, classmethod)) else member


def is_member(member):
    return inspect.isroutine(member) or inspect.isdatadescriptor(member) or isinstance(member, cached_property)


def public_names(module, name):
    listed = getattr(module, "__all__", None)
    if listed is not None:
        return sorted(set(listed))
    # Without __all__, what is public is what is defined here.
    own = []
    for key, value in vars(module).items():
        home = getattr(value, "__module__", None)
        if not key.startswith("_") and home in (name, module.__name__, "_" + name, None):
            own.append(key)
    return sorted(own)


def collect():
    """All documents by id, in the order of CHAPTERS, and the chapter of each module."""
    documents, chapter_of, seen = {}, {}, set()

    def add(doc_id, kind, module, owner, obj, text):
        if id(obj) not in seen and doc_id not in documents:
            seen.add(id(obj))
            if text:
                documents[doc_id] = Document(doc_id, kind, module, owner, obj, text)

    modules = []
    for chapter, names in CHAPTERS.items():
        for name in names.split():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                module = importlib.import_module(name)
            chapter_of[name] = chapter
            modules.append((name, module))
            add(name, "module", name, None, module, docstring(module))
    for name, module in modules:
        for key in public_names(module, name):
            obj = vars(module).get(key)
            if inspect.isclass(obj) and id(obj) not in seen:
                # The prefix of a built-in name would be noise.
                class_id = key if name == "builtins" else f"{name}.{key}"
                add(class_id, "class", name, None, obj, own_docstring(obj))
                for attribute, member in sorted(vars(obj).items()):
                    member = unwrap(member)
                    if not attribute.startswith("_") and is_member(member):
                        add(f"{class_id}.{attribute}", "member", name, class_id, member, docstring(member))
            elif inspect.isroutine(obj):
                add(key if name == "builtins" else f"{name}.{key}", "function", name, None, obj, docstring(obj))
    return documents, chapter_of


# --- the words --------------------------------------------------------------------------


def words(text):
    """Lower-case words; joined names such as JSONEncoder and copy_file are taken apart."""
    text = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1 \2", text)
    text = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", text).replace("_", " ")
    words = re.findall(r"[a-z][a-z0-9]+", text.lower())
    return [singular(w) for w in words if w not in ENGLISH_STOP_WORDS]


def singular(word):
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        return word[:-1]
    return word


# --- the topics and their grades --------------------------------------------------------


def first_sentence(document):
    paragraph = document.text.split("\n\n")[0]
    sentence = re.split(r"(?<=[.!?])\s+(?=[A-Z])", " ".join(paragraph.split()))[0]
    # Some modules open with their own name and a dash.
    sentence = re.sub(r"^[\w.]+\s+(-+|:)\s+", "", sentence)
    return sentence.rstrip(".: ")


def usable_title(title):
    if re.match(r"[\w.]+\(|.*->", title):  # the signature of a C function, not a sentence
        return False
    return len(set(words(title))) >= 3 and len(title.split()) <= 25


def package(module):
    return module.split(".")[0] if module not in ("os.path", "collections.abc") else module


def grades_of_module(topic, documents):
    name, grades = topic.module, {}
    reference = re.compile(rf"(?<![\w.]){re.escape(name)}\.[a-zA-Z_]\w*")
    for d in documents.values():
        if d.module == name:
            grades[d.doc_id] = 2 if d.kind == "member" else 3
        elif package(d.module) == package(name) and d.kind != "member":
            grades[d.doc_id] = 1
        elif reference.search(d.text):
            grades[d.doc_id] = 1
    return grades


def grades_of_class(topic, documents):
    classes = {d.doc_id: d.obj for d in documents.values() if d.kind == "class"}
    bases = {k for k, c in classes.items() if issubclass_(topic.obj, c)}
    derived = {k for k, c in classes.items() if issubclass_(c, topic.obj)}
    grades = {}
    for d in documents.values():
        if d.owner == topic.doc_id:
            grade = 3
        elif d.owner in bases or d.doc_id in bases or d.doc_id in derived:
            grade = 2
        elif d.owner in derived or (d.module == topic.module and d.kind != "member"):
            grade = 1
        else:
            continue
        grades[d.doc_id] = grade
    return grades


def issubclass_(low, high):
    # By the real order of bases: abstract classes claim classes that only look alike.
    return low is not high and high is not object and high in low.__mro__


def choose_topics(documents, chapter_of):
    """(document, title, chapter, grades): per chapter, the modules and classes with most to find."""
    candidates = {}
    titles = set()
    for d in documents.values():
        if d.kind not in ("module", "class"):
            continue
        title = first_sentence(d)
        if not usable_title(title) or title in titles:
            continue
        grades = grades_of_module(d, documents) if d.kind == "module" else grades_of_class(d, documents)
        grades.pop(d.doc_id, None)
        best = sum(g == 3 for g in grades.values())
        if best >= 4 and len(grades) <= 160:
            titles.add(title)
            candidates.setdefault((chapter_of[d.module], d.kind), []).append((best, d.doc_id, title, grades))
    chosen = []
    for chapter in CHAPTERS:
        for kind in ("module", "class"):
            ordered = sorted(candidates.get((chapter, kind), []), key=lambda c: (-c[0], c[1]))
            for _, doc_id, title, grades in ordered[:TOPICS_PER_CHAPTER]:
                chosen.append((documents[doc_id], title, chapter, grades))
    return {str(FIRST_TOPIC + i): topic for i, topic in enumerate(chosen)}


# --- the runs ---------------------------------------------------------------------------


def bm25(texts, queries, **settings):
    model = bm25s.BM25(**settings)
    model.index(texts, show_progress=False)
    known = model.vocab_dict
    for query in queries:
        # Each word once: the topics are sentences, a repeated word is no stronger wish.
        terms = sorted({w for w in query if w in known})
        yield model.get_scores(terms).astype(float)


def cosine(texts, queries, components=None):
    vectorizer = TfidfVectorizer(analyzer=lambda tokens: tokens, sublinear_tf=True, min_df=1)
    matrix, query_vectors = vectorizer.fit_transform(texts), vectorizer.transform(queries)
    if components:
        svd = TruncatedSVD(components, algorithm="randomized", n_iter=7, random_state=SEED)
        matrix, query_vectors = normalize(svd.fit_transform(matrix)), normalize(svd.transform(query_vectors))
        yield from query_vectors @ matrix.T
    else:
        yield from np.asarray((query_vectors @ matrix.T).todense())


def shared_words(texts, queries):
    names = [set(t) for t in texts]
    for query in queries:
        yield np.array([len(set(query) & name) for name in names], dtype=float)


def make_runs(documents, topics):
    ids = list(documents)
    names = [words(d.doc_id) for d in documents.values()]
    bodies = [words(d.text) for d in documents.values()]
    both = [n + b for n, b in zip(names, bodies)]
    queries = [words(title) for _, title, _, _ in topics.values()]
    scores = {
        "bm25": bm25(both, queries, method="lucene", k1=1.2, b=0.75),
        "bm25_long": bm25(bodies, queries, method="bm25+", k1=0.9, b=0.2, delta=1.0),
        "tfidf": cosine(both, queries),
        "lsa": cosine(both, queries, components=100),
        "names": shared_words(names, queries),
    }
    runs = {}
    for run_id, per_topic in scores.items():
        digits = 6 if run_id in ("tfidf", "lsa") else 4
        runs[run_id] = {}
        for (query_id, (topic, _, _, _)), row in zip(topics.items(), per_topic):
            # BM25+ gives a document a constant for each word of the topic that it lacks.
            floor = row.min() if run_id == "bm25_long" else 0.0
            scored = [
                (-round(float(s), digits), doc_id)
                for s, doc_id in zip(row - floor, ids)
                if s > 0 and doc_id != topic.doc_id
            ]
            # Sorted after rounding, so that the file's order and its scores agree.
            ranked = [(doc_id, -s) for s, doc_id in sorted(scored) if s < 0][:DEPTH]
            if ranked:
                runs[run_id][query_id] = ranked
    return runs


# --- the files --------------------------------------------------------------------------


def judge(topics, runs):
    qrels = []
    for query_id, (_, _, _, grades) in topics.items():
        pool = pooled(runs, query_id, POOL_DEPTH)
        judged = {doc_id: 0 for doc_id in pool} | grades
        qrels += [(query_id, doc_id, judged[doc_id]) for doc_id in sorted(judged)]
    return qrels


def judge_sample(topics, runs):
    qrels = []
    for query_id, (_, _, _, grades) in topics.items():
        for doc_id in sorted(pooled(runs, query_id, SAMPLED_POOL_DEPTH)):
            digest = hashlib.sha256(f"{query_id} {doc_id}".encode()).digest()
            qrels.append((query_id, doc_id, grades.get(doc_id, 0) if digest[0] % 3 == 0 else -1))
    return qrels


def pooled(runs, query_id, depth):
    return {doc_id for run_id in POOLED for doc_id, _ in runs[run_id].get(query_id, [])[:depth]}


def write_lines(path, lines):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8", newline="\n")


def write_parquet(path, rows, schema):
    table = pa.Table.from_arrays([pa.array(c, t.type) for c, t in zip(zip(*rows), schema)], schema=schema)
    pq.write_table(table, path, compression="zstd", compression_level=19)


def write(out, topics, qrels, sampled, runs):
    write_lines(
        out / "topics.tsv",
        ["query_id\ttitle\tgroup"] + [f"{q}\t{title}\t{chapter}" for q, (_, title, chapter, _) in topics.items()],
    )
    write_lines(out / "qrels.txt", [f"{q} 0 {d} {r}" for q, d, r in qrels])
    write_lines(out / "qrels_sampled.txt", [f"{q} 0 {d} {r}" for q, d, r in sampled])
    text = pa.string()
    write_parquet(
        out / "qrels.parquet", qrels, pa.schema({"query_id": text, "doc_id": text, "relevance": pa.int64()})
    )
    rows = []
    for run_id, run in runs.items():
        lines = []
        for query_id, ranked in run.items():
            for rank, (doc_id, score) in enumerate(ranked, 1):
                rows.append((run_id, query_id, doc_id, score))
                lines.append(f"{query_id} Q0 {doc_id} {rank} {score!r} {run_id}")
        write_lines(out / "runs" / f"{run_id}.txt", lines)
    write_parquet(
        out / "runs.parquet",
        rows,
        pa.schema({"run_id": text, "query_id": text, "doc_id": text, "score": pa.float64()}),
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path(__file__).parent, help="folder to write to")
    out = parser.parse_args().out
    documents, chapter_of = collect()
    topics = choose_topics(documents, chapter_of)
    runs = make_runs(documents, topics)
    qrels = judge(topics, runs)
    sampled = judge_sample(topics, runs)
    write(out, topics, qrels, sampled, runs)

    print(f"Python {sys.version.split()[0]}: {len(documents)} documents, {len(topics)} topics")
    for name, rows in (("judgments", qrels), ("sampled", sampled)):
        levels = [r for _, _, r in rows]
        print(f"{name}: {len(rows)}, by grade", {g: levels.count(g) for g in sorted(set(levels))})
    for run_id, run in runs.items():
        print(f"{run_id}: {len(run)} topics, {sum(map(len, run.values()))} rows")


if __name__ == "__main__":
    main()
