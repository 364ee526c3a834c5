"""A file with findings waits for an admin: it is read and kept, and answers nothing until then.

The admin is shown the findings and posts back their seal; the file is read again and published only
if it still has the same ones.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import asdict, replace

from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from audit import trail
from audit.vocabulary import Authorization, Result
from grounding import reasons
from grounding.formats.extracted import Sign, sign_from_json
from grounding.intake import findings, holding, uploads
from grounding.models import Upload, UploadState
from opspilot.errors import NotFoundError, RefusedError
from opspilot.queue import wake
from opspilot.tenancy import lease
from opspilot.tenancy.principal import Principal

REFUSED = "review_refused"
_KEPT_FINDINGS = "signs"


class AlreadyReviewedError(RefusedError):
    code = "arquivo_ja_decidido"
    title = _("Este arquivo não espera mais uma decisão")
    what = _("Outra pessoa já decidiu, ou os achados mudaram desde que a página foi aberta.")
    next_step = _("Abra a quarentena de novo e veja como o arquivo ficou.")


def hold(upload: Upload, signs: Sequence[Sign]) -> None:
    """Under the claim: the file waits, with its bytes."""
    written = holding.mine(upload).update(
        state=UploadState.NEEDS_REVIEW,
        detail={_KEPT_FINDINGS: [asdict(sign) for sign in signs], "seal": findings.seal(signs)},
        finished_at=Now(),
        **lease.RELEASED,
    )
    if not written:
        raise holding.LateIngestError(upload.pk)
    codes = ", ".join(sign.written for sign in signs)
    uploads.record(upload, "conhecimento.retido", Result.PENDENTE, saida_resumo=codes)


def waiting(*, readable: Sequence[int]) -> QuerySet[Upload, Upload]:
    """The files of these collections that an admin has to decide about, the oldest first."""
    held = Upload.objects.filter(state=UploadState.NEEDS_REVIEW, collection_id__in=readable)
    return held.select_related("collection").defer("content").order_by("pk")


def one(*, ref: uuid.UUID, readable: Sequence[int]) -> Upload:
    """A file that is or was in quarantine. Raises NotFoundError."""
    mine = Upload.objects.filter(
        ref=ref, collection_id__in=readable, detail__has_key=_KEPT_FINDINGS
    )
    found = mine.select_related("collection").defer("content").first()
    if found is None:
        raise NotFoundError
    return found


def signs_of(upload: Upload) -> list[Sign]:
    return [sign_from_json(sign) for sign in upload.detail.get(_KEPT_FINDINGS, [])]


def release(*, principal: Principal, upload: Upload, seal: str, reason: str) -> None:
    """Let the file be published as it was shown. Raises ReasonMissingError, AlreadyReviewedError."""
    said = reasons.checked(reason)
    _decide(
        principal,
        upload,
        seal,
        said,
        state=UploadState.UPLOADED,
        attempts=0,
        finished_at=None,
        review_seal=seal,
    )
    _record(principal, upload, "conhecimento.liberado", Result.OK, said)
    wake("upload")


def refuse(*, principal: Principal, upload: Upload, seal: str, reason: str) -> None:
    """Close the file; its bytes go, and its words with them. Raises as `release` does."""
    said = reasons.checked(reason)
    _decide(
        principal,
        upload,
        seal,
        said,
        state=UploadState.REJECTED,
        code=REFUSED,
        content=None,
        detail=_without_words(upload),
    )
    _record(principal, upload, "conhecimento.recusado", Result.RECUSADO, said, erro=REFUSED)


def _without_words(upload: Upload) -> dict[str, object]:
    """What was found and how often."""
    signs = [asdict(replace(sign, places=())) for sign in signs_of(upload)]
    return {**upload.detail, _KEPT_FINDINGS: signs}


def _decide(principal: Principal, upload: Upload, seal: str, reason: str, **values: object) -> None:
    """Once, and about what was shown."""
    still = Upload.objects.filter(pk=upload.pk, state=UploadState.NEEDS_REVIEW, detail__seal=seal)
    written = still.update(
        reviewed_by=principal.subject,
        reviewed_by_name=principal.name,
        review_reason=reason,
        **values,
    )
    if not written:
        raise AlreadyReviewedError


def _record(
    principal: Principal, upload: Upload, action: str, result: Result, reason: str, erro: str = ""
) -> None:
    trail.record(
        trail.Entry(
            correlacao_id=upload.batch,
            acao=action,
            resultado=result,
            autorizacao=Authorization.REGRA,
            entrada_resumo=principal.signature,
            saida_resumo=reason,
            fontes=[{"arquivo": upload.name, "sha256": upload.sha256}],
            erro=erro or None,
        )
    )
