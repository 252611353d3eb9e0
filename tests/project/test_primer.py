"""The paper that ships tells the truth: its listings run, and print what it says that they print."""

import re

from helpers.project import ROOT, python

PRIMER = ROOT / "papers" / "primer"


def test_the_listings_run_and_print_what_the_paper_shows() -> None:
    capture = (PRIMER / "capture.py").read_text(encoding="utf-8")
    transform = (PRIMER / "transform.py").read_text(encoding="utf-8")
    shown = capture.rstrip().removesuffix('"""').rpartition('"""\n')[2]

    run = python("-c", capture + transform)

    assert run.returncode == 0, run.stderr
    assert run.stdout == shown


def test_every_source_it_cites_is_listed_and_the_other_way_round() -> None:
    text = (PRIMER / "primer.tex").read_text(encoding="utf-8")
    cited = {key for keys in re.findall(r"\\cite\{([^}]*)\}", text) for key in keys.split(",")}
    assert cited == set(re.findall(r"\\bibitem\{([^}]*)\}", text))
