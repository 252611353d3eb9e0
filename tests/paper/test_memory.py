"""Reading a long paper takes little memory for each page: what a page is made of is let go of when the page is read."""

import subprocess
import sys
from pathlib import Path

import pytest
from helpers.pdf_files import Page, write_pdf
from helpers.project import ROOT

SHORT, LONG = 100, 300
LINES = 55
# A page of 55 lines and 700 spans was measured at 0.26 MB, and at 0.66 MB while its spans were kept.
MOST_BYTES_A_PAGE = 450_000
SENTENCE = "the graph of a model holds nodes that a tracer makes while it runs and every value stands for one"
# Not `ru_maxrss`, which a process inherits from the one that started it.
READ = """
import re, sys
from pathlib import Path
from fxanchor.paper.read import read_paper
paper = read_paper(Path(sys.argv[1]))
peak = re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())
print(paper.pages, len(paper.passages), int(peak[1]) * 1024)
"""


def written(path: Path, pages: int) -> Path:
    """Write a paper whose every word is a span of its own, in paragraphs of eight lines."""
    sentence = SENTENCE.split()
    made = []
    for number in range(pages):
        page = Page()
        for row in range(LINES):
            fonts = zip(
                "rbi" * 4, (sentence[(number * 7 + row * 3 + at) % len(sentence)] for at in range(12)), strict=True
            )
            words = "".join(f"<{font}>{word} </{font}>" for font, word in fonts)
            page.text(72 if row % 8 else 84, 740 - 12 * row, 10, f"{words}<c:9>name{number}_{row}</c>")
        made.append(page)
    return write_pdf(path, made)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not tell the memory of a process")
def test_a_page_more_takes_little_more_memory(tmp_path: Path) -> None:
    peaks = {}
    for pages in (SHORT, LONG):
        file = written(tmp_path / f"{pages}.pdf", pages)
        command = [sys.executable, "-c", READ, str(file)]
        run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=True)
        read, passages, peaks[pages] = map(int, run.stdout.split())
        assert read == pages
        assert passages > 4 * pages
    assert (peaks[LONG] - peaks[SHORT]) / (LONG - SHORT) < MOST_BYTES_A_PAGE
