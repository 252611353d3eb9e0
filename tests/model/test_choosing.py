"""A branch written as a choice computes what the branch computes."""

import ast
import textwrap
from typing import Any

import pytest
import torch

from fxanchor.model.blockers.choosing import as_choice

SAME = {
    "one name": """
        if x.sum() > 0:
            x = x * 2
        return x
    """,
    "both set it": """
        if x.sum() > 0:
            y = x * 2
        else:
            y = x - 1
        return y
    """,
    "both return": """
        if x.mean() <= 0:
            return -x
        else:
            return x + 1
    """,
    "the rest returns": """
        if x.mean() <= 0:
            return -x
        return x + 1
    """,
    "a number": """
        if x.clamp(min=0).sum():
            x = x * 2
        return x
    """,
    "a method that tells": """
        if (x > 0).any():
            x = x * 2
        return x
    """,
}
NONE = {
    "two statements": "if x.sum() > 0:\n    x = x * 2\n    y = x",
    "another name": "if x.sum() > 0:\n    x = x * 2\nelse:\n    y = x",
    "a chain": "if 0 < x.sum() < 1:\n    x = x * 2",
    "two conditions": "if x.sum() > 0 and x.min() > 0:\n    x = x * 2",
    "identity": "if x is None:\n    x = y",
    "an attribute": "if x.sum() > 0:\n    self.x = x * 2",
    "more branches": "if x.sum() > 0:\n    x = x * 2\nelif x.sum() < 0:\n    x = x",
    "nothing to return": "if x.sum() > 0:\n    return\nreturn x",
    "in place": "if x.sum() > 0:\n    x += 1",
}


def run(body: str, x: torch.Tensor) -> torch.Tensor:
    names: dict[str, Any] = {"torch": torch}
    exec(f"def f(x):\n{textwrap.indent(body, '    ')}", names)
    result: torch.Tensor = names["f"](x)
    return result


@pytest.mark.parametrize("name", SAME)
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_both_give_the_same(name: str, sign: float) -> None:
    body = textwrap.dedent(SAME[name]).strip()
    branch, *rest = ast.parse(body).body
    assert isinstance(branch, ast.If)
    written = as_choice(branch, rest[0] if rest else None, ast.unparse)
    assert written is not None
    x = sign * torch.rand(2, 3)
    chosen = "\n".join([written, *map(ast.unparse, rest)])
    assert torch.equal(run(chosen, x), run(body, x))


@pytest.mark.parametrize("name", NONE)
def test_what_is_more_than_two_values_is_left_alone(name: str) -> None:
    branch, *rest = ast.parse(NONE[name]).body
    assert isinstance(branch, ast.If)
    assert as_choice(branch, rest[0] if rest else None, ast.unparse) is None
