"""Measures of users as a click model describes them."""
