"""The server: the same answers as the command line's, and no way to labels."""

import io
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from click.testing import CliRunner

import adjudge as aj
from adjudge.cli import main
from adjudge.sealing import server
from adjudge.sealing.agent_tools import TOOLS, Judge
from adjudge.sealing.server import VERSIONS, answer, serve_lines, serve_socket
from sealed_story import edit, ledger_lines, looks, sealed

FREE = [name for name, tool in TOOLS.items() if not tool.charges]


@pytest.fixture
def asking(folder):
    """A judge of a contract with an open half, and its inbox."""
    inbox = folder / "inbox"
    inbox.mkdir()
    sealed(folder, "s", again=True, open_share=0.5)
    for name in ("c2", "c3", "good"):
        shutil.copy(folder / f"{name}.npy", inbox)
    return Judge(folder / "s.seal.toml", inbox, None, aj.inspect)


def request(method, number=1, **params):
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode()


def tool(judge, name, **given):
    reply = json.loads(answer(judge, request("tools/call", name=name, arguments=given)))
    return reply["result"]["structuredContent"]


def test_it_introduces_itself_in_the_version_that_is_asked_for(asking):
    for wanted, told in (*((one, one) for one in VERSIONS), ("1999-01-01", VERSIONS[0])):
        found = json.loads(answer(asking, request("initialize", protocolVersion=wanted)))
        assert found["result"]["protocolVersion"] == told
    assert json.loads(answer(asking, request("ping", number="x"))) == {
        "jsonrpc": "2.0", "id": "x", "result": {},
    }  # fmt: skip
    assert answer(asking, b'{"jsonrpc": "2.0", "method": "notifications/initialized"}') == b""


def test_it_lists_its_tools(asking):
    found = json.loads(answer(asking, request("tools/list")))["result"]["tools"]
    assert [one["name"] for one in found] == [
        "judge", "about", "contract", "evaluate", "explain", "compare", "inspect",
    ]  # fmt: skip
    assert [one["name"] for one in found if not one["annotations"]["readOnlyHint"]] == ["judge"]
    assert found[0]["inputSchema"]["required"] == ["file"]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"{", -32700),
        (b"[1]", -32600),
        (b"[" * 100_000, -32700),
        (b"\xff\xfe", -32700),
        (b'{"id": 1, "method": "nothing"}', -32601),
        (b'{"id": [1], "method": 3}', -32601),
        (b'{"id": 1, "method": "tools/call", "params": 5}', -32600),
    ],
)
def test_what_is_not_understood_is_said_so(asking, line, code):
    assert json.loads(answer(asking, line))["error"]["code"] == code


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("judge", {}, "judge must have file"),
        ("judge", {"file": "c2.npy", "x": "y"}, "judge must have file"),
        ("judge", {"file": 3}, "file must be a text, got 3"),
        ("judge", [1], "judge must have file"),
        ("contract", {"file": "x"}, "contract must have no arguments"),
        ("nothing", {}, "tool must be one of judge, about"),
        *[
            ("judge", {"file": name}, "file must be the name of a file in the inbox")
            for name in ("../labels.csv", "/etc/passwd", ".hidden", "", "a\\b", "c:x", "a\0b")
        ],
        ("about", {"file": "none.npy"}, "candidate must be a plain file"),
        ("judge", {"file": "x.npz"}, "candidate must be a file of .csv"),
        ("judge", {"file": "x.csv.gz"}, "candidate must be a file of .csv"),
        ("evaluate", {"file": "c2.npy", "metric": "nothing"}, "unknown metric"),
    ],
)
def test_a_wrong_call_is_told_and_costs_nothing(folder, asking, name, given, said):
    reply = json.loads(answer(asking, request("tools/call", name=name, arguments=given)))
    assert reply["result"]["isError"]
    assert said in reply["result"]["structuredContent"]["why"]
    assert looks(folder, "s") == 0


def test_no_link_leads_to_the_labels(folder, asking):
    (folder / "inbox" / "x.csv").symlink_to(folder / "labels.csv")
    os.link(folder / "labels.csv", folder / "inbox" / "y.csv")
    for name in ("x.csv", "y.csv"):
        assert "must be a plain file" in tool(asking, "judge", file=name)["why"]


def test_it_answers_as_the_command_line_does(folder, asking, monkeypatch):
    shutil.copytree(folder, folder.with_name("twin"))
    own = [tool(asking, "judge", file=f"{name}.npy") for name in ("c2", "c2", "c3", "good", "c2")]
    monkeypatch.setenv("ADJUDGE_WITNESS", str(folder.with_name("twin") / "witness"))
    call = ["judge", str(folder.with_name("twin") / "s.seal.toml"), "--json"]
    other = [
        json.loads(CliRunner().invoke(main, [*call, str(folder / f"{name}.npy")]).stdout)
        for name in ("c2", "c2", "c3", "good", "c2")
    ]
    for one in (*own, *other):
        del one["head"]  # of which the time is a part
    assert own == other
    assert [one["answer"] for one in own][3] == "ship"


def test_the_open_part_may_be_looked_at_freely(folder, asking):
    found = tool(asking, "evaluate", file="c2.npy")
    border = tool(asking, "contract")["data"]["open_until"]
    labels = np.loadtxt(folder / "labels.csv", skiprows=1)[:border]
    scores = {"candidate": np.load(folder / "c2.npy")[:border]}
    plain = aj.evaluate(labels.astype(int), scores, found["rows"][0]["metric"], at=0.5)
    assert found["rows"][0]["value"] == plain.rows[0].value
    assert [row["detector"] for row in found["rows"]] == ["candidate", "base"]
    assert "event" in tool(asking, "explain", file="c2.npy", at="0.4")["text"]
    compared = tool(asking, "compare", file="good.npy", metric="event_f1")["text"]
    assert "candidate is ahead" in compared
    assert "open" in tool(asking, "inspect")["text"]
    assert tool(asking, "about", file="c2.npy")["alarms"] > 0
    assert looks(folder, "s") == 0


def test_flags_and_areas_have_no_threshold_on_the_open_part(folder):
    np.save(folder / "base.npy", (np.load(folder / "base.npy") > 0.5).astype(int))
    sealed(folder, "f", again=True, open_share=0.5, at=None)
    asking = Judge(folder / "f.seal.toml", folder, None, aj.inspect)
    np.save(folder / "flags.npy", (np.load(folder / "c2.npy") > 0.5).astype(int))
    assert len(tool(asking, "evaluate", file="flags.npy", metric="event_f1")["rows"]) == 2
    assert "candidate" in tool(asking, "compare", file="flags.npy")["text"]


def test_alerts_are_no_benchmark(folder):
    rows = [f"2026-01-01 {hour:02}:00,2026-01-01 {hour:02}:20\n" for hour in range(24)]
    for name, some in (("incidents", rows), ("alerts", rows[::2])):
        (folder / f"{name}.csv").write_text("start,end\n" + "".join(some))
    paths = folder / "incidents.csv", folder / "alerts.csv", folder / "p.seal.toml"
    aj.seal(*paths, "event_f1", span=["2026-01-01", "2026-01-02"], looks=1)
    asking = Judge(paths[2], folder, None, aj.inspect)
    assert "inspect takes points" in tool(asking, "inspect")["why"]
    assert "6 of 12" in tool(asking, "compare", file="alerts.csv")["text"]


def test_nothing_of_a_sealed_event_is_explained(asking):
    border = tool(asking, "contract")["data"]["open_until"]
    rows = [tool(asking, name, file="good.npy")["text"] for name in ("explain", "evaluate")]
    places = [int(word) for row in rows for word in row.replace("-", " ").split() if word.isdigit()]
    assert max(places) <= border


@pytest.mark.parametrize("name", FREE)
def test_what_is_free_costs_no_look(folder, asking, name):
    tool(asking, name, **({"file": "c2.npy"} if TOOLS[name].needs else {}))
    assert looks(folder, "s") == 0


def test_a_contract_that_changes_while_it_is_served_is_noticed(folder, asking):
    edit(folder / "s.seal.toml", "alpha = .*", "alpha = 0.2")
    assert tool(asking, "judge", file="c2.npy")["answer"] == "tampered"


def test_a_ledger_and_witness_that_go_back_while_it_is_served_are_noticed(folder, asking):
    lines = (folder / "s.seal.jsonl").read_text()
    first = ledger_lines(folder, "s")[0]
    tool(asking, "judge", file="c2.npy")
    (folder / "s.seal.jsonl").write_text(lines)
    (folder / "witness" / f"{first['seal']}.head").write_text(f"1 {first['hash']}\n")
    assert tool(asking, "judge", file="c3.npy")["answer"] == "tampered"


def test_an_inbox_must_be_there(folder):
    with pytest.raises(aj.InputError, match="inbox must be a folder"):
        Judge(folder / "a.seal.toml", folder / "nowhere", None, aj.inspect)


def test_a_failure_tells_nothing(asking, monkeypatch):
    def failing(*_):
        raise RuntimeError("the label at 7 is 1")

    monkeypatch.setattr(Judge, "call", failing)
    reply = json.loads(answer(asking, request("tools/call", name="contract")))
    assert reply["error"] == {"code": -32600, "message": "not understood"}


def test_lines_are_answered_until_there_are_no_more(asking):
    sink = io.BytesIO()
    serve_lines(asking, io.BytesIO(request("ping") + b"\n" + request("ping", 2) + b"\n"), sink)
    assert [json.loads(line)["id"] for line in sink.getvalue().splitlines()] == [1, 2]


needs_sockets = pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="no such sockets")


def talk(path, *lines):
    with socket.socket(socket.AF_UNIX) as one:
        one.connect(str(path))
        with one.makefile("rwb") as stream:
            for line in lines:
                stream.write(line + b"\n")
                stream.flush()
                yield json.loads(stream.readline())


@needs_sockets
def test_a_socket_answers_several_at_once(asking, tmp_path, monkeypatch):
    path, known = tmp_path / "s", []
    monkeypatch.setattr(
        server.socketserver.BaseServer, "serve_forever",
        lambda self: [known.append(self), self.handle_request(), self.handle_request()],
    )  # fmt: skip
    with socket.socket(socket.AF_UNIX) as killed:
        killed.bind(str(path))  # its server has left it
    running = Thread(target=serve_socket, args=(asking, str(path), lambda: known.append("ready")))
    running.start()
    while len(known) < 2:
        time.sleep(0.005)
    first = talk(path, request("ping"), request("ping", 2))
    assert next(first)["id"] == 1
    call = request("tools/call", name="judge", arguments={"file": "good.npy"})
    assert next(talk(path, call))["result"]["structuredContent"]["answer"] == "ship"
    assert next(first)["id"] == 2
    running.join()
    assert known[0] == "ready"
    assert not path.exists()


@needs_sockets
def test_no_file_is_replaced_by_a_socket(asking, folder):
    with pytest.raises(aj.InputError, match="socket must be a new file"):
        serve_socket(asking, str(folder / "labels.csv"), print)
    assert (folder / "labels.csv").exists()


def program(*given, **how):
    call = [sys.executable, "-m", "adjudge", "serve", *map(str, given)]
    return subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, env=os.environ, **how)  # fmt: skip


def wait_for(path):
    for _ in range(1000):
        if path.exists() and path.stat().st_mode & 0o666 == 0o666:
            return
        time.sleep(0.02)


@pytest.mark.long
@needs_sockets
def test_the_program_answers_by_stdio_and_by_socket(folder, asking):
    call = request("tools/call", name="judge", arguments={"file": "c2.npy"})
    given = (folder / "s.seal.toml", "--inbox", folder / "inbox")
    with program(*given, "--stdio") as one:
        out, err = one.communicate(call + b"\n")
    assert (one.returncode, err) == (0, b"")
    first = json.loads(out)["result"]["structuredContent"]
    path = folder.parent / "sock"
    with program(*given, "--socket", path) as other:
        try:
            wait_for(path)
            second = next(talk(path, call))["result"]["structuredContent"]
        finally:
            other.terminate()
        assert other.wait() == 130
    assert second == first | {"replayed": True}
    assert not path.exists()


@pytest.mark.long
@needs_sockets
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="not root")
def test_another_user_gets_answers_and_no_labels(folder, asking):
    """The judge is root here, and who asks is nobody."""
    nobody = 65534
    for place in (folder.parent, *folder.parent.parents):
        if place.stat().st_uid == 0 and place != Path("/"):
            place.chmod(place.stat().st_mode | 0o011)
    folder.chmod(0o700)
    open_place = folder.parent / "open"
    open_place.mkdir()
    (open_place / "inbox").mkdir()
    (open_place / "inbox").chmod(0o777)
    path = open_place / "sock"
    asks = f"""
import json, socket
from pathlib import Path
try:
    Path({str(folder / "labels.csv")!r}).read_bytes()
except PermissionError:
    print("no labels")
one = socket.socket(socket.AF_UNIX)
one.connect({str(path)!r})
one.sendall({request("tools/call", name="judge", arguments={"file": "c.npy"})!r} + b"\\n")
print(json.loads(one.makefile().readline())["result"]["structuredContent"]["answer"])
"""
    shutil.copy(folder / "good.npy", open_place / "inbox" / "c.npy")
    given = (folder / "s.seal.toml", "--inbox", open_place / "inbox", "--socket", path)
    python = shutil.which("python3", path="/usr/bin:/usr/local/bin")
    if python is None:
        pytest.skip("no Python that another user may run")
    with program(*given) as one:
        try:
            wait_for(path)
            call = [python, "-c", asks]
            told = subprocess.run(
                call, user=nobody, capture_output=True, text=True, check=False, cwd="/"
            )
        finally:
            one.terminate()
    assert told.stdout.split("\n")[:2] == ["no labels", "ship"], told.stderr


def test_the_command_prints_the_page_for_agents():
    said = CliRunner().invoke(main, ["serve", "--skill"]).stdout
    assert said.startswith("---\nname: adjudge-sealed-judge\n")
    assert len(said.splitlines()) <= 12
    named = {name for name in TOOLS if f"`{name}`" in said}
    assert named == set(TOOLS) - {"judge"} | {"judge"}


def test_serve_needs_one_way_to_talk(folder):
    for given in ((), ("a.toml",), ("a.toml", "--stdio", "--socket", "x")):
        assert CliRunner().invoke(main, ["serve", *given]).exit_code == 2
    (folder / "a.seal.jsonl").unlink()
    found = CliRunner().invoke(main, ["serve", str(folder / "a.seal.toml"), "--stdio"])
    assert found.exit_code == 4
