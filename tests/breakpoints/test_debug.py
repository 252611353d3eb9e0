"""`debug` on a real model: in a terminal, and for an editor that attaches."""

import json
import os
import re
import subprocess
import sys
import termios
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pexpect
import pytest
from helpers.dap import Client, end
from helpers.project import ROOT

MODELS = Path(__file__).parents[1] / "cases" / "breakpoints" / "models"
SECONDS = 90


def command(**fields: object) -> list[str]:
    return ["-m", "helpers.debugging", json.dumps({"model": "net.py:Net", **fields})]


def environment(**more: str) -> dict[str, str]:
    path = os.pathsep.join([str(ROOT / "tests"), str(ROOT)])
    return os.environ | {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", "TERM": "xterm", **more}


@pytest.fixture
def terminal() -> Iterator[Any]:
    """Return a function that starts `debug` on a pseudo-terminal."""
    children = []

    def start(**fields: object) -> "pexpect.spawn[str]":
        child = pexpect.spawn(
            sys.executable,
            command(**fields),
            cwd=str(MODELS),
            env=environment(),
            encoding="utf-8",
            timeout=SECONDS,
            dimensions=(40, 200),
        )
        children.append(child)
        return child

    yield start
    for child in children:
        child.close(force=True)


def finish(child: "pexpect.spawn[str]") -> str:
    if child.isalive():
        child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    text = child.before or ""
    assert "Traceback" not in text
    assert "BdbQuit" not in text
    return text


def test_a_person_stands_at_the_moments_of_a_node(terminal: Any) -> None:
    child = terminal(at=["create_proxy", "leaf decision", "net.py:13"], node="sub.lin")
    child.expect_exact("net.py:13  ·  net.py:13  ·  call 1  ·  node sub_lin  net.py:13:15  self.lin(x)")
    child.expect_exact("x: what is done to it is recorded; look at x.node, not at x.shape")
    child.expect_exact("(Pdb) ")
    child.sendline("display x.shape")
    child.expect_exact("refused: .shape of a Proxy would record a node; look at .node instead")
    child.expect_exact("(Pdb) ")
    child.sendline("c")
    child.expect_exact("leaf decision  ·  torch/fx/_symbolic_trace.py:514  ·  call 2")
    child.expect_exact("display module_qualified_name: 'sub.lin'")
    child.expect_exact("(Pdb) ")
    child.sendline("c")
    child.expect_exact("proxy creation  ·  torch/fx/proxy.py:360  ·  call 2")
    child.expect_exact("display target: 'sub.lin'")
    child.expect(r"proxy\.py\(360\)create_proxy\(\)")
    child.expect_exact("(Pdb) ")
    child.sendline("p len(self.graph.nodes)")
    child.expect(r"\r\n1\r\n")
    child.sendline("up")
    child.expect(r"call_module\(\)")
    child.sendline("w")
    child.expect(r"net\.py\(13\)forward\(\)")
    child.expect_exact("(Pdb) ")
    child.sendline("c")
    assert "stopped 3 quitted False error []" in finish(child)


def test_leaving_ends_quietly_with_code_0_and_a_sane_terminal(terminal: Any) -> None:
    child = terminal(op="call_method")
    before = termios.tcgetattr(child.fileno())
    child.expect_exact("display target: 'relu'")
    child.expect_exact("(Pdb) ")
    child.sendline("n")
    child.expect_exact("(Pdb) ")
    child.sendintr()
    child.expect_exact("(Pdb) ")
    child.sendline("q")
    child.expect_exact("stopped 1 quitted True error []")
    child.expect(pexpect.EOF)
    assert termios.tcgetattr(child.fileno()) == before
    finish(child)


def test_it_stops_inside_the_generated_code(terminal: Any, tmp_path: Path) -> None:
    file = tmp_path / "generated.py"
    child = terminal(at=["generated"], inputs="2x4", node="relu_1", generated_file=str(file))
    child.expect_exact("node relu_1  net.py:24:20  torch.relu(x)")
    child.expect_exact("display x: float32[2, 4]")
    child.expect(r"generated\.py\((\d+)\)forward\(\)")
    line = int(child.match[1])
    assert file.read_text(encoding="utf-8").splitlines()[line - 1].strip().startswith("relu_1 = torch.relu(x)")
    child.expect_exact("(Pdb) ")
    child.sendline("n")
    child.expect_exact("add = ")
    child.sendline("p relu_1.shape")
    child.expect_exact("torch.Size([2, 4])")
    child.sendline("c")
    assert "stopped 1 quitted False error []" in finish(child)


def test_ipdb_opens_too(terminal: Any) -> None:
    pytest.importorskip("IPython")
    child = terminal(at=["Graph.create_node"], node="add", debugger="ipdb")
    child.expect_exact("display op: 'call_function'")
    child.expect("ipdb>")
    child.sendline("q")
    assert "stopped 1 quitted True error []" in finish(child)


def test_what_is_never_reached_is_told_in_a_sentence() -> None:
    done = subprocess.run(
        [sys.executable, *command(at=["truth of a Proxy"])],
        cwd=MODELS,
        env=environment(),
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 2
    assert "never reaches truth of a Proxy: no Proxy is asked whether it is true" in done.stdout
    assert "Traceback" not in done.stderr


def test_an_editor_that_attaches_sees_the_chosen_stops_only() -> None:
    pytest.importorskip("debugpy")
    fields = {"at": ["proxy creation"], "node": "relu_1", "debugger": "debugpy"}
    process = subprocess.Popen(
        [sys.executable, "-Xfrozen_modules=off", *command(**fields)],
        cwd=MODELS,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        waiting = next(line for line in process.stderr if "Waiting for an editor" in line)
        port = re.search(r"127\.0\.0\.1:(\d+)", waiting)
        assert port is not None
        client = Client(int(port[1]))
        _, stops = client.session()
        client.close()
        assert "stopped 1 quitted False error []" in end(process)
    finally:
        process.kill()
    (stop,) = stops
    assert stop[0].endswith("create_proxy")
    assert stop[1].endswith("torch/fx/proxy.py")
