"""Whether the package can be released: built, and tried from the wheel alone (`make release-check`)."""
