"""The application: its commands, and how errors end it.

Exit codes: 0 done, 1 the data are at fault, 2 the command is; of `gate` also 3, a rule failed, and 4, something could
not be compared.  Errors go to standard error as `ireval: …`.
"""

from __future__ import annotations

import os
import warnings
from contextlib import suppress
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from ireval_frames.cli.comparison.compare import EXAMPLES as COMPARE_EXAMPLES
from ireval_frames.cli.comparison.compare import compare
from ireval_frames.cli.comparison.diagnose import EXAMPLES as DIAGNOSE_EXAMPLES
from ireval_frames.cli.comparison.diagnose import diagnose
from ireval_frames.cli.comparison.experiment import EXAMPLES as EXPERIMENT_EXAMPLES
from ireval_frames.cli.comparison.experiment import experiment
from ireval_frames.cli.comparison.gate import EXAMPLES as GATE_EXAMPLES
from ireval_frames.cli.comparison.gate import gate
from ireval_frames.cli.comparison.reproduce import EXAMPLES as REPRODUCE_EXAMPLES
from ireval_frames.cli.comparison.reproduce import reproduce
from ireval_frames.cli.evaluation.clusters import EXAMPLES as CLUSTERS_EXAMPLES
from ireval_frames.cli.evaluation.clusters import clusters
from ireval_frames.cli.evaluation.evaluate import EXAMPLES as EVALUATE_EXAMPLES
from ireval_frames.cli.evaluation.evaluate import evaluate
from ireval_frames.cli.evaluation.labels import EXAMPLES as LABELS_EXAMPLES
from ireval_frames.cli.evaluation.labels import labels
from ireval_frames.cli.evaluation.measures import EXAMPLES as MEASURES_EXAMPLES
from ireval_frames.cli.evaluation.measures import measures
from ireval_frames.cli.evaluation.organization import EXAMPLES as ORGANIZATION_EXAMPLES
from ireval_frames.cli.evaluation.organization import organization
from ireval_frames.cli.evaluation.points import EXAMPLES as POINTS_EXAMPLES
from ireval_frames.cli.evaluation.points import points
from ireval_frames.cli.evaluation.similarity import EXAMPLES as SIMILARITY_EXAMPLES
from ireval_frames.cli.evaluation.similarity import similarity
from ireval_frames.cli.evaluation.splits import splits
from ireval_frames.cli.evaluation.trec_eval import AsTheyStand, trec_eval
from ireval_frames.cli.hints import commands, rendered
from ireval_frames.cli.judgments import click_models as _click_models  # noqa: F401 - commands of `clicks`
from ireval_frames.cli.judgments import counterfactual as _counterfactual  # noqa: F401 - commands of `clicks`
from ireval_frames.cli.judgments.clicks import clicks
from ireval_frames.cli.judgments.interleave import interleave
from ireval_frames.cli.judgments.ratings import EXAMPLES as RATINGS_EXAMPLES
from ireval_frames.cli.judgments.ratings import ratings
from ireval_frames.cli.results import store_keeping as _store_keeping  # noqa: F401 - commands of `store`
from ireval_frames.cli.results.plot import EXAMPLES as PLOT_EXAMPLES
from ireval_frames.cli.results.plot import plot
from ireval_frames.cli.results.report import EXAMPLES as REPORT_EXAMPLES
from ireval_frames.cli.results.report import report
from ireval_frames.cli.results.store import store
from ireval_frames.cli.sql.macros import EXAMPLES as MACROS_EXAMPLES
from ireval_frames.cli.sql.macros import macros
from ireval_frames.cli.sql.sql import EXAMPLES as SQL_EXAMPLES
from ireval_frames.cli.sql.sql import sql
from ireval_frames.errors import IrevalError
from ireval_frames.escaping import lines
from ireval_frames.io.failures import ENGINE_ERRORS, cause, unwrap
from ireval_frames.version import __version__

EXAMPLES = """\b
Examples:
  ireval evaluate qrels.txt bm25.run
  ireval evaluate qrels.txt runs/*.run -m "nDCG@10 AP" --format csv
  ireval compare qrels.txt runs/*.run -m "nDCG@10 AP" --baseline bm25
  ireval diagnose qrels.txt runs/*.run -m nDCG@10 --run lsa --baseline bm25
  ireval experiment visits.parquet -m "Mean(revenue) Ratio(clicks, pages)" --control a
  ireval gate qrels.txt --baseline main.run --candidate new.run -r "nDCG@10 not worse by 0.02"
  ireval reproduce qrels.txt --original bm25.run --replica mine.run -m AP --margin 0.01
  ireval trec-eval -q -c qrels.txt bm25.run
  ireval labels items.csv "F1(average='macro') MCC"
  ireval clusters items.csv "AdjustedRand NMI"
  ireval points points.parquet --features x,y
  ireval clicks log.parquet evaluate "CTR COEC" --by day
  ireval ratings answers.csv "KrippendorffAlpha GwetAC1" --intervals
  ireval plot systems qrels.txt runs/*.run -m "nDCG@10 AP" -o systems.svg
  ireval report qrels.txt runs/*.run -m "nDCG@10 AP" -o report.html
  ireval similarity runs/*.run -m "RBO Tau"
  ireval interleave lists bm25.run dense.run -o lists.parquet
  ireval splits kfold items.csv 5 --stratify label -o folds.csv
  ireval store add qrels.txt runs/*.run -m "nDCG@10 AP" --collection news
  ireval measures nDCG
  ireval sql qrels.txt bm25.run -m AP | duckdb
  ireval macros -o ireval.sql

Exit codes: 0 done, 1 the data are at fault, 2 the command is; of gate also 3 and 4.
"""


ERRORS: tuple[type[BaseException], ...] = (IrevalError, *ENGINE_ERRORS)


class Commands(TyperGroup):
    """The commands; whatever goes wrong in one of them ends here."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Read the arguments, and run the command; the output may refuse what is written."""
        try:
            return super().main(*args, **kwargs)
        except OSError as error:
            if not kwargs.get("standalone_mode", True):
                raise
            name = error.filename
            what = os.fsdecode(name) if isinstance(name, str | bytes) else "The output cannot be written"
            _tell(f"{what}: {error.strerror or cause(error)}.")
            raise SystemExit(1) from None

    def invoke(self, ctx: Any) -> Any:
        """Run the command.

        Raises:
            typer.Exit: something went wrong and has been told.
        """
        try:
            with warnings.catch_warnings():
                warnings.showwarning = _warned
                return super().invoke(ctx)
        except typer.TyperException as error:
            if "NoArgs" in type(error).__name__:
                raise
            _tell(error.format_message(), _where(error, ctx))
            raise typer.Exit(2) from None
        except ERRORS as error:
            known = unwrap(error)
            if known is None:
                _tell(f"Polars failed: {cause(error)}.")
            else:
                _tell(known.what, rendered(known.hint, self._options(ctx)))
            raise typer.Exit(known.exit_code if known else 1) from None

    def _options(self, ctx: Any) -> set[str]:
        """The options of the command that was run."""
        command = self.get_command(ctx, ctx.invoked_subcommand or "")
        commands = [command, *getattr(command, "commands", {}).values()]
        return {name for c in commands for parameter in getattr(c, "params", ()) for name in parameter.opts}


def _tell(text: str, hint: str = "") -> None:
    # Where nothing can be told, the exit code still tells.
    with suppress(OSError):
        typer.echo(lines(f"ireval: {text}" + (f"\n  {hint}" if hint else "")), err=True)


def _warned(message: Warning | str, *_: Any, **__: Any) -> None:
    """A warning as errors are told, without the line of code that it came from."""
    _tell(commands(str(message)))


def _where(error: Exception, ctx: Any) -> str:
    at = getattr(error, "ctx", None) or ctx
    return f"See: {at.command_path} --help"


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"ireval {__version__}")
        raise typer.Exit


app = typer.Typer(
    cls=Commands,
    help="Evaluate rankings, labels and clusterings: an evaluation is a query over tables.",
    epilog=EXAMPLES,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)


@app.callback()
def ireval(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Evaluate rankings, labels and clusterings: an evaluation is a query over tables."""


app.command(epilog=EVALUATE_EXAMPLES)(evaluate)
app.command("trec-eval", cls=AsTheyStand, add_help_option=False)(trec_eval)
app.command(epilog=COMPARE_EXAMPLES)(compare)
app.command(epilog=DIAGNOSE_EXAMPLES)(diagnose)
app.command(epilog=EXPERIMENT_EXAMPLES)(experiment)
app.command(epilog=GATE_EXAMPLES)(gate)
app.command(epilog=REPRODUCE_EXAMPLES)(reproduce)
app.command(epilog=PLOT_EXAMPLES)(plot)
app.command(epilog=REPORT_EXAMPLES)(report)
app.command(epilog=LABELS_EXAMPLES)(labels)
app.command(epilog=CLUSTERS_EXAMPLES)(clusters)
app.command(epilog=POINTS_EXAMPLES)(points)
app.command(epilog=RATINGS_EXAMPLES)(ratings)
app.command(epilog=ORGANIZATION_EXAMPLES)(organization)
app.command(epilog=SIMILARITY_EXAMPLES)(similarity)
app.add_typer(clicks, name="clicks")
app.add_typer(interleave, name="interleave")
app.add_typer(splits, name="splits")
app.add_typer(store, name="store")
app.command(epilog=MEASURES_EXAMPLES)(measures)
app.command(epilog=SQL_EXAMPLES)(sql)
app.command(epilog=MACROS_EXAMPLES)(macros)
