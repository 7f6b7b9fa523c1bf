"""The help text of `ireval trec-eval`, and its exit codes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ireval_frames.errors import FileError, IrevalError, MalformedFile
from ireval_frames.escaping import lines
from ireval_frames.io.storage.failures import ENGINE_ERRORS, cause, unwrap
from ireval_frames.trec_eval.parameters import NotCalculable

ERRORS: tuple[type[BaseException], ...] = (IrevalError, *ENGINE_ERRORS)
COMMAND_LINE, FILES, ZSCORES, CALCULATION, NOTHING = 1, 2, 255, 4, 7

USAGE = "Usage: ireval trec-eval [-q] [-c] [-m MEASURE[.PARAMETERS]]… QRELS RUN    (more: ireval trec-eval --help)"

HELP = """\
Usage: ireval trec-eval [OPTIONS] QRELS RUN

Print what trec_eval 10 prints, from the same options.  RUN may be - for standard input.
Both files may be compressed, and CSV, JSON lines, Parquet or Arrow instead of TREC text.

Options, in any order; a value may follow at once (-l2, -M100, -mP.5,10), letters may be
joined (-qc), and long names shortened (--meas map, --meas=map):
  -q, --query_eval_wanted           Print the values of every query, too.
  -n, --nosummary                   Print no summary.
  -m, --measure NAME[.PARAMETERS]   A measure or nickname; repeatable.  By default: official.
  -c, --complete_rel_info_wanted    Average over all judged queries, not those of the run only.
  -l, --level_for_rel N             The lowest grade that counts as relevant (1).
  -J, --Judged_docs_only            Remove unjudged documents from the lists.
  -M, --Max_retrieved_per_topic N   Evaluate the first N documents of every query.
  -N, --Number_docs_in_coll N       The number of documents in the collection, for utility.
  -R, --Rel_info_format NAME        qrels (default), qrels_jg, prefs or qrels_prefs.
  -T, --Results_format NAME         trec_results, the only one.
  -Z, --Zscore FILE                 Print values in standard deviations from the means of FILE,
                                    whose lines are: query measure mean deviation.
  -D, --Debug_level N[.QUERY]       Evaluate this query alone; no trace is printed.
  -o                                Obsolete: does nothing.
  -v, --version                     Print the version (to standard error).
  -h, --help                        Print this, and the pages of the measures named with -m.
      --compat 9                    The numbers of version 9: scores as 32-bit floats, its
                                    interpolation, missing queries in the means only.

Nicknames: official, set, all_trec, prefs, all_prefs, qrels_jg.
{measures}
Parameters: cutoffs (P.5,10), recall levels (iprec_at_recall.0.2,0.8), multiples of R
(Rprec_mult.0.5), gains by grade (ndcg.1=3,2=9), p and gains (rbp.p=0.8,1=1), four weights
(utility.1,-1,0,0), the weight of recall, β² (set_F.0.5), a length (relstring.20).

Examples:
  ireval trec-eval qrels.txt bm25.run
  ireval trec-eval -q -c -m map -m P.5,10 -m ndcg_cut.10 qrels.txt bm25.run
  ireval trec-eval -l2 -M100 -J -m all_trec qrels.txt bm25.run
  zcat bm25.run.gz | ireval trec-eval -m ndcg.1=3,2=9 qrels.txt -

Exit codes: 0 done, 1 the command line, 2 a file or a parameter, 4 the calculation (a document
twice), 7 no query in both files, 255 the file of -Z.  Where trec_eval 10 crashes, prints nan or
contradicts its documentation, this does not: docs/trec_eval.md lists the differences.
"""


class Ended(Exception):
    """The command has printed its error, and exits with this code."""

    def __init__(self, code: int) -> None:
        self.code = code
        super().__init__(code)


@contextmanager
def ending(code: int, words: Callable[[IrevalError], str] = str) -> Iterator[None]:
    """A context whose errors are printed and end the command with this code, or FILES for a file's error.

    Args:
        code: the exit code.
        words: the text of an error.

    Raises:
        Ended: there was an error, which has been printed.
    """
    try:
        yield
    except ERRORS as error:
        ours = unwrap(error)
        print_error(words(ours) if ours else f"Polars failed: {cause(error)}.")
        if code == CALCULATION and isinstance(ours, FileError | MalformedFile):
            code = FILES
        raise Ended(CALCULATION if isinstance(ours, NotCalculable) else code) from None


def print_error(text: str) -> None:
    """Print an error to standard error."""
    print(lines(f"ireval: {text}"), file=sys.stderr)
