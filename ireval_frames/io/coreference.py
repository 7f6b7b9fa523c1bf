"""Files of documents with coreference, as tables of mentions."""

from __future__ import annotations

import re

import polars as pl

from ireval_frames.io.annotated.coreference import BEGIN, coreference
from ireval_frames.io.storage.places import Options
from ireval_frames.io.storage.source import Source, files
from ireval_frames.io.text.stream import numbered

_COMMENT = re.compile(rb"#(?!begin document)")


def read_coreference(source: Source, *, storage_options: Options | None = None) -> pl.DataFrame:
    """The mentions of files with a column of coreference, as those of CoNLL 2011 and 2012 and of SemEval 2010.

    A line is a token, and its last column says which mentions begin and end there: `(1`, `1)`, `(1)`, several with `|`
    between, or `-`.  Documents are between lines `#begin document (name); part 000` and `#end document`.

    Args:
        source: the file, a pattern, or several files.
        storage_options: options of the stores of remote paths, as in `{"aws_region": "eu-central-1"}`.

    Returns:
        doc_id ("name; part 000"), start, end (behind the last token), cluster_id.  Positions are those of tokens in the
        document, from 0.  A document without mentions has no row.

    Raises:
        FileError: the file cannot be read, or has no document.
        MalformedFile: tokens are outside of documents, or mentions begin or end alone; all such lines are named.

    Source: Pradhan et al., 2012; Recasens et al., 2010.

    Example:
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "gold.conll")
        >>> lines = ["#begin document (news); part 000", "Ada (1)", "met -", "her (2|(1)", "dog 2)", "#end document"]
        >>> _ = path.write_text(chr(10).join(lines))
        >>> for row in read_coreference(path).rows():
        ...     print(row)
        ('news; part 000', 0, 1, '1')
        ('news; part 000', 2, 3, '1')
        ('news; part 000', 2, 4, '2')
    """
    return coreference(files(source, storage_options))


def has_coreference(source: Source, *, storage_options: Options | None = None) -> bool:
    """Whether it is a file of text whose first line, but for comments, begins such a document."""
    file = files(source, storage_options)[0]
    if file.stored is not None:
        return False
    # Every line that is neither empty nor a comment; that which begins a document looks like one.
    first = (line for _, line in numbered(file.path, file.name) if line.strip() and not _COMMENT.match(line))
    return next((line.startswith(BEGIN) for line in first), False)
