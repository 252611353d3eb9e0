"""Print a lab as one plain Python file that runs alone."""

import ast
from pathlib import Path

from fxanchor.labs.lab import Lab

_HERE = Path(__file__).parent
_MAIN = """

if __name__ == "__main__":
    print("\\n".join(report_lines(LAB["statement"], run_experiment(experiment, {arguments}, LAB["verdict"]))))
"""


def script_of(lab: Lab) -> str:
    """Return the lab's file, the sample model when it uses one, and the code that runs and judges it.

    The experiment is the text that `run_labs` runs, unchanged.

    Args:
        lab: The lab.
    """
    parts = [lab.code.rstrip()]
    if lab.uses_model:
        parts.append("# The model it runs on: make `sample` return yours, with inputs for it.\n" + _body("sample.py"))
    parts.append("# What runs an experiment and judges it.\n" + _body("kernel.py"))
    return "\n\n\n".join(parts) + "\n" + _MAIN.format(arguments="sample()" if lab.uses_model else "()")


def _body(name: str) -> str:
    """Return the text of a file of this package behind its docstring."""
    text = (_HERE / name).read_text(encoding="utf-8")
    first = ast.parse(text).body[0]
    return "\n".join(text.splitlines()[first.end_lineno or 0 :]).strip()
