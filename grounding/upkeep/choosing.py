"""What an admin decides about the index: how a collection is cut, and that it is measured now."""

from __future__ import annotations

from django.db.models import Max
from django.utils.translation import gettext_lazy as _

from audit import trail
from grounding.intake import policies
from grounding.models import ChunkingPolicy, Collection, KnowledgeIndex, Search
from grounding.reading.chunking import Policy
from grounding.upkeep import standing
from opspilot.errors import InvalidInputError
from opspilot.tenancy.principal import Principal


class SamePolicyError(InvalidInputError):
    """The collection is cut like this already."""

    code = "recorte_igual"
    what = _("A coleção já é recortada assim. Nada foi gravado.")
    next_step = _("Mude o tamanho ou a repetição e grave de novo.")


def choose(*, admin: Principal, collection: Collection, policy: Policy) -> ChunkingPolicy:
    """From now on the collection is cut by this; the worker cuts again what is there."""
    before = policies.in_force(collection.pk)
    if policy == before:
        raise SamePolicyError
    mine = ChunkingPolicy.objects.filter(collection=collection)
    row = ChunkingPolicy.objects.create(
        tenant_id=admin.tenant_id,
        collection=collection,
        number=(mine.aggregate(last=Max("number"))["last"] or 0) + 1,
        limit=policy.limit,
        overlap=policy.overlap,
        created_by=admin.subject,
        created_by_name=admin.name,
    )
    _record(admin, "recorte.alterado", f"{collection.slug}: {before.chunker} → {policy.chunker}")
    standing.hurry(whole=True)
    return row


def measure_again(*, admin: Principal) -> None:
    """Also gives an approximate search that was turned off another try."""
    row = standing.made()
    mine = KnowledgeIndex.objects.filter(pk=row.pk, search=Search.TURNED_OFF)
    mine.update(search=Search.EXACT)
    _record(admin, "indice.medido", "")
    standing.hurry(whole=True)


def _record(admin: Principal, action: str, said: str) -> None:
    trail.record_act(
        admin, action, saida_resumo=said or None, reversivel=action == "recorte.alterado"
    )
