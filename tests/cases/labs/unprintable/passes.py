"""Passes that raise, return or leave behind what cannot be printed; each one's docstring is what must be told of it."""

import sys

import torch
from torch import nn


class Mute(Exception):
    def __str__(self):
        raise RuntimeError("no words")


class NoText(Exception):
    def __str__(self):
        return 5


class Leaving(Exception):
    def __str__(self):
        raise SystemExit(3)


class Unprintable:
    def __repr__(self):
        raise ValueError("no words")

    def __call__(self, value):
        return value

    def __ne__(self, other):
        raise Mute


class Net(nn.Module):
    def __init__(self, answer=None):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.answer = answer

    def forward(self, x):
        return torch.relu(self.layer(x))


def raises_without_words(gm):
    """broke    running the pass: Mute"""
    raise Mute


def raises_what_is_no_text(gm):
    """broke    running the pass: NoText"""
    raise NoText


def raises_what_leaves_when_printed(gm):
    """broke    running the pass: Leaving"""
    raise Leaving


def raises_at_length(gm):
    r"""broke    running the pass: ValueError: \x1b[31mx"""
    raise ValueError("\x1b[31mx" * 1_000_000)


def raises_a_heading(gm):
    """broke    running the pass: RuntimeError: Keys do not fit: missing layer.weight"""
    raise RuntimeError("Keys do not fit:\n\tmissing layer.weight\n\tmissing layer.bias")


def leaves(gm):
    """broke    running the pass: SystemExit: enough"""
    sys.exit("enough")


def leaves_when_run(gm):
    """broke    running the module it made: SystemExit: enough"""
    gm.forward = lambda x: sys.exit("enough")


def puts_in_an_argument(gm):
    """%relu : [call_function]"""
    node = next(node for node in gm.graph.nodes if node.op == "call_function")
    node.args = (*node.args, Unprintable())


def puts_in_a_target(gm):
    """%relu : [call_function]"""
    node = next(node for node in gm.graph.nodes if node.op == "call_function")
    node.target = Unprintable()


def adds_a_module(gm):
    """holds    module added: extra (<Extra>)"""

    class Extra(nn.Module):
        def extra_repr(self):
            raise ValueError("no words")

    gm.add_module("extra", Extra())


def gives_what_is_no_tensor(gm):
    """results  value 1 was a tensor of shape (2, 4) and is <Unprintable>"""
    gm.forward = lambda x: Unprintable()


def raises_in_a_predicate(node):
    raise Mute


def leaves_in_a_predicate(node):
    sys.exit()
