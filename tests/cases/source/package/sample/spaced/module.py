"""In a directory without __init__."""

HERE = 1  # def: sample.spaced.module.HERE attribute
