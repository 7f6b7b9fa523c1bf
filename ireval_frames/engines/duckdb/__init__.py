"""DuckDB: a plan is one statement inside the caller's connection."""
