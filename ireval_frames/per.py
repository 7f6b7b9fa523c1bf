"""What an expression has a value for: the rows of the table where a column of a context stands.

These are names for expressions, for people and for the pages of contexts; types do not tell them apart.
"""

from __future__ import annotations

import narwhals.stable.v2 as nw

Unit = nw.Expr
"""A value per unit: a query, or a group of items."""
Row = nw.Expr
"""A value per document of a list."""
Judgment = nw.Expr
"""A value per judged document of a query."""
Query = nw.Expr
"""A value per judged query, whichever runs have it."""
Item = nw.Expr
"""A value per item of two rankings that both have it."""
Depth = nw.Expr
"""A value per depth of two rankings."""
Class = nw.Expr
"""A value per class."""
Cluster = nw.Expr
"""A value per cluster."""
Clusters = nw.Expr
"""A value per two clusters."""
Cell = nw.Expr
"""A value per class and cluster that share items."""
Page = nw.Expr
"""A value per result page."""
Place = nw.Expr
"""A value per position of a unit's result pages."""
Counted = nw.Expr
"""A value per class, item or unit: wherever counts stand."""
Same = nw.Expr
"""A value wherever that stands which is handed in."""
Rated = nw.Expr
"""A value per rated unit: what raters rate."""
Rater = nw.Expr
"""A value per rater."""
Category = nw.Expr
"""A value per category that ratings have."""
Margin = nw.Expr
"""A value per rater and category."""
