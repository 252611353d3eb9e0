"""A module that a table gives out whole."""
