"""What a package says of itself: about whom, up to when, what went by law, and what is in it."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.conf import settings

from audit import partitions
from audit.models import Trace
from audit.months import ledger
from audit.trace import layout, reading
from audit.trace.masker import Masker
from audit.trace.reading import Total
from opspilot.tenancy.models import Tenant

QUERY_VERSION = 1


@dataclass(frozen=True, slots=True)
class Facts:
    """Read in one transaction, for the manifest and the summary alike."""

    tenant_name: str
    title: str
    ids: tuple[str, ...]
    totals: list[Total]
    stories: list[reading.Told]
    since: str  # first instant of the first month there is, or ""
    expired: list[dict[str, Any]]

    @property
    def rows(self) -> int:
        return sum(total.rows for total in self.totals)

    @property
    def story_count(self) -> int:
        return self.stories[0].of_all if self.stories else 0

    @property
    def first(self) -> dt.datetime | None:
        return min((total.first for total in self.totals), default=None)

    @property
    def last(self) -> dt.datetime | None:
        return max((total.last for total in self.totals), default=None)


def facts(trace: Trace, *, title: str, ids: Sequence[str], masker: Masker) -> Facts:
    months = partitions.existing()
    return Facts(
        tenant_name=Tenant.objects.get(pk=trace.tenant_id).name,
        title=title,
        ids=tuple(ids),
        totals=reading.totals(trace, ids),
        stories=[
            replace(told, said=masker.words(told.said)) for told in reading.stories(trace, ids)
        ],
        since=f"{months[0]}-01T00:00:00+00:00" if months else "",
        expired=[_gone(line) for line in ledger.gone()],
    )


def content(
    trace: Trace, found: Facts, files: Sequence[Mapping[str, Any]], *, key: str, at: dt.datetime
) -> bytes:
    """`manifesto.json`, whose bytes are what is signed."""
    said = {
        "formato": layout.FORMAT,
        "versao": layout.VERSION,
        "empresa": {"id": str(trace.tenant_id), "nome": found.tenant_name},
        "entidade": {"tipo": trace.entity_type, "ids": list(found.ids), "titulo": found.title},
        "pedido": {
            "ref": str(trace.ref),
            "pedido_em": moment(trace.asked_at),
            "papel": trace.asked_role,
        },
        "gerado_em": moment(at),
        "fuso": _zones(),
        "periodo": {
            "ate": moment(trace.until),
            "primeira_linha": moment(found.first) if found.first else None,
            "ultima_linha": moment(found.last) if found.last else None,
        },
        "cobertura": {"desde": found.since or None, "expirados": found.expired},
        "consulta": _query(),
        "nenhum_registro": found.rows == 0,
        "linhas": found.rows,
        "historias": found.story_count,
        "historias_no_resumo": min(found.story_count, reading.MOST_STORIES),
        "arquivos": list(files),
        "chave": key or None,
    }
    return json.dumps(said, ensure_ascii=False, indent=2).encode()


def moment(at: dt.datetime) -> str:
    return at.astimezone(dt.UTC).isoformat(timespec="microseconds")


def _zones() -> dict[str, str]:
    local = [layout.ROWS_EXCEL, layout.SUMMARY]
    utc = [layout.MANIFEST, layout.ROWS_JSON, layout.ROWS_CSV]
    return dict.fromkeys(utc, "UTC") | dict.fromkeys(local, settings.TIME_ZONE)


def _query() -> dict[str, Any]:
    text = reading.query_text()
    return {
        "nome": "trace_rows",
        "versao": QUERY_VERSION,
        "sha256": hashlib.sha256(text.encode()).hexdigest(),
    }


def _gone(line: Any) -> dict[str, Any]:
    return {"mes": f"{line.month:%Y-%m}", "base": line.basis}
