"""The application: its commands by group, and how errors end it.

Exit codes: 0 done, 1 the data are at fault, 2 the command is; of `gate` also 3, a rule failed, and 4, something could
not be compared.  Errors go to standard error as `ireval: …`.
"""

from __future__ import annotations

import importlib
import os
import warnings
from contextlib import suppress
from typing import Any

import click

from ireval_frames.cli.hints import commands, rendered
from ireval_frames.cli.options.command import HELP, Group
from ireval_frames.errors import IrevalError
from ireval_frames.escaping import lines
from ireval_frames.io.storage.failures import ENGINE_ERRORS, cause, unwrap
from ireval_frames.version import __version__

# The commands by group, as in the help, and the module of each, which is imported when the command is run.
GROUPS = {
    "Evaluate": {
        "evaluate": "evaluation.evaluate", "trec-eval": "evaluation.trec_eval", "labels": "evaluation.labels",
        "clusters": "evaluation.clusters", "points": "evaluation.points", "organization": "evaluation.organization",
        "answers": "evaluation.answers", "citations": "evaluation.generated.citations",
        "coreference": "evaluation.coreference",
        "exposure": "evaluation.exposure",
        "links": "evaluation.links", "nuggets": "evaluation.generated.nuggets",
        "recommendations": "evaluation.recommendations", "relations": "evaluation.relations",
        "segmentation": "evaluation.segmentation", "spans": "evaluation.spans",
        "similarity": "evaluation.similarity", "measures": "evaluation.measures", "splits": "evaluation.splits",
        "timings": "costs.timings",
    },
    "Compare and decide": {
        "compare": "comparison.compare", "diagnose": "comparison.diagnose", "experiment": "comparison.experiment",
        "gate": "comparison.gate", "reproduce": "comparison.reproduce",
        "tradeoff": "costs.tradeoff",
    },
    "Keep and show": {"store": "results.store", "plot": "results.plot", "report": "results.report"},
    "Judgments and clicks": {
        "ratings": "judgments.ratings", "battles": "judgments.battles", "clicks": "judgments.clicks",
        "collection-coverage": "judgments.collection_coverage", "fuse": "judgments.fuse",
        "interleave": "judgments.interleave",
        "pool": "judgments.pool", "pool-bias": "judgments.pool_bias",
    },
    "Files and SQL": {"convert": "convert", "sql": "sql", "macros": "sql"},
}  # fmt: skip
MODULES = {name: module for group in GROUPS.values() for name, module in group.items()}

EXAMPLES = """\b
Examples:
  ireval evaluate qrels.txt bm25.run
  ireval evaluate qrels.txt runs/*.run -m "nDCG@10 AP" --format csv
  ireval compare qrels.txt runs/*.run -m "nDCG@10 AP" --baseline bm25
  ireval diagnose qrels.txt runs/*.run -m nDCG@10 --system lsa --baseline bm25
  ireval experiment visits.parquet -m "Mean(revenue) Ratio(clicks, pages)" --baseline a
  ireval gate qrels.txt --baseline main.run --candidate new.run -r "nDCG@10 non-inferior within 0.02"
  ireval reproduce qrels.txt --original bm25.run --replica mine.run -m AP --margin 0.01
  ireval trec-eval -q -c qrels.txt bm25.run
  ireval labels items.csv "F1(average='macro') MCC"
  ireval clusters items.csv "AdjustedRand NMI"
  ireval answers gold.csv predicted.csv "ExactMatch TokenF1"
  ireval nuggets nuggets.csv assignments.csv "V_strict A_strict"
  ireval citations answers.jsonl support.csv "CitationPrecision CitationRecall"
  ireval coreference gold.csv predicted.csv "CoNLL LEA"
  ireval exposure bm25.run --groups groups.csv --target equal "AWRF ExposureRatio"
  ireval recommendations recs.csv --train train.csv "MIUF@10 ARP@10"
  ireval segmentation talks.csv "Pk WindowDiff"
  ireval spans gold.csv predicted.csv "F1 F1(match='partial')"
  ireval points points.parquet --features x,y
  ireval clicks evaluate log.parquet "CTR COEC" --by day
  ireval ratings answers.csv "KrippendorffAlpha GwetAC1" --intervals
  ireval battles arena.jsonl --cluster judge
  ireval pool-bias qrels.txt runs/*.run --groups teams.csv
  ireval plot systems qrels.txt runs/*.run -m "nDCG@10 AP" -o systems.svg
  ireval report qrels.txt runs/*.run -m "nDCG@10 AP" -o report.html
  ireval timings requests.csv "Latency(p=95) ErrorRate"
  ireval tradeoff systems.csv --budget 50
  ireval similarity runs/*.run -m "RBO Tau"
  ireval interleave lists bm25.run dense.run -o lists.parquet
  ireval pool runs/*.run --depth 50 -o pool.csv
  ireval splits kfold items.csv 5 --stratify label -o folds.csv
  ireval store add qrels.txt runs/*.run -m "nDCG@10 AP" --collection news
  ireval convert qrels.txt -o qrels.parquet
  ireval measures nDCG
  ireval sql qrels.txt bm25.run -m AP | duckdb
  ireval macros -o ireval.sql

Exit codes: 0 done, 1 the data are at fault, 2 the command is; of gate also 3 and 4.
"""


ERRORS: tuple[type[BaseException], ...] = (IrevalError, *ENGINE_ERRORS)


class Commands(Group):
    """The commands, each imported when it is needed; all their errors are reported here."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - as Click has it
        """The names of all commands, by group."""
        return list(MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as Click has it
        """The command of that name."""
        if cmd_name not in MODULES:
            return None
        module = importlib.import_module(f"ireval_frames.cli.{MODULES[cmd_name]}")
        command: click.Command = getattr(module, cmd_name.replace("-", "_"))
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands of each group."""
        for title, group in GROUPS.items():
            self.format_group(title, list(group), ctx, formatter)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Read the arguments, and run the command; the output may refuse what is written."""
        try:
            return super().main(*args, **kwargs)
        except OSError as error:
            name = error.filename
            what = os.fsdecode(name) if isinstance(name, str | bytes) else "The output cannot be written"
            _report(f"{what}: {error.strerror or cause(error)}.")
            raise SystemExit(1) from None

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """Read the arguments that stand before the command.

        Raises:
            click.exceptions.Exit: there is no such option, which was reported.
        """
        try:
            return super().make_context(*args, **kwargs)
        except click.exceptions.NoArgsIsHelpError:
            raise
        except click.ClickException as error:
            raise _refused(error) from None

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command.

        Raises:
            click.exceptions.Exit: something went wrong and was reported.
        """
        try:
            with warnings.catch_warnings():
                warnings.showwarning = _show_warning
                return super().invoke(ctx)
        except click.exceptions.NoArgsIsHelpError:
            raise
        except click.ClickException as error:
            raise _refused(error, ctx) from None
        except ERRORS as error:
            known = unwrap(error)
            if known is None:
                _report(f"Polars failed: {cause(error)}.")
            else:
                _report(known.what, rendered(known.hint, self._options(ctx)))
            raise click.exceptions.Exit(known.exit_code if known else 1) from None

    def _options(self, ctx: click.Context) -> set[str]:
        """The options of the command that was run."""
        command = self.get_command(ctx, ctx.invoked_subcommand or "")
        below = command.commands.values() if isinstance(command, click.Group) else ()
        return {name for c in (command, *below) if c is not None for parameter in c.params for name in parameter.opts}


def _report(text: str, hint: str = "") -> None:
    # Without standard error there is still the exit code.
    with suppress(OSError):
        click.echo(lines(f"ireval: {text}" + (f"\n  {hint}" if hint else "")), err=True)


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    """Report a warning like an error, without its line of code."""
    _report(commands(str(message)))


def _refused(error: click.ClickException, ctx: click.Context | None = None) -> click.exceptions.Exit:
    """Report arguments that are refused; what ends the command."""
    at = getattr(error, "ctx", None) or ctx
    _report(error.format_message(), f"See: {at.command_path if at else 'ireval'} --help")
    return click.exceptions.Exit(2)


app = click.version_option(__version__, prog_name="ireval", message="%(prog)s %(version)s")(
    Commands(
        "ireval",
        # Only names, which Click suggests for misspelt ones.
        dict.fromkeys(MODULES),  # type: ignore[arg-type]
        help="Evaluate rankings, labels, clusterings, spans and answers: an evaluation is a query over tables.",
        epilog=EXAMPLES,
        no_args_is_help=True,
        context_settings=HELP,
    )
)
