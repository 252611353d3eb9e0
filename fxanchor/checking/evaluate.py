"""Type inference over the code of a text that also notes what is not there: attributes, parameters, indexing."""

import ast
from dataclasses import dataclass
from typing import Literal

from fxanchor.checking.classes import Shapes
from fxanchor.checking.library import Library
from fxanchor.checking.receivers import Receivers
from fxanchor.checking.signatures import Signature, signature
from fxanchor.concepts.inference import Inference
from fxanchor.concepts.listing import Listing
from fxanchor.concepts.values import Code, Elements, Foreign, Instance, Symbol, Value
from fxanchor.model.syntax import parse_source
from fxanchor.source.definition import Definition

_MAKE_A_LIST = frozenset({"list", "tuple", "sorted", "reversed", "iter"})
MissKind = Literal["attribute", "import", "parameter", "arguments", "index", "loop"]


@dataclass(frozen=True, slots=True)
class Miss:
    """A place of the code that asks for something the packages do not have.

    Attributes:
        start: Index in the listing's text.
        end: Index behind it.
        kind: What was asked for.
        surface: The spelling.
        word: The attribute, parameter or imported name.
        owner: The class, module or function that lacks it; None for an import.
        of_class: Whether an object of `owner` is meant, not `owner` itself.
        called: Whether the attribute is called.
        signature: For parameters and arguments: how it is really called.
        guess: The variable that nothing in the text binds, when what it stands for is told by its name; else "".
    """

    start: int
    end: int
    kind: MissKind
    surface: str
    word: str
    owner: Definition | None
    of_class: bool = False
    called: bool = False
    signature: Signature | None = None
    guess: str = ""


class Evaluation(Inference):
    """Walk one piece of code of a text.

    Args:
        library: The packages.
        shapes: What their classes answer to.
        receivers: What a name that the text does not bind stands for.
        listing: The parsed code.
        code: What the code before has set up; extended by this one.
        implied: Whether a name that nothing binds may be a public name of the packages.
        own: Functions and classes that the text defines anywhere.
    """

    def __init__(
        self,
        library: Library,
        shapes: Shapes,
        receivers: Receivers,
        listing: Listing,
        code: Code,
        implied: bool,
        own: frozenset[str],
    ) -> None:
        super().__init__(library.names, listing, code, implied)
        self.misses: dict[tuple[int, int, str], Miss] = {}
        self._library = library
        self._shapes = shapes
        self._receivers = receivers
        self._own = own
        self.guessed: set[str] = set()
        self._called: set[int] = set()

    def value_of(self, expression: str) -> Value:
        """Return what an expression stands for behind the code so far; None when that is not known.

        Args:
            expression: Python.
        """
        return self._quiet(parse_source(expression, mode="eval").body)

    def _unbound(self, node: ast.Name) -> Value:
        if node.id in self._own:
            return None
        found = super()._unbound(node)
        is_module = isinstance(found, Symbol) and found.definition.kind == "module"
        if (found is None or is_module) and self.implied:
            owner = self._receivers.of(node.id)
            # `transformer` beside `class QuantizeTransformer` is an object of the text's own class.
            mine = owner is not None and any(name.endswith(owner.simple_name) for name in self._own)
            if owner and not mine:
                self.guessed.add(node.id)
                return Instance(owner)
            # `config.x` may be anybody's module; only `fx.x` is certainly the package.
            return found if found and node.id in {root.rpartition(".")[2] for root in self.names.roots} else None
        return found

    def _quiet(self, node: ast.expr) -> Value:
        taken, misses = set(self._taken), dict(self.misses)
        value = super()._quiet(node)
        self._taken, self.misses = taken, misses
        return value

    def _attribute(self, node: ast.Attribute) -> Value:
        if (root := self._root(node)) is not None:
            return Symbol(root)
        if isinstance(node.value, ast.Name) and not any(node.value.id in scope for scope in self._scopes):
            module = next((one for one in self.names.anchors(node.value.id) if one.kind == "module"), None)
            # `graph.py`'s name is also that of a variable: a module where it has the attribute, else the variable.
            if self.implied and module is not None and (found := self.names.member(module, node.attr)):
                return super()._found(node, found, module, False)
        owner = self._quiet(node.value)
        if isinstance(owner, Foreign) and self.names.covers(full := f"{owner.name}.{node.attr}"):
            self._value(node.value)
            found = self.names.resolve(full)
            if found is None:
                self._miss(node, "import", full, None)
                return None
            return super()._found(node, found, found, False) if found.kind != "module" else Symbol(found)
        return super()._attribute(node)

    def _root(self, node: ast.Attribute) -> Definition | None:
        """Return the package that an expression spells out in full (`torch.fx`), which needs no import to be known."""
        parts = [node.attr]
        owner = node.value
        while isinstance(owner, ast.Attribute):
            parts.append(owner.attr)
            owner = owner.value
        if not isinstance(owner, ast.Name) or owner.id in self._own:
            return None
        if any(owner.id in scope for scope in self._scopes):
            return None
        dotted = ".".join([owner.id, *reversed(parts)])
        return self.names.resolve(dotted) if dotted in self.names.roots else None

    def _found(self, node: ast.Attribute, found: Definition | None, owner: Definition | None, of_class: bool) -> Value:
        if found is None and owner is not None and owner.kind in ("class", "module"):
            is_object = of_class and isinstance(self._quiet(node.value), Instance)
            self._miss(node, "attribute", node.attr, owner, of_class=is_object)
        return super()._found(node, found, owner, of_class)

    def _import_foreign(self, node: ast.stmt, surface: str, bound: str, full: str) -> None:
        if self.names.covers(full):
            self._miss_text(node, surface, full)
        super()._import_foreign(node, surface, bound, full)

    def _value(self, node: ast.expr) -> Value:
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            owner = self._quiet(node.value)
            if isinstance(owner, Instance) and self._shapes.of(owner.definition).lacks("__getitem__"):
                self._miss(node, "index", "__getitem__", owner.definition, of_class=True)
        return super()._value(node)

    def _element(self, node: ast.expr) -> Value:
        owner = self._quiet(node)
        if isinstance(owner, Instance):
            shape = self._shapes.of(owner.definition)
            if shape.lacks("__iter__") and shape.lacks("__getitem__"):
                self._miss(node, "loop", "__iter__", owner.definition, of_class=True)
        return super()._element(node)

    def _call(self, node: ast.Call) -> Value:
        self._called.add(id(node.func))
        value = super()._call(node)
        function = self._quiet(node.func)
        if isinstance(function, Symbol) and function.definition.kind in ("class", "function", "method"):
            self._check_arguments(node, function.definition)
        if isinstance(value, Instance) and isinstance(node.func, ast.Name) and node.func.id in _MAKE_A_LIST:
            element = self._element(node.args[0]) if node.args else None
            return Elements(element) if element is not None else None
        return value

    def _check_arguments(self, node: ast.Call, target: Definition) -> None:
        known = signature(target, self._library)
        if known is None:
            return
        for keyword in node.keywords:
            if keyword.arg and keyword.arg not in known.keyword and not known.any_keyword:
                self._miss(node, "parameter", keyword.arg, target, known=known)
        given = [argument for argument in node.args if not isinstance(argument, ast.Starred)]
        # A method called on its class takes the object as well.
        most = len(known.positional) + (target.kind == "method")
        if len(given) > most and len(given) == len(node.args) and not known.any_positional:
            self._miss(node, "arguments", target.simple_name, target, known=known)

    def _miss(
        self,
        node: ast.expr,
        kind: MissKind,
        word: str,
        owner: Definition | None,
        *,
        of_class: bool = False,
        known: Signature | None = None,
    ) -> None:
        if self._inside:
            # Inside an f-string Python before 3.12 gives no true columns.
            return
        start = self.listing.index(node.lineno, node.col_offset)
        end = self.listing.index(node.end_lineno or node.lineno, node.end_col_offset or 0)
        called = id(node) in self._called
        self.misses.setdefault(
            (start, end, word),
            Miss(start, end, kind, ast.unparse(node), word, owner, of_class, called, known, self._guess(node)),
        )

    def _guess(self, node: ast.expr) -> str:
        """Return the guessed variable that an expression begins with, or ""."""
        while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
            node = node.func if isinstance(node, ast.Call) else node.value
        return node.id if isinstance(node, ast.Name) and node.id in self.guessed else ""

    def _miss_text(self, node: ast.stmt, surface: str, full: str) -> None:
        noted = len(self.uses)
        self._use_text(node, surface, None, full)
        for use in self.uses[noted:]:
            self.misses[use.start, use.end, full] = Miss(use.start, use.end, "import", full, full, None)
        del self.uses[noted:]
