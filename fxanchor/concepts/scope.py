"""What a paper has set up before a name is judged: its listings, its abbreviations, the classes it speaks of."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from fxanchor.concepts.evidence import Candidate
from fxanchor.concepts.names import Names
from fxanchor.concepts.subject import Subject
from fxanchor.concepts.values import Code, Instance, Symbol
from fxanchor.concepts.words import CITATION
from fxanchor.paper.document import Paper
from fxanchor.source.definition import Definition

_ABBREVIATED = re.compile(r"\b([A-Z][A-Za-z]{2,60})\s?\(\s?([A-Z]{2,6})\s?\d?\s*\)")
# What a cited thing is, when it is no program: the noun that follows its name.
_KIND_OF_WORK = re.compile(
    r"\s{1,4}(?:neural\s)?(networks?|architectures?|models?|layers?|cells?|units?|encoders?|decoders?|blocks?)\b", re.I
)
_CITED_AS = re.compile(
    rf"({CITATION.pattern}),?\s(?:which|that)\s(?:is|are)\s(?:an?\s|the\s)?(?:\w+\s)?(networks?|architectures?|models?)\b"
)
# A paper that sets names as code does so for more than one in this many of those that look like names anyhow.
_FONT_SHARE = 4


@dataclass(slots=True)
class Scope:
    """What the rules may look at besides the candidate itself.

    Attributes:
        paper: The paper.
        names: The look-ups in the index.
        code: What the listings set up.
        subjects: What the paper has to do with each package.
        classes: The classes that the paper speaks of, with how often.
        words: Last parts that were linked for certain, with their definition.
        spelled: Last parts that a qualifier, an import or a listing tells the meaning of; some have several.
        elsewhere: Last parts that the paper spells with a qualifier, with the longest spelling.
        foreign: The same for qualifiers that are another package's.
        abbreviations: Acronyms that the paper declares, with what they stand for.
        code_font: Whether running text is set in the code font where it names something, not only the listings.
        cited: Citations that stand behind the name of a network or model, with that kind and its section.
    """

    paper: Paper
    names: Names
    code: Code
    subjects: tuple[Subject, ...]
    classes: Counter[Definition] = field(default_factory=Counter)
    words: dict[str, Definition] = field(default_factory=dict)
    spelled: dict[str, list[Definition]] = field(default_factory=dict)
    elsewhere: dict[str, str] = field(default_factory=dict)
    foreign: dict[str, str] = field(default_factory=dict)
    abbreviations: dict[str, str] = field(default_factory=dict)
    code_font: bool = True
    cited: dict[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def central(self) -> bool:
        """Whether the paper is about any of the packages."""
        return any(subject.level == "central" for subject in self.subjects)

    @property
    def absent(self) -> bool:
        """Whether the paper names none of the packages."""
        return all(subject.level == "absent" for subject in self.subjects)

    @property
    def aim(self) -> str:
        """The packages in words."""
        return " and ".join(self.names.roots)

    def names_package(self, order: int) -> bool:
        """Tell whether the passage with this number names one of the packages."""
        return any(order in subject.passages for subject in self.subjects)

    def callable(self, spelled: str) -> Definition | None:
        """Return the class, function or method that a spelling of the text means, or None."""
        first, *rest = spelled.split(".")
        value = self.code.values.get(first)
        if isinstance(value, Symbol) or (isinstance(value, Instance) and rest):
            found = self.names.descend(value.definition, rest)
        elif rest:
            found = self.names.dotted([first, *rest]) or self._of_named(first, rest)
        elif (found := self.words.get(spelled)) is None:
            found, _, _ = self.names.nearest(self.abbreviations.get(spelled, spelled))
        return found if found is not None and found.kind in ("class", "function", "method") else None

    def _of_named(self, receiver: str, rest: list[str]) -> Definition | None:
        """Return a member of the class that a receiver in small letters is named after."""
        classes = (found for found in self.names.best(receiver[:1].upper() + receiver[1:]) if found.kind == "class")
        return next((found for known in classes if (found := self.names.descend(known, rest)) is not None), None)

    def method(self, word: str) -> Definition | None:
        """Return a method of this name of the classes that the paper speaks of, the most spoken of first."""
        members = (self.names.member(owner, word) for owner, _ in self.classes.most_common())
        return next((found for found in members if found is not None and found.kind == "method"), None)

    def learn(self, definition: Definition, spelled: bool) -> None:
        """Take note of a definition that the paper names for certain.

        Args:
            definition: The definition.
            spelled: Whether a qualifier, an import or a listing said which one it is.
        """
        if definition.kind == "class":
            self.classes[definition] += 1
        elif definition.kind in ("method", "attribute"):
            owner = self.names.index.get(definition.parent)
            if owner is not None and owner.kind == "class":
                self.classes[owner] += 0
        if definition.kind != "module":
            self.words.setdefault(definition.simple_name, definition)
            if spelled and definition not in (known := self.spelled.setdefault(definition.simple_name, [])):
                known.append(definition)

    def learn_text(self, candidates: Iterable[Candidate]) -> None:
        """Take note of qualified spellings, cited works, and whether names in running text have a font of their own."""
        marked = plain = 0
        for candidate in candidates:
            if candidate.where == "prose" and candidate.code:
                marked += 1
            elif candidate.where == "prose" and candidate.shaped:
                plain += 1
            if len(candidate.parts) > 1 and (candidate.code or candidate.shaped):
                known = self.elsewhere.get(candidate.word, "")
                if len(candidate.name) > len(known):
                    self.elsewhere[candidate.word] = candidate.name
        # Where only listings are typewritten, a name in running text looks like any word.
        self.code_font = self.paper.has_code_font and marked * _FONT_SHARE >= plain
        for passage in self.paper.passages:
            if passage.role in ("reference", "listing", "figure"):
                continue
            for kind in _CITED_AS.finditer(passage.text):
                self.cited.setdefault(citation_key(kind.group(1)), (kind.group(2).lower(), passage.section))
            for kind in _KIND_OF_WORK.finditer(passage.text):
                if citation := CITATION.match(passage.text, kind.end()):
                    key = citation_key(citation.group())
                    self.cited.setdefault(key, (kind.group(1).lower(), passage.section))


def declared_abbreviations(paper: Paper) -> dict[str, str]:
    """Return the acronyms that a paper declares as the capitals of a name: `DistributedDataParallel (DDP)`."""
    found: dict[str, str] = {}
    for passage in paper.passages:
        if passage.role in ("prose", "footnote", "caption", "heading"):
            for match in _ABBREVIATED.finditer(passage.text):
                if re.sub(r"[^A-Z]", "", match.group(1)) == match.group(2):
                    found.setdefault(match.group(2), match.group(1))
    return found


def citation_key(citation: str) -> str:
    """Return a citation without brackets and blanks, so that two of the same work compare equal."""
    return re.sub(r"[\s()\[\]]+", " ", citation).strip()


def kind_of_work(text: str) -> str:
    """Return the noun at the head of `text` that tells a network or model, or ""."""
    match = _KIND_OF_WORK.match(text)
    return match.group(1).lower() if match else ""
