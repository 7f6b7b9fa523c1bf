"""What the value of a ranking loses without a page or user, where the relevance of results is learned from the log.

The relevance R = C / E of a result is clicks over the sum of propensities, and a value depends on it with the weight M:
the pages of its query for the mean propensity, those of them that do not show it for DR.  Without a cluster that has
the parts c, e and m of these, M R becomes (M − m) (C − c) / (E − e), which is 0 where no other cluster shows the
result.
"""

from __future__ import annotations

from ireval_frames.clicks.counterfactual_evaluation.tables import ValueTables
from ireval_frames.expr import Expr, col, lit, when

# What is left of a sum that is all one cluster's, by rounding.
NOTHING = 1e-9


def without(tables: ValueTables, *, unseen: bool) -> Expr:
    """In `results`: what each shown result has in M R less (M − m) (C − c) / (E − e), and less m R.

    Args:
        tables: the tables of the plan.
        unseen: M counts the pages that do not show the result, not all.
    """
    shown, pairs = tables.results, tables.pairs
    learned, examined = (shown.lookup(e, of=pairs) for e in (tables.learned, tables.examined))
    pages = pairs.lookup(tables.pages_of_query, of=tables.queries)
    click, rho = col("click"), col("propensity")
    all_shown = shown.sum(tables.copies, into=pairs)
    rest = shown.lookup(pairs.column(pages - all_shown if unseen else pages, "pages"), of=pairs)
    if tables.asked.user:
        keys = (*tables.asked.by, "user_id", "query_id")
        of_user = tables.plan.grouped("results_of_users", shown, *keys, "doc_id")
        queries = tables.plan.grouped("queries_of_users", tables.query_pages, *keys)
        own = tables.query_pages.sum(tables.query_page_weight, into=queries)
        own = of_user.lookup(own, of=queries)
        if unseen:
            own = own - shown.sum(tables.copies, into=of_user)
        mine = shown.lookup(of_user.column(own, "own_pages"), of=of_user)
        part = shown.lookup(shown.sum(tables.copies * rho, into=of_user), of=of_user)
    else:
        # Of a page that counts several times one is left out.
        one = when(col("weight") < 1.0).then(col("weight")).otherwise(1.0) if tables.weighted else lit(1.0)
        mine, part = lit(0.0) if unseen else one, one * rho
    left = examined - part
    alone = left <= NOTHING * examined
    moved = (rest - mine) * (click - learned * rho) / when(alone).then(1.0).otherwise(left)
    return when(alone).then((rest - mine) * learned * rho / part).otherwise(moved)
