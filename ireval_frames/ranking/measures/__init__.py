"""Measures of one list by the ranks and grades of its documents, one file per kind of user."""
