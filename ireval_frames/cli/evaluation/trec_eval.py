"""`ireval trec-eval`: the output of trec_eval, from the same options."""

from __future__ import annotations

import textwrap
from functools import partial

import click

from ireval_frames import catalog
from ireval_frames.cli.evaluation.measures import page
from ireval_frames.cli.hints import rendered
from ireval_frames.cli.options.command import command
from ireval_frames.cli.output.running import working
from ireval_frames.cli.output.tables import write_bytes
from ireval_frames.errors import InvalidParameter, IrevalError, MismatchedTables, UnknownName
from ireval_frames.trec_eval import files as trec_files
from ireval_frames.trec_eval import help as trec_help
from ireval_frames.trec_eval import names as trec_names
from ireval_frames.trec_eval import options as trec_options
from ireval_frames.trec_eval import zscores as trec_zscores
from ireval_frames.trec_eval.options import Options
from ireval_frames.trec_eval.values import evaluated, lines
from ireval_frames.version import __version__


def _words(error: IrevalError) -> str:
    """The text of an error without Python."""
    hint = rendered(error.hint, ())
    return f"{error.what}\n  {hint}" if hint else error.what


_ending = partial(trec_help.ending, words=_words)


class Unparsed(click.Command):
    """A command that parses its arguments itself."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The arguments, unchanged."""
        ctx.args = args
        return args


@command(cls=Unparsed, add_help_option=False)
def trec_eval(context: click.Context) -> None:
    """Print what trec_eval prints, from the same options."""
    try:
        _run(context.args)
    except trec_help.Ended as end:
        raise click.exceptions.Exit(end.code) from None


def _run(arguments: list[str]) -> None:
    with _ending(trec_help.COMMAND_LINE):
        options, others = trec_options.read(arguments)
        requested, parameters = trec_names.parse_measures(options.measures)
        if options.version:
            click.echo(f"trec_eval version 10.0 (ireval-frames {__version__})", err=True)
            return
        if options.help:
            click.echo(_help(options))
            return
        if len(others) != 2:
            raise InvalidParameter(
                f"There are {len(others)} arguments besides options; two are needed.", trec_help.USAGE
            )
        if others == ["-", "-"]:
            raise InvalidParameter(
                "Standard input (-) is read once, but it is named twice.", "Name a file for one of them."
            )
    with working("evaluating"):
        text = _output(others[0], others[1], requested, parameters, options)
    write_bytes(text.encode(), None)


def _output(qrels_path: str, run_path: str, requested: set[str], parameters: dict[str, str], options: Options) -> str:
    with _ending(trec_help.FILES):
        _check_formats(options)
        qrels = trec_files.judgments(qrels_path, options.rel_format)
        if options.rel_format == "qrels_jg":
            trec_files.refuse_duplicates(qrels, qrels_path)
        run, file = trec_files.run(run_path)
    with _ending(trec_help.ZSCORES):
        zscores = None if options.zscores is None else trec_zscores.read(options.zscores)
    with _ending(trec_help.FILES):
        printed = trec_names.printed(
            requested,
            parameters,
            trec_names.Conventions(options.level, options.n_docs, options.compat, options.rel_format),
        )
    with _ending(trec_help.CALCULATION):
        queries, columns = evaluated(qrels, run, printed, options, zscores)
        tag = trec_files.tag(file) if any(not p.parts for p in printed) else ""
    with _ending(trec_help.NOTHING):
        if not queries:
            raise MismatchedTables(
                "No query stands in both files.", "Look at the query ids of both; with -c such queries count 0."
            )
    return "".join(lines(queries, columns, tag, options))


def _check_formats(options: Options) -> None:
    if options.rel_format not in trec_names.JUDGMENTS:
        raise UnknownName(
            f"-R is {options.rel_format!r}; allowed: {', '.join(trec_names.JUDGMENTS)}.", "Write -R qrels"
        )
    if options.results_format != "trec_results":
        raise UnknownName(f"-T is {options.results_format!r}; allowed: trec_results.", "Write -T trec_results")


def _help(options: Options) -> str:
    names = ", ".join(n for n in trec_names.ORDER if n in {"runid", "relstring", *catalog.trec_names()})
    text = trec_help.HELP.replace("{measures}", textwrap.fill(f"Measures: {names}.", 95))
    requested = trec_names.parse_measures(options.measures)[0] if options.measures else set()
    known = catalog.trec_names()
    definitions = dict.fromkeys(
        known[n][0] for a in sorted(requested) for n in trec_names.NICKNAMES.get(a, (a,)) if n in known
    )
    return text + "".join(f"\n{page(d)}" for d in definitions)
