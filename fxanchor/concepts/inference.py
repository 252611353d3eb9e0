"""Type inference over the statements of a listing: what imports, assignments, loops and definitions bind."""

import ast
from collections.abc import Iterable

from fxanchor.concepts.expressions import Expressions
from fxanchor.concepts.listing import Listing
from fxanchor.concepts.names import Names
from fxanchor.concepts.values import Code, Foreign, Instance, Own, OwnInstance, Symbol, Value


class Inference(Expressions):
    """Walk one listing, statement by statement.

    Args:
        names: The look-ups.
        listing: The parsed listing.
        code: What the listings before have set up; extended by this one.
        implied: Whether a name that nothing binds may be a public name of the package.

    Attributes:
        imported: What the imports of the listing bind.
    """

    def __init__(self, names: Names, listing: Listing, code: Code, implied: bool) -> None:
        super().__init__(names, listing, code, implied)
        self._returns: list[Value] = []
        self.imported: dict[str, Value] = {}

    def run(self) -> None:
        """Walk the whole listing."""
        self._body(self.listing.tree.body)

    def visit_Import(self, node: ast.Import) -> None:  # noqa: N802
        """Bind what `import a.b as c` binds."""
        for alias in node.names:
            found = self.names.resolve(alias.name)
            bound = alias.asname or alias.name.partition(".")[0]
            if found is not None:
                self._use_text(node, alias.name, found, "imported here")
                root = found if alias.asname else self.names.resolve(bound)
                self._import(bound, Symbol(root) if root else Foreign(bound))
            else:
                self._import_foreign(node, alias.name, bound, alias.name if alias.asname else bound)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:  # noqa: N802
        """Bind what `from a import b as c` binds."""
        module = node.module or ""
        if node.level == 0 and (owner := self.names.resolve(module)):
            self._use_text(node, module, owner, "imported from here")
        for alias in node.names:
            if alias.name == "*":
                continue
            bound = alias.asname or alias.name
            found = self.names.resolve(f"{module}.{alias.name}") if module and node.level == 0 else None
            if found is not None:
                self._use_text(node, alias.name, found, f"imported from {module}")
                self._import(bound, Symbol(found))
            else:
                self._import_foreign(node, alias.name, bound, f"{module}.{alias.name}")

    def _import_foreign(self, node: ast.stmt, surface: str, bound: str, full: str) -> None:
        """Bind a name of another package, or of this one when it has it no more."""
        self._import(bound, Foreign(full))
        self._use_text(node, surface, None, full)

    def _import(self, bound: str, value: Value) -> None:
        """Bind what an import gives."""
        self._bind(bound, value)
        self.imported[bound] = value
        if isinstance(value, Foreign):
            self.code.foreign[bound] = value.name
        else:
            self.code.foreign.pop(bound, None)

    def visit_Assign(self, node: ast.Assign) -> None:  # noqa: N802
        """Bind the targets to the value."""
        value = self._value(node.value)
        for target in node.targets:
            self._assign(target, value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:  # noqa: N802
        """Bind the target to what the annotation says, else to the value."""
        said = self._annotation(node.annotation)
        value = self._value(node.value) if node.value else None
        self._assign(node.target, said or value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:  # noqa: N802
        """Look both sides up."""
        self._value(node.target)
        self._value(node.value)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:  # noqa: N802
        """Bind as an assignment does."""
        self._assign(node.target, self._value(node.value))

    def visit_For(self, node: ast.For | ast.AsyncFor) -> None:  # noqa: N802
        """Bind the loop variable to an element."""
        self._assign(node.target, self._element(node.iter))
        self._body(node.body + node.orelse)

    visit_AsyncFor = visit_For  # noqa: N815

    def visit_With(self, node: ast.With | ast.AsyncWith) -> None:  # noqa: N802
        """Bind what `as` names to the context's value."""
        for item in node.items:
            value = self._value(item.context_expr)
            if item.optional_vars is not None:
                self._assign(item.optional_vars, value)
        self._body(node.body)

    visit_AsyncWith = visit_With  # noqa: N815

    def visit_If(self, node: ast.If) -> None:  # noqa: N802
        """Take `isinstance(x, C)` for what x is inside the branch."""
        self._value(node.test)
        narrowed = {}
        for call in ast.walk(node.test):
            match call:
                case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=name), kind]):
                    known = self._quiet(kind)
                    if isinstance(known, Symbol) and known.definition.kind == "class":
                        narrowed[name] = Instance(known.definition)
        before = {name: self._lookup(name) for name in narrowed}
        self._scopes[-1].update(narrowed)
        self._body(node.body)
        self._scopes[-1].update(before)
        self._body(node.orelse)

    # Definitions of the paper

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:  # noqa: N802
        """Walk a function of the paper with its parameters bound; say when it overrides a method of the package."""
        for decorator in node.decorator_list:
            self._value(decorator)
        owner = self._classes[-1] if self._classes and len(self._scopes) >= 2 else None
        overridden = self._inherited(owner, node.name) if owner else None
        if overridden is not None and owner is not None:
            self._use_text(node, node.name, overridden, f"overridden in {owner.name}")
        else:
            (self.code.local if owner else self.code.own).add(node.name)
        mine = Own(node.name)
        self._bind(node.name, mine)
        arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        scope: dict[str, Value] = {}
        for position, argument in enumerate(arguments):
            said = self._annotation(argument.annotation) if argument.annotation else None
            if said is None and position == 0 and owner is not None:
                said = OwnInstance(owner)
            scope[argument.arg] = said
            if argument.arg not in ("self", "cls"):
                self.code.local.add(argument.arg)
        for rest in (node.args.vararg, node.args.kwarg):
            if rest is not None:
                scope[rest.arg] = None
        for default in [*node.args.defaults, *(default for default in node.args.kw_defaults if default)]:
            self._value(default)
        mine.result = self._annotation(node.returns) if node.returns else None
        self._scopes.append(scope)
        self._returns.append(None)
        self._body(node.body)
        mine.result = mine.result or self._returns.pop()
        self._scopes.pop()
        # What a listing calls inside a function tells prose that shows the same variable what it is.
        for name, value in scope.items():
            if value is not None and self._scopes[-1].get(name) is None and name != "self":
                self._scopes[-1][name] = value

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_Return(self, node: ast.Return) -> None:  # noqa: N802
        """Remember what the function gives back."""
        value = self._value(node.value) if node.value else None
        if self._returns and value is not None:
            self._returns[-1] = value

    def visit_ClassDef(self, node: ast.ClassDef) -> None:  # noqa: N802
        """Walk a class of the paper with its bases known."""
        bases = tuple(self._value(base) for base in node.bases)
        mine = Own(node.name, bases=bases, is_class=True)
        self.code.own.add(node.name)
        self._bind(node.name, mine)
        self._scopes.append({})
        self._classes.append(mine)
        self._body(node.body)
        self._classes.pop()
        self._scopes.pop()

    def _body(self, statements: Iterable[ast.stmt]) -> None:
        """Walk statements in order."""
        for statement in statements:
            self.visit(statement)

    def _annotation(self, node: ast.expr) -> Value:
        """Return an object of what an annotation in the listing says."""
        value = self._value(node)
        if isinstance(value, Symbol) and value.definition.kind == "class":
            return Instance(value.definition)
        return OwnInstance(value) if isinstance(value, Own) and value.is_class else None
