"""The official client of the Model Context Protocol lists the tools of a sealed judge, and asks."""

import asyncio
import os
import sys

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


async def talk(place):
    call = ["-m", "adjudge", "serve", str(place / "a.seal.toml"), "--stdio", "--inbox", str(place)]
    how = mcp.StdioServerParameters(command=sys.executable, args=call, env=dict(os.environ))
    async with mcp.Client(mcp.stdio_client(how)) as client:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        asked = [("judge", {"file": name}) for name in ("poor.npy", "poor.npy", "good.npy")]
        asked += [("judge", {"file": "../labels.csv"}), ("evaluate", {"file": "good.npy"})]
        asked += [("contract", {}), ("inspect", {})]
        return tools, [await client.call_tool(*one) for one in asked]


def test_the_official_client_lists_the_tools_and_is_answered(place):
    tools, replies = asyncio.run(talk(place))
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
