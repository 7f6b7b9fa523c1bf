"""trec_eval's own command: its options, its files, its numbers to the last printed digit."""
