"""What the reader of a customer's trace asks its manifest for. The rest of it is for people."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, NonNegativeInt

from audit.files import strict_json
from audit.files.checks import UnreadableError


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, hide_input_in_errors=True)


class Entry(_Part):
    nome: str
    bytes: NonNegativeInt
    sha256: str


class Entity(_Part):
    ids: list[str]


class Period(_Part):
    ate: str


class Manifest(_Part):
    arquivos: list[Entry]
    entidade: Entity
    periodo: Period
    linhas: NonNegativeInt


def read(raw: bytes) -> Manifest:
    """Raises UnreadableError for what is not of this form."""
    try:
        return Manifest.model_validate(strict_json.loads(raw))
    except ValueError as exc:
        raise UnreadableError("the manifest is not of its form") from exc
