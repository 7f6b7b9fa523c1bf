"""Pool bias as one page: in words, by run, by group, and the documents that only one contributed."""

from __future__ import annotations

from ireval_frames.escaping import plain
from ireval_frames.plots.words import counted
from ireval_frames.reporting.cells import table, without_constant
from ireval_frames.reporting.conventions import origin
from ireval_frames.reporting.figures import Figures
from ireval_frames.reporting.page import Page, Section
from ireval_frames.reusability.result import PoolBias


def of_pool_bias(bias: PoolBias, title: str | None, command: str, figures: Figures) -> Page:
    """The page of runs with and without what only their group contributed."""
    sentences = [plain(s) for s in bias.sentences()]
    figures.add("pool_bias", bias)
    drawn, notes = figures.take()
    groups, runs = bias.groups(), bias.table()
    # Of each run alone a group is the run.
    named = groups["group"].n_unique() < runs["run_id"].n_unique()
    unique = bias.unique("group" if named else "run")
    counts = ("n_runs", "n_groups", "n_relevant", "n_unique_relevant", "share")
    by_measure, same = without_constant(bias.summary(), counts)
    by_group = table(groups, "Without each group: the order of all runs", rest="bias.groups()")
    alone = table(unique, "Judged and relevant documents, and those that no other contributed", rest="bias.unique()")
    sections = (
        Section("findings", "Findings", tuple(sentences[1:]), (table(by_measure, f"By measure{same}"),)),
        Section(
            "runs", "Runs", blocks=(*drawn, table(runs, "With and without its group", rest="bias.table()")), notes=notes
        ),
        Section("groups", "Groups", blocks=(by_group, alone)),
        Section("conventions", "Conventions and origin", blocks=(origin({}, command),)),
    )
    default = f"Pool bias of {counted(runs['run_id'].n_unique(), 'run')}"
    return Page(plain(title or default), sentences[0], sections)
