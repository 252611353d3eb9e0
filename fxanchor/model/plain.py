"""Text of unknown origin, made safe to print on a terminal."""

import unicodedata


def escape_controls(text: str) -> str:
    r"""Return the text with every control character but newline and tab written as an escape such as `\x1b`.

    Characters that change the direction or hide text (category Cf) and lone surrogates are escaped too.

    Args:
        text: Any text.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escaped(character) for character in text)


def one_line(text: str, width: int = 160) -> str:
    """Return the text on one line, without control characters, cut to `width` characters.

    Args:
        text: Any text.
        width: Greatest length of what is returned.
    """
    line = " ".join(escape_controls(text[: 4 * width]).split())
    return line if len(line) <= width else line[: width - 1] + "…"


def _escaped(character: str) -> str:
    if character in "\n\t" or unicodedata.category(character) not in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}:
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
