"""A qualified name -> the line on which a debugger really stops, or why there is none."""

from dataclasses import replace

from fxanchor.errors import UsageError
from fxanchor.source.code import Function, compile_function
from fxanchor.source.compiled import compiled_base, is_compiled, last_python_line
from fxanchor.source.definition import Definition, Stop
from fxanchor.source.index import Index
from fxanchor.source.installed import find_installed
from fxanchor.source.pattern import find_statement
from fxanchor.source.rows import LOCALS

# What runs when a class is called, the first that is there; a dataclass writes its own `__init__`.
_CONSTRUCTORS = ("__init__", "__new__", "__post_init__")


def entry_stop(index: Index, qualified: str) -> Stop:
    """Return the first line that every call of a function stops on.

    A class is entered at its `__init__`, else its `__new__`, own or inherited; a property at its getter; a parameter
    where its function is entered; an attribute set to a lambda in the lambda. A method that is set on a class in a loop
    over a table of names is found where the source shows it.

    Args:
        index: The index.
        qualified: A name that `Index.resolve` takes, or one that lies in a compiled base class.

    Returns:
        The stop; its `line` is 0, and its `note` says why, when no Python line can be stopped on.

    Raises:
        UsageError: When there is no such name.
    """
    definition = index.resolve(qualified) or index.get(qualified)
    if definition is None:
        return _not_defined(index, qualified)
    if definition.file.endswith(".pyi"):
        return _none(definition, _compiled_note(index, definition.name))
    if definition.kind == "module":
        return _none(definition, f"{definition.name} is a module: it runs once, when it is imported.")
    if definition.kind == "class":
        return _constructor(index, definition)
    if definition.kind == "parameter":
        return entry_stop(index, definition.parent)
    function = _function(index, definition)
    if function:
        return Stop(definition.name, definition.file, function.entry_line(), function.code.co_firstlineno)
    if definition.kind == "attribute":
        aliased = index.resolve_in(definition.parent, definition.value) if definition.value else None
        if aliased and aliased.kind in ("class", "function", "method"):
            return entry_stop(index, aliased.name)
        return _none(definition, _attribute_note(index, definition))
    return _none(definition, f"{definition.name} cannot be compiled by this Python, so its lines are not known.")


def interior_stop(index: Index, qualified: str, pattern: str) -> Stop:
    """Return the line on which a statement inside a function begins to run.

    Args:
        index: The index.
        qualified: Name of the function.
        pattern: The statement, in the language of `fxanchor.source.pattern`.

    Raises:
        UsageError: When there is no such function, or the pattern does not name exactly one statement of it that runs.
    """
    definition = index.resolve(qualified)
    if definition is None:
        raise UsageError(f"{_unknown(index, qualified)}")
    function = _function(index, definition) if definition.file.endswith(".py") else None
    if function is None or not hasattr(function.node, "name"):
        raise UsageError(f"{definition.name} has no Python statements. Name a function.")
    statement = find_statement(function.node, pattern)  # type: ignore[arg-type]
    line = function.line_of(statement)
    if not line:
        raise UsageError(f"The statement {pattern!r} of {definition.name} has no bytecode. Name the one after it.")
    return Stop(definition.name, definition.file, line, function.code.co_firstlineno)


def _function(index: Index, definition: Definition) -> Function | None:
    """Compile a function, property or lambda."""
    lines = index.lines(definition)
    outer_name = definition.name.partition(f".{LOCALS}.")[0]
    outer = index.get(outer_name) if outer_name != definition.name else definition
    if outer is None:
        return None
    span = (index.first_line(outer), outer.end_line)
    first = index.first_line(definition)
    names = [definition.simple_name]
    if definition.kind == "attribute":
        names.append("<lambda>")
    elif (parent := index.get(definition.parent)) and parent.kind == "attribute":
        names.append(parent.simple_name)  # the setter of a property is a function of the property's name
    compiled = (compile_function(lines, span, first, definition.line, name) for name in names)
    return next((function for function in compiled if function), None)


def _constructor(index: Index, definition: Definition) -> Stop:
    order = index.order(definition.name)
    for owner in order:
        for name in _CONSTRUCTORS:
            constructor = index.get(f"{owner.name}.{name}")
            if constructor and constructor.kind == "method" and constructor.file.endswith(".py"):
                return entry_stop(index, constructor.name)
    base = next((spelled for owner in order if (spelled := _outer_base(index, owner))), "")
    if base and not is_compiled(index, base) and "." in base:
        note = f"{definition.name} has no constructor of its own; the one of {base} lies outside the index."
        return _none(definition, f"{note} Index that package too.")
    inherited = f", and {base} is not Python" if base else ""
    return _none(definition, f"{definition.name} has no written __init__ or __new__{inherited}.")


def _outer_base(index: Index, owner: Definition) -> str:
    """Return the first base class of a class that is not in the index, as an absolute name, or ""."""
    scope = owner.name.rpartition(".")[0]
    spelled = (text.partition("[")[0] for text in owner.bases)
    return next((index.spelled(scope, text) for text in spelled if index.resolve_in(scope, text) is None), "")


def _attribute_note(index: Index, definition: Definition) -> str:
    owner = index.get(definition.parent)
    note = f"{definition.name} is an attribute: no code of its own runs when it is read or set."
    base = compiled_base(index, owner) if owner and owner.kind == "class" else ""
    if base and owner and not definition.value:
        before = last_python_line(index, owner, "__init__")
        return f"{note} Its class is built on {base}, which is compiled.{_named(before)}"
    if owner and owner.kind == "class" and definition.value:
        return f"{note} It is set at {definition.file}:{definition.line}."
    return note


def _not_defined(index: Index, qualified: str) -> Stop:
    """Say what is known of a name that no statement defines."""
    installed = find_installed(index, qualified)
    if installed:
        stop = entry_stop(index, installed.function)
        others = f" It shares this function with {installed.names - 1} other names." if installed.names > 1 else ""
        return replace(stop, note=f"{qualified} is set by {installed.file}:{installed.line}.{others}")
    if is_compiled(index, qualified):
        return Stop(qualified, "", 0, 0, _compiled_note(index, qualified))
    raise UsageError(_unknown(index, qualified))


def _compiled_note(index: Index, compiled: str) -> str:
    """Say that a name is compiled, and the last Python line before it as far as a Python subclass calls it."""
    note = f"{compiled} is compiled: no Python line runs in it."
    owner, _, method = compiled.rpartition(".")
    for base, name in ((owner, method), (compiled, "__init__")):
        for subclass in index.subclasses(base):
            if line := last_python_line(index, subclass, name):
                return note + _named(line)
    return note


def _named(line: str) -> str:
    return f" The last Python line before it is {line}." if line else ""


def _none(definition: Definition, note: str) -> Stop:
    return Stop(definition.name, definition.file, 0, 0, note)


def _unknown(index: Index, qualified: str) -> str:
    import difflib

    simple = qualified.rpartition(".")[2]
    owner = index.resolve(qualified.rpartition(".")[0])
    names = list(index.members(owner.name)) if owner else [name.rpartition(".")[2] for name in index.public_names()]
    near = difflib.get_close_matches(simple, names, n=3, cutoff=0.6)
    hint = f"Did you mean {' or '.join(near)}?" if near else "Check its spelling."
    where = owner.name if owner else " and ".join(package.name for package in index.packages)
    return f"{where} has no {simple!r}. {hint}"
