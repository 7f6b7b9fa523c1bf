"""The consensus of raters, and how good each of them is."""
