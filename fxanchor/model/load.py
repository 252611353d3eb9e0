"""From what a command line names to a built model; runs in the child process."""

import importlib.util
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import torch

from fxanchor.errors import FxanchorError, InputError, UsageError
from fxanchor.model.build import Built, build
from fxanchor.model.candidates import Candidates, find_candidates, several
from fxanchor.model.examples import ExampleInputs, make_inputs, on_meta
from fxanchor.model.executing import Executed, execute
from fxanchor.model.guesses import inputs_from_calls, inputs_from_first_layer
from fxanchor.model.importing import UserFiles, find_module, find_place, prepare_path
from fxanchor.model.inputs import parse_inputs
from fxanchor.model.plain import one_line
from fxanchor.model.sandbox import Child
from fxanchor.model.sourcefile import SourceFile, read_source
from fxanchor.model.spec import ModelSpec
from fxanchor.model.targets import Target, binding_target, named_target
from fxanchor.model.usages import Usage, usages_of


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A model that is there.

    Attributes:
        module: The model.
        file: Its file as given; for a module that was named, relative to the directory it is imported from.
        path: Absolute path of the file.
        target: Name or expression of what it was made from.
        built_by: How it was built, in words.
        inputs: Example inputs that were given or are certain, or None.
        notes: What else is to be known, one sentence each.
        files: The files whose code counts as the user's.
        namespace: The module that the file became.
    """

    module: torch.nn.Module
    file: str
    path: Path
    target: str
    built_by: str
    inputs: ExampleInputs | None
    notes: tuple[str, ...]
    files: UserFiles
    namespace: ModuleType

    def is_user_file(self, filename: str) -> bool:
        """Return whether a code object's file belongs to the user's model and not to a library.

        Args:
            filename: `co_filename`.
        """
        return filename in self.files


def load_model(spec: ModelSpec, child: Child) -> LoadedModel:
    """Import the file, find the model in it and build it.

    Args:
        spec: What was asked for.
        child: Told the phases.

    Raises:
        InputError: When the file cannot be read or imported, or holds no model, or the model cannot be built.
        UsageError: When what was named is not there, or must be chosen or given arguments.
    """
    source = _source(spec)
    place = find_place(source)
    prepare_path(source, place)
    files = UserFiles.around(source, place)
    executed = execute(source, place, spec, files, child)
    module = executed.module
    try:
        candidates = _candidates(spec, source, executed)
        usages = usages_of(source, module)
        built, target = _build(candidates, spec, module, usages, child)
    except FxanchorError as error:
        raise _explained(error, spec, source, executed) from error
    return LoadedModel(
        module=built.module,
        file=source.shown,
        path=source.path,
        target=target.text,
        built_by=built.text,
        inputs=_inputs(spec, target, built, module, usages),
        notes=(*source.notes, *executed.notes, *built.notes),
        files=files,
        namespace=module,
    )


def _source(spec: ModelSpec) -> SourceFile:
    if spec.file:
        return read_source(Path(spec.file), spec.file)
    sys.path.insert(0, str(Path.cwd()))
    path = find_module(spec.module)
    if path is None:
        raise UsageError(_no_file(spec.module))
    parts = spec.module.count(".") + (path.name == "__init__.py") + 1
    return read_source(path, "/".join(path.parts[-parts:]))


def _no_file(module: str) -> str:
    """Say why no file of a module can be read: there is no such module, or it is not one that is read from a file."""
    if module.partition(".")[0] in sys.stdlib_module_names:
        what = f"{module} belongs to Python itself and is no file that a model could be read from"
    elif "." not in module and importlib.util.find_spec(module) is not None:
        what = f"{module} is compiled, or a folder alone, and has no Python file to read"
    else:
        return f"There is no Python module {module} here; install it or name a file."
    return f"{what}; name the file or the module of a class or function that makes a model."


def _candidates(spec: ModelSpec, source: SourceFile, executed: Executed) -> Candidates:
    if not spec.expression:
        return find_candidates(source.tree, executed.module, spec.source)
    if executed.reason and spec.expression not in vars(executed.module):
        bound = binding_target(spec.expression, source.tree, executed.module)
        if bound is not None:
            return Candidates((bound,))
    return Candidates((named_target(spec.expression, executed.module, spec.source),))


def _explained(error: FxanchorError, spec: ModelSpec, source: SourceFile, executed: Executed) -> FxanchorError:
    """Say which statement failed, or that not all of the file was executed, where that may be why there is no model."""
    if not executed.reason:
        return error
    wanted = spec.expression.partition("(")[0].partition(".")[0]
    cause = next((each for each in executed.skipped if wanted in each.names), None)
    if cause is not None:
        place = f"{spec.source}:{cause.line}"
        return InputError(f"{place} raised {cause.reason}, so {wanted} is not defined; correct that line.")
    said = str(error).removesuffix(".")
    return type(error)(f"{said}. Only the definitions in {source.shown} were executed, because {executed.reason}.")


def _build(
    candidates: Candidates,
    spec: ModelSpec,
    module: ModuleType,
    usages: list[Usage],
    child: Child,
) -> tuple[Built, Target]:
    first: FxanchorError | None = None
    for target in candidates.targets:
        child.phase(f"building {one_line(target.text, 60)}")
        try:
            return build(target, spec, module, usages), target
        except FxanchorError as error:
            first = first or error
    if candidates.choices or first is None:
        raise several(candidates.choices, spec.source)
    raise first


def _inputs(
    spec: ModelSpec,
    target: Target,
    built: Built,
    module: ModuleType,
    usages: list[Usage],
) -> ExampleInputs | None:
    if spec.inputs:
        found: ExampleInputs | None = make_inputs(parse_inputs(spec.inputs), vars(module))
    else:
        variables = [target.text] if target.kind == "instance" or target.code else []
        found = inputs_from_calls(built.call, variables, usages) or inputs_from_first_layer(built.module)
    # A model without values takes inputs without values.
    is_meta = any(parameter.is_meta for parameter in torch.nn.Module.parameters(built.module))
    return on_meta(found) if found is not None and is_meta else found
