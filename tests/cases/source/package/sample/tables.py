"""Tables of names."""

equalities = {"eq": "==", "ne": "!="}
comparisons = {"lt": "<", "_ge_": ">=", **equalities}
