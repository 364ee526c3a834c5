"""A customer service agent: asks for a refund, waits for the decision, pays it, and says so.

    OPSPILOT_URL=http://127.0.0.1:8000 OPSPILOT_TOKEN=opsk_… \\
    python3 docs/examples/customer_service.py P-1044 12000 "cobrança em dobro"

Standard library only. Killed at any moment and started again with the same order, also while another
copy of it runs, it goes on where it was: the order gives the run, the run gives the proposal, and the
payment carries its reference. What was taken and not paid in time is never paid late. The payments of
this example are files of a folder (REFUNDS, else refunds). Ends with 0: paid; 1: not approved; 2: taken,
and too late to pay. The last two are handed over to a person.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import os
import sys
import tempfile
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


def ask(method: str, path: str, body: dict[str, Any] | None = None) -> Any:
    """One request. Each one below may be sent twice: the door knows it again by what it carries."""
    headers = {"Authorization": f"Bearer {os.environ['OPSPILOT_TOKEN']}"}
    if body is not None:
        headers |= {"Content-Type": "application/json"}
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
            elif refused.code == "ja_consumida":  # by this program: before, or by another copy
                return proposal["proposta"]
            else:
                raise


def pay(proposal: Any, action: dict[str, Any]) -> bool:
    """Once for each proposal, however many copies of this program try: a refund is a file that is
    named after the proposal's reference, whole or not there. False: not there, and too late."""
    book = Path(os.environ.get("REFUNDS", "refunds"))
    book.mkdir(parents=True, exist_ok=True)
    refund = book / f"{proposal['ref']}.json"
    if refund.exists():
        return True
    with tempfile.NamedTemporaryFile("w", dir=book, prefix=".draft-", encoding="utf-8") as draft:
        json.dump({"ref": proposal["ref"], "action": action}, draft, ensure_ascii=False)
        draft.flush()
        os.fsync(draft.fileno())
        if is_late(proposal):
            return refund.exists()
        with contextlib.suppress(FileExistsError):  # another copy has just paid it
            os.link(draft.name, refund)
    return True


def is_late(proposal: Any) -> bool:
    """By this machine's clock; the door asked its own when it handed the action over."""
    return dt.datetime.now(dt.UTC) >= dt.datetime.fromisoformat(proposal["executar_ate"])


def tell(ref: str, outcome: str, reference: str = "", detail: str = "") -> None:
    """The trail keeps it as this agent's own word, the first time."""
    body = {"resultado": outcome, "referencia": reference, "detalhe": detail}
    try:
        ask("POST", f"aprovacoes/{ref}/efeito", body)
    except RefusedError as refused:
        if refused.code != "efeito_ja_relatado":
            raise


def hand_over(order: str, proposal: Any, why: str) -> None:
    """A person talks to the customer, and the trail says that the agent let go."""
    row = {
        "chave": f"repasse-{proposal['ref']}",
        "acao": "repasse.humano",
        "correlacao_id": proposal["correlacao_id"],
        "resultado": "ok",
        "autorizacao": "regra",
        "saida_resumo": f"pedido {order}: {why}",
    }
    ask("POST", "acoes", row)
    print(f"{why}: handed over to a person")


def main(order: str, centavos: int, reason: str) -> int:
    proposal = propose(order, centavos, reason)
    print(f"proposed: {proposal['endereco']}", flush=True)
    proposal = wait_for_the_decision(proposal["ref"])
    if proposal["estado"] != "aprovada":
        hand_over(order, proposal, f"proposta {proposal['situacao']}")
        return 1
    if not pay(proposal, take(proposal)):
        tell(proposal["ref"], "desconhecido", detail="consumida, e sem pagamento até o prazo")
        hand_over(order, proposal, "consumida e não paga até o prazo")
        return 2
    reference = f"estorno-{proposal['ref'][:8]}"
    tell(proposal["ref"], "ok", reference)
    print(f"paid and told: {reference}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), sys.argv[3]))
