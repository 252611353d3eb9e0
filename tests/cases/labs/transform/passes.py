"""Passes of every sort, sound and broken."""

import copy

import torch
import torch.nn.functional as F
from torch import fx, nn


class ReluToGelu(fx.Transformer):
    def call_function(self, target, args, kwargs):
        if target in (torch.relu, F.relu):
            return super().call_function(F.gelu, args, {})
        return super().call_function(target, args, kwargs)


class Decompose(fx.Transformer):
    def call_function(self, target, args, kwargs):
        if target is torch.relu:
            negative = super().call_function(torch.lt, (args[0], 0), {})
            return super().call_function(torch.where, (negative, 0.0, args[0]), {})
        return super().call_function(target, args, kwargs)


class DropModule(fx.Transformer):
    def call_module(self, target, args, kwargs):
        return args[0] if target == "act" else super().call_module(target, args, kwargs)


class RaisesInTransformer(fx.Transformer):
    def call_function(self, target, args, kwargs):
        if target is torch.relu:
            raise ValueError("no rectifiers here")
        return super().call_function(target, args, kwargs)


def edits_in_place(gm):
    for node in gm.graph.nodes:
        if node.target is torch.relu:
            with gm.graph.inserting_after(node):
                new = gm.graph.call_function(torch.tanh, node.args)
            node.replace_all_uses_with(new)
            gm.graph.erase_node(node)
    gm.recompile()


def edits_a_copy(gm):
    gm = copy.deepcopy(gm)
    for node in gm.graph.nodes:
        if node.target is torch.relu:
            node.target = torch.sigmoid
    gm.recompile()
    return gm


def rebuilds(gm):
    graph, new = fx.Graph(), {}
    for node in gm.graph.nodes:
        new[node] = graph.node_copy(node, lambda old: new[old])
        if node.target is torch.relu:
            new[node] = graph.call_function(torch.neg, (new[node],))
    return fx.GraphModule(gm, graph)


def traces_anew(gm):
    return fx.symbolic_trace(gm)


def does_nothing(gm):
    return gm


def forgets_to_recompile(gm):
    for node in gm.graph.nodes:
        if node.target is torch.relu:
            node.target = torch.sigmoid
    return gm


def raises_half_way(gm):
    for node in gm.graph.nodes:
        if node.target is torch.relu:
            node.target = torch.sigmoid
            node.args[5]


def makes_code_that_raises(gm):
    for node in gm.graph.nodes:
        if node.target is torch.relu:
            node.target = torch.matmul
    gm.recompile()


def leaves_a_dead_node(gm):
    for node in gm.graph.nodes:
        if node.target is torch.relu:
            with gm.graph.inserting_after(node):
                gm.graph.call_function(torch.sigmoid, (node,))
    gm.recompile()


def breaks_the_order(gm):
    nodes = {node.name: node for node in gm.graph.nodes}
    nodes["mul"].prepend(nodes["add_1"])
    gm.recompile()


def writes_to_weights(gm):
    with torch.no_grad():
        gm.head.weight.mul_(2)
    return gm


def exits(gm):
    raise SystemExit(3)


def returns_a_number(gm):
    return 3


class WithTransform:
    def transform(self, graph_module):
        graph_module.act = nn.Sigmoid()
        return graph_module


PAIR = (lambda a: torch.relu(a), lambda a: torch.tanh(a))


def is_rectifier(node):
    return node.target in (torch.relu, F.relu)


def not_a_pass(one, two):
    return one


def bad_predicate(node):
    return node.nothing


def empties_the_arguments(gm):
    for node in gm.graph.nodes:
        if node.op == "call_function":
            node.args = ()
    gm.recompile()
    return gm
