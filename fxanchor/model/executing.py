"""Turn a model file into a module: the whole of it, with stand-ins for what is missing, or its definitions alone."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType

from fxanchor.errors import InputError
from fxanchor.model.definitions import Skipped, execute_definitions, training_line
from fxanchor.model.devices import OnWhatIsHere
from fxanchor.model.importing import Place, UserFiles, file_of, import_whole, import_without_packages, new_module
from fxanchor.model.limits import OutOfTime, time_limit
from fxanchor.model.missing import MissingFinder
from fxanchor.model.raised import describe, exit_call
from fxanchor.model.sandbox import Child
from fxanchor.model.scopes import parsed_options
from fxanchor.model.sourcefile import SourceFile
from fxanchor.model.spec import ModelSpec

_MOST_ATTEMPTS = 20
# What a limit from outside leaves to the one inside, which can still say more.
_GRACE_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class Executed:
    """A model file as a module.

    Attributes:
        module: The module.
        reason: Why not all of the file was executed, in words; "" when all of it was.
        skipped: Statements that raised when only definitions were executed.
        notes: What is to be known, one sentence each.
    """

    module: ModuleType
    reason: str
    skipped: tuple[Skipped, ...]
    notes: tuple[str, ...]


def execute(source: SourceFile, place: Place, spec: ModelSpec, files: UserFiles, child: Child) -> Executed:
    """Execute a model file.

    Args:
        source: The file; `prepare_path` was called for it.
        place: Where it stands.
        spec: What was asked for.
        files: Which files are the user's.
        child: Told the phases.

    Raises:
        InputError: When even its definitions take too long.
    """
    for earlier in [each for each in sys.meta_path if isinstance(each, MissingFinder)]:
        earlier.withdraw()
    finder = MissingFinder(files)
    sys.meta_path.append(finder)
    devices = OnWhatIsHere()
    child.phase(f"importing {source.shown}", spec.import_seconds + _GRACE_SECONDS)
    reason = spec.not_imported
    if not reason and (line := training_line(source.tree)):
        reason = f"it trains a model when it is imported (line {line})"
    module: ModuleType | None = None
    skipped: tuple[Skipped, ...] = ()
    if not reason:
        module, reason = _whole(source, place, spec, files, finder, devices, import_whole)
    notes: list[str] = []
    if module is None and place.in_package and not reason.startswith("importing"):
        child.phase(f"importing {source.shown}", spec.import_seconds + _GRACE_SECONDS)
        module, _ = _whole(source, place, spec, files, finder, devices, import_without_packages)
        if module is not None:
            notes.append(f"The __init__.py files of {source.shown}'s package were not executed: {reason}.")
            reason = ""
    if module is None:
        child.phase(f"importing the definitions of {source.shown}", spec.import_seconds + _GRACE_SECONDS)
        module, skipped = _definitions(source, place, spec)
    finder.stand_ins.importing = False
    if reason:
        notes.append(f"Only imports, definitions and simple constants of {source.shown} were executed: {reason}.")
    if devices.used:
        notes.append(f"{source.shown} asks for CUDA, which is not here: executed without it.")
    if packages := finder.stand_ins.packages:
        notes.append(f"{', '.join(packages)} cannot be imported here; a stand-in is there and fails when it is used.")
    return Executed(module, reason, skipped, tuple(notes))


def _whole(
    source: SourceFile,
    place: Place,
    spec: ModelSpec,
    files: UserFiles,
    finder: MissingFinder,
    devices: OnWhatIsHere,
    importer: Callable[[SourceFile, Place], ModuleType],
) -> tuple[ModuleType | None, str]:
    before = set(sys.modules)
    reason = ""
    try:
        with time_limit(spec.import_seconds), devices:
            for _ in range(_MOST_ATTEMPTS):
                try:
                    return importer(source, place), ""
                except ImportError as error:
                    reason = describe(error)
                    _forget(before, files)
                    if not finder.stand_in_for(error):
                        break
    except OutOfTime:
        reason = f"importing it takes longer than {spec.import_seconds:.3g} s"
    except SystemExit as error:
        reason = f"it calls {exit_call(error)}"
    except BaseException as error:
        reason = describe(error)
    _forget(before, files)
    return None, reason


def _definitions(source: SourceFile, place: Place, spec: ModelSpec) -> tuple[ModuleType, tuple[Skipped, ...]]:
    module = new_module(source, place)
    # Classes of training scripts read the parsed options as a global.
    vars(module).update(parsed_options(source.tree))
    try:
        with time_limit(spec.import_seconds):
            return module, execute_definitions(source, module)
    except OutOfTime:
        raise InputError(
            f"Even the imports and definitions of {source.shown} take longer than {spec.import_seconds:.3g} s;"
            " name a smaller file."
        ) from None


def _forget(before: set[str], files: UserFiles) -> None:
    """Let go of the user's modules that an attempt has left half imported."""
    for name in set(sys.modules) - before:
        if file_of(sys.modules[name]) in files:
            del sys.modules[name]
