"""Whether the result of an experiment may be trusted."""
