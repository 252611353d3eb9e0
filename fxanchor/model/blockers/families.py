"""The families of blockers, in the order in which they are asked; the first that knows a stop concludes."""

from dataclasses import replace

from fxanchor.model.blockers import (
    captured,
    control_flow,
    decorated,
    libraries,
    modules,
    other,
    python_protocol,
    roots,
    surroundings,
    tensors,
)
from fxanchor.model.blockers.diagnosis import Context, Diagnosis
from fxanchor.model.rows import parameter_triggers

_FAMILIES = (
    surroundings.diagnose,
    roots.diagnose_compiled,
    roots.diagnose_no_forward,
    captured.diagnose_class,
    captured.diagnose_specialised,
    decorated.diagnose_decorated,
    modules.diagnose_opened,
    libraries.diagnose_einops,
    libraries.diagnose_distributed,
    libraries.diagnose_wrap_misuse,
    libraries.diagnose_scripted,
    control_flow.diagnose,
    modules.diagnose_unregistered,
    python_protocol.diagnose_iteration,
    python_protocol.diagnose_len,
    python_protocol.diagnose_integer,
    python_protocol.diagnose_number,
    python_protocol.diagnose_format,
    python_protocol.diagnose_item_assignment,
    tensors.diagnose_buffer_slice,
    tensors.diagnose_array,
    tensors.diagnose_type_dispatch,
    tensors.diagnose_sizes,
    tensors.diagnose_argument,
)


def diagnose(context: Context) -> Diagnosis:
    """Conclude from a stop."""
    for family in _FAMILIES:
        found = family(context)
        if found is not None:
            return _with_arguments(found, context)
    return _with_arguments(other.diagnose(context), context)


def _with_arguments(found: Diagnosis, context: Context) -> Diagnosis:
    """Put first what changes no line: to give an argument of forward that is no tensor its own default."""
    drafts = control_flow.argument_drafts(context)
    titles = {draft.title for draft in found.drafts}
    added = tuple(draft for draft in drafts.values() if draft.title not in titles)
    if not added or found.where is not None:
        # Where another place is to blame, what the stop reads by name is not what it seems.
        return found
    name = next(iter(drafts))
    triggers = parameter_triggers(context.run.forward, context.locator)
    explanation = f"{found.explanation} `{name}` is a Proxy although it has a default, which symbolic tracing ignores."
    cause = found.cause or context.elsewhere(triggers.get(name))
    return replace(found, explanation=explanation, cause=cause, drafts=(*added, *found.drafts))
