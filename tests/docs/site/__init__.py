"""The documentation as a site: `make site` builds it from the pages in `docs/`, the notebooks and the docstrings."""
