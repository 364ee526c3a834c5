"""Takes files in: each one becomes a row with a fate of its own, and the worker does the rest."""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from audit import trail
from audit.vocabulary import Authorization, Result
from grounding.access import granting, readable
from grounding.access.errors import CollectionNotGrantedError
from grounding.intake.decoding import MAX_BYTES
from grounding.models import Collection, Upload, UploadState
from opspilot.errors import InvalidInputError, RefusedError
from opspilot.queue import wake
from opspilot.tenancy import lease
from opspilot.tenancy.principal import Principal, signature

INTERRUPTED = "interrupted"  # given up: its worker died too often
MAX_NAME = 250  # characters; the framework cuts a longer name to 255, which would go unnoticed
_FILES, _BYTES = 32, 32 * 1024 * 1024  # of one group
_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")
_SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")


class NoFilesError(InvalidInputError):
    code = "nenhum_arquivo"
    what = _("Nenhum arquivo veio no envio.")
    next_step = _("Escolha um ou mais arquivos e envie de novo.")


class UnknownCollectionError(InvalidInputError):
    code = "colecao_invalida"
    what = _("A coleção precisa de um nome curto: letras minúsculas, números e hífen.")


class NothingToRetryError(RefusedError):
    code = "nada_a_repetir"
    title = _("Este arquivo não pode ser tentado de novo")
    what = _("O arquivo já terminou de outro modo ou não está mais guardado.")
    next_step = _("Envie o arquivo de novo.")


@dataclass(frozen=True, slots=True)
class File:
    """A file as it came. `content` is None when it was too large to be read."""

    name: str
    size: int
    content: bytes | None


@dataclass(frozen=True, slots=True)
class _Sender:
    """Who sent a file, where to, and in which zip it came."""

    tenant_id: uuid.UUID
    subject: str
    name: str
    collection_id: int
    batch: uuid.UUID
    parent_id: int | None = None


def collection(*, principal: Principal, slug: str, name: str = "") -> Collection:
    """The collection with this slug, made now when it is new: then every role reads it.

    Raises CollectionNotGrantedError for one that they may not read.
    """
    if not _SLUG.fullmatch(slug):
        raise UnknownCollectionError
    found, made = Collection.objects.get_or_create(
        tenant_id=principal.tenant_id, slug=slug, defaults={"name": name or slug}
    )
    if made:
        granting.open_to_every_role(principal=principal, collection=found)
    elif found.pk not in readable.ids(principal):
        raise CollectionNotGrantedError
    return found


def accept(
    *,
    principal: Principal,
    collection: Collection,
    files: Iterable[File],
    batch: uuid.UUID | None = None,
) -> list[Upload]:
    """Store each file as a row of one batch. What can be refused at the door is refused here.

    Given again in the same batch, the same file is the row it already was: after a cut connection
    the sender cannot know whether it arrived.
    """
    sender = _Sender(
        principal.tenant_id, principal.subject, principal.name, collection.pk, batch or uuid.uuid4()
    )
    rows = [_accept(sender, file) for file in files]
    if not rows:
        raise NoFilesError
    wake("upload")
    return rows


def groups(files: Iterable[File]) -> Iterator[list[File]]:
    """A few at a time, so that a large folder stands neither in memory nor in one transaction."""
    group: list[File] = []
    size = 0
    for file in files:
        group.append(file)
        size += len(file.content or b"")
        if len(group) >= _FILES or size >= _BYTES:
            yield group
            group, size = [], 0
    if group:
        yield group


def retry(*, principal: Principal, ref: uuid.UUID) -> Upload:
    """Give a file that was given up its attempts again; its bytes were kept for this."""
    mine = Upload.objects.filter(collection_id__in=readable.ids(principal))
    written = mine.filter(ref=ref, code=INTERRUPTED, content__isnull=False).update(
        state=UploadState.UPLOADED,
        code="",
        detail={},
        attempts=0,
        finished_at=None,
        **lease.RELEASED,
    )
    if not written:
        raise NothingToRetryError
    wake("upload")
    return Upload.objects.defer("content").get(ref=ref)


def accept_part(parent: Upload, file: File) -> Upload:
    """A file that came inside a zip: of the same batch, sent by the same person."""
    sender = _Sender(
        parent.tenant_id,
        parent.uploaded_by,
        parent.uploaded_by_name,
        parent.collection_id,
        parent.batch,
        parent.pk,
    )
    return _accept(sender, file)


def _accept(sender: _Sender, file: File) -> Upload:
    facts = {
        "batch": sender.batch,
        "collection_id": sender.collection_id,
        "name": clean_name(file.name),
        "size": file.size,
        "sha256": sha256(file),
    }
    known = Upload.objects.defer("content").filter(**facts).first()
    if known is not None:
        return known
    code = _refusal(file)
    row = Upload.objects.create(
        tenant_id=sender.tenant_id,
        content=None if code else file.content,
        uploaded_by=sender.subject,
        uploaded_by_name=sender.name,
        parent_id=sender.parent_id,
        **facts,
    )
    if code:
        reject(row, code=code)
    return row


def sha256(file: File) -> str:
    return hashlib.sha256(file.content or b"").hexdigest()


def _refusal(file: File) -> str:
    """Why the file need not be read; empty when it must be."""
    if len(file.name) > MAX_NAME:
        return "long_name"
    if file.content is None or file.size > MAX_BYTES:
        return "too_large"
    return "" if file.content else "empty"


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
