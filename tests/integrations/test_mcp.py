"""The official client of the Model Context Protocol asks a sealed judge, on stdio and a socket."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
import time

import numpy as np
import pytest

import adjudge as aj

mcp = pytest.importorskip("mcp")

LABELS = np.tile(np.repeat([0, 1], [40, 8]), 40)


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("ADJUDGE_WITNESS", str(tmp_path / "witness"))
    np.savetxt(tmp_path / "labels.csv", LABELS, "%d", header="label", comments="")
    np.save(tmp_path / "base.npy", LABELS * np.tile(np.repeat([1, 0], 48), 20))
    np.save(tmp_path / "good.npy", LABELS)
    np.save(tmp_path / "poor.npy", 0 * LABELS)
    aj.seal(tmp_path / "labels.csv", tmp_path / "base.npy", tmp_path / "a.seal.toml")
    return tmp_path


def program(place, *given):
    return ["-m", "adjudge", *given[:1], str(place / "a.seal.toml"), *map(str, given[1:])]


THROUGH = """
import shutil, socket, sys, threading
one = socket.socket(socket.AF_UNIX)
one.connect(sys.argv[1])
source, sink = one.makefile("rb", buffering=0), one.makefile("wb", buffering=0)
def forth():
    for line in sys.stdin.buffer:
        sink.write(line)
    one.shutdown(socket.SHUT_WR)
threading.Thread(target=forth, daemon=True).start()
for line in source:
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()
"""
"""Clients talk to a program: one that hands lines on to a socket and back."""
CANDIDATES = ("poor.npy", "poor.npy", "good.npy")


async def talk(call):
    how = mcp.StdioServerParameters(command=sys.executable, args=call, env=dict(os.environ))
    async with mcp.Client(mcp.stdio_client(how)) as client:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        asked = [("judge", {"file": name}) for name in CANDIDATES]
        asked += [("judge", {"file": "../labels.csv"}), ("evaluate", {"file": "good.npy"})]
        asked += [("contract", {}), ("inspect", {})]
        return tools, [await client.call_tool(*one) for one in asked]


def on_stdio(place):
    return asyncio.run(talk(program(place, "serve", "--stdio", "--inbox", place)))


def on_a_socket(place):
    path = place / "s"
    call = program(place, "serve", "--socket", path, "--inbox", place)
    with subprocess.Popen([sys.executable, *call], stderr=subprocess.DEVNULL) as server:
        try:
            while not (path.exists() and path.stat().st_mode & 0o666 == 0o666):
                assert server.poll() is None
                time.sleep(0.02)
            return asyncio.run(talk(["-c", THROUGH, str(path)]))
        finally:
            server.terminate()


def on_the_command_line(place):
    told = []
    for name in CANDIDATES:
        call = [sys.executable, *program(place, "judge", place / name, "--json")]
        told.append(json.loads(subprocess.run(call, capture_output=True, check=False).stdout))
    return told


def without_head(told):
    return [{**one, "head": ""} for one in told]  # of which the time is a part


@pytest.mark.parametrize("way", [on_stdio, on_a_socket])
def test_the_official_client_lists_the_tools_and_is_answered_as_the_command_line(
    place, way, monkeypatch
):
    twin = place.with_name(f"{place.name}-twin")
    shutil.copytree(place, twin)
    tools, replies = way(place)
    assert tools == ["judge", "about", "contract", "evaluate", "explain", "compare", "inspect"]
    poor, again, good, wrong, evaluated, contract, inspected = replies
    told = [one.structured_content for one in (poor, again, good)]
    assert [one["answer"] for one in told] == ["do not ship", "do not ship", "ship"]
    assert [one["replayed"] for one in told] == [False, True, False]
    assert wrong.is_error
    assert evaluated.structured_content["rows"][0]["value"] == 1
    assert contract.structured_content["left"] == 0
    assert "checks of the benchmark" in inspected.content[0].text
    assert not any(one.is_error for one in (poor, again, good, evaluated, contract, inspected))
    monkeypatch.setenv("ADJUDGE_WITNESS", str(twin / "witness"))
    assert without_head(on_the_command_line(twin)) == without_head(told)
