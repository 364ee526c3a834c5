"""Who cites a version of a document: answers of runs, and the evidence of proposals.

The port that `OPSPILOT_CITATION_READER` names: the knowledge room, which may not know runs or
proposals, counts by it before a document is deleted, and takes the text out of answers with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from approvals.inbox import wording
from approvals.models import AgenteAprovacao, State
from opspilot.harness import presenters
from opspilot.harness.models import Run
from opspilot.tenancy.principal import Principal
from opspilot.tenancy.roles import RUN_READERS

SHOWN = 80  # characters of a question


def count(version_ids: Sequence[int]) -> dict[str, int]:
    """Every answer and proposal of the company is looked through: seconds where there are millions."""
    proposals = _proposals(version_ids)
    return {
        "answers": _runs(version_ids).count(),
        "proposals": proposals.count(),
        "waiting": proposals.filter(estado=State.PENDENTE).count(),
    }


def places(version_ids: Sequence[int], *, principal: Principal, limit: int) -> list[dict[str, Any]]:
    """The newest first; of questions those that this person may read."""
    runs = _runs(version_ids)
    if not principal.has(*RUN_READERS):
        runs = runs.filter(requester=principal.subject)
    found = [_question(run) for run in runs.order_by("-pk")[:limit]]
    found += [_proposal(row) for row in _proposals(version_ids).order_by("-pk")[:limit]]
    return sorted(found, key=lambda place: place["at"], reverse=True)[:limit]


def forget(version_ids: Sequence[int]) -> int:
    """What answers quote of these versions becomes empty; that and where they cited it stays."""
    runs = list(_runs(version_ids).select_for_update())
    for run in runs:
        for sentence in run.answer["sentences"]:
            if sentence["version_id"] in version_ids:
                sentence["text"] = ""
    Run.objects.bulk_update(runs, ["answer"], batch_size=200)
    return len(runs)


def _runs(version_ids: Sequence[int]) -> QuerySet[Run]:
    cited = [Q(answer__contains={"sentences": [{"version_id": pk}]}) for pk in version_ids]
    return Run.objects.filter(reduce(or_, cited)) if cited else Run.objects.none()


def _proposals(version_ids: Sequence[int]) -> QuerySet[AgenteAprovacao]:
    cited = [Q(evidencia__contains=[{"versao": pk}]) for pk in version_ids]
    if not cited:
        return AgenteAprovacao.objects.none()
    return AgenteAprovacao.objects.filter(reduce(or_, cited))


def _question(run: Run) -> dict[str, Any]:
    words = _("Pergunta: %(question)s") % {"question": presenters.title(run)[:SHOWN]}
    return {"words": words, "url": reverse("rodadas:run", args=[run.ref]), "at": run.created_at}


def _proposal(row: AgenteAprovacao) -> dict[str, Any]:
    words = _("Proposta: %(sentence)s") % {"sentence": wording.sentence(row)}
    return {"words": words, "url": reverse("approvals:detail", args=[row.ref]), "at": row.criada_em}
