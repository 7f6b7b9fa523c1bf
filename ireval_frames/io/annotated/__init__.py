"""Files of annotated text: documents with the spans that are marked in them, and tokens with their tags."""
