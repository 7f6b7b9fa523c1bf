"""The columns of tables: which each kind of table must have, and what users call them."""
