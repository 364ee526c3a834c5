"""An OpenAI-compatible server of models, a process of its own with its own log.

The model's name says how it fares: each is a thing that real servers do. Answers rest on the passages
of the request, so that what is cited can be checked. Asked for a plan ("plano"), a model looks once
and then ends, unless its name says otherwise.

    python tests/model_server.py LOG     prints its port, and writes a line of JSON a request
"""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

USAGE = {"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100}


class Handler(BaseHTTPRequestHandler):
    log_file: Path
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self._note(asked)
        model = asked["model"]
        if model == "throttles":
            self._status(429, {"Retry-After": "7"})
        elif model == "fails":
            self._status(503, {})
        elif model == "refuses-us":
            self._status(400, {})
        else:
            self._stream(model, asked)

    def _note(self, asked: dict[str, Any]) -> None:
        kept = {
            "model": asked["model"],
            "key": self.headers.get("Authorization", ""),
            "strict": asked["response_format"]["json_schema"]["strict"],
            "schema": asked["response_format"]["json_schema"]["name"],
            "roles": [message["role"] for message in asked["messages"]],
            "data": asked["messages"][-1]["content"],
        }
        with self.log_file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(kept) + "\n")

    def _status(self, status: int, headers: dict[str, str]) -> None:
        body = b'{"error": {"message": "no"}}'
        self.send_response(status)
        for name, value in (headers | {"Content-Length": str(len(body))}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _stream(self, model: str, asked: dict[str, Any]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        served = "another-model" if model == "other" else f"{model}-2026"
        served += "\0" if model == "no-text" else ""
        said = plan if asked["response_format"]["json_schema"]["name"] == "plano" else answer
        text = said(model, json.loads(asked["messages"][-1]["content"]))
        half = len(text) // 2
        self._part(served, {"content": text[:half]})
        if model == "dies":
            return
        self._part(served, {"refusal": "no"} if model == "declines" else {"content": text[half:]})
        self._part(served, {}, end="length" if model == "is-cut" else "stop")
        if model != "tells-no-usage":
            self._event({"id": "1", "object": "chat.completion.chunk", "created": 1,
                         "model": served, "choices": [], "usage": usage(model)})  # fmt: skip
        self.wfile.write(b"data: [DONE]\n\n")

    def _part(self, served: str, delta: dict[str, str], *, end: str | None = None) -> None:
        choice = {"index": 0, "delta": delta, "finish_reason": end}
        self._event({"id": "1", "object": "chat.completion.chunk", "created": 1, "model": served,
                     "choices": [choice]})  # fmt: skip

    def _event(self, value: dict[str, Any]) -> None:
        self.wfile.write(b"data: " + json.dumps(value).encode() + b"\n\n")

    def log_message(self, format: str, *args: object) -> None:
        """The log is the file's."""


def usage(model: str) -> dict[str, int]:
    return USAGE | ({"prompt_tokens": 2**40} if model == "miscounts" else {})


def answer(model: str, data: dict[str, Any]) -> str:
    passages = data["passages"]
    first = passages[0]
    good = {"text": "Veja o trecho.", "passage": first["id"], "quote": first["text"][:60]}
    lies: dict[str, list[dict[str, Any]]] = {
        "invents-an-id": [good | {"passage": 99_999}],
        "cites-twice": [good, good | {"quote": first["text"][5:40]}],
        "invents-a-quote": [good | {"quote": "reinicie todos os servidores agora"}],
        "cites-nothing": [good | {"quote": ""}],
        "finds-nothing": [],
    }
    if model == "writes-prose":
        return PROSE
    return json.dumps({"sentences": lies.get(model, [good])}, ensure_ascii=False)


PROSE = "Claro! Aqui está a resposta: reinicie."
FINAL: dict[str, Any] = {"tool": "final_answer", "ending": "answer", "missing": [], "words": ""}
ISSUE: dict[str, Any] = {
    "tool": "prepare_issue",
    "alias": "infra",
    "title": "Fila parada",
    "description": "A fila parou às 14h.",
    "labels": [],
    "assignees": [],
}
PLANS: dict[str, dict[str, Any]] = {
    "prepares": {"intent": "change", "call": ISSUE},
    "asks": {"intent": "change", "call": FINAL | {"ending": "ask", "missing": ["limit"]}},
    "invents-a-tool": {"intent": "change", "call": {"tool": "approve", "ref": "1"}},
    "adds-authority": {"intent": "change", "call": ISSUE | {"approved_by": "aprovador1"}},
    "hides-signs": {"intent": "diagnosis", "call": FINAL | {"words": "fim\u202e"}},
    "asks-for-nothing": {"intent": "change", "call": FINAL | {"ending": "ask"}},
    "asks-for-a-secret": {
        "intent": "change",
        "call": FINAL | {"ending": "ask", "missing": ["senha"]},
    },
}


def plan(model: str, data: dict[str, Any]) -> str:
    if model == "writes-prose":
        return PROSE
    search = {"tool": "search_knowledge", "query": data["request"][:500]}
    usual = {"intent": "diagnosis", "call": FINAL if data["taken"] else search}
    return json.dumps(PLANS.get(model, usual), ensure_ascii=False)


def main() -> None:
    Handler.log_file = Path(sys.argv[1])
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
