"""What `--at` names is found, or the sentence says what could have been meant."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from fxanchor.breakpoints.choose import choose
from fxanchor.breakpoints.proof import Wanted
from fxanchor.errors import FxanchorError, UsageError
from fxanchor.source.definition import Stop

CASES = Path(__file__).parents[1] / "cases" / "breakpoints" / "choose" / "names.txt"
TABLE = (
    Wanted("proxy done", Stop("pkg.proxy.TracerBase.create_proxy", "pkg/proxy.py", 369, 339)),
    Wanted("proxy creation", Stop("pkg.proxy.TracerBase.create_proxy", "pkg/proxy.py", 360, 339)),
    Wanted("node asked for", Stop("pkg.proxy.TracerBase.create_node", "pkg/proxy.py", 232, 214)),
    Wanted("node creation", Stop("pkg.graph.Graph.create_node", "pkg/graph.py", 20, 10)),
    Wanted("compiled", Stop("pkg.C.f", "", 0, 0, "it is compiled.")),
    Wanted("one", Stop("pkg.a.same.f", "pkg/a/same.py", 3, 2)),
    Wanted("other", Stop("pkg.b.same.f", "pkg/b/same.py", 3, 2)),
)


class Package:
    """A package with a few functions that are not in the table."""

    def named(self, text: str) -> Sequence[str]:
        return {"helper": ["pkg.tools.helper"], "twice": ["pkg.a.twice", "pkg.b.twice"]}.get(text, [])

    def entry(self, qualified: str) -> Stop:
        return Stop(qualified, "pkg/tools.py", 5, 4)


def cases() -> list[tuple[str, str]]:
    lines = (line.partition(" => ") for line in CASES.read_text(encoding="utf-8").splitlines())
    return [(typed, expected) for typed, _, expected in lines if not typed.startswith("#")]


@pytest.mark.parametrize(("typed", "expected"), cases())
def test_what_is_typed_is_found(typed: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mod.py").write_text("def f():\n    return 1\n", encoding="utf-8")
    (tmp_path / "broken.py").write_text("def", encoding="utf-8")
    try:
        found = choose(typed, TABLE, Package(), tmp_path / "site", (TABLE[0], TABLE[3]))
    except FxanchorError as error:
        assert expected.startswith("error: "), error
        assert expected.removeprefix("error: ") in str(error)
        return
    shown = found.concept if found.concept.endswith(f":{found.stop.line}") else f"{found.concept}:{found.stop.line}"
    assert shown == expected


def test_a_row_is_unknown_before_a_table_was_shown(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no table was shown for this model; run fxanchor trace first"):
        choose("1", TABLE, Package(), tmp_path)


def test_a_line_of_an_installed_file_is_kept_relative(tmp_path: Path) -> None:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "graph.py").write_text("def f():\n    return 1\n", encoding="utf-8")
    found = choose("graph.py:2", TABLE, Package(), tmp_path)
    assert (found.stop.file, found.stop.line, found.stop.first_line) == ("pkg/graph.py", 2, 1)
