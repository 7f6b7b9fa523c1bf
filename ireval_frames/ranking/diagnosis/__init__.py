"""Why two runs differ on a query: their lists side by side, contributions of documents, and unjudged documents."""
