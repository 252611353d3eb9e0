"""A text that others wrote -> its checkable statements about the source and the paper, each with a verdict."""
