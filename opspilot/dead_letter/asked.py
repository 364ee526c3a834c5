"""Given up of what people asked: questions, files, and effects that need a person."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce, Now
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from approvals.inbox import wording
from approvals.models import Execution, ExecutionState
from grounding.access import readable
from grounding.intake import uploads
from grounding.intake.batches import FileRow
from grounding.models import Upload, UploadState
from grounding.pages import wording as file_wording
from opspilot.dead_letter.shapes import KEPT, Lane, Line, stopped
from opspilot.harness.models import Run, RunState
from opspilot.harness.running import acts
from opspilot.rodadas.step_words import code_words
from opspilot.tenancy.principal import Principal


def _runs() -> QuerySet[Run]:
    """One that a person took over is theirs, not stopped."""
    ended = Run.objects.alias(ended=Coalesce("finished_at", "created_at"))
    given_up = ended.filter(state__in=acts.TRIED_ANEW, held_by="")
    return given_up.filter(ended__gt=Now() - KEPT).order_by("-pk")


def _run_lines(rows: Sequence[Run], _admin: Principal) -> list[Line]:
    return [
        Line(
            key=row.ref,
            title=_("Pedido de %(name)s") % {"name": row.requester_name},
            why=_run_why(row),
            at=row.finished_at or row.created_at,
            url=reverse("rodadas:run", args=[row.ref]),
            can_again=bool(row.question),
            why_not="" if row.question else _("o texto já foi apagado; quem pediu pede de novo"),
        )
        for row in rows
    ]


def _run_why(row: Run) -> str:
    said = code_words(row.code) if row.code else ""
    if row.state == RunState.REVIEW and row.code.startswith("modelo_"):
        said = _("nenhum modelo respondeu")
    return ": ".join(part for part in (str(row.get_state_display()), said) if part)


def _run_again(_admin: Principal, key: UUID) -> UUID:
    acts.queue_anew(run=stopped(_runs(), key))
    return key


def _uploads() -> QuerySet[Upload]:
    given_up = Upload.objects.filter(
        state=UploadState.REJECTED, code=uploads.INTERRUPTED, content__isnull=False
    )
    return given_up.filter(finished_at__gt=Now() - KEPT).defer("content").order_by("-pk")


def _upload_lines(rows: Sequence[Upload], admin: Principal) -> list[Line]:
    mine = readable.ids(admin) if rows else ()
    return [_upload_line(row, is_read=row.collection_id in mine) for row in rows]


def _upload_line(row: Upload, *, is_read: bool) -> Line:
    """Of a collection that is not granted to the admin not even the file's name is said."""
    at = row.finished_at or row.created_at
    if not is_read:
        title = _("Arquivo de uma coleção que você não lê")
        return Line(row.ref, title, "", at, can_again=False, why_not=_("peça a quem a lê"))
    why = file_wording.detail(FileRow(row, "ended"))
    return Line(row.ref, row.name, why, at, url=reverse("grounding:index"))


def _upload_again(admin: Principal, key: UUID) -> UUID:
    return uploads.retry(principal=admin, ref=stopped(_uploads(), key).ref).batch


def _effects() -> QuerySet[Execution]:
    """An unknown one that is still looked for is in the worker's hands, not stopped."""
    searched = Q(state=ExecutionState.DESCONHECIDA, next_lookup_at=None)
    judged = Q(state__in=(ExecutionState.DIVERGENTE, ExecutionState.BLOQUEADA))
    return Execution.objects.filter(searched | judged).select_related("approval").order_by("-pk")


def _effect_lines(rows: Sequence[Execution], _admin: Principal) -> list[Line]:
    return [
        Line(
            key=row.approval.ref,
            title=wording.sentence(row.approval),
            why=_effect_why(row),
            at=row.updated_at,
            url=reverse("approvals:detail", args=[row.approval.ref]),
            can_again=False,
            why_not=_("decide-se na página da proposta"),
        )
        for row in rows
    ]


def _effect_why(row: Execution) -> str:
    said = wording.reason(row.reason)
    return ": ".join(part for part in (str(row.get_state_display()), said) if part)


RUNS = Lane(
    slug="rodada",
    title=gettext_lazy("Perguntas e pedidos"),
    rule=gettext_lazy(
        "Pararam depois de três tentativas ou num limite, ou esperam porque nenhum provedor respondia."
    ),
    rows=_runs,
    lines=_run_lines,
    again=_run_again,
)
UPLOADS = Lane(
    slug="arquivo",
    title=gettext_lazy("Arquivos de conhecimento"),
    rule=gettext_lazy("Parados depois de três tentativas de leitura; os bytes estão guardados."),
    rows=_uploads,
    lines=_upload_lines,
    again=_upload_again,
)
EFFECTS = Lane(
    slug="execucao",
    title=gettext_lazy("Execuções"),
    rule=gettext_lazy(
        "Com resultado que uma pessoa precisa ver. Nada é reenviado daqui: cada uma segue as regras "
        "da sua página."
    ),
    rows=_effects,
    lines=_effect_lines,
)
