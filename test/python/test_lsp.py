# RUN: %pytest %s
"""`tcgen05-lsp-server` as an editor speaks to it: diagnostics while one types, and hover."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

URI = "file:///kernel.mlir"
ILLEGAL = """\
!tmem = !tcgen05.tmem<64x4xi32, #tcgen05.layout<[64, 4] : [1@lane, 1@col], replica [2 : 32@lane]>>
!smem = !tcgen05.smem<64x4xi32, #tcgen05.layout<[64, 4] : [4, 1]>>
func.func @copy(%t: !tmem, %s: !smem) {
  tcgen05.cp "cta_group::1.64x128b.warpx2::01_23" %t, %s : !tmem, !smem
  return
}
"""
LEGAL = ILLEGAL.replace("2 : 32@lane", "2 : 64@lane")
COMMAND = [sys.executable, "-c", "from mlir_tcgen05._tools import lsp_server; lsp_server()"]


class Editor:
    """One end of the Language Server Protocol over the pipes of a server."""

    def __init__(self, server: subprocess.Popen[bytes]) -> None:
        self._server = server
        self._numbers = 0

    def notify(self, method: str, **parameters: Any) -> None:
        """Sends what asks for no answer."""
        self._send({"method": method, "params": parameters})

    def ask(self, method: str, **parameters: Any) -> Any:
        """The result that the server gives for a request."""
        self._numbers += 1
        self._send({"id": self._numbers, "method": method, "params": parameters})
        answer = self._receive(lambda message: message.get("id") == self._numbers)
        assert "error" not in answer, answer
        return answer["result"]

    def diagnostics(self) -> list[dict[str, Any]]:
        """The next that the server publishes."""
        name = "textDocument/publishDiagnostics"
        return self._receive(lambda message: message.get("method") == name)["params"]["diagnostics"]

    def _send(self, message: dict[str, Any]) -> None:
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._server.stdin is not None
        self._server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self._server.stdin.flush()

    def _receive(self, wanted: Any) -> dict[str, Any]:
        assert self._server.stdout is not None
        while True:
            length = 0
            while (line := self._server.stdout.readline().strip()) or not length:
                assert line, "expected the server to go on, but got the end"
                name, _, value = line.partition(b": ")
                length = int(value) if name == b"Content-Length" else length
            message = json.loads(self._server.stdout.read(length))
            if wanted(message):
                return message


@contextmanager
def editor(text: str) -> Iterator[Editor]:
    """A server that has one document open, and has ended well afterwards."""
    with subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as server:
        try:
            client = Editor(server)
            capabilities = client.ask("initialize", processId=None, rootUri=None, capabilities={})
            assert capabilities["capabilities"]["hoverProvider"]
            client.notify("initialized")
            client.notify(
                "textDocument/didOpen",
                textDocument={"uri": URI, "languageId": "mlir", "version": 1, "text": text},
            )
            yield client
            client.ask("shutdown")
            client.notify("exit")
            assert server.wait(timeout=60) == 0
        finally:
            server.kill()


def at(text: str, word: str) -> dict[str, int]:
    """The position of a word, as the protocol counts."""
    before = text[: text.index(word)]
    return {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}


def test_illegal_copy_is_told_and_mended() -> None:
    with editor(ILLEGAL) as client:
        (diagnostic,) = client.diagnostics()
        assert diagnostic["message"] == (
            "'tcgen05.cp' op expected dst row 32 in lane 64 for 64x128b.warpx2::01_23, "
            "but got lane 32"
        )
        assert diagnostic["severity"] == 1
        assert diagnostic["range"]["start"] == at(ILLEGAL, "tcgen05.cp")
        notes = [note["message"] for note in diagnostic["relatedInformation"]]
        assert "this mapping is 64x128b.warpx2::02_13" in notes
        # 64 lanes apart is 02_13, not yet 01_23.
        for version, text in enumerate([LEGAL, LEGAL.replace("01_23", "02_13")]):
            client.notify(
                "textDocument/didChange",
                textDocument={"uri": URI, "version": version + 2},
                contentChanges=[{"text": text}],
            )
            found = [diagnostic["message"] for diagnostic in client.diagnostics()]
            assert len(found) == 1 - version, found


@pytest.mark.parametrize(
    ("word", "shown"),
    [
        ("tcgen05.cp", ['"tcgen05.cp"', 'multicast = "warpx2::02_13"', "replica [2 : 64@lane]"]),
        ("%t,", ["Result #0", "!tcgen05.tmem<64x4xi32"]),
    ],
)
def test_hover(word: str, shown: list[str]) -> None:
    """What the server knows of an operation and of a value, defaults and aliases spelled out."""
    text = LEGAL.replace("01_23", "02_13").replace(
        "(%t: !tmem, %s: !smem) {", "(%a: i32, %s: !smem) {\n  %t = tcgen05.tmem_view %a : !tmem"
    )
    with editor(text) as client:
        assert client.diagnostics() == []
        place = {"textDocument": {"uri": URI}, "position": at(text, word)}
        hover = client.ask("textDocument/hover", **place)
        assert hover["contents"]["kind"] == "markdown"
        for part in shown:
            assert part in hover["contents"]["value"]
