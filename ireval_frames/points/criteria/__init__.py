"""Internal criteria of clusterings."""
