"""Commands that write SQL: sql, macros."""
