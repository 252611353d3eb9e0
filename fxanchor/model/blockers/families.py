"""The families of blockers, in the order in which they are asked; the first that knows a stop concludes."""

from fxanchor.model.blockers import control_flow, decorated, libraries, modules, other, python_protocol, roots, tensors
from fxanchor.model.blockers.diagnosis import Context, Diagnosis

_FAMILIES = (
    roots.diagnose_compiled,
    roots.diagnose_no_forward,
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
            return found
    return other.diagnose(context)
