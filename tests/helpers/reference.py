"""Writes docs/reference.md from the commands themselves: `make docs`."""

import inspect
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import typer
from typer.models import ArgumentInfo, OptionInfo

from fxanchor.cli.app import app

HEAD = """\
# Reference

Every command with its arguments and options. This page is made from the commands by `make docs`, and a test keeps it in
step. Exit codes: 0 done; 1 ran, and found what it was asked to flag; 2 usage; 3 an input cannot be read; 4 no way of
capturing could take the model; 130 interrupted. Before any command, `--debug` shows the traceback of an error and
`--version` prints the version.
"""


@dataclass(frozen=True)
class Parameter:
    """An argument or option as the page shows it."""

    names: tuple[str, ...]
    is_option: bool
    required: bool
    value: str
    default: str
    help: str


@dataclass(frozen=True)
class Command:
    """A command, with the name one types: `map`, `lab run`."""

    name: str
    doc: str
    parameters: tuple[Parameter, ...]


def commands(of: typer.Typer = app, prefix: str = "") -> Iterator[Command]:
    """Give the commands in the order of the help."""
    for info in of.registered_commands:
        callback = info.callback
        if callback is None or info.hidden:
            continue
        name = prefix + (info.name or callback.__name__.replace("_", "-"))
        doc = (
            inspect.cleandoc(info.help or callback.__doc__ or "").partition("\n\nArgs:")[0].partition("\n\nRaises:")[0]
        )
        yield Command(name, doc, tuple(parameters(callback)))
    for group in of.registered_groups:
        if group.typer_instance is not None:
            yield from commands(group.typer_instance, f"{prefix}{group.name or group.typer_instance.info.name} ")


def parameters(callback: Callable[..., Any]) -> Iterator[Parameter]:
    """Give the parameters of a command's function that its annotations declare, hidden ones left out."""
    hints = get_type_hints(callback, include_extras=True)
    for name, parameter in inspect.signature(callback).parameters.items():
        annotation = hints[name]
        if get_origin(annotation) is not Annotated:
            continue
        kind, info = get_args(annotation)[:2]
        if not isinstance(info, ArgumentInfo | OptionInfo) or info.hidden:
            continue
        is_option = isinstance(info, OptionInfo)
        # Inside Annotated the first declaration of an option lands where the default would be.
        declared = (info.default, *(info.param_decls or ()))
        names = tuple(one for one in declared if isinstance(one, str) and one.startswith("-"))
        names = names or ((f"--{name.replace('_', '-')}",) if is_option else (info.metavar or name.upper(),))
        value = _value(kind, info.metavar)
        required = parameter.default is inspect.Parameter.empty
        words = " ".join((info.help or "").split())
        yield Parameter(names, is_option, required, value, _default(parameter.default, value), words)


def _value(kind: Any, metavar: str | None) -> str:
    origin, inner = get_origin(kind), [one for one in get_args(kind) if one is not type(None)]
    if origin in (Union, UnionType):
        return _value(inner[0], metavar)
    if origin is list:
        return f"{_value(inner[0], metavar)} ..."
    if kind is bool:
        return ""
    if metavar:
        return metavar
    if isinstance(kind, type) and issubclass(kind, Enum):
        return "|".join(str(member.value) for member in kind)
    return {str: "TEXT", Path: "PATH", int: "INTEGER", float: "NUMBER"}.get(kind, str(getattr(kind, "__name__", kind)))


def _default(default: Any, value: str) -> str:
    if default in (inspect.Parameter.empty, None, False, ()) or not value:
        return ""
    return str(default.value if isinstance(default, Enum) else default)


def reference() -> str:
    """Return the whole page."""
    return "\n".join([HEAD, *(_section(command) for command in commands())])


def _section(command: Command) -> str:
    arguments = [one for one in command.parameters if not one.is_option]
    options = [one for one in command.parameters if one.is_option]
    usage = " ".join(["fxanchor", command.name, *(_usage(one) for one in arguments)])
    lines = [
        f"## `fxanchor {command.name}`",
        "",
        "```",
        usage + (" [OPTIONS]" if options else ""),
        "```",
        "",
        command.doc,
        "",
    ]
    if arguments:
        lines += ["| argument | meaning |", "| --- | --- |"]
        lines += [f"| `{one.names[0]}` | {_cell(one.help)} |" for one in arguments] + [""]
    if options:
        lines += ["| option | value | default | meaning |", "| --- | --- | --- | --- |"]
        for one in options:
            names = ", ".join(f"`{name}`" for name in sorted(one.names, key=lambda name: name.count("-")))
            cells = (names, _code(one.value), _code(one.default), _cell(one.help))
            lines.append(f"| {' | '.join(cells)} |")
        lines.append("")
    return "\n".join(lines)


def _usage(argument: Parameter) -> str:
    name = argument.names[0] + ("..." if argument.value.endswith(" ...") else "")
    return name if argument.required else f"[{name}]"


def _code(text: str) -> str:
    return f"`{_cell(text)}`" if text else ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(reference(), encoding="utf-8")
