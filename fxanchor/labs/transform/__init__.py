"""Transforms that can be watched: what each pass of a pipeline does to a captured model."""
