"""Running a model in eager mode first: what fails there is no matter of capturing."""

import copy
from dataclasses import dataclass

import torch
from torch import nn
from torch.utils import _pytree as pytree

from fxanchor.model.eager import EagerRun, run_eager
from fxanchor.model.examples import ExampleInputs
from fxanchor.model.fakes import FakeInputs, fake_inputs, is_data_dependent, on_meta
from fxanchor.model.guard import BufferKeeper
from fxanchor.model.limits import OutOfTime, time_limit
from fxanchor.model.places import Places

_LARGEST_MODEL = 300_000_000
_LARGEST_COPY = 30_000_000
_LARGEST_INPUT = 2_000_000
_SECONDS = 150.0


@dataclass(frozen=True, slots=True)
class Checked:
    """What running a model showed.

    Attributes:
        run: The run that came furthest: on fake tensors, or on real ones where fake ones do not do.
        fake: The fake inputs.
        fails: Whether the model itself fails on these inputs.
        note: What could not be found out, one sentence, or "".
    """

    run: EagerRun
    fake: FakeInputs
    fails: bool
    note: str = ""


def check_eager(module: nn.Module, inputs: ExampleInputs, places: Places) -> Checked:
    """Run a model on fake tensors, and on real ones when it fails there and is small enough.

    Args:
        module: The model.
        inputs: Example inputs.
        places: Whose files are whose.
    """
    fake = fake_inputs(module, inputs.args, inputs.kwargs)
    with fake.mode:
        run = run_eager(module, fake.args, fake.kwargs, places)
    if run.error is None:
        return Checked(run, fake, False)
    if not is_small(module, inputs, _LARGEST_MODEL):
        if is_data_dependent(run.error):
            note = "The model decides on values of tensors and is too large to be run on real ones."
            return Checked(run, fake, False, note)
        return Checked(run, fake, True, "The model was run on tensors without data only.")
    real = _run_really(module, inputs, places)
    if real is None:
        return Checked(run, fake, False, "The model could not be run on real tensors in time.")
    return Checked(real, fake, real.error is not None)


def _run_really(module: nn.Module, inputs: ExampleInputs, places: Places) -> EagerRun | None:
    """Run a copy of the model, or itself when it is large, on copies of the inputs, within a time limit."""
    buffers = BufferKeeper(module)
    try:
        with time_limit(_SECONDS):
            torch.manual_seed(0)
            args, kwargs = pytree.tree_map(_cloned, (tuple(inputs.args), dict(inputs.kwargs)))
            large = _weights(module) > _LARGEST_COPY
            return run_eager(module if large else copy.deepcopy(module), args, kwargs, places)
    except OutOfTime:
        return None
    except (RuntimeError, TypeError, copy.Error):
        # Some modules cannot be copied, and running a small one must not change it at all.
        return None
    finally:
        buffers.restore()


def _weights(module: nn.Module) -> int:
    return sum(tensor.numel() for tensor in (*module.parameters(), *module.buffers()))


def is_small(module: nn.Module, inputs: ExampleInputs, largest: int = _LARGEST_COPY) -> bool:
    """Whether a model and its inputs have data, and little enough of it to run and to copy."""
    if on_meta(module):
        return False
    tensors = [leaf for leaf in pytree.tree_leaves((inputs.args, inputs.kwargs)) if isinstance(leaf, torch.Tensor)]
    data = sum(tensor.numel() for tensor in tensors)
    return _weights(module) <= largest and data <= _LARGEST_INPUT and not any(tensor.is_meta for tensor in tensors)


def _cloned(value: object) -> object:
    return value.detach().clone() if isinstance(value, torch.Tensor) else value
