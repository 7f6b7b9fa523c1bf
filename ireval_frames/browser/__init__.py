"""Tables as a page for the browser: a copy of the built page, in which DuckDB queries them."""

from ireval_frames.browser.built import find_page
from ireval_frames.browser.writing import PageTable, TablesPage, write_page

__all__ = ["PageTable", "TablesPage", "find_page", "write_page"]
