"""The proof of one effect as a file: `opspilot.prova`, version 1.

The names are the published contract (docs/reference/proof-format.md). A field that is not named
here makes the file another format, and unreadable.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final, Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, ConfigDict

from audit.seal.statements import Value

FORMAT: Final = "opspilot.prova"
VERSION: Final = 1
MOST_ROWS: Final = 2000
"""Of a run, in one proof; a run has some tens of them."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class Proposal(_Part):
    ref: UUID
    id: int
    correlacao_id: UUID
    criada_em: AwareDatetime
    acao: str
    acao_hash: str
    conteudo: Any  # as it is stored now; somebody may have made it something else than an object
    solicitante: str
    solicitante_nome: str
    agente: str
    barrados: list[str]  # who stands behind the agent or the first request, and decides nothing
    risco: str
    aprovacoes_exigidas: int
    papel_exigido: str
    expira_em: AwareDatetime
    executar_de: AwareDatetime | None
    executar_ate: AwareDatetime
    estado: str
    decidida_em: AwareDatetime | None
    decidida_por: str | None
    politica_versao: int


class Decision(_Part):
    """`papeis` are those of whoever's power was used, at that moment; null = not known."""

    sujeito: str
    nome: str
    veredito: str
    hash_mostrado: str
    em: AwareDatetime
    em_nome_de: str
    em_nome_de_nome: str
    papeis: list[str] | None


class Escalation(_Part):
    papel: str
    em: AwareDatetime


class Policy(_Part):
    """The policy that was in force at one moment, and what it made of this action."""

    momento: Literal["proposta", "decisao", "execucao"]
    em: AwareDatetime
    versao: int
    ativada_em: AwareDatetime
    sha256: str
    sha256_recalculado: str
    resultado: Literal["igual", "mudou", "desconhecido"]


class Execution(_Part):
    """`espera_s` is the hold the policy at the decision asks for; null = not known."""

    estado: str
    motivo: str
    marcador: str
    marcador_recalculado: str
    espera_s: int | None
    reenvio_ate: AwareDatetime | None
    remoto: dict[str, Any]


class Attempt(_Part):
    numero: int
    tipo: Literal["envio", "resposta", "busca"]
    em: AwareDatetime
    token: UUID
    resultado: str
    detalhe: str
    corpo_sha256: str


class Resend(_Part):
    """Another proposal, by which two people let the same request leave once more."""

    ref: UUID
    estado: str
    decidida_em: AwareDatetime | None


class Use(_Part):
    """How an agent of the company used the approval it carries out itself, and its own report."""

    tipo: str
    sujeito: str
    nome: str
    hash_visto: str
    em: AwareDatetime
    relato: str | None
    referencia: str


class Row(_Part):
    """A row of the trail: the very text its hash is made of, and the hash it was stored with."""

    texto: str
    linha_hash: str


class Step(_Part):
    """One step of a Merkle path: the other half's hash, and the side it stands on."""

    lado: Literal["esquerda", "direita"]
    hash: str


class Seal(_Part):
    """A sealed window of the trail: what was signed, and the way from each row up to its root."""

    declaracao: dict[str, Any]  # the seal's own statement
    assinatura: str  # hexadecimal, as are all that follow
    chave_publica: str
    caminhos: dict[str, list[Step]]  # by the row's number


class PresentedKey(_Part):
    """A key that followed another one, and the signature by which that one presented it."""

    chave_publica: str
    apresentada_por: str  # the other one's fingerprint
    assinatura: str


class Proof(_Part):
    emitida_em: AwareDatetime
    empresa: UUID
    proposta: Proposal
    decisoes: list[Decision]
    escalonamentos: list[Escalation]
    politicas: list[Policy]
    execucao: Execution | None
    tentativas: list[Attempt]
    reenvios: list[Resend]
    corpo: dict[str, Any] | None
    consumo: Use | None
    linhas: list[Row]
    linhas_cortadas: bool  # the run has more than the MOST_ROWS oldest, which are here
    selos: list[Seal]
    chaves: list[PresentedKey] = []  # as they followed one another; proofs had none at first
    selado_ate: AwareDatetime | None  # where the newest seal of the trail ends
    meses_expirados: list[str]  # since the proposal, by the ledger of what went by law


class Signature(_Part):
    """Of the file as a whole, by the installation's Ed25519 key; in hexadecimal."""

    chave: str
    chave_publica: str
    valor: str


class File(_Part):
    formato: Literal["opspilot.prova"]
    versao: Literal[1]
    conteudo: Proof
    sha256: str
    assinatura: Signature | None


def canonical(value: Any) -> str:
    """One text for equal values: sorted keys, no insignificant space, UTF-8."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def content_sha256(content: Mapping[str, Any]) -> str:
    """What the file says of itself: of its content as it stands in the file."""
    return sha256(canonical(content))


def signed(content_hash: str) -> dict[str, Value]:
    """The statement of the kind `proof` that the signature of such a file is of."""
    return {"sha256": content_hash}
