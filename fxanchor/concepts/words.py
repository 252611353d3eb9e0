"""Words of running text: name-shaped tokens, sentences, inflections."""

import re
from functools import lru_cache
from typing import Final

# A name as Python spells it, with its qualifiers and an empty call. ASCII only, so that it ends where a Chinese or
# Japanese sentence, which puts no blanks, goes on.
NAME = re.compile(r"(?<![A-Za-z0-9_.])\.?[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*(?P<call>\(\s?\))?")
ADDRESS = re.compile(r"(?:https?://|www\.)\S+|(?<!\S)[^\s@]{1,80}@[^\s@]{1,80}|\{[^{}@]{1,400}\}\s?@[^\s@]{1,80}")
# Words that begin sentences: behind a full stop without a blank they are no member of anything.
OPENER = re.compile(
    r"A|After|All|Also|An|And|Another|As|At|Because|Before|Both|But|By|Each|Even|Finally|First|For|From|Hence|Here|How"
    r"|However|If|In|Instead|Its?|Many|More|Moreover|Most|No|Note|On|One|Or|Other|Our|Second|Since|So|Some|Such|That|The"
    r"|Their|Then|There|Therefore|These|They|This|Those|Three|Thus|To|Two|Under|Unlike|Until|Using|We|What|When|Where"
    r"|Which|While|With|Without|Your?"
)
CITATION = re.compile(
    r"\s{0,4}(?:\[\d+(?:\s?[,–-]\s?\d+){0,40}\]|\([^()]{0,120}(?:\([^()]{0,40}\)[^()]{0,80})?\b(?:1[89]|20)\d\d[a-z]?(?:[;,][^()]{0,120})?\))"
)
# Nouns that say that the word beside them is a name of a program.
KIND_OF_NAME = re.compile(
    r"\s*(?:\(\s?\))?[ -](?:(?:base |data |sub)?class(?:es)?|objects?|instances?|types?|methods?|functions?|"
    r"(?:sub)?modules?|attributes?|propert(?:y|ies)|fields?|arguments?|parameters?|keywords?|options?|flags?|knobs?|"
    r"APIs?|decorators?|constructors?|exceptions?|errors?|context managers?|(?:sub)?packages?|protocol|"
    r"data structures?|calls?)\b"
)
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"”’)\]]{0,3}\s{1,4}(?=[\"“‘(\[]{0,3}[A-Z0-9a-z_`•])|(?<=[。！？；])")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|et al|cf|vs|etc|resp|approx|Fig|Figs|Sec|Eq|Eqs|Tab|No|Dr|Prof|Mr|Ms|St|[A-Z]))\.$"
)
# Members that say nothing of a class, because every object has them.
OF_EVERY_OBJECT: Final = frozenset(dir(object))
_MIXED = re.compile(r"[a-z]+\d+[a-z]+\w*")
_WORD = re.compile(r"[A-Za-z]+(?:['’]s\b)?|[0-9]+")
_HUMP = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")


def sentences(text: str) -> list[tuple[int, int]]:
    """Return the start and end of every sentence of `text`, without the blanks between them."""
    found = []
    start = 0
    for end in _SENTENCE_END.finditer(text):
        if _ABBREVIATION.search(text, max(start, end.start() - 12), end.start()):
            continue
        # A capital does not begin every sentence here: `placeholder nodes represent inputs` begins with a name. A
        # small letter begins one only behind a whole word, so that abbreviations go on.
        small = end.end() < len(text) and text[end.end()].islower()
        if small and not re.search(
            r"(?:[\w’'\])]{4}|[\])])[.!?][\"”’)\]]*$", text[max(0, end.start() - 8) : end.start()]
        ):
            continue
        found.append((start, end.start()))
        start = end.end()
    if start < len(text):
        found.append((start, len(text)))
    return found


@lru_cache(maxsize=8192)
def is_shaped(word: str) -> bool:
    """Tell whether the spelling alone shows a name of a program: `snake_case`, `CamelCase`, `c10d`, dotted, called."""
    bare = word.strip("_")
    return (
        "_" in bare
        or "." in word.strip(".")
        or word.endswith(")")
        or (word.startswith("__") and word.endswith("__"))
        or is_camel(word)
        or bool(_MIXED.fullmatch(word))
    )


@lru_cache(maxsize=8192)
def is_camel(word: str) -> bool:
    """Tell whether a word has a capital behind a small letter, as `GraphModule` has and `Graph` has not."""
    return bool(re.search(r"[a-z]\d*[A-Z]", word)) or bool(re.match(r"[A-Z]{2,}[a-z]{2,}", word) and len(word) > 4)


def is_constant(word: str) -> bool:
    """Tell whether a word is spelt as constants and environment variables are: `OMP_NUM_THREADS`."""
    return "_" in word.strip("_") and word.upper() == word


def humps(name: str) -> tuple[str, ...]:
    """Return the words of a name in small letters: `GraphModule` and `graph_module` are `graph`, `module`."""
    return tuple(part.lower() for part in _HUMP.findall(name))


def singulars(word: str) -> tuple[str, ...]:
    """Return what `word` may be the plural or possessive of, nearest first; empty when it cannot be one."""
    if word.endswith(("'s", "’s")):
        return (word[:-2],)
    if len(word) < 4 or not word.endswith("s") or word.endswith("ss"):
        return ()
    found = [word[:-1]]
    if word.endswith("ies"):
        found.append(word[:-3] + "y")
    if word.endswith("es"):
        found.append(word[:-2])
    return tuple(found)


@lru_cache(maxsize=20000)
def stem(word: str) -> str:
    """Return what the regular inflections of an English word share: `tracing`, `traced`, `traces` are `trac`."""
    word = word.lower()
    for ending in ("'s", "’s"):
        word = word.removesuffix(ending)
    if word.endswith("ically") and len(word) > 8:
        return word[:-4]
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "i"
    for ending in ("ings", "ing", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith(("ss", "us", "is")):
            word = word.removesuffix(ending)
            break
    if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "lsz":
        word = word[:-1]
    return word[:-1] + "i" if word.endswith("y") else word


def stems(text: str) -> list[tuple[str, int, int]]:
    """Return every word of `text` with its stem, start and end; hyphens, slashes and blanks all part words."""
    return [(stem(match.group()), match.start(), match.end()) for match in _WORD.finditer(text)]
