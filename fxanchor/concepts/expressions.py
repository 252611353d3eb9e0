"""Type inference over the expressions of a listing: what each one stands for, and which definitions it names."""

import ast
import builtins
import re

from fxanchor.concepts.listing import Listing
from fxanchor.concepts.names import Names
from fxanchor.concepts.values import (
    Code,
    Elements,
    Foreign,
    Instance,
    Own,
    OwnInstance,
    Symbol,
    Use,
    Value,
    annotated,
)
from fxanchor.concepts.words import singulars
from fxanchor.source.definition import Definition

_BUILTINS = frozenset(dir(builtins))


class Expressions(ast.NodeVisitor):
    """Evaluate the expressions of one listing against the package and against the listings before it.

    Args:
        names: The look-ups.
        listing: The parsed listing.
        code: What the listings before have set up; extended by this one.
        implied: Whether a name that nothing binds may be a public name of the package.
    """

    def __init__(self, names: Names, listing: Listing, code: Code, implied: bool) -> None:
        self.names = names
        self.listing = listing
        self.code = code
        self.implied = implied
        self.uses: list[Use] = []
        self._scopes: list[dict[str, Value]] = [code.values]
        self._classes: list[Own] = []
        self._inside: list[ast.JoinedStr] = []
        self._taken: set[tuple[int, int]] = set()
        self._owners: dict[ast.expr, Value] = {}

    def _bind(self, name: str, value: Value) -> None:
        """Let a name of the innermost scope stand for a value."""
        self._scopes[-1][name] = value

    def _assign(self, target: ast.expr, value: Value) -> None:
        """Bind what an assignment binds; what is assigned through an attribute is only looked up."""
        if isinstance(target, ast.Name):
            self._bind(target.id, value)
            (self.code.own if len(self._scopes) == 1 else self.code.local).add(target.id)
        elif isinstance(target, ast.Tuple | ast.List):
            element = value.element if isinstance(value, Elements) else None
            for part in target.elts:
                self._assign(part.value if isinstance(part, ast.Starred) else part, element)
        elif isinstance(target, ast.Attribute):
            owner = self._value(target.value)
            if isinstance(owner, OwnInstance):
                owner.of.attributes.setdefault(target.attr, value)
                if self._inherited(owner.of, target.attr) is None:
                    return
            self._value(target)
        else:
            self._value(target)

    def visit_Expr(self, node: ast.Expr) -> None:
        """Look an expression up for its uses."""
        self._value(node.value)

    def generic_visit(self, node: ast.AST) -> None:
        """Look up every expression of a statement that has no rule of its own."""
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self._value(child)
            else:
                self.visit(child)

    def _quiet(self, node: ast.expr) -> Value:
        """Evaluate without noting uses."""
        noted = len(self.uses)
        value = self._value(node)
        del self.uses[noted:]
        return value

    def _value(self, node: ast.expr) -> Value:
        """Return what an expression stands for, noting every definition named on the way."""
        match node:
            case ast.Name():
                return self._name(node)
            case ast.Attribute():
                return self._attribute(node)
            case ast.Call():
                return self._call(node)
            case ast.Await(value=inner) | ast.Starred(value=inner):
                return self._value(inner)
            case ast.Subscript():
                owner = self._value(node.value)
                self._value(node.slice)
                return owner.element if isinstance(owner, Elements) else None
            case ast.JoinedStr():
                self._inside.append(node)
                for part in node.values:
                    if isinstance(part, ast.FormattedValue):
                        self._value(part.value)
                self._inside.pop()
                return None
            case ast.IfExp():
                self._value(node.test)
                return self._value(node.body) or self._value(node.orelse)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                return self._comprehension(node)
            case ast.List() | ast.Tuple() | ast.Set():
                values = [self._value(element) for element in node.elts]
                return Elements(values[0]) if values and values[0] is not None else None
            case ast.NamedExpr():
                self.visit_NamedExpr(node)
                return None
            case ast.Lambda():
                self._scopes.append({argument.arg: None for argument in node.args.args})
                self._value(node.body)
                self._scopes.pop()
                return None
        self.generic_visit(node)
        return None

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Value:
        """Bind the loop variables of a comprehension, then evaluate its element."""
        self._scopes.append({})
        for loop in node.generators:
            self._assign(loop.target, self._element(loop.iter))
            for condition in loop.ifs:
                self._value(condition)
        if isinstance(node, ast.DictComp):
            self._value(node.key)
            self._value(node.value)
            element: Value = None
        else:
            element = self._value(node.elt)
        self._scopes.pop()
        return Elements(element) if element is not None else None

    def _lookup(self, name: str) -> Value:
        """Return what a bound name stands for."""
        for scope in reversed(self._scopes):
            if name in scope:
                return scope[name]
        return None

    def _name(self, node: ast.Name) -> Value:
        """Resolve a bare name: bound by the listings, else a public name that the paper did not bother to import."""
        if any(node.id in scope for scope in self._scopes):
            value = self._lookup(node.id)
            if isinstance(value, Symbol) and value.definition.kind != "module":
                self._note(node, value.definition, "imported in the listings")
            return value
        if node.id in _BUILTINS:
            return None
        return self._unbound(node)

    def _unbound(self, node: ast.Name) -> Value:
        """Resolve a name that nothing binds."""
        if not self.implied:
            return None
        if found := self.names.resolve(node.id):
            return Symbol(found)
        publics = self.names.public_words.get(node.id, ())
        found = self.names.resolve(publics[0]) if publics and len(node.id) > 1 else None
        if found is not None and found.kind in ("class", "function", "module"):
            if found.kind != "module":
                self._note(node, found, "a public name of the package, used without an import")
            return Symbol(found)
        anchors = self.names.anchors(node.id) if len(node.id) > 1 else ()
        return Symbol(anchors[0]) if anchors and anchors[0].kind == "module" else None

    def _attribute(self, node: ast.Attribute) -> Value:
        """Resolve `owner.attr` through what the owner is."""
        owner = self._owners[node] = self._value(node.value)
        if owner is None and isinstance(node.value, ast.Name):
            self.code.unknown.setdefault(node.value.id, set()).add(node.attr)
        match owner:
            case Foreign(name=name):
                self._note(node, None, f"{name}.{node.attr}")
                return Foreign(f"{name}.{node.attr}")
            case Symbol(definition=definition):
                found = self.names.member(definition, node.attr)
                return self._found(node, found, definition, of_class=definition.kind == "class")
            case Instance(definition=definition):
                found = self.names.member(definition, node.attr)
                return self._found(node, found, definition, of_class=True)
            case OwnInstance(of=own):
                return self._own_attribute(node, own)
            case Own():
                return self._own_attribute(node, owner)
        return None

    def _own_attribute(self, node: ast.Attribute, own: Own) -> Value:
        """Resolve an attribute of a class of the paper: its own, else one inherited from the package."""
        if node.attr in own.attributes:
            return own.attributes[node.attr]
        base = self._base_with(own, node.attr)
        found = self.names.member(base, node.attr) if base else None
        return self._found(node, found, base, of_class=True)

    def _found(self, node: ast.Attribute, found: Definition | None, owner: Definition | None, of_class: bool) -> Value:
        """Note a resolved attribute and return what it gives."""
        if found is None or owner is None:
            return None
        if found.kind == "module":
            return Symbol(found)
        what = f"a {owner.simple_name}" if of_class else self.names.public(owner)
        spelt = ast.unparse(node.value)
        self._note(node, found, "its full name" if spelt == what else f"{spelt} is {what}")
        if found.kind in ("class", "function", "method"):
            return Symbol(found)
        value = annotated(self.names, found.annotation, found)
        return value if value is not None else self._by_plural(found, owner)

    def _by_plural(self, found: Definition, owner: Definition) -> Value:
        """Take `nodes` for a series of `Node` where the source does not say, when its module has such a class."""
        for word in singulars(found.simple_name):
            known = self.names.resolve(f"{self.names.module_of(owner)}.{word[:1].upper()}{word[1:]}")
            if known is not None and known.kind == "class":
                return Elements(Instance(known))
        return None

    def _call(self, node: ast.Call) -> Value:
        """Resolve a call to what it gives."""
        function = self._value(node.func)
        for argument in node.args:
            self._value(argument)
        for keyword in node.keywords:
            self._value(keyword.value)
        match function:
            case Symbol(definition=definition) if definition.kind == "class":
                return Instance(definition)
            case Symbol(definition=definition) if definition.kind in ("function", "method"):
                if definition.annotation.strip("\"' ").rpartition(".")[2] == "Self":
                    owner = self._owners.get(node.func)
                    return Instance(owner.definition) if isinstance(owner, Symbol) else owner
                return annotated(self.names, definition.annotation, definition)
            case Own(is_class=True) as own:
                return OwnInstance(own)
            case Own(result=result):
                return result
        if isinstance(node.func, ast.Name) and node.func.id == "super" and self._classes:
            bases = self._classes[-1].bases
            return Instance(bases[0].definition) if bases and isinstance(bases[0], Symbol) else None
        if isinstance(node.func, ast.Name) and node.func.id in ("list", "reversed", "sorted", "iter", "tuple"):
            return self._quiet(node.args[0]) if node.args else None
        if isinstance(node.func, ast.Name) and node.func.id == "next" and node.args:
            value = self._quiet(node.args[0])
            return value.element if isinstance(value, Elements) else None
        return None

    def _element(self, node: ast.expr) -> Value:
        """Return what a loop over an expression gives."""
        match node:
            case ast.Call(func=ast.Name(id="enumerate"), args=[inner, *_]):
                self._value(inner)
                return None
        value = self._value(node)
        if isinstance(value, Elements):
            return value.element
        if isinstance(value, Instance):
            looping = self.names.member(value.definition, "__iter__")
            given = annotated(self.names, looping.annotation, looping) if looping else None
            if isinstance(given, Elements):
                return given.element
            if isinstance(node, ast.Attribute) and (found := self._attribute_of(node)) is not None:
                series = self._by_plural(found, found)
                return series.element if isinstance(series, Elements) else None
        return None

    def _attribute_of(self, node: ast.Attribute) -> Definition | None:
        """Return the definition that `owner.attr` was resolved to a moment ago."""
        return next((use.definition for use in reversed(self.uses) if use.surface == ast.unparse(node)), None)

    def _inherited(self, own: Own, attribute: str) -> Definition | None:
        """Return a member that a class of the paper inherits from the package."""
        base = self._base_with(own, attribute)
        return self.names.member(base, attribute) if base else None

    def _base_with(self, own: Own, attribute: str) -> Definition | None:
        """Return the class of the package from which a class of the paper has a member."""
        for base in own.bases:
            if isinstance(base, Symbol) and base.definition.kind == "class":
                if self.names.member(base.definition, attribute):
                    return base.definition
            elif isinstance(base, Own) and base is not own and (found := self._base_with(base, attribute)):
                return found
        return None

    # Notes

    def _note(self, node: ast.Name | ast.Attribute, found: Definition | None, reason: str) -> None:
        """Note a use where the expression stands."""
        surface = ast.unparse(node)
        if self._inside:
            # Python before 3.12 gives no true columns inside an f-string: the spelling is looked for instead.
            outer = self._inside[-1]
            self._use_text(outer, surface, found, reason)
            return
        end = self.listing.index(node.end_lineno or node.lineno, node.end_col_offset or 0)
        start = self.listing.index(node.lineno, node.col_offset)
        self._add(start, end, surface, found, reason)

    def _use_text(self, node: ast.expr | ast.stmt, surface: str, found: Definition | None, reason: str) -> None:
        """Note the first free place inside a node that spells `surface`."""
        word = re.compile(rf"(?<![\w.]){re.escape(surface)}(?!\w)")
        for number in range(node.lineno, (node.end_lineno or node.lineno) + 1):
            for match in word.finditer(self.listing.lines[number - 1]):
                start = self.listing.starts[number - 1] + match.start()
                if (start, start + len(surface)) not in self._taken:
                    self._add(start, start + len(surface), surface, found, reason)
                    return

    def _add(self, start: int, end: int, surface: str, found: Definition | None, reason: str) -> None:
        """Note a use once."""
        if (start, end) not in self._taken:
            self._taken.add((start, end))
            self.uses.append(Use(start, end, surface, found, reason))
