"""The options of commands that compare what gold and predictions have in documents."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Self

from ireval_frames.cli.options.arguments import only_measures
from ireval_frames.cli.options.command import Option
from ireval_frames.cli.options.common import Arguments
from ireval_frames.cli.options.evaluation import ValueOptions

if TYPE_CHECKING:
    from ireval_frames.declaration import Measure


@dataclass(frozen=True)
class DocumentOptions(ValueOptions):
    """The measures, and the documents that they are of."""

    arguments: Arguments = None
    doc: Annotated[str | None, Option("--doc", metavar="COLUMN", help="The column of documents.")] = None
    documents: Annotated[
        str | None,
        Option(
            "--documents", metavar="FILE", help="A table of all documents; it may have weights and columns of --by."
        ),
    ] = None

    def with_measures(self, text: str) -> Self:
        """The same, and measures of one more text."""
        return replace(self, arguments=[text, *(self.arguments or ())])

    def parse(self, family: str, default: str) -> list[Measure]:
        """The measures that are named, or the default ones."""
        return only_measures([*(self.measures or ()), *(self.arguments or ())], default, family)

    def of_subject(self) -> dict[str, Any]:
        """The documents and their groups, as arguments of a subject."""
        return {"doc": self.doc, "documents": self.documents, "by": self.by or ()}


@dataclass(frozen=True)
class QueryOptions(DocumentOptions):
    """The measures, and the queries that they are of."""

    doc: Annotated[str | None, Option("--query", metavar="COLUMN", help="The column of queries.")] = None
    documents: Annotated[
        str | None,
        Option("--documents", metavar="FILE", help="A table of the queries; it may have weights and columns of --by."),
    ] = None
