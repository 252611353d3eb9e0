"""What prose says that something of the packages has: `the X argument of Y`, `Y's X method`, `Y的X参数`, `Y的X方法`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from keyword import iskeyword

from fxanchor.checking.library import Library
from fxanchor.checking.missing import Judged, judge_attribute, judge_parameter
from fxanchor.checking.pieces import Piece
from fxanchor.checking.reference import Reference, ReferenceKind
from fxanchor.checking.symbols import Knowledge
from fxanchor.checking.vocabulary import vocabulary
from fxanchor.checking.wording import sentence
from fxanchor.concepts.listing import parse_listing
from fxanchor.concepts.values import Elements, Instance, Own, OwnInstance, Symbol, Value
from fxanchor.source.definition import Definition

_NAME = r"[A-Za-z_][A-Za-z0-9_]*"
_OWNER = rf"(?P<owner>{_NAME}(?:\.{_NAME})*)(?:\(\))?[`'\"*]*"
_MEMBER = rf"[`'\"*]*(?P<member>{_NAME})(?P<call>\(\))?[`'\"*]*"
_START = r"(?<![A-Za-z0-9_./@-])[`'\"*]*"
_KIND = r"(?P<kind>{})"
_METHOD, _PARAMETER = "method", "parameter"
_KINDS = {
    "参数": _PARAMETER,
    "形参": _PARAMETER,
    "argument": _PARAMETER,
    "arguments": _PARAMETER,
    "parameter": _PARAMETER,
    "keyword": _PARAMETER,
    "kwarg": _PARAMETER,
    "方法": _METHOD,
    "函数": _METHOD,
    "method": _METHOD,
    "function": _METHOD,
}
_EN_KINDS = r"(?P<kind>(?:keyword )?arguments?|parameter|kwarg|keyword|method|function|attribute|property|field|member)"
_ZH_KINDS = r"(?P<kind>参数|形参|方法|函数|属性|字段|字典|成员|变量|上下文管理器|接口)?"
_PATTERNS = (
    # GraphModule的recompile()，symbolic_trace的leaf_modules参数，tracer对象的_node_name_to_proxy字典
    re.compile(
        rf"{_START}{_OWNER}\s?(?:类|对象|实例|函数|方法|模块|这个类)?(?:中|里)?的\s?{_MEMBER}(?![A-Za-z0-9_.])\s?{_ZH_KINDS}"
    ),
    # the `leaf_modules` argument of `symbolic_trace`
    re.compile(
        rf"(?<![\w.])(?:[Tt]he|[Ii]ts|an?|[Aa]n?)\s+{_MEMBER}\s+{_EN_KINDS}\s+(?:of|on|in|to|for|from)\s+(?:the\s+|an?\s+)?"
        rf"(?:(?:class|function|method)\s+)?[`'\"*]*{_OWNER}(?![A-Za-z0-9_])"
    ),
    # `Node`'s `kind` method
    re.compile(rf"{_START}{_OWNER}['’]s\s+{_MEMBER}\s+{_EN_KINDS}\b"),
    # `symbolic_trace` takes a `leaf_modules` argument; Node has a kind() method
    re.compile(
        rf"{_START}{_OWNER}(?:\s+(?:class|function|method|objects?|instances?))?\s+(?:also\s+)?"
        rf"(?:has|have|takes|accepts|provides|offers|defines|exposes|supports)\s+(?:an?\s+|the\s+)?(?:optional\s+)?{_MEMBER}\s+{_EN_KINDS}\b"
    ),
)
_SELF = re.compile(
    r"(?<![A-Za-z0-9_.])self\.(?P<member>_?[A-Za-z][A-Za-z0-9_]*)(?:\s*（[^（）]*）|\s*\([^()]*\))?", re.ASCII
)
_STATE = re.compile(
    r"(?<![A-Za-z0-9_.])[`'\"]*(?P<member>[a-z_][a-z0-9]*_[a-z0-9_]+)[`'\"]*\s*"
    r"(?:会|将|就)?(?:被)?(?:设|置|赋值)(?:置|定)?(?:为|成)\s*(?:True|False|None|\d)",
)
_STATE_EN = re.compile(
    r"(?<![A-Za-z0-9_.])[`'\"]*(?P<member>[a-z_][a-z0-9]*_[a-z0-9_]+)[`'\"]*\s+"
    r"(?:flag\s+|field\s+)?(?:is|gets|will be|has been)\s+"
    r"(?:set|switched|flipped)\s+to\s+[`'\"]*(?:True|False|None|\d)"
)
_ORDINALS = vocabulary("ordinals")


@dataclass(frozen=True, slots=True)
class _Said:
    """A statement that an owner has a member."""

    start: int
    end: int
    owner: str
    member: str
    kind: str
    called: bool
    coded: bool


def check_relations(knowledge: Knowledge) -> Iterator[Reference]:
    """Judge what the prose of a text says that classes and functions of the packages have.

    Args:
        knowledge: The text and the packages, with what the code of the text binds.
    """
    if not knowledge.is_subject:
        return
    blocks = knowledge.text.of_kind("block")
    for said in _statements(knowledge.text.plain):
        if any(block.start <= said.start < block.end for block in blocks):
            continue
        owner, is_object = _owner(said.owner, knowledge)
        if owner is None or said.member in knowledge.own | knowledge.set_attributes:
            continue
        judged = _judged(said, owner, is_object, knowledge)
        if judged is not None:
            kind: ReferenceKind = "parameter" if said.kind == _PARAMETER else "name"
            yield Reference(
                kind,
                said.start,
                said.end,
                judged.target,
                judged.verdict,
                judged.evidence,
                judged.suggestion,
            )
    yield from _inner_states(knowledge)


def _statements(plain: str) -> Iterator[_Said]:
    for number, pattern in enumerate(_PATTERNS):
        for match in pattern.finditer(plain):
            kind = (match["kind"] or "").removeprefix("keyword ")
            whole = match.group()
            at = match.start("member")
            marked = plain[at - 1 : at] in ("`", "'", '"', "*")
            # A Latin word in a Chinese sentence is a name.
            coded = number == 0 or marked or bool(match["call"]) or "_" in match["member"]
            lead = len(whole) - len(whole.lstrip("`'\"* "))
            start = match.start() + lead
            if match["member"].lower() in _ORDINALS and not coded:
                continue
            yield _Said(
                start, match.end(), match["owner"], match["member"], _KINDS.get(kind, kind), bool(match["call"]), coded
            )


def _owner(written: str, knowledge: Knowledge) -> tuple[Definition | None, bool]:
    """Return the definition that owns, and whether an object of it is meant."""
    if written.partition(".")[0] in knowledge.own or any(map(iskeyword, written.split("."))):
        return None, False
    value: Value = knowledge.evaluate(Piece("prose", 0, written, parse_listing(written))).value_of(written)
    if isinstance(value, Instance):
        return value.definition, True
    if isinstance(value, Symbol) and value.definition.kind in ("class", "function", "method"):
        return value.definition, value.definition.kind == "class"
    if isinstance(value, Own | OwnInstance | Elements) or written in knowledge.code.values:
        return None, False
    named = [one for one in knowledge.library.names.definitions(written) if one.kind in ("function", "method", "class")]
    named = [one for one in named if knowledge.library.names.is_public(one)]
    return (named[0], False) if len(named) == 1 and "_" in written else (None, False)


def _judged(said: _Said, owner: Definition, is_object: bool, knowledge: Knowledge) -> Judged | None:
    library = knowledge.library
    if said.kind == _PARAMETER:
        found = judge_parameter(said.member, owner, library)
        return found if found is None or found.verdict == "right" or said.coded else None
    if owner.kind != "class":
        return None
    public = library.names.public(owner)
    member = library.names.member(owner, said.member)
    if member is not None:
        place = f"{library.names.public(member)} is at {member.file}:{member.line}"
        return Judged(library.names.public(member), "right", place)
    if said.member in knowledge.shapes.of(owner).names:
        return Judged(f"{public}.{said.member}", "right", f"{owner.simple_name} has {said.member}")
    if not said.coded:
        return None
    # A method is in its class; only other attributes may come from a `__getattr__`.
    method = said.kind == _METHOD or said.called
    return judge_attribute(
        owner, said.member, library, knowledge.shapes, of_class=is_object and not method, called=method
    )


def _inner_states(knowledge: Knowledge) -> Iterator[Reference]:
    """Judge what code of the packages is said to set or call inside: `self._x` in a method, `x_mode` set to True."""
    plain, library = knowledge.text.plain, knowledge.library
    code = [(region.start, region.end) for region in knowledge.text.of_kind("block")]
    for pattern, private in ((_SELF, True), (_STATE, False), (_STATE_EN, False)):
        for match in pattern.finditer(plain):
            member = match["member"]
            if any(start <= match.start() < end for start, end in code) or (private and not member.startswith("_")):
                continue
            if member in knowledge.set_attributes or _bound(member, knowledge):
                continue
            start, _ = sentence(plain, match.start())
            before, _ = sentence(plain, max(0, start - 2))
            owner = _named_before(plain[before : match.start()], knowledge)
            if owner is None or member in _all_names(owner, knowledge) or _is_written(member, owner, library, private):
                continue
            public = library.names.public(owner)
            evidence = f"{library.shown(owner)} has no {member}, nor has the file around it"
            yield Reference("name", match.start(), match.end(), f"{public}: {member}", "wrong", evidence)


def _is_written(member: str, owner: Definition, library: Library, private: bool) -> bool:
    """Tell whether code of the packages may set a name: an attribute anywhere, a variable in the owner's file."""
    if private or owner.kind == "class":
        return member in library.words
    return bool(re.search(rf"\b{re.escape(member)}\b", "".join(library.index.lines(owner))))


def _bound(member: str, knowledge: Knowledge) -> bool:
    return member in knowledge.own or bool(
        re.search(rf"(?<![A-Za-z0-9_]){re.escape(member)}\s*(?:=[^=]|\()", knowledge.text.plain)
    )


def _all_names(owner: Definition, knowledge: Knowledge) -> set[str]:
    return knowledge.shapes.of(owner).names if owner.kind == "class" else set()


def _named_before(words: str, knowledge: Knowledge) -> Definition | None:
    """Return the last class or function of the packages that a stretch of text names for certain."""
    names = knowledge.library.names
    found: Definition | None = None
    for match in re.finditer(rf"(?<![A-Za-z0-9_.]){_NAME}(?:\.{_NAME})*", words, re.ASCII):
        word = match.group()
        if "." in word:
            found = names.dotted(word.split(".")) or found
            continue
        shaped = "_" in word or bool(re.search(r"[a-z][A-Z]", word))
        if word in knowledge.own or not shaped or word.startswith("__"):
            continue
        known = [one for one in names.definitions(word) if names.is_public(one)]
        known = [one for one in known if one.kind in ("class", "function", "method")]
        if known:
            found = names.first(known)
    return found
