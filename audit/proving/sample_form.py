"""The audit pack: a ZIP of proofs drawn by a seed, with a signed manifest. `opspilot.amostra`, 1.

The names are the published contract (docs/reference/proof-format.md). Writer and reader agree here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final, Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, ConfigDict

from audit.seal.statements import Value

FORMAT: Final = "opspilot.amostra"
VERSION: Final = 1
MANIFEST, SIGNATURE = "manifesto.json", "assinatura.json"
RULE = "sha256(semente:ref), os menores primeiro"


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class Entry(_Part):
    ref: str
    nome: str
    sha256: str


class Manifest(_Part):
    """`universo` is every effect of the quarter, so that who has the seed can draw again."""

    formato: Literal["opspilot.amostra"]
    versao: Literal[1]
    empresa: UUID
    trimestre: str
    de: AwareDatetime
    ate: AwareDatetime
    fuso: str
    gerada_em: AwareDatetime
    semente: str
    regra: str
    pedidos: int
    universo: list[str]
    arquivos: list[Entry]


def drawn(refs: Sequence[str], *, seed: str, size: int) -> list[str]:
    """In the order in which they were drawn: no generator of anybody's, only SHA-256."""
    return sorted(refs, key=lambda ref: hashlib.sha256(f"{seed}:{ref}".encode()).digest())[:size]


def file_name(ref: str) -> str:
    return f"provas/{ref}.json"


def signed(manifest: bytes) -> dict[str, Value]:
    """The statement of the kind `sample` that a pack's signature is of."""
    return {"sha256": hashlib.sha256(manifest).hexdigest()}
