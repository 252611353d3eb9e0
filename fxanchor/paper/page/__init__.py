"""The lines of a page: gathered, ordered by columns, without what every page carries."""
