"""How results are written: tables, documents, the terminal."""
