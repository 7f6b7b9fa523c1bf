"""Whether the same inputs give the same bytes, on one thread and on many."""
