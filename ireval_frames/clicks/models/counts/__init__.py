"""A click log as counts: what click models are fitted to."""
