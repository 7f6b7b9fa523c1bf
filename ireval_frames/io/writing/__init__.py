"""Writing tables, rankings and texts."""
