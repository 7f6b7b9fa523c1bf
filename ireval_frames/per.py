"""The rows that an expression has values for: those of the table of a context's column.

These are names for expressions, for people and for the pages of contexts; for type checkers they are all equal.
"""

from __future__ import annotations

from ireval_frames.expr import Expr

Unit = Expr
"""A value per unit: a query, or a group of items."""
Row = Expr
"""A value per document of a list."""
Judgment = Expr
"""A value per judged document of a query."""
Query = Expr
"""A value per judged query, whichever runs have it."""
Item = Expr
"""A value per item of two rankings that both have it."""
Depth = Expr
"""A value per depth of two rankings."""
Class = Expr
"""A value per class."""
Cluster = Expr
"""A value per cluster."""
Clusters = Expr
"""A value per two clusters."""
Cell = Expr
"""A value per class and cluster that share items."""
Page = Expr
"""A value per result page."""
Place = Expr
"""A value per position of a unit's result pages."""
Counted = Expr
"""A value per class, item or unit, like the counts."""
Same = Expr
"""A value per row of the argument."""
Rated = Expr
"""A value per rated unit: what raters rate."""
Rater = Expr
"""A value per rater."""
Category = Expr
"""A value per category that ratings have."""
Margin = Expr
"""A value per rater and category."""
Window = Expr
"""A value per window of positions."""
Answer = Expr
"""A value per gold answer of a query."""
Request = Expr
"""A value per request of a system that is timed."""
Nugget = Expr
"""A value per nugget of a query and run."""
Sentence = Expr
"""A value per sentence of an answer."""
Citation = Expr
"""A value per passage that a sentence cites."""
Verdict = Expr
"""A value per verdict on a passage, a claim or a statement."""
Member = Expr
"""A value per document of a query, in its lists or its judgments."""
Membership = Expr
"""A value per document of a query and group of it."""
Group = Expr
"""A value per query and group of documents."""
Pair = Expr
"""A value per pair of items of a list."""
Recommended = Expr
"""A value per unit and recommended item."""
