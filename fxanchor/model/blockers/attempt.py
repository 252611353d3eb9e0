"""What can be changed about a trace to get past a blocker, without touching the user's file or model for good."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from torch import nn

from fxanchor.model.blockers.patching import Edit


@dataclass(frozen=True, slots=True)
class Wrap:
    """`torch.fx.wrap(name)` at the top of the module whose globals these are."""

    scope: dict[str, Any]
    name: str


@dataclass(frozen=True, slots=True)
class Registration:
    """An attribute of a module made a registered submodule.

    Attributes:
        owner: Whose attribute it becomes.
        name: Name of the attribute.
        module: The submodule.
        code: An expression that gives it, of `owner` and of `scope`, which is the globals of the owner's class;
            "" when the change of the source gives it.
    """

    owner: nn.Module
    name: str
    module: nn.Module
    code: str = ""


@dataclass(frozen=True, slots=True)
class Substitute:
    """Another module to trace instead of the model.

    Attributes:
        make: Makes it of the model.
        code: An expression that does so, of `model`.
        before: Definitions that the expression needs.
    """

    make: Callable[[nn.Module], nn.Module]
    code: str
    before: str = ""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A way to trace a model other than plainly.

    Attributes:
        concrete: Arguments of forward taken as constants.
        leaf_classes: Classes whose instances are kept whole.
        proxy_buffers: Whether reading a buffer gives a Proxy.
        wraps: Functions that are recorded rather than entered.
        edits: Changes of source text.
        registrations: Modules that are registered first.
        substitute: What is traced instead of the model, or None.
    """

    concrete: Mapping[str, Any] = field(default_factory=dict)
    leaf_classes: tuple[type[nn.Module], ...] = ()
    proxy_buffers: bool = False
    wraps: tuple[Wrap, ...] = ()
    edits: tuple[Edit, ...] = ()
    registrations: tuple[Registration, ...] = ()
    substitute: Substitute | None = None

    def plus(self, other: "Attempt") -> "Attempt":
        """Both together; where both change the same source, this one's change is kept."""
        taken = {edit.place for edit in self.edits}
        return replace(
            self,
            concrete={**self.concrete, **other.concrete},
            leaf_classes=(*self.leaf_classes, *other.leaf_classes),
            proxy_buffers=self.proxy_buffers or other.proxy_buffers,
            wraps=(*self.wraps, *other.wraps),
            edits=(*self.edits, *(edit for edit in other.edits if edit.place not in taken)),
            registrations=(*self.registrations, *other.registrations),
            substitute=other.substitute or self.substitute,
        )
