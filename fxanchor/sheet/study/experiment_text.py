"""The experiment of a card: what is claimed, and folded away what this torch says to it."""

import textwrap
from collections.abc import Iterator, Sequence

from fxanchor.labs.lab import LabResult
from fxanchor.sheet.escape import code_block, code_span, markdown
from fxanchor.sheet.lab_text import result_text
from fxanchor.sheet.study.options import Language
from fxanchor.sheet.study.words import english, say

_WIDTH = 100


def experiment_lines(result: LabResult, language: Language) -> Iterator[str]:
    """Give the lines of an experiment.

    Args:
        result: What came of the lab.
        language: Of the sheet's own words; what the lab itself says is shown as the output that it is.
    """
    lab = result.lab
    command = say("run it", language, command=code_span(f"fxanchor lab run {lab.name}"))
    statement, who = english(markdown(lab.statement), language), markdown(lab.said_by)
    claim = say("true or false", language, statement=statement, who=who)
    yield f"**{say('try', language)}** {claim} {command}{say('full stop', language)}"
    yield ""
    yield f'<details markdown="1"><summary>{say("what it gave", language)}</summary>'
    yield ""
    yield say("verdict", language, verdict=say(result.verdict, language), version=result.torch)
    yield ""
    yield code_block(lab_output(result), "text")
    yield ""
    yield "</details>"
    yield ""


def lab_output(result: LabResult) -> str:
    """Return what `fxanchor lab run` prints for one lab, wrapped for a page."""
    text = "\n".join(part for part in result_text([result], {}) if isinstance(part, str))
    return "\n".join(line for one in text.splitlines() for line in _wrapped(one))


def _wrapped(line: str) -> Sequence[str]:
    if len(line) <= _WIDTH:
        return [line]
    return textwrap.wrap(line, _WIDTH, subsequent_indent=" " * 13, break_long_words=False, break_on_hyphens=False)
