"""Commands that evaluate: runs, items, points; the catalog of measures; folds."""
