"""What families of documents share: two tables of what is in documents, which a document's rows are compared in."""
