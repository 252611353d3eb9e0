"""The title and the headings: how they are set, how they are numbered, which section follows which."""
