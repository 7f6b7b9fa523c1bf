"""The documentation as a site: `make site` makes it of the pages in `docs/`, the notebooks and the docstrings."""
