"""Rules that tell why a word that looks like a name is none of the package's."""

import builtins
import keyword
import re
import sys

from fxanchor.concepts.evidence import Candidate, Rule, Verdict, outside, refused
from fxanchor.concepts.scope import Scope, citation_key, kind_of_work
from fxanchor.concepts.values import Foreign, Own, OwnInstance, Value
from fxanchor.concepts.words import CITATION, KIND_OF_NAME, is_constant, singulars

_BUILTINS = frozenset(dir(builtins)) | frozenset(keyword.kwlist) | {"self", "cls"}
_POSSESSIVE = re.compile(r"\b([A-Z][\w.+-]*)(?:['’]s|s['’])\s+$")
_OF_AUTHOR = re.compile(
    rf"\s+(?:of|by|from)\s+[A-Z][\w-]+(?:\s+(?:et\s+al\.?|(?:and|&)\s+[A-Z][\w-]+))?({CITATION.pattern})"
)
_KIND_BEFORE = re.compile(
    r"\b(?:class|method|function|attribute|property|argument|parameter|option|flag|decorator|module|package)\s+[\"“'‘`]?$"
)
_QUOTE_BEFORE = re.compile(r"=\s?[\"'“”‘’]$")
_QUOTE_BEHIND = re.compile(r"[\"'“”‘’]")
_CALLABLE_BEHIND = re.compile(r"\s+(?:methods?|functions?)\b")
_CALLABLE_BEFORE = re.compile(r"\b(?:method|function)\s+[\"“'‘`]?$")


def apposed(candidate: Candidate) -> bool:
    """Tell whether a noun beside the candidate says that it is a name: `the Proxy class`, `the method run`."""
    return bool(KIND_OF_NAME.match(candidate.after) or _KIND_BEFORE.search(candidate.before))


def other_language(candidate: Candidate, scope: Scope) -> Verdict | None:
    """`aten::conv2d`, `std::vector`: a double colon is no Python."""
    del scope
    if candidate.before.endswith(("::", "%", "$")) or candidate.after.startswith("::"):
        return outside("a name of another language")
    return None


def own_name(candidate: Candidate, scope: Scope) -> Verdict | None:
    """What the paper's own listings define is theirs, wherever the text speaks of it."""
    if not (candidate.code or candidate.shaped):
        return None
    root = candidate.parts[0]
    if len(candidate.parts) > 1:
        own = root in scope.code.own and not _is_of_package(scope.code.values.get(root))
        return refused("an attribute of the paper's own example") if own else None
    if _named_after_its_maker(candidate, scope):
        return None
    if root in scope.code.own:
        return refused("defined in a listing of the paper itself")
    if root in scope.code.local and not _known_member(candidate, scope):
        return refused("a variable of a listing of the paper itself")
    return None


def _named_after_its_maker(candidate: Candidate, scope: Scope) -> bool:
    """Tell whether `the ppf method` speaks of the method although a listing says `ppf = rng.ppf(q)`."""
    if isinstance(scope.code.values.get(candidate.word), Own):
        return False
    if candidate.word not in scope.spelled and not any(
        found.kind == "function" for found in scope.names.best(candidate.word)
    ):
        return False
    return bool(_CALLABLE_BEHIND.match(candidate.after) or _CALLABLE_BEFORE.search(candidate.before))


def _is_of_package(value: Value) -> bool:
    """Tell whether a value of the listings comes from the package, or from a class derived from one of its."""
    match value:
        case OwnInstance(of=Own(bases=bases)) | Own(bases=bases):
            return any(_is_of_package(base) for base in bases)
        case None | Foreign():
            return False
    return True


def _known_member(candidate: Candidate, scope: Scope) -> bool:
    """Tell whether the word is a public name, or a member of a class that the paper speaks of."""
    word = candidate.word
    return word in scope.names.public_words or any(scope.names.member(known, word) for known in scope.classes)


def builtin(candidate: Candidate, scope: Scope) -> Verdict | None:
    """`int`, `tuple` and `print` are Python's own, unless a qualifier says otherwise."""
    del scope
    if len(candidate.parts) == 1 and not candidate.surface.startswith(".") and candidate.word in _BUILTINS:
        return refused("")
    return None


def standard_library(candidate: Candidate, scope: Scope) -> Verdict | None:
    """`pdb` and `math.pi` belong to Python's standard library, unless a listing binds the word to something else."""
    root = candidate.parts[0]
    if root not in sys.stdlib_module_names or root in scope.code.values or candidate.surface.startswith("."):
        return None
    if len(candidate.parts) > 1:
        return outside(f"{root} is a module of Python's standard library")
    if candidate.code and root not in scope.words and not _known_member(candidate, scope):
        return outside(f"{root} is a module of Python's standard library")
    return None


def foreign_import(candidate: Candidate, scope: Scope) -> Verdict | None:
    """What a listing imports from another package is that package's name in the text too."""
    full = scope.code.foreign.get(candidate.parts[0])
    if full is None:
        return None
    tail = ".".join([full, *candidate.parts[1:]])
    if scope.names.covers(tail):
        return None
    return outside(f"{tail} by the imports of the listings, which is outside {scope.aim}")


def qualified_elsewhere(candidate: Candidate, scope: Scope) -> Verdict | None:
    """A bare word that the paper spells out as another package's name (`Module`, `torch.nn.Module`) is that name."""
    if len(candidate.parts) > 1 or not (candidate.code or candidate.shaped or candidate.word[:1].isupper()):
        return None
    for word in (candidate.word, *singulars(candidate.word)):
        full = scope.foreign.get(word)
        if full and word not in scope.words:
            return outside(f"spelt out as {full}, which is outside {scope.aim}")
    return None


def other_owner(candidate: Candidate, scope: Scope) -> Verdict | None:
    """`JAX's jit` says whose name it is; only the package's own project may stand there."""
    match = _POSSESSIVE.search(candidate.before)
    if match is None or len(candidate.parts) > 1:
        return None
    owner = match.group(1)
    if owner in scope.code.values or owner in scope.names.public_words or owner in scope.abbreviations:
        return None
    for package in scope.names.index.packages:
        project = package.repository.rstrip("/").rpartition("/")[2]
        if owner.lower() in {package.name.lower(), project.lower(), package.name.rpartition(".")[2].lower()}:
            return None
    return outside(f"the text says it is {owner}'s" if candidate.code or _is_known(candidate, scope) else "")


def hyphenated(candidate: Candidate, scope: Scope) -> Verdict | None:
    """A plain word inside a hyphenated one (`graph-mode`) is English."""
    del scope
    if candidate.code or len(candidate.parts) > 1 or "_" in candidate.word or candidate.camel:
        return None
    if re.search(r"\w[-–/]$", candidate.before) or re.match(r"[-–/]\w", candidate.after):
        return refused("part of a hyphenated English word")
    return None


def _is_known(candidate: Candidate, scope: Scope) -> bool:
    """Tell whether the package has any definition of this word or its singular."""
    return any(scope.names.definitions(word) for word in (candidate.word, *singulars(candidate.word)))


def single_letter(candidate: Candidate, scope: Scope) -> Verdict | None:
    """`x` and `i` are variables."""
    del scope
    return refused("") if len(candidate.parts) == 1 and len(candidate.word) == 1 else None


def argument_of_call(candidate: Candidate, scope: Scope) -> Verdict | None:
    """What stands inside the parentheses of a call is the caller's: `device` in `Tensor.to(device)`.

    A keyword is what the callable calls its argument, when it is known to.
    """
    if not candidate.code or len(candidate.parts) > 1 or not re.search(r"[A-Za-z0-9_]\($", candidate.before):
        return None
    owner = scope.callable(candidate.in_call) if candidate.in_call else None
    if owner is not None and scope.names.parameter(owner, candidate.word) is not None:
        return None
    return refused("an argument in a call")


def quoted_value(candidate: Candidate, scope: Scope) -> Verdict | None:
    """`cuda` in `device_type="cuda"` is a text that is handed over."""
    del scope
    if not candidate.code or len(candidate.parts) > 1 or candidate.where == "listing":
        return None
    inside = _QUOTE_BEFORE.search(candidate.before) and _QUOTE_BEHIND.match(candidate.after)
    return refused("a text in quotes") if inside else None


def cut_by_line(candidate: Candidate, scope: Scope) -> Verdict | None:
    """`BRID_SHARD` behind the hyphen of a line end is a piece of some word, unless the paper has it whole elsewhere."""
    if candidate.is_cut and candidate.word not in scope.words:
        return refused("part of a word that the end of a line cuts" if _is_known(candidate, scope) else "")
    return None


def named_work(candidate: Candidate, scope: Scope) -> Verdict | None:
    """`Transformer networks (Vaswani et al., 2017)`: a noun and a citation say that a network or a work is meant.

    A spelling that shows a name, such as `GraphModule`, stays one beside a citation.
    """
    if candidate.code or candidate.shaped:
        return None
    if not (candidate.asked or _is_known(candidate, scope)):
        return None
    after = candidate.after
    if kind := kind_of_work(after):
        whole = kind.startswith(("network", "architecture", "model"))
        what = "the neural network" if whole else "a part of a neural network"
        behind = " and a citation" if CITATION.match(re.sub(r"^\s+(?:neural\s+)?\w+", "", after)) else ""
        return refused(f'means {what}: followed by "{kind}"{behind}, not set as code')
    if (owner := _OF_AUTHOR.match(after)) is not None:
        kind = scope.cited.get(citation_key(owner.group(1)), ("", ""))[0]
        what = "the neural network" if kind else "what that work describes"
        return refused(f"means {what}: the text says whose it is, {owner.group().strip()}")
    citation = CITATION.match(after)
    if citation is None or apposed(candidate):
        return None
    shown = citation.group().strip()
    if known := scope.cited.get(citation_key(shown)):
        kind, section = known
        where = f" in {section}" if section else ""
        return refused(f"means the neural network: followed by {shown}, which the paper cites for {kind}{where}")
    return refused(f"means what that work describes: followed by {shown}, not set as code")


def constant(candidate: Candidate, scope: Scope) -> Verdict | None:
    """`OMP_NUM_THREADS` is spelt as environment variables are; only a name that the package is known for may be so."""
    if len(candidate.parts) == 1 and is_constant(candidate.word) and not _known_member(candidate, scope):
        return refused("spelt as environment variables and constants are")
    return None


def not_the_subject(candidate: Candidate, scope: Scope) -> Verdict | None:
    """In a paper that never names the package an equal word proves nothing."""
    if not scope.absent or _rooted(candidate, scope):
        return None
    known = candidate.word in scope.names.public_words
    return refused(f"{scope.subjects[0].reason}, so the same word proves nothing" if known else "")


def not_set_as_code(candidate: Candidate, scope: Scope) -> Verdict | None:
    """Where a paper has a code font, a plain word outside it is English unless a noun beside it says otherwise."""
    if candidate.code or candidate.shaped or candidate.word in scope.abbreviations:
        return None
    if candidate.where == "heading":
        return refused("a heading sets capitals and fonts of its own")
    if apposed(candidate):
        return None
    if candidate.word.lower() in scope.names.roots:
        return refused("the package's own name in capitals")
    if scope.code_font:
        return refused("not in the code font, though the paper sets code in one")
    if candidate.word[:1].isupper() and _begins_sentence(candidate):
        return refused("a capital at the beginning of a sentence")
    if not candidate.word[:1].isupper() or not any(
        w in scope.words for w in (candidate.word, *singulars(candidate.word))
    ):
        return refused("an English word, and nothing beside it says that it is a name")
    return None


def _begins_sentence(candidate: Candidate) -> bool:
    """Tell whether the candidate is the first word of its sentence."""
    head = candidate.before.rstrip(" \"“‘'(•")
    return not head or head.endswith((".", "!", "?", ":"))


def _rooted(candidate: Candidate, scope: Scope) -> bool:
    """Tell whether a dotted name begins with the whole name of one of the packages."""
    return any(candidate.name == root or candidate.name.startswith(root + ".") for root in scope.names.roots)


VETOES: tuple[Rule, ...] = (
    other_language,
    builtin,
    single_letter,
    argument_of_call,
    quoted_value,
    cut_by_line,
    named_work,
    hyphenated,
    foreign_import,
    standard_library,
    other_owner,
    own_name,
    qualified_elsewhere,
    constant,
    not_the_subject,
)
# Asked last: what the look of a word leaves open.
FONT_VETOES: tuple[Rule, ...] = (not_set_as_code,)
