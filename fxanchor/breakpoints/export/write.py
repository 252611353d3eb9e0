"""Which exports there are, and the files each of them consists of."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, get_args

from fxanchor import cache
from fxanchor.breakpoints.export.dap import dap_requests
from fxanchor.breakpoints.export.pdb import pdbrc
from fxanchor.breakpoints.export.point import Point
from fxanchor.breakpoints.export.pycharm import pycharm_xml
from fxanchor.breakpoints.export.quickfix import quickfix
from fxanchor.breakpoints.export.vscode import launch_json, stops_script
from fxanchor.errors import InputError, UsageError

Format = Literal["pdb", "vscode", "pycharm", "dap", "vim", "emacs"]
FORMATS: tuple[Format, ...] = get_args(Format)

_DEFAULT_NAMES = {"pdb": ".pdbrc", "vscode": ".vscode/launch.json", "dap": "breakpoints.json"}
_SCRIPT_NAME = "fxanchor_stops.py"


def export(form: str, points: Sequence[Point], model: str, output: Path | None = None) -> tuple[Path, ...]:
    """Write breakpoints in a form that a debugger or editor reads.

    Args:
        form: One of `FORMATS`.
        points: The breakpoints.
        model: The model, as `fxanchor trace` takes it.
        output: The file to write; some forms have a usual name that is taken when it is None.

    Returns:
        The files written.

    Raises:
        UsageError: For an unknown form, when there is nothing to hand over, when the form needs a file name, when the
            file belongs to an editor, or would be overwritten with something that is not the same kind of file.
        InputError: When a file cannot be written.
    """
    if form not in FORMATS:
        raise UsageError(f"There is no export {form!r}; choose one of {', '.join(FORMATS)}.")
    if not points:
        raise UsageError("No breakpoint was hit on this model, so there is none to hand over; see fxanchor trace.")
    path = output or Path(_DEFAULT_NAMES.get(form, ""))
    if path == Path():
        raise UsageError(f"The export {form} needs a file to write to; name it with -o FILE.")
    if ".idea" in path.absolute().parts:
        raise UsageError("The folder .idea belongs to PyCharm, which overwrites it; name a file elsewhere.")
    texts = _texts(form, points, model, path)
    for file in texts:
        if file.exists() and output is None and not (file.is_file() and _is_ours(file)):
            raise UsageError(f"{file} exists and was not written by fxanchor; name another file with -o FILE.")
    for file, text in texts.items():
        try:
            with cache.replacing(file) as temporary:
                temporary.write_text(text, encoding="utf-8")
        except OSError as error:
            raise InputError(f"{file} cannot be written ({error.strerror}); name another file with -o FILE.") from None
    return tuple(texts)


def _texts(form: str, points: Sequence[Point], model: str, path: Path) -> dict[Path, str]:
    if form == "vscode":
        script = path.parent / _SCRIPT_NAME
        return {path: launch_json(model, script, Path.cwd()), script: stops_script(model, points)}
    writers = {"pdb": pdbrc, "pycharm": pycharm_xml, "dap": dap_requests, "vim": quickfix, "emacs": quickfix}
    return {path: writers[form](points)}


def _is_ours(file: Path) -> bool:
    text = file.read_text(encoding="utf-8", errors="replace")
    return "fxanchor" in text or '"setBreakpoints"' in text
