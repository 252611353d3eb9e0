"""Models that cannot be a root at all: compiled ones, and modules without a forward."""

from torch import nn

from fxanchor.model.blockers.attempt import Attempt, Substitute
from fxanchor.model.blockers.diagnosis import Context, Diagnosis, Draft


def diagnose_compiled(context: Context) -> Diagnosis | None:
    """Conclude from a stop where a model had been through torch.compile."""
    original = object.__getattribute__(context.root, "__dict__").get("_modules", {}).get("_orig_mod")
    compiled = type(context.root).__name__ == "OptimizedModule"
    if not compiled and "dynamo-optimized function" not in context.stop.message:
        return None
    drafts: tuple[Draft, ...] = ()
    if compiled and isinstance(original, nn.Module):
        inner: nn.Module = original
        draft = Draft(
            "Trace the model that was compiled",
            "graph = torch.fx.symbolic_trace(model._orig_mod)",
            Attempt(substitute=Substitute(lambda _root: inner, "model._orig_mod")),
        )
        drafts = (draft,)
    return Diagnosis(
        "compiled",
        "The model has been through torch.compile: what is called is a wrapper that symbolic tracing cannot enter.",
        None,
        drafts,
    )


def diagnose_no_forward(context: Context) -> Diagnosis | None:
    """Conclude from a stop where the root has no forward of its own."""
    if 'missing the required "forward" function' not in context.stop.message:
        return None
    name = type(context.root).__name__
    container = isinstance(context.root, nn.ModuleList | nn.ModuleDict)
    methods = [
        method
        for method, value in vars(type(context.root)).items()
        if not method.startswith("_") and callable(value) and not isinstance(value, type)
    ]
    drafts = tuple(
        Draft(
            f"Trace another method: {method}",
            f'tracer = torch.fx.Tracer()\ntracer.traced_func_name = "{method}"\ngraph = tracer.trace(model)',
        )
        for method in methods[:2]
        if not container
    )
    if container:
        drafts = (Draft("Trace what it holds", "graph = torch.fx.symbolic_trace(model[0])"),)
    has = "only holds other modules" if container else "has no forward"
    return Diagnosis("no-forward", f"{name} {has}, so there is nothing to trace.", None, drafts)
