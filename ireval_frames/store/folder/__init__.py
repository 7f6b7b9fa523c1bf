"""The files of a store: written whole or not at all, each with its checksum."""
