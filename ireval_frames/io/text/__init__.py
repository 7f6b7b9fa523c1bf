"""Lines of text as rows, and lines that are none."""
