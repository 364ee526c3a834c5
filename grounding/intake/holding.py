"""What the holder of an upload may write: under its claim's token, while the lease lasts."""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from grounding.models import Upload, UploadState, Version
from opspilot.tenancy import clock, lease

OPEN = (UploadState.UPLOADED, UploadState.EXTRACTED)
POSTPONED = Q(state__in=OPEN, claim_token__isnull=True, lease_until__isnull=False)
WAITING_SINCE = "waiting_since"  # in `detail`: when the embedder was first found silent


class LateIngestError(RuntimeError):
    """Another worker has taken the upload over; nothing is written."""


def finish(upload: Upload, state: UploadState, version: Version, detail: dict[str, object]) -> None:
    written = mine(upload).update(
        state=state,
        version_id=version.pk,
        detail=detail,
        content=None,
        finished_at=Now(),
        **lease.RELEASED,
    )
    if not written:
        raise LateIngestError(upload.pk)


def renew(upload: Upload, **values: object) -> None:
    """Keep the claim; the values tell whoever looks how far the file is."""
    if not lease.renew(mine(upload), **values):
        raise LateIngestError(upload.pk)


def postpone(upload: Upload) -> None:
    """Nothing is wrong with the file: it waits for one lease, and the attempt does not count."""
    since = upload.detail.get(WAITING_SINCE) or clock.now().isoformat()
    mine(upload).update(
        claim_token=None,
        lease_until=lease.until(),
        attempts=upload.attempts,
        detail={WAITING_SINCE: since},
    )


def give_back(upload: Upload) -> None:
    """The attempt counts, and the next may begin at once."""
    mine(upload).update(**lease.RELEASED)


def mine(upload: Upload) -> QuerySet[Upload, Upload]:
    return Upload.objects.filter(pk=upload.pk, claim_token=upload.claim_token)
