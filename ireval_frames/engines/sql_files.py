"""SELECTs that read files in DuckDB the way the readers do."""


def select(description: object) -> str:
    """The SELECT that reads the described file."""
    raise LookupError(description)
