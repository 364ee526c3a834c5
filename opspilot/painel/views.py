"""`/`: what needs me, what waits for any person, the day in numbers, and health in words."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from approvals import policies
from approvals.agents import standing
from approvals.deciders import eligibility
from approvals.inbox import selectors as approvals
from approvals.models import AgenteAprovacao, Decision, Verdict
from audit import partitions
from audit.months import retention
from audit.seal import page as integrity
from grounding.pages import selectors as knowledge
from opspilot.api import behind
from opspilot.conectores import page as connectors
from opspilot.dead_letter import lanes
from opspilot.harness import selectors as runs
from opspilot.painel import presenters, queries
from opspilot.painel.cards import card
from opspilot.painel.presenters import Health, Line, Metric
from opspilot.tenancy import clock
from opspilot.tenancy.http import TenantRequest, requires
from opspilot.tenancy.principal import Principal
from opspilot.tenancy.roles import (
    ACCESS_READERS,
    ASKERS,
    CONNECTOR_READERS,
    DECIDERS,
    NOTICE_KEEPERS,
    POLICY_READERS,
    POLICY_WRITERS,
    SEAL_READERS,
    TAKERS,
    TRAIL_READERS,
    UPLOADERS,
)

SHOWN = 5
FILES = 30  # the newest sendings in which refused files are looked for


@require_GET
@requires()
def index(request: TenantRequest) -> HttpResponse:
    principal, now = request.principal, clock.now()
    queue = card("queue", lambda: _queue(principal))
    lines = queue.value["lines"] if queue.value else []
    if queue.value:
        request.to_decide = queue.value["count"]  # type: ignore[attr-defined]  # the frame's number
    context = {
        "queue": queue,
        "first": lines[0].url if lines else "",
        "headline": presenters.headline(queue.value["count"], lines) if queue.value else "",
        "stuck": card("stuck", lambda: _stuck(principal, now)),
        "mine": card("mine", lambda: presenters.followed(_tab(principal, "minhas"))),
        "numbers": card("numbers", lambda: _numbers(now)),
        "health": [
            card("partitions", _partitions),
            card("underway", lambda: presenters.underway(queries.underway(), now)),
            card("given_up", lambda: presenters.given_up(sum(lanes.counts().values()))),
            card("provider", lambda: presenters.provider(knowledge.document_count(who=principal))),
        ],
        "decides": principal.has(*DECIDERS),
        "asks": principal.has(*ASKERS),
        "audits": principal.has(*TRAIL_READERS),
        "reads_health": principal.has(*POLICY_READERS),
        "now": now,
    }
    return render(request, "painel/index.html", context)


def _tab(principal: Principal, tab: str) -> list[approvals.Row]:
    return approvals.inbox(principal=principal, tab=tab, count=SHOWN)


def _queue(principal: Principal) -> dict[str, Any]:
    lines = presenters.to_decide(_tab(principal, "para-mim"))
    count = approvals.to_decide(principal=principal) if lines else 0
    return {"lines": lines, "count": count, "last": "" if lines else _last_decision()}


def _last_decision() -> str:
    """The newest decision of a person in the company, for a queue that is empty."""
    decision = (
        Decision.objects.exclude(verdict__in=[Verdict.EXPIRAR, Verdict.CANCELAR])
        .order_by("-pk")
        .first()
    )
    proposal = AgenteAprovacao.objects.get(pk=decision.approval_id) if decision else None
    return presenters.last_decision(decision, proposal)


def _stuck(principal: Principal, now: dt.datetime) -> list[Line]:
    lines = presenters.followed(_tab(principal, "desconhecido"))
    if principal.has(*UPLOADERS):
        lines += presenters.refused(knowledge.uploads(who=principal, limit=FILES), now)
    if principal.has(*ACCESS_READERS):
        lines += presenters.undecidable(len(eligibility.stuck()))
    if principal.has(*POLICY_WRITERS):
        lines += presenters.seconds(
            policies.waiting_for(admin=principal),
            standing.waiting_for(admin=principal, behind=behind.of),
        )
        lines += presenters.retention(retention.waiting_for(admin=principal))
    if principal.has(*CONNECTOR_READERS):
        lines += presenters.connectors(connectors.troubles(now))
    if principal.has(*NOTICE_KEEPERS):
        lines += presenters.undelivered(*queries.undelivered())
    if principal.has(*TAKERS):
        lines += presenters.with_people(runs.unheld())
    if principal.has(*SEAL_READERS):
        lines += presenters.seal(integrity.trouble(now))
    return lines


def _numbers(now: dt.datetime) -> list[Metric]:
    return presenters.metrics(queries.last_day(), queries.decided(), now)


def _partitions() -> Health:
    return presenters.partitions(partitions.existing(), timezone.now().astimezone(dt.UTC).date())
