"""A customer service agent: asks for a refund, waits for the decision, pays it, and says so.

    OPSPILOT_URL=http://127.0.0.1:8000 OPSPILOT_TOKEN=opsk_… \\
    python3 docs/examples/customer_service.py P-1044 12000 "cobrança em dobro"

Standard library only. Killed at any moment and started again with the same order, it goes on where
it was: the order gives the run, the run gives the proposal, and the payment carries its reference.
The payments of this example are lines of a file (REFUNDS, else refunds.jsonl).
"""

from __future__ import annotations

import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid
from pathlib import Path
from typing import Any

KIND = "estorno.emitido"
RUNS = uuid.UUID("5f2b3c1e-7d0a-4b8e-9c55-0d6a1f0e7a21")  # of this agent; any other one serves
PATIENCE = 35  # seconds: longer than the door lets a request wait


class RefusedError(Exception):
    """What the door says no to: its stable code, and when to ask again, if that helps."""

    def __init__(self, problem: dict[str, Any], retry_after: str | None) -> None:
        super().__init__(f"{problem['codigo']}: {problem['detail']}")
        self.code = str(problem["codigo"])
        self.retry_after = float(retry_after) if retry_after else 2.0


def ask(method: str, path: str, body: dict[str, Any] | None = None, key: str = "") -> Any:
    """One request. `key` makes a lost answer harmless: the same request is done once."""
    headers = {"Authorization": f"Bearer {os.environ['OPSPILOT_TOKEN']}"}
    if body is not None:
        headers |= {"Content-Type": "application/json"}
    if key:
        headers |= {"Idempotency-Key": key}
    request = urllib.request.Request(
        f"{os.environ['OPSPILOT_URL']}/api/v1/{path}",
        data=None if body is None else json.dumps(body).encode(),
        headers=headers,
        method=method,
    )
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        raise RefusedError(json.load(error), error.headers.get("Retry-After")) from error


def propose(order: str, centavos: int, reason: str) -> Any:
    """The same order is the same run: started again, it is given the first proposal."""
    return ask(
        "POST",
        "aprovacoes",
        {
            "acao": KIND,
            "correlacao_id": str(uuid.uuid5(RUNS, order)),
            "comando": {"pedido": order, "valor": centavos, "motivo": reason},
            "justificativa": f"O cliente pediu o estorno do pedido {order}: {reason}.",
        },
    )


def wait_for_the_decision(ref: str) -> Any:
    """A person decides, in minutes or hours. The request waits; it is not asked all the time."""
    while True:
        proposal = ask("GET", f"aprovacoes/{ref}?espera=25&visto=pendente")
        if proposal["situacao"] != "pendente":
            return proposal


def take(proposal: Any) -> Any:
    """The frozen action, once. While whoever approved may still take it back, wait."""
    body = {"acao_hash": proposal["acao_hash"]}
    while True:
        try:
            return ask("POST", f"aprovacoes/{proposal['ref']}/consumir", body)["proposta"]
        except RefusedError as refused:
            if refused.code == "em_espera":
                time.sleep(refused.retry_after)
            elif refused.code == "ja_consumida":  # by this program, before it was started again
                return proposal["proposta"]
            else:
                raise


def pay(ref: str, action: dict[str, Any]) -> str:
    """Once for each proposal: the payments know a refund by the proposal's reference."""
    book = Path(os.environ.get("REFUNDS", "refunds.jsonl"))
    lines = book.read_text(encoding="utf-8").splitlines() if book.exists() else []
    if not any(json.loads(line)["ref"] == ref for line in lines):
        with book.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"ref": ref, "action": action}, ensure_ascii=False) + "\n")
    return f"estorno-{ref[:8]}"


def tell(ref: str, reference: str) -> None:
    """The trail keeps it as this agent's own word."""
    body = {"resultado": "ok", "referencia": reference}
    try:
        ask("POST", f"aprovacoes/{ref}/efeito", body, key=f"efeito-{ref}")
    except RefusedError as refused:
        if refused.code != "efeito_ja_relatado":
            raise


def hand_over(order: str, proposal: Any) -> None:
    """Not approved: a person talks to the customer, and the trail says that the agent let go."""
    row = {
        "chave": f"repasse-{proposal['ref']}",
        "acao": "repasse.humano",
        "correlacao_id": proposal["correlacao_id"],
        "resultado": "ok",
        "autorizacao": "regra",
        "saida_resumo": f"pedido {order}: proposta {proposal['situacao']}",
    }
    ask("POST", "acoes", row)


def main(order: str, centavos: int, reason: str) -> int:
    proposal = propose(order, centavos, reason)
    print(f"proposed: {proposal['endereco']}", flush=True)
    proposal = wait_for_the_decision(proposal["ref"])
    if proposal["estado"] != "aprovada":
        hand_over(order, proposal)
        print(f"{proposal['situacao']}: handed over to a person")
        return 1
    reference = pay(proposal["ref"], take(proposal))
    tell(proposal["ref"], reference)
    print(f"paid and told: {reference}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), sys.argv[3]))
