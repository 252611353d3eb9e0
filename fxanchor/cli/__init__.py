"""One file per command: parse options, call one function below, pick a renderer."""
