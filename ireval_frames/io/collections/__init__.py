"""Files of test collections: documents, queries and judgments in layouts of their own, a file for each."""
