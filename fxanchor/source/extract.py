"""One source file -> its definitions, imports and re-exports, read with ast."""

import ast
import contextlib
import warnings
from collections.abc import Iterator
from dataclasses import replace

from fxanchor.source.conditions import known_outcome
from fxanchor.source.lazy import from_stub, lazy_names, put_off
from fxanchor.source.literals import (
    assigned_doc,
    field_names,
    first_paragraph,
    is_written_out,
    spelled_out,
    string_constants,
)
from fxanchor.source.rows import (
    ATTRIBUTE,
    CLASS,
    FUNCTION,
    METHOD,
    MODULE,
    OPEN,
    PARAMETER,
    DefinitionRow,
    FileRows,
    ScopeRows,
)
from fxanchor.source.scope import (
    ACCESSOR,
    ASSIGNED,
    ASSIGNED_IN_INIT,
    ASSIGNED_IN_METHOD,
    DEFINED,
    OVERLOAD,
    UNSEEN,
    Branch,
    Imported,
    Item,
    Scope,
)
from fxanchor.source.text import SourceText, dotted_name

MAX_BYTES = 16 * 1024 * 1024
MAX_VALUE = 80
_UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError, LookupError)
# Decorators by which further functions of one name join the first.
_ACCESSORS = ("setter", "deleter", "register")
_FunctionDef = ast.FunctionDef | ast.AsyncFunctionDef


def extract(source: bytes, module: str, file: str, is_package: bool, stub: bytes | None = None) -> FileRows | None:
    """Read one file.

    Args:
        source: The file's bytes.
        module: Dotted name of the module.
        file: Path relative to the site directory, to be handed on.
        is_package: Whether the file is an `__init__`, which relative imports depend on.
        stub: The bytes of the stub beside it, of which only what the file itself cannot tell is taken.

    Returns:
        What the file says, or None when Python cannot parse it.
    """
    try:
        tree = _parsed(source)
        reader = _Reader(SourceText(source), module, is_package)
        scope = reader.read(tree)
        rows = reader.rows(tree, file)
        with contextlib.suppress(*_UNREADABLE):
            if stub is not None and reader.needs_stub(scope):
                _Reader(SourceText(stub), module, is_package).complete(scope, reader, _parsed(stub), rows, f"{file}i")
        scope.flatten(module, rows.scopes)
        return rows
    except _UNREADABLE:
        return None


def _parsed(source: bytes) -> ast.Module:
    if len(source) > MAX_BYTES:
        raise MemoryError
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(source)


class _Reader:
    """Walks the statements of one file; expressions are not entered."""

    def __init__(self, text: SourceText, module: str, is_package: bool) -> None:
        self.text = text
        self.module = module
        self.is_package = is_package
        self.package = module if is_package else module.rpartition(".")[0]
        self.exported: list[str] | None = None
        self.stars: list[tuple[str, bool]] = []
        self.order = 0
        self.statements: list[ast.stmt] = []
        # Whether the module stands in for itself (`sys.modules[__name__] = ...`), and whether its stub says with what.
        self.is_replaced = False
        self.is_stubbed = False

    def read(self, tree: ast.Module) -> Scope:
        scope = Scope(MODULE)
        self.statements = tree.body
        self.body(tree.body, scope, (), 0)
        if self.is_replaced or "__getattr__" in scope.items:
            self.is_stubbed = any(map(from_stub, tree.body))
            for name, target in lazy_names(tree.body, self.package):
                scope.offer(name, Imported(DEFINED, (), self.order, target, kept=False))
        return scope

    def needs_stub(self, scope: Scope) -> bool:
        """Tell whether the module hands out what other modules of its package give it, or what its stub says."""
        inside = f"{self.module.partition('.')[0]}."
        given = (imported.target.startswith(inside) for imported in scope.imports.values())
        return self.is_stubbed or bool(self.stars) or any(given)

    def complete(self, known: Scope, file: "_Reader", tree: ast.Module, rows: FileRows, path: str) -> None:
        """Read a stub, and take what the file beside it imports from where no Python is, or leaves to the stub.

        Args:
            known: The names of the file; extended by what it leaves to the stub.
            file: The reader of the file.
            tree: The syntax tree of the stub.
            rows: What the file says; extended by what only the stub defines.
            path: Path of the stub relative to the site directory.
        """
        said = Scope(MODULE)
        self.body(tree.body, said, (), 0)
        if file.is_stubbed:
            for name, imported in said.imports.items():
                known.offer(name, imported)
            return
        added = Scope(MODULE)
        added.items = {
            name: item
            for name, item in said.items.items()
            if name not in known.items and (name in known.imports or file.stars)
        }
        scopes: list[ScopeRows] = []
        added.flatten(self.module, scopes)
        rows.scopes.extend(scope._replace(file=path) for scope in scopes)

    def rows(self, tree: ast.Module, file: str) -> FileRows:
        exported = None if self.exported == [OPEN] else self.exported
        lines, doc = max(1, len(self.text.lines)), first_paragraph(tree.body)
        return FileRows(self.module, file, self.is_package, lines, doc, exported, self.stars, [])

    def body(self, statements: list[ast.stmt], scope: Scope, branch: Branch, unseen: int) -> None:
        """Read the statements of a module, class or function body; compound statements are entered."""
        for statement in statements:
            self.order += 1
            match statement:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    self.function(statement, scope, branch, unseen)
                case ast.ClassDef():
                    self.klass(statement, scope, branch, unseen)
                case ast.Assign():
                    for target in statement.targets:
                        self.assign(target, statement, scope, branch, unseen)
                case ast.AnnAssign():
                    self.assign(statement.target, statement, scope, branch, unseen)
                case ast.AugAssign(target=ast.Name(id="__all__"), value=value) if scope.kind == MODULE:
                    self.export(value)
                case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="__all__")), args=[value])):
                    self.export(value)
                case ast.Import() | ast.ImportFrom() if not scope.is_function:
                    self.imported(statement, scope, branch, unseen)
                case _ if type(statement).__name__ == "TypeAlias":  # `type X = ...`, from Python 3.12 on
                    self.type_alias(statement, scope, branch, unseen)
                case _:
                    for arm, (inner, is_dead) in enumerate(_arms(statement)):
                        conditional = isinstance(statement, ast.If | ast.Try | ast.Match)
                        under = (*branch, (statement.lineno, arm)) if conditional else branch
                        self.body(inner, scope, under, UNSEEN if is_dead else unseen)

    def function(self, node: _FunctionDef, scope: Scope, branch: Branch, unseen: int) -> None:
        called = (each.func if isinstance(each, ast.Call) else each for each in node.decorator_list)
        decorators = [dotted_name(each).rpartition(".")[2] for each in called]
        is_method = scope.kind == CLASS
        is_property = is_method and any(name.endswith("property") for name in decorators)
        accessor = next((name for name in decorators if name in _ACCESSORS), "")
        rank = (OVERLOAD if "overload" in decorators else ACCESSOR if accessor else DEFINED) + unseen
        arguments = [*node.args.posonlyargs, *node.args.args]
        has_receiver = is_method and bool(arguments) and "staticmethod" not in decorators
        inside = Scope(METHOD if is_method else FUNCTION, scope, arguments[0].arg if has_receiver else "")
        row = DefinitionRow(
            node.name,
            ATTRIBUTE if is_property else inside.kind,
            node.lineno,
            node.end_lineno or node.lineno,
            annotation=self.text.of(node.returns) if node.returns else "",
            doc=first_paragraph(node.body),
            decorators=_lines_above(node),
        )
        item = Item(rank, branch, self.order, row, inside)
        accessed = scope.items.get(node.name) if accessor else None
        if accessed and accessed.inside and accessed.row.kind == ATTRIBUTE:
            accessed.inside.items[accessor] = replace(item, row=row._replace(simple=accessor, kind=METHOD))
        else:
            scope.define(node.name, item)
        self.parameters(node, inside)
        self.body(node.body, inside, (), 0)

    def parameters(self, node: _FunctionDef, inside: Scope) -> None:
        positional = [*node.args.posonlyargs, *node.args.args]
        padding: list[ast.expr | None] = [None] * (len(positional) - len(node.args.defaults))
        pairs: list[tuple[ast.arg | None, ast.expr | None]] = list(
            zip(positional, [*padding, *node.args.defaults], strict=True)
        )
        pairs += zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
        pairs += [(node.args.vararg, None), (node.args.kwarg, None)]
        for argument, default in pairs:
            if argument is None or argument.arg == inside.receiver:
                continue
            row = DefinitionRow(
                argument.arg,
                PARAMETER,
                argument.lineno,
                argument.end_lineno or argument.lineno,
                annotation=self.text.of(argument.annotation) if argument.annotation else "",
                value=self.text.short(default, MAX_VALUE) if default else "",
            )
            inside.define(argument.arg, Item(DEFINED, (), self.order, row))

    def klass(self, node: ast.ClassDef, scope: Scope, branch: Branch, unseen: int) -> None:
        inside = Scope(CLASS, scope)
        named = [dotted_name(base.value if isinstance(base, ast.Subscript) else base) for base in node.bases]
        row = DefinitionRow(
            node.name,
            CLASS,
            node.lineno,
            node.end_lineno or node.lineno,
            bases=tuple(self.text.of(base) for base in node.bases),
            doc=first_paragraph(node.body) or assigned_doc(node.body),
            targets=tuple(scope.absolute(name, self.module) for name in named if name),
            decorators=_lines_above(node),
        )
        scope.define(node.name, Item(DEFINED + unseen, branch, self.order, row, inside))
        self.body(node.body, inside, (), 0)

    def assign(
        self, target: ast.expr, node: ast.Assign | ast.AnnAssign, scope: Scope, branch: Branch, unseen: int
    ) -> None:
        match target:
            case ast.Name(id="__all__") if scope.kind == MODULE and node.value:
                self.exported = None
                self.export(node.value)
            case ast.Name(id="__slots__") if scope.kind == CLASS and node.value:
                for text, line in string_constants(node.value):
                    item = DefinitionRow(text, ATTRIBUTE, line, line)
                    scope.define(text, Item(ASSIGNED_IN_METHOD, branch, self.order, item))
            case ast.Name(id=name) if scope.kind == MODULE and (target_name := put_off(node.value, self.package)):
                scope.bind(name, Imported(ASSIGNED + unseen, branch, self.order, target_name, kept=False))
            case ast.Name(id=name) if not scope.is_function:
                self.attribute(name, target, node, scope=scope, branch=branch, rank=ASSIGNED + unseen)
            case ast.Attribute(value=ast.Name(id=receiver), attr=name) if receiver and receiver == scope.receiver:
                owner = scope.outer
                if owner and owner.kind == CLASS:
                    first = any(item.inside is scope for item in [owner.items.get("__init__")] if item)
                    rank = ASSIGNED_IN_INIT if first else ASSIGNED_IN_METHOD
                    self.attribute(name, target, node, scope=owner, branch=(), rank=rank)
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                for element in elements:
                    self.assign(element, node, scope, branch, unseen)
            case ast.Subscript(value=ast.Attribute(attr="modules"), slice=ast.Name(id="__name__")):
                self.is_replaced = True

    def attribute(
        self, name: str, target: ast.expr, node: ast.Assign | ast.AnnAssign, *, scope: Scope, branch: Branch, rank: int
    ) -> None:
        annotation = self.text.of(node.annotation) if isinstance(node, ast.AnnAssign) else ""
        whole = isinstance(node, ast.AnnAssign) or target in node.targets
        value = node.value if whole else None
        plain = not annotation or annotation.rpartition(".")[2] == "TypeAlias"
        is_alias = plain and rank % UNSEEN == ASSIGNED and isinstance(value, ast.Name | ast.Attribute)
        inside = Scope(CLASS, scope)
        fields = list(field_names(value)) if isinstance(value, ast.Call) else []
        for text, line in fields:
            item = DefinitionRow(text, ATTRIBUTE, line, line)
            inside.define(text, Item(ASSIGNED, (), self.order, item))
        row = DefinitionRow(
            name,
            CLASS if fields else ATTRIBUTE,
            node.lineno,
            node.end_lineno or node.lineno,
            bases=(self.text.of(value.func),) if fields and isinstance(value, ast.Call) else (),
            annotation=annotation,
            value=self.text.short(value, MAX_VALUE) if value else "",
            alias=dotted_name(value) if is_alias and value else "",
        )
        scope.define(name, Item(rank, branch, self.order, row, inside if fields else None))

    def type_alias(self, node: ast.stmt, scope: Scope, branch: Branch, unseen: int) -> None:
        name, value = getattr(node, "name", None), getattr(node, "value", None)
        if isinstance(name, ast.Name) and isinstance(value, ast.expr) and not scope.is_function:
            end = node.end_lineno or node.lineno
            row = DefinitionRow(name.id, ATTRIBUTE, node.lineno, end, value=self.text.short(value, MAX_VALUE))
            scope.define(name.id, Item(ASSIGNED + unseen, branch, self.order, row))

    def imported(self, node: ast.Import | ast.ImportFrom, scope: Scope, branch: Branch, unseen: int) -> None:
        rank = DEFINED + unseen
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                target = alias.name if alias.asname else top
                kept = alias.asname == alias.name
                scope.bind(alias.asname or top, Imported(rank, branch, self.order, target, kept))
            return
        origin = self.origin(node)
        for alias in node.names:
            if alias.name == "*":
                self.stars.append((origin, unseen > 0))
            else:
                kept = alias.asname == alias.name
                scope.bind(
                    alias.asname or alias.name, Imported(rank, branch, self.order, f"{origin}.{alias.name}", kept)
                )

    def origin(self, node: ast.ImportFrom) -> str:
        """Return the absolute name of the module that a `from` import names."""
        if not node.level:
            return node.module or ""
        parts = self.module.split(".")
        kept = len(parts) - node.level + (1 if self.is_package else 0)
        return ".".join([*parts[: max(kept, 0)], *([node.module] if node.module else [])])

    def export(self, value: ast.expr) -> None:
        """Take names into `__all__`; what is not written out there is stood for by `OPEN`."""
        value = spelled_out(value, self.statements)
        names = [text for text, _ in string_constants(value)]
        self.exported = [*(self.exported or []), *names, *([] if is_written_out(value) else [OPEN])]


def _lines_above(node: _FunctionDef | ast.ClassDef) -> int:
    return node.lineno - min((each.lineno for each in node.decorator_list), default=node.lineno)


def _arms(statement: ast.stmt) -> Iterator[tuple[list[ast.stmt], bool]]:
    """Yield the bodies of a compound statement, each with whether it is known not to run."""
    match statement:
        case ast.If(test=test, body=body, orelse=orelse):
            outcome = known_outcome(test)
            yield body, outcome is False
            yield orelse, outcome is True
        case ast.Match(cases=cases):
            for case in cases:
                yield case.body, False
        case _:
            for field in ("body", "handlers", "orelse", "finalbody"):
                inner = getattr(statement, field, [])
                if field == "handlers":
                    for handler in inner:
                        yield handler.body, False
                elif isinstance(inner, list):
                    yield inner, False
