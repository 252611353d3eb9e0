"""Has a table and no way to import by it."""

_import_structure = {"leaf": ["twig"]}
_PLACES = {"make": ".._made"}
