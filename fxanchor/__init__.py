"""fxanchor: tie what a paper says to the source that does it and to breakpoints proven on your model."""

__version__ = "0.1.0"
