"""With a mark."""

MARK = 1  # def: sample.marked.MARK attribute
