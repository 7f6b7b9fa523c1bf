"""Spark: a plan is one statement of the caller's session."""
