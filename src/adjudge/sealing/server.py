"""A server of tools: the Model Context Protocol, which is JSON-RPC with an object a line.

Four methods are all that a client of tools needs, so nothing is installed for it.
"""

from __future__ import annotations

import json
import os
import socketserver
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjudge._version import __version__
from adjudge.errors import AdjudgeError, InputError, shown
from adjudge.sealing.agent_tools import TOOLS

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

    from adjudge.sealing.agent_tools import Judge

VERSIONS = ("2025-06-18", "2025-03-26", "2024-11-05")
"""Of the protocol, the newest first."""
LONGEST = 1 << 20
"""Bytes of a request."""
_UNREADABLE, _WRONG, _UNKNOWN = -32700, -32600, -32601


def answer(judge: Judge, line: bytes) -> bytes:
    """Answer to a line; nothing to what is only told.

    Parameters
    ----------
    judge, line : Judge, bytes
        Who is asked, and what was sent.
    """
    number = None
    try:
        asked = json.loads(line)
        if not isinstance(asked, dict):
            return _reply(None, error=_error(_WRONG, "a request must be an object"))
        if "id" not in asked:
            return b""
        number = asked["id"] if isinstance(asked["id"], (str, int)) else None
        return _reply(number, **_answered(judge, asked))
    except (ValueError, RecursionError):
        return _reply(number, error=_error(_UNREADABLE, "a request must be one line of JSON"))
    except Exception:  # noqa: BLE001 - never a traceback: it may show labels
        return _reply(number, error=_error(_WRONG, "not understood"))


def _answered(judge: Judge, asked: dict[str, Any]) -> dict[str, Any]:
    method, given = asked.get("method"), asked.get("params") or {}
    if method == "initialize":
        wanted = given.get("protocolVersion")
        return {"result": {
            "protocolVersion": wanted if wanted in VERSIONS else VERSIONS[0],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "adjudge", "version": __version__},
        }}  # fmt: skip
    if method == "ping":
        return {"result": {}}
    if method == "tools/list":
        return {"result": {"tools": [one.described(name) for name, one in TOOLS.items()]}}
    if method == "tools/call":
        return {"result": _called(judge, given.get("name"), given.get("arguments"))}
    return {"error": _error(_UNKNOWN, f"unknown method {shown(method)}")}


def _called(judge: Judge, name: Any, given: Any) -> dict[str, Any]:
    try:
        found, wrong = judge.call(name, given), False
    except AdjudgeError as error:
        found, wrong = {"answer": "wrong call", "why": str(error)}, True
    text = found.get("text") or json.dumps(found, default=str)
    told = json.loads(json.dumps(found, default=str))
    return {"content": [{"type": "text", "text": text}], "structuredContent": told,
            "isError": wrong}  # fmt: skip


def _error(code: int, message: str) -> dict[str, Any]:
    return {"code": code, "message": message}


def _reply(number: Any, **said: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": number, **said}).encode() + b"\n"


def serve_lines(judge: Judge, source: BinaryIO, sink: BinaryIO) -> None:
    """Answer line by line until nothing more comes.

    Parameters
    ----------
    judge, source, sink : Judge, binary streams
        Who is asked, where requests come from, and where answers go.
    """
    while line := source.readline(LONGEST):
        sink.write(answer(judge, line))
        sink.flush()


def serve_socket(judge: Judge, path: str, ready: Callable[[], None]) -> None:
    """Answer whoever connects to a socket of this machine, until interrupted.

    Parameters
    ----------
    judge, path, ready : Judge, str, callable
        Who is asked, where the socket is made, and what is called once it is there.
    """
    if not hasattr(socketserver, "UnixStreamServer"):  # pragma: no cover - Windows
        raise InputError("socket must be left out on this system; say --stdio")
    place = Path(path)
    if place.exists() and not stat.S_ISSOCK(place.stat().st_mode):
        raise InputError(f"socket must be a new file, got {shown(path)}")
    place.unlink(missing_ok=True)

    class Talk(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            serve_lines(judge, self.rfile, self.wfile)  # type: ignore[arg-type]

    class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
        daemon_threads = True

    with Server(path, Talk) as server:
        os.chmod(path, 0o666)  # noqa: PTH101, S103 - its folder says who may ask
        ready()
        try:
            server.serve_forever()
        finally:
            place.unlink(missing_ok=True)
