"""What families of items share: their tables, what these must not hold, and the plan of an evaluation."""
