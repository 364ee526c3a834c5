"""Takes files in: each one becomes a row with a fate of its own, and the worker does the rest."""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from audit import trail
from audit.vocabulary import Authorization, Result
from grounding.decoding import MAX_BYTES
from grounding.models import Collection, Upload, UploadState
from opspilot.errors import InvalidInputError
from opspilot.queue import wake
from opspilot.tenancy import lease
from opspilot.tenancy.principal import Principal, signature

INTERRUPTED = "interrupted"  # given up: its worker died too often
_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")
_SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")


class NoFilesError(InvalidInputError):
    code = "nenhum_arquivo"
    what = _("Nenhum arquivo veio no envio.")
    next_step = _("Escolha um ou mais arquivos e envie de novo.")


class UnknownCollectionError(InvalidInputError):
    code = "colecao_invalida"
    what = _("A coleção precisa de um nome curto: letras minúsculas, números e hífen.")


@dataclass(frozen=True, slots=True)
class File:
    """A file as it came. `content` is None when it was too large to be read."""

    name: str
    size: int
    content: bytes | None


def collection(*, principal: Principal, slug: str, name: str = "") -> Collection:
    """The collection with this slug, made now when it is new."""
    if not _SLUG.fullmatch(slug):
        raise UnknownCollectionError
    found, _created = Collection.objects.get_or_create(
        tenant_id=principal.tenant_id, slug=slug, defaults={"name": name or slug}
    )
    return found


def accept(*, principal: Principal, collection: Collection, files: Iterable[File]) -> list[Upload]:
    """Store each file as a row of one batch. What can be refused at the door is refused here."""
    batch = uuid.uuid4()
    rows = [_accept(principal, collection, batch, file) for file in files]
    if not rows:
        raise NoFilesError
    wake("upload")
    return rows


def _accept(principal: Principal, collection: Collection, batch: uuid.UUID, file: File) -> Upload:
    content = file.content
    code = "too_large" if content is None or file.size > MAX_BYTES else ""
    code = code or ("empty" if not content else "")
    row = Upload.objects.create(
        tenant_id=principal.tenant_id,
        batch=batch,
        collection=collection,
        name=clean_name(file.name),
        size=file.size,
        sha256=hashlib.sha256(content or b"").hexdigest(),
        content=None if code else content,
        uploaded_by=principal.subject,
        uploaded_by_name=principal.name,
    )
    if code:
        reject(row, code=code)
    return row


def reject(upload: Upload, *, code: str) -> None:
    """Close the file with the reason a person reads; only an interrupted one keeps its bytes.

    A worker that lost its claim meanwhile changes nothing.
    """
    mine = Upload.objects.filter(pk=upload.pk, claim_token=upload.claim_token)
    bytes_: dict[str, Any] = {} if code == INTERRUPTED else {"content": None}
    written = mine.update(
        state=UploadState.REJECTED, code=code, finished_at=Now(), **bytes_, **lease.RELEASED
    )
    if not written:
        return
    upload.state, upload.code = UploadState.REJECTED, code
    record(upload, "conhecimento.recusado", Result.RECUSADO, erro=code)


def record(upload: Upload, action: str, result: Result, **values: object) -> None:
    trail.record(
        trail.Entry(
            correlacao_id=upload.batch,
            acao=action,
            resultado=result,
            autorizacao=Authorization.REGRA,
            entrada_resumo=signature(upload.uploaded_by_name, upload.uploaded_by),
            fontes=[{"arquivo": upload.name, "sha256": upload.sha256}],
            **values,  # type: ignore[arg-type]
        )
    )


def clean_name(name: str) -> str:
    """A relative path with no way out of its folder, at most 255 characters."""
    parts = [
        p for p in re.split(r"[/\\]+", _CONTROL.sub("", name)) if p.strip() not in {"", ".", ".."}
    ]
    return "/".join(part.strip() for part in parts)[-255:] or "sem-nome"
