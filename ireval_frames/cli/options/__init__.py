"""What several commands read: their options, and the tables that these name."""
