"""`fxanchor check`: formats, exit codes, the patch, and code that is run."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from helpers.cases import CASES
from helpers.project import PRIMER, ROOT, fxanchor
from jsonschema import Draft202012Validator

PACKAGE = CASES / "checking" / "package"
ARTICLE = CASES / "checking" / "articles" / "lathe_en.md"
NO_TORCH = {"PYTHONPATH": str(ROOT / "tests" / "helpers" / "notorch")}
# What the project itself says of torch.fx and of its primer; the page about the checker shows a text that is wrong.
PAGES = sorted(page for folder in ("docs", "docs/how-to") for page in (ROOT / folder).glob("*.md"))
TRUE_TEXTS = [
    ROOT / "README.md",
    PRIMER,
    *(page for page in PAGES if "fxanchor check" not in page.read_text(encoding="utf-8")),
]
LATHE = ("--package", "lathe", "--source", str(PACKAGE))


def closed(part: Any) -> Any:
    if isinstance(part, list):
        return [closed(one) for one in part]
    if not isinstance(part, dict):
        return part
    more = {"additionalProperties": False} if part.get("type") == "object" else {}
    return {**{key: closed(value) for key, value in part.items()}, **more}


def test_json_keeps_to_its_schema_and_points_at_the_words() -> None:
    run = fxanchor("check", str(ARTICLE), *LATHE, "--json")
    assert run.returncode == 1
    document = json.loads(run.stdout)
    schema = json.loads((ROOT / "docs" / "schema" / "check.1.json").read_text(encoding="utf-8"))
    assert [error.message for error in Draft202012Validator(closed(schema)).iter_errors(document)] == []
    lines = ARTICLE.read_text(encoding="utf-8").splitlines(keepends=True)
    for one in document["references"]:
        inside = lines[one["line"] - 1 : one["end_line"]]
        inside[-1] = inside[-1][: one["end_col"]]
        inside[0] = inside[0][one["col"] :]
        assert "".join(inside) == one["text"]


def test_text_names_place_verdict_and_what_to_write() -> None:
    run = fxanchor("check", str(ARTICLE), *LATHE)
    assert f"{ARTICLE}:14:0: wrong: spindle.whirl\n    Spindle (lathe/engine.py:15) has no whirl\n" in run.stdout
    assert run.stdout.splitlines()[-1].endswith("0 cannot tell")


def test_annotations_count_columns_from_one() -> None:
    run = fxanchor("check", str(ARTICLE), *LATHE, "--format", "github")
    assert f"::error file={ARTICLE},line=14,endLine=14,col=1,endColumn=13,title=name wrong::Spindle " in run.stdout
    assert "::warning file=" in run.stdout


def test_sarif_has_a_result_for_each_flag() -> None:
    document = json.loads(fxanchor("check", str(ARTICLE), *LATHE, "--format", "sarif").stdout)
    results = document["runs"][0]["results"]
    assert document["version"] == "2.1.0"
    rules = [rule["id"] for rule in document["runs"][0]["tool"]["driver"]["rules"]]
    assert all(rules[one["ruleIndex"]] == one["ruleId"] for one in results)
    region = results[1]["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 14, "startColumn": 1, "endLine": 14, "endColumn": 14}


def test_the_patch_corrects_line_citations_and_applies(tmp_path: Path) -> None:
    text = tmp_path / "notes.md"
    text.write_text("`Engine` is at `lathe/engine.py:3-4`.\n`Spindle`: see engine.py第3行的Spindle类", encoding="utf-8")
    patch = fxanchor("check", "notes.md", *LATHE, "--fix", cwd=tmp_path)
    assert patch.returncode == 1
    subprocess.run(["git", "apply", "-"], input=patch.stdout, text=True, cwd=tmp_path, check=True, encoding="utf-8")
    assert text.read_text(encoding="utf-8") == (
        "`Engine` is at `lathe/engine.py:24-43`.\n`Spindle`: see engine.py第15行的Spindle类"
    )
    assert fxanchor("check", "notes.md", *LATHE, cwd=tmp_path).returncode == 0
    assert fxanchor("check", "notes.md", *LATHE, "--fix", cwd=tmp_path).stdout == ""


def test_true_texts_are_not_called_wrong_and_torch_is_not_imported(tmp_path: Path) -> None:
    env = {**NO_TORCH, "FXANCHOR_CACHE": str(tmp_path)}
    run = fxanchor("check", *map(str, TRUE_TEXTS), "--paper", str(PRIMER), "--json", env=env)
    assert run.returncode in (0, 1), run.stderr
    found = json.loads(run.stdout)["references"]
    assert [(one["file"], one["line"], one["text"]) for one in found if one["verdict"] == "wrong"] == []
    assert len([one for one in found if one["verdict"] == "right"]) > 100


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("gone.md", None, "There is no file gone.md. Check the spelling."),
        ("latin.md", b"caf\xe9", "latin.md is not UTF-8 text. Convert it, or name another file."),
        ("book.ipynb", b"[]", "book.ipynb is not a Jupyter notebook."),
    ],
)
def test_a_file_that_cannot_be_read_is_said_in_one_sentence(
    name: str, content: bytes | None, sentence: str, tmp_path: Path
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    run = fxanchor("check", name, *LATHE, cwd=tmp_path)
    assert run.returncode == 3
    assert sentence in run.stderr
    assert "Traceback" not in run.stderr


FILLER = "Nothing is said here, and for long enough that what is said next is far from what was said before it. " * 4
RUNNING = f"""\
About lathe.

```python
total = 1 + 1
```

```python
print(total + missing_thing)
```

```python
print(total + "1")
```

{FILLER}

This one raises ZeroDivisionError:

```python
total / 0
```

{FILLER}

```python
import os
os._exit(3)
```

```python
open("no-such-file")
```

```python
assert total == 2
```
"""


def test_code_blocks_are_run_in_order_in_one_namespace(tmp_path: Path) -> None:
    (tmp_path / "run.md").write_text(RUNNING, encoding="utf-8")
    run = fxanchor("check", "run.md", *LATHE, "--run", "--json", cwd=tmp_path)
    told = [(one["verdict"], one["evidence"]) for one in json.loads(run.stdout)["references"] if one["kind"] == "code"]
    assert told == [
        ("right", "it runs"),
        ("cannot tell", "it needs missing_thing, which the text does not define"),
        ("wrong", "it raises TypeError: unsupported operand type(s) for +: 'int' and 'str' in line 12"),
        ("right", "it raises ZeroDivisionError: division by zero in line 20; the text speaks of a failure"),
        ("cannot tell", "it ends its process (exited)"),
        (
            "cannot tell",
            "not on this machine: it raises FileNotFoundError: [Errno 2] No such file or directory: 'no-such-file'"
            " in line 31",
        ),
        ("right", "it runs"),
    ]
    assert not [
        one
        for one in json.loads(fxanchor("check", "run.md", *LATHE, "--json", cwd=tmp_path).stdout)["references"]
        if one["kind"] == "code"
    ]
