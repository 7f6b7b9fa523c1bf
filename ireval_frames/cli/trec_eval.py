"""`ireval trec-eval`: the output of trec_eval, from the same options."""

from __future__ import annotations

from typing import Annotated

import typer

from ireval_frames import io
from ireval_frames.cli.output import write_bytes
from ireval_frames.cli.progress import working
from ireval_frames.cli.run_tag import last_tag
from ireval_frames.cli.trec_names import asked
from ireval_frames.cli.trec_values import Options, lines
from ireval_frames.errors import InvalidParameter, UnknownName

EXAMPLES = """\b
Examples:
  ireval trec-eval qrels.txt bm25.run
  ireval trec-eval -q -c -m map -m P.5,10 -m ndcg_cut.10 qrels.txt bm25.run
  ireval trec-eval -l2 -M100 -J qrels.txt bm25.run
  zcat bm25.run.gz | ireval trec-eval -m ndcg.1=3,2=9 qrels.txt -

\b
The output is that of trec_eval 10, byte for byte, with these differences on purpose:
  judged queries that the run lacks are left out without -c (there the program ends);
  where nothing is left after -J, interpolated precision is 0 (there it is nan);
  malformed lines and duplicate documents are errors in every query, not only judged ones;
  errors exit with 1 (the data) or 2 (the command).
"""


def trec_eval(
    qrels: Annotated[str, typer.Argument(metavar="QRELS", help="The judgments.")],
    run: Annotated[str, typer.Argument(metavar="RUN", help="The run, or - for standard input.")],
    query: Annotated[bool, typer.Option("-q", "--query_eval_wanted", help="Print the values of every query, too.")] = False,
    nosummary: Annotated[bool, typer.Option("-n", "--nosummary", help="Print no summary.")] = False,
    complete: Annotated[bool, typer.Option("-c", "--complete_rel_info_wanted", help="Count judged queries that the run lacks as 0.")] = False,
    level: Annotated[int, typer.Option("-l", "--level_for_rel", metavar="N", help="The lowest grade that counts as relevant.")] = 1,
    judged: Annotated[bool, typer.Option("-J", "--Judged_docs_only", help="Take unjudged documents out of the lists.")] = False,
    depth: Annotated[int | None, typer.Option("-M", "--Max_retrieved_per_topic", metavar="N", help="Keep N documents a query.")] = None,
    measure: Annotated[list[str] | None, typer.Option("-m", "--measure", metavar="NAME[.PARAMS]", help="Measures; `official` by default.")] = None,
    compat: Annotated[str, typer.Option("--compat", metavar="VERSION", help="10, or 9: 32-bit scores and its interpolation.")] = "10",
    rel_format: Annotated[str, typer.Option("-R", "--Rel_info_format", hidden=True)] = "qrels",
    results_format: Annotated[str, typer.Option("-T", "--Results_format", hidden=True)] = "trec_results",
    zscores: Annotated[str | None, typer.Option("-Z", "--Zscore", hidden=True)] = None,
    collection: Annotated[str | None, typer.Option("-N", "--Number_docs_in_coll", hidden=True)] = None,
    debug: Annotated[str | None, typer.Option("-D", "--Debug_level", hidden=True)] = None,
) -> None:
    """Print what trec_eval prints, from the same options."""
    _refuse({"-R": rel_format != "qrels", "-T": results_format != "trec_results", "-Z": zscores, "-N": collection, "-D": debug})
    if level < 0:
        raise InvalidParameter(f"-l is {level}; it must be 0 or more: negative grades are not judged.", "Write -l 1")
    if depth is not None and depth < 1:
        raise InvalidParameter(f"-M is {depth}; it must be 1 or more.", "Write -M 1000")
    if compat not in ("9", "10"):
        raise InvalidParameter(f"--compat is {compat!r}; allowed: 9, 10.", "Write --compat 9")
    if qrels == run == "-":
        raise InvalidParameter("Standard input (-) is read once, but it is named twice.", "Name a file for one of them.")
    printed = asked(measure or (), level)
    options = Options(query, not nosummary, complete, judged, depth, compat)
    with working("evaluating"):
        described = io.describe(run, "run")
        if len(described) != 1:
            raise InvalidParameter(f"{run!r} names {len(described)} files; trec-eval takes one run.", "Several runs: ireval evaluate")
        judgments = io.read_qrels(qrels)
        ranked = io.scan_run(described[0].path, run_id=None, surplus="tag")
        tag = last_tag(described[0]) if any(not p.parts for p in printed) else ""
        text = "".join(lines(judgments, ranked, tag, printed, options))
    write_bytes(text.encode(), None)


def _refuse(given: dict[str, object]) -> None:
    for option, value in given.items():
        if value:
            raise UnknownName(f"trec_eval's option {option} is not available yet.", "There are: -q -n -c -l -J -M -m.")
