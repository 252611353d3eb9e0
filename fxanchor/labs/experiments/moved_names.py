"""Names of the paper that live elsewhere today."""

import importlib
from collections.abc import Iterator
from typing import Any

LAB = {
    "statement": "The names that the paper gives are importable as it spells them.",
    "said_by": "paper 4, 4.1, 5.4, 6.3",
    "verdict": "changed since",
    "changed": "since the paper, the graph drawer is torch.fx.passes.graph_drawer; the other names stayed",
    "seen_on": ("2.13.0", "2.14.1"),
    "meaning": "Public names of torch.fx are kept for compatibility, and modules move. Anchor what you learn to the "
    "qualified name, never to a file and line: lines move with every release.",
    "break_at": ("torch.fx.passes.graph_drawer.FxGraphDrawer.__init__",),
}

NAMES = (
    "torch.fx.symbolic_trace",
    "torch.fx.Tracer.is_leaf_module",
    "torch.fx.Tracer.create_proxy",
    "torch.fx.Proxy.__torch_function__",
    "torch.fx.Graph",
    "torch.fx.Node",
    "torch.fx.GraphModule.to_folder",
    "torch.fx.passes.shape_prop",
    "torch.fx.graph_drawer",
    "torch.fx.passes.graph_drawer",
)


def importable(name: str) -> bool:
    """Tell whether a dotted name leads to something."""
    parts = name.split(".")
    for split in range(len(parts), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:split]))
        except ImportError:
            continue
        for part in parts[split:]:
            found = getattr(found, part, None)
        return found is not None
    return False


def experiment() -> Iterator[tuple[str, object, bool | None]]:
    """Import each name."""
    for name in NAMES:
        found = importable(name)
        yield name, "found" if found else "not there", None if name == NAMES[-1] else found
